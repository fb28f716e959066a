package troupe_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// TestShutdownUnderLoad: every accepted request gets its answer or the 503 of
// decision 65, and is counted once. // CX-24 OB-01
func TestShutdownUnderLoad(t *testing.T) {
	t.Parallel()
	for _, fastLane := range []bool{true, false} {
		t.Run(map[bool]string{true: "fast lane", false: "slot workers"}[fastLane], func(t *testing.T) {
			t.Parallel()
			slow := troupe.Tool(troupe.ToolInfo{Name: "slow", Description: "Takes a little while."},
				func(ctx context.Context, _ troupe.Call, _ struct{}) (string, error) {
					select {
					case <-time.After(3 * time.Millisecond):
					case <-ctx.Done():
					}
					return "done", nil
				})
			w := start(t, []troupe.Feature{slow}, func(c *troupe.Config) {
				c.DisableFastLane = !fastLane
				c.Limits.Slots, c.Limits.Queue = 4, 64
			})
			var clients sync.WaitGroup
			var answered, stopped atomic.Int64
			warm := make(chan struct{}, 1<<16)
			for range 24 {
				c := dial(t, w.addr)
				clients.Go(func() {
					raw := toolCall("1", "slow", "").raw(w.addr)
					for {
						if _, err := c.Write([]byte(raw)); err != nil {
							return
						}
						r, err := c.tryRead("POST")
						if err != nil {
							return // never accepted: the connection was idle when the server stopped
						}
						switch {
						case r.status == 200 && strings.Contains(r.body, "done"):
							answered.Add(1)
						case r.status == 503 && strings.Contains(r.body, "-32603") && r.close:
							stopped.Add(1)
						default:
							t.Errorf("status %d, close %v: %s", r.status, r.close, r.body)
						}
						warm <- struct{}{}
						if r.close {
							return
						}
					}
				})
			}
			for range 200 {
				<-warm
			}
			if err := w.stop(); err != nil {
				t.Fatal(err)
			}
			clients.Wait()
			accepted, ended := 0, map[troupe.Outcome]int64{}
			for _, e := range w.observed.all() {
				switch e.Kind {
				case troupe.RequestAccepted:
					accepted++
				case troupe.RequestEnded:
					ended[e.Outcome]++
				}
			}
			if got := ended[troupe.OutcomeComplete]; got != answered.Load() {
				t.Errorf("complete: %d, clients got %d answers", got, answered.Load())
			}
			if got := ended[troupe.OutcomeServerStopping]; got != stopped.Load() {
				t.Errorf("server_stopping: %d, clients got %d refusals; outcomes %v", got, stopped.Load(), ended)
			}
			if int64(accepted) != answered.Load()+stopped.Load() {
				t.Errorf("accepted %d, answered %d, refused %d; outcomes %v", accepted, answered.Load(), stopped.Load(), ended)
			}
		})
	}
}

func (r *recorder) all() []troupe.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]troupe.Event(nil), r.events...)
}

// TestShutdownEnds: each way a server can end. // CX-24 EX-10
func TestShutdownEnds(t *testing.T) {
	t.Parallel()
	short := func(c *troupe.Config) { c.Limits.Grace, c.Limits.Forced = 100*time.Millisecond, 100*time.Millisecond }
	t.Run("unstarted", func(t *testing.T) {
		t.Parallel()
		server, err := troupe.NewServer(troupe.Config{Endpoints: []troupe.Endpoint{{
			Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := server.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := server.Run(t.Context()); err == nil {
			t.Error("Run after Shutdown: no error")
		}
	})
	t.Run("idle and silent connections do not delay it", func(t *testing.T) {
		t.Parallel()
		w := start(t, nil)
		dial(t, w.addr)
		checkReply(t, w.ask(t, request("1", "server/discover", "")), want{status: 200})
		begun := time.Now()
		if err := w.stop(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("took %v", took)
		}
	})
	t.Run("a handler that minds its context", func(t *testing.T) {
		t.Parallel()
		b := newBlocker(t)
		w := start(t, b.tools(), short)
		c := dial(t, w.addr)
		c.send(t, toolCall("1", "polite", "").raw(w.addr))
		<-b.started
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		r := c.read(t, "POST")
		checkReply(t, r, want{status: 503, code: "-32603"})
		if !r.close {
			t.Error("no Connection: close")
		}
		if o := w.observed.outcomes(t, 1)[0]; o != troupe.OutcomeServerStopping {
			t.Errorf("outcome %v", o)
		}
	})
	t.Run("a handler that never returns is named", func(t *testing.T) {
		t.Parallel()
		b := newBlocker(t)
		server, err := troupe.NewServer(troupe.Config{
			Addr: "127.0.0.1:0", Limits: troupe.Limits{Grace: 50 * time.Millisecond, Forced: 50 * time.Millisecond},
			Endpoints: []troupe.Endpoint{{
				Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
				Features: []troupe.Feature{troupe.For(modern, b.tools()...)},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := server.Listen(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- server.Run(ctx) }()
		c := dial(t, server.Addr().String())
		c.send(t, toolCall("1", "stuck", "").raw(server.Addr().String()))
		<-b.started
		cancel()
		checkReply(t, c.read(t, "POST"), want{status: 503, code: "-32603"})
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "never returned") {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(patience):
			t.Error("Run did not return")
		}
	})
}
