package troupe_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// blocker offers tools whose handlers do what a test tells them.
type blocker struct {
	started chan struct{} // a token each time a handler has begun
	release chan struct{} // closed to let blocked handlers return
}

func newBlocker(t *testing.T) *blocker {
	b := &blocker{started: make(chan struct{}, 1024), release: make(chan struct{})}
	t.Cleanup(b.free)
	return b
}

func (b *blocker) free() {
	select {
	case <-b.release:
	default:
		close(b.release)
	}
}

func (b *blocker) tools() []troupe.Feature {
	tool := func(name string, run func(ctx context.Context) (string, error)) troupe.Feature {
		return troupe.Tool(troupe.ToolInfo{Name: name, Description: name},
			func(ctx context.Context, _ troupe.Call, _ struct{}) (string, error) {
				b.started <- struct{}{}
				return run(ctx)
			})
	}
	return []troupe.Feature{
		tool("stuck", func(context.Context) (string, error) { <-b.release; return "late", nil }),
		tool("polite", func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }),
		tool("panics", func(context.Context) (string, error) { panic("at the disco") }),
		tool("goexits", func(context.Context) (string, error) { runtime.Goexit(); return "", nil }),
		tool("quick", func(context.Context) (string, error) { return "quick", nil }),
	}
}

// TestEarlyAnswers pins every byte that a client gets when a call does not end
// by its handler's result. // CX-07 CX-11 ER-09 T-21 T-45 T-48 T-49 EX-10
func TestEarlyAnswers(t *testing.T) {
	t.Parallel()
	g := openGolden(t, "early")
	for _, fastLane := range []bool{true, false} {
		lane := map[bool]string{true: "fast lane", false: "slot worker"}[fastLane]
		for _, tool := range []string{"stuck", "polite", "panics", "goexits"} {
			for _, place := range []string{"alone", "after a pipelined request", "before a pipelined request"} {
				if fastLane && tool == "polite" && place == "before a pipelined request" {
					// The handler returns at once, and whoever claims the fence
					// first answers: the connection may live on or not.
					continue
				}
				section := fmt.Sprintf("%s, %s, %s", lane, tool, place)
				t.Run(section, func(t *testing.T) {
					t.Parallel()
					b := newBlocker(t)
					w := start(t, b.tools(), func(c *troupe.Config) {
						c.DisableFastLane = !fastLane
						c.Limits.Deadline = 150 * time.Millisecond
					})
					subject := toolCall(`"subject"`, tool, "")
					quick := toolCall(`"quick"`, "quick", "").plus("Connection: close")
					messages := map[string][]message{
						"alone":                     {subject.plus("Connection: close")},
						"after a pipelined request": {toolCall(`"first"`, "quick", ""), subject.plus("Connection: close")},
						// Where the connection survives, the second is answered.
						"before a pipelined request": {subject, quick},
					}[place]
					var raw strings.Builder
					for _, m := range messages {
						raw.WriteString(m.raw("127.0.0.1:80"))
					}
					c := dial(t, w.addr)
					c.send(t, raw.String())
					g.compare(t, section, c.closed(t))
					b.free()
					eventually(t, "slots are free", func() bool { g := w.Gauges(); return g.Running == 0 && g.Active == 0 })
				})
			}
		}
	}
}

// TestEarlyAnswerFullBuffer: the peer does not read, so an early answer does
// not fit; the connection closes instead. // CX-07 EX-10
func TestEarlyAnswerFullBuffer(t *testing.T) {
	t.Parallel()
	for _, fastLane := range []bool{true, false} {
		t.Run(fmt.Sprint("fast lane ", fastLane), func(t *testing.T) {
			t.Parallel()
			var handled atomic.Int64
			b := newBlocker(t)
			w := start(t, append(b.tools(), tools(&handled)...), func(c *troupe.Config) {
				c.DisableFastLane = !fastLane
				c.Limits.Deadline = 300 * time.Millisecond
				c.Limits.WriteTimeout = 2 * time.Second
			})
			c := dial(t, w.addr)
			// Large answers that are not read fill both sockets' buffers.
			large := toolCall("1", "echo", fmt.Sprintf(`{"message":%q}`, strings.Repeat("x", 1<<20-100))).raw(w.addr)
			if err := c.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
			for range 16 {
				if _, err := c.Write([]byte(large)); err != nil {
					break
				}
			}
			eventually(t, "the connection is closed and nothing is held", func() bool {
				g := w.Gauges()
				return g.Connections == 0 && g.Active == 0 && g.Running == 0
			})
		})
	}
}

// TestGoexitTwice: a handler that calls Goexit costs one connection, not one a
// call: from then on it runs on slot workers only. // T-48
func TestGoexitTwice(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	w := start(t, b.tools())
	for i := range 3 {
		r := w.ask(t, toolCall("1", "goexits", ""))
		checkReply(t, r, want{status: 200, code: "-32603"})
		if first := i == 0; r.close != first {
			t.Errorf("call %d: Connection: close is %v", i, r.close)
		}
	}
}

// TestQueue: what waits for a slot ends as documented. // CX-08 CX-12 EX-01
// EX-02 EX-05 EX-06 EX-07 EX-23 ER-05 ER-08
func TestQueue(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	w := start(t, b.tools(), func(c *troupe.Config) {
		c.Limits.Slots, c.Limits.Queue, c.Limits.Deadline = 1, 2, 400*time.Millisecond
	})
	running := dial(t, w.addr)
	running.send(t, toolCall("1", "stuck", "").raw(w.addr))
	<-b.started
	var waiting []*client
	for range 2 {
		c := dial(t, w.addr)
		c.send(t, toolCall("2", "quick", "").raw(w.addr))
		waiting = append(waiting, c)
	}
	eventually(t, "two calls wait", func() bool { return w.Gauges().Queued == 2 })

	full := w.ask(t, toolCall("3", "quick", ""))
	checkReply(t, full, want{status: 503, code: "-32603", contains: []string{`"id":3`}})
	if full.header.Get("Retry-After") != "" {
		t.Error("Retry-After on a full queue")
	}
	checkReply(t, w.ask(t, request("4", "server/discover", "")), want{status: 200})

	_ = waiting[0].Close()
	eventually(t, "one call waits", func() bool { return w.Gauges().Queued == 1 })
	checkReply(t, waiting[1].read(t, "POST"), want{status: 503, code: "-32603", contains: []string{`"id":2`}})
	checkReply(t, running.read(t, "POST"), want{status: 200, code: "-32603", contains: []string{`"id":1`}})
	if n := len(b.started); n != 0 {
		t.Errorf("%d more handlers began", n)
	}
	eventually(t, "the stuck handler is a zombie", func() bool { g := w.Gauges(); return g.Zombies == 1 && g.Running == 1 })
	b.free()
	eventually(t, "the slot is free again", func() bool { g := w.Gauges(); return g.Running == 0 && g.Zombies == 0 })
	checkReply(t, w.ask(t, toolCall("5", "quick", "")), want{status: 200, contains: []string{"quick"}})

	count := map[troupe.Outcome]int{}
	for _, o := range w.observed.outcomes(t, 6) {
		count[o]++
	}
	for outcome, n := range map[troupe.Outcome]int{
		troupe.OutcomeDeadlineExceeded: 2, troupe.OutcomeRejected: 1, troupe.OutcomeClientDisconnected: 1, troupe.OutcomeComplete: 2,
	} { // CX-10 OB-01
		if count[outcome] != n {
			t.Errorf("outcome %v: %d times, want %d (%v)", outcome, count[outcome], n, count)
		}
	}
}

// TestDisconnect: a client that leaves cancels its handler, and a half-closed
// connection has left, too (decision 18). // CX-05 CX-06 T-31
func TestDisconnect(t *testing.T) {
	t.Parallel()
	for _, fastLane := range []bool{true, false} {
		for _, half := range []bool{true, false} {
			t.Run(fmt.Sprintf("fast lane %v, half %v", fastLane, half), func(t *testing.T) {
				t.Parallel()
				b := newBlocker(t)
				w := start(t, b.tools(), func(c *troupe.Config) { c.DisableFastLane = !fastLane })
				other := dial(t, w.addr)
				other.send(t, toolCall("1", "stuck", "").raw(w.addr))
				<-b.started
				c := dial(t, w.addr)
				c.send(t, toolCall("1", "polite", "").raw(w.addr))
				<-b.started
				if half {
					if err := c.Conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
						t.Fatal(err)
					}
					if rest := c.closed(t); rest != "" {
						t.Errorf("written to a client that left: %q", rest)
					}
				} else if err := c.Close(); err != nil {
					t.Fatal(err)
				}
				if o := w.observed.outcomes(t, 1)[0]; o != troupe.OutcomeClientDisconnected {
					t.Errorf("outcome %v", o)
				}
				eventually(t, "only the other call runs", func() bool { g := w.Gauges(); return g.Running == 1 && g.Active == 1 })
				b.free() // the call with the equal id is not touched
				checkReply(t, other.read(t, "POST"), want{status: 200, contains: []string{"late", `"id":1`}})
			})
		}
	}
}
