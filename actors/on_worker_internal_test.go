package actors

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// exits is work that calls Goexit.
type exits struct{ failed chan any }

func (exits) Run(context.Context)           { runtime.Goexit() }
func (w exits) Failed(reason any, _ []byte) { w.failed <- reason }
func (exits) Early(Verdict)                 {}

// TestOnWorker: a Goexit after OnWorker costs a slot's worker, not the caller.
func TestOnWorker(t *testing.T) {
	t.Parallel()
	s, err := New(Config{FastLane: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown(context.Background(), time.Second, time.Second)
	w := exits{failed: make(chan any, 1)}
	var ctx Context
	ticket := s.Admit(w, &ctx, time.Minute, true)
	if v := ticket.OnWorker().Do(); v != (Verdict{Internal, Application}) {
		t.Errorf("verdict %v", v)
	}
	if reason := <-w.failed; reason != ErrGoexit {
		t.Errorf("reason %v", reason)
	}
	ticket.Release()
}
