package socket

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/valyala/fasthttp"
)

const marker = "GET /marker HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n"

// A reply is one response read from a connection.
type reply struct {
	status int
	header http.Header
	body   string
}

// replies reads responses to the end of the connection, without interim ones.
func (c *client) replies() []reply {
	c.t.Helper()
	var all []reply
	for {
		resp, err := http.ReadResponse(c.r, nil)
		if err != nil {
			if t := net.Error(nil); errors.As(err, &t) && t.Timeout() {
				c.t.Fatalf("connection still open after %v", all)
			}
			return all
		}
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusContinue {
			all = append(all, reply{resp.StatusCode, resp.Header, string(body)})
		}
	}
}

// What fasthttp or the front end refuses although its framing is sound.
var refusedAbove = map[string]bool{
	"no fields": true, "odd but legal method": true, "lower case method": true, "method of 32": true,
	"asterisk target": true, "target at the limit": true, // no Host
}

// T-19, T-20, T-48, decision 64: over a real connection with fasthttp behind it,
// every message has the answer that the framing table says, exactly one, and no
// byte of it becomes another request.
func TestFramingOverSockets(t *testing.T) {
	t.Parallel()
	for _, test := range frameCases() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			w := setup(t, func(ctx *fasthttp.RequestCtx) { calls.Add(1); echo(ctx) }, withLimits(tableLimits()))
			for _, size := range []int{1 << 20, 7, 1} {
				calls.Store(0)
				c := w.dial()
				_ = c.SetNoDelay(true)
				in := test.in
				if test.want != feedMore {
					in += marker
				}
				for rest := in; rest != ""; {
					n := min(size, len(rest))
					if _, err := io.WriteString(c.TCPConn, rest[:n]); err != nil {
						break // the refusal came first
					}
					rest = rest[n:]
				}
				if test.want == feedMore {
					_ = c.CloseWrite()
				}
				got := c.replies()
				switch {
				case test.want == feedMore:
					if len(got) != 0 || calls.Load() != 0 {
						t.Errorf("by %d: unfinished request got %v, %d calls", size, got, calls.Load())
					}
				case test.want != feedDone:
					if len(got) != 1 || got[0].status != test.want || got[0].body != "" || calls.Load() != 0 {
						t.Fatalf("by %d: %v, %d calls; want one bodyless %d", size, got, calls.Load(), test.want)
					}
					h := got[0].header
					if v := h.Values("Cache-Control"); len(v) != 1 || v[0] != "no-store" || h.Get("Connection") != "close" && h.Get("Connection") != "" {
						t.Errorf("by %d: header %v", size, h)
					}
				case refusedAbove[test.name]:
					if len(got) != 1 || got[0].header.Get("X-Fasthttp") == "" || calls.Load() != 0 {
						t.Errorf("by %d: %v, want fasthttp's refusal", size, got)
					}
				default:
					want := 2
					if strings.Contains(test.in, "HTTP/1.0") {
						want = 1
					}
					if len(got) != want || int(calls.Load()) != want || got[0].status != 200 {
						t.Fatalf("by %d: %v, %d calls; want %d", size, got, calls.Load(), want)
					}
					if want == 2 && got[1].body != `GET /marker ""` {
						t.Errorf("by %d: marker answered %q", size, got[1].body)
					}
				}
				_ = c.Close()
			}
		})
	}
}

// Decision 64, T-48: a fault in request k+1 is raised only after the answer to k.
func TestFaultWaitsForEarlierAnswers(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	w := setup(t, func(ctx *fasthttp.RequestCtx) { <-release; echo(ctx) })
	c := w.dial()
	c.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\nHost: a\r\n\r\n")
	until(t, "the request is being served", func() bool { return w.serving() == 1 })
	if n := w.counts.failed(ReasonMalformed); n != 0 {
		t.Fatalf("%d faults before the answer", n)
	}
	close(release)
	got := c.replies()
	if len(got) != 2 || got[0].status != 200 || got[1].status != 400 {
		t.Fatalf("%v", got)
	}
}

// serving counts the connections in the serving phase.
func (w *world) serving() int {
	n := 0
	for _, c := range w.connections() {
		if c.phase() == serving {
			n++
		}
	}
	return n
}

// A client that goes on sending still gets to see why it was refused.
func TestRefusalSurvivesMoreInput(t *testing.T) {
	t.Parallel()
	w := setup(t, echo)
	for range 20 {
		c := w.dial()
		c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n" + strings.Repeat("x", 100_000))
		if got := c.replies(); len(got) != 1 || got[0].status != 413 {
			t.Fatalf("%v", got)
		}
	}
}

// T-37, decision 81: 413 does not wait for the body, expectation or not.
func TestTooLargeAtOnce(t *testing.T) {
	t.Parallel()
	w := setup(t, echo)
	for _, extra := range []string{"", "Expect: 100-continue\r\n"} {
		c := w.dial()
		c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4194305\r\n" + extra + "\r\n")
		if raw := c.rest(); !strings.HasPrefix(raw, "HTTP/1.1 413 ") || strings.Contains(raw, " 100 ") {
			t.Errorf("%q: %q", extra, raw)
		}
	}
}

// Expect: 100-continue is answered once, whatever case its name has, and only
// while the body is missing.
func TestExpectContinue(t *testing.T) {
	t.Parallel()
	w := setup(t, echo)
	for _, name := range []string{"Expect", "expect"} {
		c := w.dial()
		for range 2 {
			c.send("POST / HTTP/1.1\r\nHost: a\r\n" + name + ": 100-continue\r\nContent-Length: 3\r\n\r\n")
			line := make([]byte, len(interim))
			if _, err := io.ReadFull(c.r, line); err != nil || string(line) != string(interim) {
				t.Fatalf("%q %v", line, err)
			}
			c.send("abc")
			if status, body := c.answer(); status != 200 || body != `POST / "abc"` {
				t.Fatalf("%d %s", status, body)
			}
		}
		c.send("POST / HTTP/1.1\r\nHost: a\r\n" + name + ": 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
		if raw := c.rest(); !strings.HasPrefix(raw, "HTTP/1.1 200 ") {
			t.Errorf("with the body: %q", raw)
		}
	}
}

// Bodies of GET, HEAD and OPTIONS are consumed as framed.
func TestBodiesOfBodylessMethods(t *testing.T) {
	t.Parallel()
	w := setup(t, echo)
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE", "TRACE", "PROPFIND"} {
		for _, body := range []string{"Content-Length: 20\r\n\r\nGET /x HTTP/1.1\r\n\r\nz", "Transfer-Encoding: chunked\r\n\r\n14\r\nGET /x HTTP/1.1\r\n\r\nz\r\n0\r\n\r\n"} {
			c := w.dial()
			c.send(method + " / HTTP/1.1\r\nHost: a\r\n" + body + marker)
			raw := c.rest()
			if strings.Count(raw, "HTTP/1.1 200 OK") != 2 || !strings.HasSuffix(raw, `GET /marker ""`) {
				t.Errorf("%s: %q", method, raw)
			}
		}
	}
}

// With a small read buffer (which the front end does not use) nothing is lost either.
func TestSmallReadBuffer(t *testing.T) {
	t.Parallel()
	for _, reduce := range []bool{false, true} {
		w := setup(t, echo, withBuffer(512), func(_ *Config, s *fasthttp.Server) { s.ReduceMemoryUsage = reduce })
		c := w.dial()
		body := strings.Repeat("b", 3000)
		for range 3 {
			c.send("\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n" + body + "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n" + body + "\r\n0\r\n\r\n")
			for i := range 2 {
				if status, got := c.answer(); status != 200 || got != `POST / "`+body+`"` {
					t.Fatalf("reduce %v, answer %d: %d %d bytes", reduce, i, status, len(got))
				}
			}
		}
	}
}
