package front

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/troupe-mcp/troupe/streams/socket"
)

const plainGet = "GET /a?b=%20 HTTP/1.1\r\nHost: h\r\nX-One: 1\r\nx-one:\t2 \r\nMcp-Param-A: p\r\nAccept: a/b\r\n\r\n"

// T-05, T-39: what a Handler reads is what was sent.
func TestExchangeReads(t *testing.T) {
	t.Parallel()
	seen := false
	front := New(Config{Handler: handlerFunc(func(x *Exchange) {
		seen = true
		if string(x.Method()) != "GET" || string(x.Target()) != "/a?b=%20" || len(x.Body()) != 0 || x.Conn() != nil {
			t.Errorf("%s %s %q", x.Method(), x.Target(), x.Body())
		}
		h := x.Head()
		if string(h.Host.Value) != "h" || h.Host.Count != 1 || h.Params != 1 || h.Fields != 5 || h.Origin.Count != 0 || h.Origin.Value != nil {
			t.Errorf("head %+v", h)
		}
		var values, all []string
		for v := range x.Values("X-ONE") {
			values = append(values, string(v))
		}
		for name, value := range x.Fields() {
			all = append(all, string(name)+"="+string(value))
		}
		if !slices.Equal(values, []string{"1", "2"}) || string(x.Header("x-one")) != "1" || x.Header("x-two") != nil {
			t.Errorf("values %q", values)
		}
		if !slices.Equal(all, []string{"Host=h", "X-One=1", "x-one=2", "Mcp-Param-A=p", "Accept=a/b"}) {
			t.Errorf("fields %q", all)
		}
		if since := time.Since(x.Received()); since < 0 || since > patience {
			t.Errorf("received %v ago", since)
		}
		x.Bodyless(http.StatusAccepted, "")
	})})
	serveOnce(t, front, plainGet)
	if !seen {
		t.Error("not served")
	}
}

// Decision 72: on our own listener the end of the request's last byte counts.
func TestReceived(t *testing.T) {
	t.Parallel()
	received := make(chan time.Time, 1)
	h := &host{scribe: &scribe{}, mount: onSocket}
	h.front = New(Config{Handler: handlerFunc(func(x *Exchange) {
		received <- x.Received()
		x.CloseAfter()
		x.Bodyless(http.StatusAccepted, "")
	})})
	h.listen(t, onSocket, socket.Limits{})
	before := time.Now()
	exchange(t, dial(t, h.address), "POST / HTTP/1.1\r\nHost: h\r\n\r\n")
	if at := <-received; at.Before(before) || at.After(time.Now()) {
		t.Errorf("received at %v", at)
	}
}

// A request that was never on a wire is read from what its maker set.
func TestMadeRequest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		host   string
		status int
	}{
		{"sound", "h", http.StatusOK},
		{"no Host", "", http.StatusBadRequest},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var request fasthttp.Request
			request.Header.SetMethod("POST")
			request.SetRequestURI("/mcp")
			request.Header.SetHost(test.host)
			request.Header.SetContentType("application/json")
			request.Header.Set("Accept", "*/*")
			request.SetBodyString("{}")
			var ctx fasthttp.RequestCtx
			ctx.Init(&request, nil, silence{})
			New(Config{Handler: new(scribe)}).Handle(&ctx)
			if ctx.Response.StatusCode() != test.status {
				t.Errorf("status %d", ctx.Response.StatusCode())
			}
		})
	}
}

// The last answer counts, and each kind replaces all of another.
func TestLastAnswer(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("x"), keptBuffer+1)
	answers := map[string]func(*Exchange){
		"reply":         func(x *Exchange) { x.Reply(200, []byte("reply")) },
		"scratch":       func(x *Exchange) { x.Reply(201, append(x.Scratch(), "scratch"...)) },
		"large":         func(x *Exchange) { x.Reply(200, large) },
		"large scratch": func(x *Exchange) { x.Reply(201, append(x.Scratch(), large...)) },
		"static":        func(x *Exchange) { x.ReplyStatic(200, []byte("static")) },
		"bodyless":      func(x *Exchange) { x.Bodyless(405, "POST") },
	}
	for first, f := range answers {
		for last, l := range answers {
			t.Run(first+" then "+last, func(t *testing.T) {
				t.Parallel()
				alone := serveOnce(t, New(Config{Handler: handlerFunc(l), Date: fixedDate}), plainGet)
				both := serveOnce(t, New(Config{Handler: handlerFunc(func(x *Exchange) { f(x); l(x) }), Date: fixedDate}), plainGet)
				if both != alone {
					t.Errorf("%.300q after another, %.300q alone", both, alone)
				}
			})
		}
	}
}

// Bodies of all sizes arrive as they were given, one behind another on one
// connection, though the buffers change hands.
func TestBodies(t *testing.T) {
	t.Parallel()
	sizes := []int{1, 5000, 0, keptBuffer, keptBuffer + 1, 3, 4096, 1 << 20, 2, 70000, 300}
	for _, lent := range []bool{false, true} {
		n := 0
		front := New(Config{Date: fixedDate, Handler: handlerFunc(func(x *Exchange) {
			body := bytes.Repeat([]byte{byte('a' + n)}, sizes[n])
			n++
			if lent {
				body = append(x.Scratch(), body...)
			}
			x.Reply(200, body)
			if !lent {
				clear(body) // Reply has copied it
			}
		})})
		raw := serveOnce(t, front, strings.Repeat("POST / HTTP/1.1\r\nHost: h\r\n\r\n", len(sizes)))
		all := new(host).replies(t, []byte(raw))
		if len(all) != len(sizes) {
			t.Fatalf("%d answers", len(all))
		}
		for i, r := range all {
			if len(r.body) != sizes[i] || strings.Trim(r.body, string(rune('a'+i))) != "" {
				t.Errorf("answer %d: %d bytes, %.20q", i, len(r.body), r.body)
			}
		}
	}
}

// Nothing large stays with a connection or an exchange.
func TestBuffersLetGo(t *testing.T) {
	t.Parallel()
	request := append([]byte(typicalHead+"Content-Length: 1048576\r\n\r\n"), make([]byte, 1<<20)...)
	ctx := parsed(t, request)
	front := New(Config{Handler: handlerFunc(func(x *Exchange) {
		x.Reply(200, append(x.Scratch(), make([]byte, 1<<20)...))
		if x.scratch != nil {
			t.Error("the exchange keeps a scratch that is being sent")
		}
	})})
	front.Handle(ctx)
	ctx.Response.ResetBody()
	if got := cap(ctx.Request.SwapBody(nil)); got > keptBuffer {
		t.Errorf("request keeps %d bytes", got)
	}
	if got := cap(ctx.Response.SwapBody(nil)); got > keptBuffer {
		t.Errorf("response keeps %d bytes", got)
	}
}

// A Handler that breaks its contract does not leave its client waiting, nor
// say anything of the request.
func TestBrokenHandlers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		handler func(*Exchange)
		logged  string
	}{
		{"no answer", func(*Exchange) {}, ""},
		{"panic", func(*Exchange) { panic("canary") }, "handler panicked"},
		{"panic after an answer", func(x *Exchange) { x.Reply(200, []byte("{}")); panic("canary") }, "handler panicked"},
		{"runtime panic", func(x *Exchange) { _ = x.Body()[1<<20] }, "index out of range"},
		{"Goexit", func(*Exchange) { runtime.Goexit() }, "Goexit"},
		{"Goexit after an answer", func(x *Exchange) { x.Reply(200, []byte("{}")); runtime.Goexit() }, "Goexit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log lockedBuffer
			h := &host{scribe: &scribe{}, mount: onSocket}
			h.front = New(Config{
				Handler: handlerFunc(test.handler), Date: fixedDate,
				Logger: slog.New(slog.NewTextHandler(&log, nil)),
			})
			h.listen(t, onSocket, socket.Limits{})
			response := exchange(t, dial(t, h.address), "POST /canary HTTP/1.1\r\nHost: canary\r\nAuthorization: canary\r\n\r\n"+marker)
			if string(response) != string(EarlyResponse(500, theDate)) {
				t.Errorf("answer %q", response)
			}
			text := log.String()
			if !strings.Contains(text, test.logged) || (test.logged == "") != (text == "") || strings.Contains(text, "canary") {
				t.Errorf("logged %q", text)
			}
		})
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A connection that a Handler takes over gets no answer from here.
func TestHijack(t *testing.T) {
	t.Parallel()
	h := &host{scribe: &scribe{}, mount: onSocket}
	h.front = New(Config{Handler: handlerFunc(func(x *Exchange) {
		x.Ctx().HijackSetNoResponse(true)
		x.Ctx().Hijack(func(c net.Conn) {
			_, _ = io.WriteString(c, "mine")
			_ = c.Close()
		})
	})})
	h.listen(t, onSocket, socket.Limits{})
	if got := exchange(t, dial(t, h.address), "POST / HTTP/1.1\r\nHost: h\r\n\r\n"); string(got) != "mine" {
		t.Errorf("got %q", got)
	}
}

// Decision 64: an expectation invites the body, once, and is refused before
// anybody waits for one.
func TestExpect(t *testing.T) {
	t.Parallel()
	const invitation = "HTTP/1.1 100 Continue\r\n\r\n"
	for _, m := range []mount{onSocket, onPlain} {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			h := start(t, m, small)
			conn := dial(t, h.address)
			if _, err := io.WriteString(conn, post+jsonFields+"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(invitation))
			if _, err := io.ReadFull(conn, got); err != nil || string(got) != invitation {
				t.Fatal(string(got), err)
			}
			all := h.replies(t, exchange(t, conn, "{}"+marker))
			if len(all) != 2 || all[0].status != 200 || all[1].status != 202 {
				t.Errorf("answers %+v", all)
			}
		})
	}
}

// Decision 64: what is refused by its head is refused without an invitation.
func TestExpectRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		mount  mount
		fields string
		status int
	}{
		{"unknown", onSocket, "Expect: canary\r\nContent-Length: 2\r\n", 417},
		{"too long", onSocket, "Expect: 100-continue\r\nContent-Length: 129\r\n", 413},
		{"too long", onPlain, "Expect: 100-continue\r\nContent-Length: 129\r\n", 413},
		{"bad head", onPlain, "Expect: 100-continue\r\nContent-Length: 2\r\nOrigin: a\r\nOrigin: b\r\n", 400},
	} {
		t.Run(test.name+"/"+test.mount.String(), func(t *testing.T) {
			t.Parallel()
			h := start(t, test.mount, small)
			got := exchange(t, dial(t, h.address), post+test.fields+"\r\n")
			if string(got) != string(EarlyResponse(test.status, theDate)) {
				t.Errorf("answer %q", got)
			}
		})
	}
}

// T-38, T-20: reads that fasthttp gives up are answered in our form.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, request string
		status        int
	}{
		{"malformed", "POST\r\n\r\n", 400},
		{"truncated body", post + "Content-Length: 9\r\n\r\n{}", 400},
		{"head beyond the buffer", post + longField(1<<17), 431},
		{"body beyond its limit", post + "Content-Length: 129\r\n\r\n", 413},
		{"late", post, 408},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := start(t, onPlain, small)
			server := h.front.Server()
			conn := &tape{in: io.MultiReader(strings.NewReader(test.request), endless{test.status == 408})}
			_ = server.ServeConn(conn)
			if got := conn.out.String(); got != string(EarlyResponse(test.status, theDate)) {
				t.Errorf("answer %q", got)
			}
		})
	}
}

// endless ends, or never has anything to read in time.
type endless struct{ late bool }

func (e endless) Read([]byte) (int, error) {
	if e.late {
		return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	return 0, io.EOF
}
