package socket

import (
	"fmt"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

// T-49, T-48: answers come in order, and keep-alive goes on.
func TestPipeliningKeepsOrder(t *testing.T) {
	t.Parallel()
	w := setup(t, echo)
	c := w.dial()
	var all strings.Builder
	for i := range 50 {
		fmt.Fprintf(&all, "POST /%d HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n%02d", i, i)
	}
	c.send(all.String())
	for i := range 50 {
		status, body := c.answer()
		if want := fmt.Sprintf("POST /%d %q", i, fmt.Sprintf("%02d", i)); status != 200 || body != want {
			t.Fatalf("answer %d: %d %s", i, status, body)
		}
	}
	c.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if status, _ := c.answer(); status != 200 {
		t.Fatalf("after the pipeline: %d", status)
	}
}

// A body larger than the server's buffer is assembled in segments.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 4095, 65536, 80 << 10, 81 << 10, 1 << 20, 4 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			w := setup(t, func(ctx *fasthttp.RequestCtx) { fmt.Fprint(ctx, len(ctx.PostBody()), w0(ctx.PostBody())) })
			c := w.dial()
			body := strings.Repeat("x", size)
			for range 2 {
				c.send(fmt.Sprintf("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", size, body))
				if status, got := c.answer(); status != 200 || got != fmt.Sprint(size, true) {
					t.Fatalf("%d %s", status, got)
				}
			}
			c.send(fmt.Sprintf("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", size, body))
			if status, got := c.answer(); status != 200 || got != fmt.Sprint(size, true) {
				t.Fatalf("chunked: %d %s", status, got)
			}
		})
	}
}

func w0(b []byte) bool { return strings.Trim(string(b), "x") == "" }
