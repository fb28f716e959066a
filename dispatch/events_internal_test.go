package dispatch

import (
	"sync"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/wire"
)

// TestEventsSlowObserver: a blocked observer loses events, which are counted;
// nobody waits for it. // OB-11
func TestEventsSlowObserver(t *testing.T) {
	t.Parallel()
	release, entered := make(chan struct{}), make(chan struct{}, 1)
	var mu sync.Mutex
	seen := 0
	e := NewEvents(func(Event) {
		select {
		case entered <- struct{}{}:
		default:
		}
		<-release
		mu.Lock()
		seen++
		mu.Unlock()
	})
	go e.Run()
	e.Emit(Event{Kind: ConnectionAccepted})
	<-entered
	const extra = 100
	for range queuedEvents + extra {
		e.Emit(Event{Kind: ConnectionAccepted})
	}
	if got := e.Dropped(); got != extra {
		t.Errorf("dropped %d, want %d", got, extra)
	}
	close(release)
	e.Close()
	select {
	case <-e.Done():
	case <-time.After(patience):
		t.Fatal("Run did not end")
	}
	mu.Lock()
	defer mu.Unlock()
	if seen != queuedEvents+1 {
		t.Errorf("seen %d, want %d", seen, queuedEvents+1)
	}
}

// TestEventsPanickingObserver: a panic costs the one event. // OB-11
func TestEventsPanickingObserver(t *testing.T) {
	t.Parallel()
	var seen []EventKind
	e := NewEvents(func(event Event) {
		seen = append(seen, event.Kind)
		panic("observer")
	})
	e.Emit(Event{Kind: ConnectionAccepted})
	e.Emit(Event{Kind: ConnectionRejected})
	e.Close()
	e.Emit(Event{Kind: RequestRefused}) // too late
	e.Run()
	if len(seen) != 2 || seen[1] != ConnectionRejected {
		t.Errorf("seen %v", seen)
	}
	if e.Dropped() != 1 {
		t.Errorf("dropped %d", e.Dropped())
	}
}

// TestOutcomes pins how verdicts and failures are named and answered. // OB-01
// CX-07 CX-08 CX-09 CX-10 CX-19 ER-05 ER-08 ER-09 ER-10
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verdict actors.Verdict
		failure wire.FailureKind // NoFailure: nothing is written
		outcome Outcome
	}{
		{actors.Verdict{Outcome: actors.Busy, Owner: actors.Queue}, wire.Capacity, OutcomeRejected},
		{actors.Verdict{Outcome: actors.Internal, Owner: actors.Application}, wire.ExecutionFailed, OutcomeInternalError},
		{actors.Verdict{Outcome: actors.ShuttingDown, Owner: actors.Queue}, wire.Stopping, OutcomeServerStopping},
		{actors.Verdict{Outcome: actors.ShuttingDown, Owner: actors.Application}, wire.Stopping, OutcomeServerStopping},
		{actors.Verdict{Outcome: actors.Deadline, Owner: actors.Framework}, wire.FrameworkDeadline, OutcomeDeadlineExceeded},
		{actors.Verdict{Outcome: actors.Deadline, Owner: actors.Queue}, wire.QueuedDeadline, OutcomeDeadlineExceeded},
		{actors.Verdict{Outcome: actors.Deadline, Owner: actors.Policy}, wire.PolicyDeadline, OutcomeDeadlineExceeded},
		{actors.Verdict{Outcome: actors.Deadline, Owner: actors.Application}, wire.ExecutionFailed, OutcomeDeadlineExceeded},
		{actors.Verdict{Outcome: actors.Disconnected, Owner: actors.Application}, wire.NoFailure, OutcomeClientDisconnected},
		{actors.Verdict{Outcome: actors.Canceled, Owner: actors.Application}, wire.NoFailure, OutcomeCanceled},
	} {
		got := wire.NoFailure
		f := (&Call{}).failureOf(c.verdict)
		if f != nil {
			got = f.Kind
		}
		if got != c.failure {
			t.Errorf("%v: failure %d, want %d", c.verdict, got, c.failure)
		}
		if o := outcomeOf(c.verdict, f); o != c.outcome {
			t.Errorf("%v: outcome %v, want %v", c.verdict, o, c.outcome)
		}
	}
	result := actors.Verdict{Outcome: actors.Result}
	for kind, want := range map[wire.FailureKind]Outcome{
		wire.RateLimited: OutcomeRejected, wire.ApplicationError: OutcomeApplicationError, wire.ExecutionFailed: OutcomeInternalError,
		wire.PolicyFailed: OutcomeInternalError, wire.InvalidParams: OutcomeProtocolError, wire.MethodNotFound: OutcomeProtocolError,
		wire.HeaderMismatch: OutcomeProtocolError, wire.Stopping: OutcomeServerStopping,
	} {
		if o := outcomeOf(result, &wire.Failure{Kind: kind}); o != want {
			t.Errorf("failure %d: outcome %v, want %v", kind, o, want)
		}
	}
	if o := outcomeOf(result, nil); o != OutcomeComplete {
		t.Errorf("outcome %v", o)
	}
	names := map[string]bool{}
	for o := OutcomeNone; o <= OutcomeServerStopping; o++ {
		names[o.String()] = true
	}
	if len(names) != int(OutcomeServerStopping)+1 {
		t.Errorf("names of outcomes: %v", names)
	}
}
