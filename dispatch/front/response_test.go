package front

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// Decision 76: the date follows its source, from whatever goroutine.
func TestDateFollows(t *testing.T) {
	t.Parallel()
	var date []byte
	front := New(Config{Handler: new(scribe), Date: func() []byte { return date }})
	for _, want := range []string{"Fri, 09 Oct 2026 12:00:00 GMT", "Fri, 09 Oct 2026 12:00:01 GMT", "Fri, 09 Oct 2026 12:00:00 GMT"} {
		date = append(date[:0], want...) // in the same array
		if got := serveOnce(t, front, plainGet); !strings.Contains(got, "\r\nDate: "+want+"\r\n") || strings.Count(got, "Date:") != 1 {
			t.Errorf("answer %q", got)
		}
	}
}

// A date that is none is replaced, and breaks no response.
func TestDateRepaired(t *testing.T) {
	t.Parallel()
	for _, date := range []string{"", "a\r\nX: y", "\x00"} {
		front := New(Config{Handler: new(scribe), Date: func() []byte { return []byte(date) }})
		got := serveOnce(t, front, plainGet)
		_, text, _ := strings.Cut(got, "\r\nDate: ")
		text, _, _ = strings.Cut(text, "\r\n")
		if at, err := fasthttp.ParseHTTPDate([]byte(text)); err != nil || time.Since(at) > patience || strings.Count(got, "no-store") != 1 {
			t.Errorf("date %q: answer %q", date, got)
		}
	}
}

// Without a source the clock is one, for responses of all kinds.
func TestClock(t *testing.T) {
	t.Parallel()
	front := New(Config{Handler: new(scribe)})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				for _, got := range []string{serveOnce(t, front, plainGet), string(EarlyResponse(400, nil))} {
					_, text, _ := strings.Cut(got, "\r\nDate: ")
					text, _, _ = strings.Cut(text, "\r\n")
					at, err := fasthttp.ParseHTTPDate([]byte(text))
					if age := time.Since(at); err != nil || age < 0 || age > patience {
						t.Errorf("answer %q", got)
					}
				}
			}
		})
	}
	wg.Wait()
}

// Someone else's server keeps what it adds by itself, once, and what ran before
// adds nothing.
func TestForeignDefaults(t *testing.T) {
	t.Parallel()
	front := New(Config{Handler: new(scribe), Date: fixedDate})
	for _, test := range []struct {
		name   string
		server *fasthttp.Server
		want   string
	}{
		{"bare", &fasthttp.Server{NoDefaultServerHeader: true, NoDefaultDate: true}, ""},
		{"named", &fasthttp.Server{Name: "theirs", NoDefaultDate: true, NoDefaultContentType: true}, "Server: theirs\r\n"},
	} {
		server := test.server
		server.Logger = silence{}
		server.Handler = func(ctx *fasthttp.RequestCtx) {
			ctx.Response.Header.Set("Cache-Control", "public")
			ctx.Response.Header.Set("X-Before", "1")
			ctx.SetBodyString("before")
			front.Handle(ctx)
		}
		for request, want := range map[string]string{
			plainGet: "HTTP/1.1 404 Not Found\r\n" + test.want + "Content-Length: 0\r\nDate: " + string(theDate) + "\r\nCache-Control: no-store\r\n\r\n",
			post + jsonFields + "\r\n": "HTTP/1.1 200 OK\r\n" + test.want + "Content-Type: application/json\r\nContent-Length: 11\r\nDate: " +
				string(theDate) + "\r\nCache-Control: no-store\r\n\r\n{\"bytes\":0}",
			post + "\r\n": "HTTP/1.1 415 Unsupported Media Type\r\n" + test.want + "Content-Length: 0\r\nDate: " + string(theDate) +
				"\r\nCache-Control: no-store\r\n\r\n",
		} {
			conn := &tape{in: strings.NewReader(request)}
			if err := server.ServeConn(conn); err != nil {
				t.Fatal(err)
			}
			if got := conn.out.String(); got != want {
				t.Errorf("%s: got %q, want %q", test.name, got, want)
			}
		}
	}
}

// T-37 where the foreign server streams bodies.
func TestForeignStreams(t *testing.T) {
	t.Parallel()
	front := New(Config{Handler: new(scribe), Date: fixedDate, Limits: small})
	for _, test := range []struct {
		name, framing, body, want string
	}{
		{"at the limit", "Content-Length: 128\r\n", strings.Repeat(" ", 128), `{"bytes":128}`},
		{"beyond", "Content-Length: 129\r\n", strings.Repeat(" ", 129), "413"},
		{"chunks at the limit", "Transfer-Encoding: chunked\r\n", "80\r\n" + strings.Repeat(" ", 128) + "\r\n0\r\n\r\n", `{"bytes":128}`},
		{"chunks beyond", "Transfer-Encoding: chunked\r\n", "81\r\n" + strings.Repeat(" ", 129) + "\r\n0\r\n\r\n", "413"},
		{"broken chunks", "Transfer-Encoding: chunked\r\n", "zz\r\n", "400"},
		{"none", "", "", `{"bytes":0}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := &fasthttp.Server{
				Handler: front.Handle, StreamRequestBody: true, NoDefaultDate: true, NoDefaultServerHeader: true, Logger: silence{},
			}
			conn := &tape{in: strings.NewReader(post + jsonFields + test.framing + "\r\n" + test.body)}
			_ = server.ServeConn(conn)
			got := conn.out.String()
			if !strings.Contains(got, test.want) || strings.Count(got, "HTTP/1.1 ") != 1 || strings.Count(got, "Cache-Control: no-store\r\n") != 1 {
				t.Errorf("answer %q", got)
			}
		})
	}
}
