package front

import (
	"testing"
)

// Serving allocates nothing: neither here nor in what is asked of fasthttp.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		return // sync.Pool drops entries at random under the race detector
	}
	ctx := parsed(t, typicalRequest())
	for name, handler := range map[string]Handler{
		"scratch":  &replier{typicalAnswer},
		"reply":    handlerFunc(func(x *Exchange) { x.Reply(200, typicalAnswer) }),
		"static":   handlerFunc(func(x *Exchange) { x.ReplyStatic(200, typicalAnswer) }),
		"bodyless": handlerFunc(func(x *Exchange) { x.Bodyless(405, "POST") }),
		"values": handlerFunc(func(x *Exchange) {
			for range x.Values("accept") {
			}
			_ = x.Header("mcp-name")
			x.Bodyless(202, "")
		}),
	} {
		front := New(Config{Handler: handler, Date: fixedDate})
		front.serve(ctx, true)
		if n := testing.AllocsPerRun(200, func() { front.serve(ctx, true) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	slow := parsed(t, []byte("POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json; charset=utf-8\r\n"+
		"Accept: text/*;q=0.5\r\nAccept: application/*, */*;q=0.1\r\nContent-Encoding: identity\r\n\r\n"))
	front := New(Config{Handler: &replier{typicalAnswer}, Date: fixedDate})
	if n := testing.AllocsPerRun(200, func() { front.serve(slow, true) }); n != 0 {
		t.Errorf("negotiation in full: %v allocations", n)
	}
	if got := slow.Response.StatusCode(); got != 200 {
		t.Errorf("status %d", got)
	}
	buffer := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(200, func() { buffer = AppendResponse(buffer[:0], 503, typicalAnswer, theDate, true) }); n != 0 {
		t.Errorf("AppendResponse: %v allocations", n)
	}
}
