package actors

import (
	"context"
	"sync"
	"testing"
	"time"
)

// probe is a Work whose parts a test supplies.
type probe struct {
	run   func(ctx context.Context)
	early func(v Verdict)

	mu     sync.Mutex
	ran    int
	failed []any
	earlys []Verdict
	told   chan Verdict // gets each early verdict
}

func newProbe(run func(ctx context.Context)) *probe {
	return &probe{run: run, told: make(chan Verdict, 8)}
}

func (p *probe) Run(ctx context.Context) {
	p.mu.Lock()
	p.ran++
	p.mu.Unlock()
	if p.run != nil {
		p.run(ctx)
	}
}

func (p *probe) Failed(reason any, _ []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = append(p.failed, reason)
}

func (p *probe) Early(v Verdict) {
	if p.early != nil {
		p.early(v)
	}
	p.mu.Lock()
	p.earlys = append(p.earlys, v)
	p.mu.Unlock()
	p.told <- v
}

func (p *probe) runs() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ran
}

func (p *probe) reasons() []any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]any(nil), p.failed...)
}

func (p *probe) String() string { return "probe" }

// setup starts a system that is shut down, clean, at the end of the test.
func setup(t testing.TB, cfg Config) *System {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		if r := s.Shutdown(context.Background(), time.Second, 5*time.Second); !r.Clean() {
			t.Errorf("residue: %v", r)
		}
		if g := s.Gauges(); g.Actors != 0 || g.Workers != 0 || g.Deadlines != 0 || g.Active != 0 {
			t.Errorf("after Shutdown: %+v", g)
		}
	})
	return s
}

// do runs a request on a goroutine of its own and sends its verdict.
func do(s *System, w Work, d time.Duration, inline bool) (Ticket, <-chan Verdict) {
	ticket := s.Admit(w, new(Context), d, inline)
	done := make(chan Verdict, 1)
	go func() {
		v := ticket.Do()
		ticket.Release()
		done <- v
	}()
	return ticket, done
}

// get receives what must come.
func get[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("still waiting")
		panic("unreachable")
	}
}

// want compares a verdict.
func want(t testing.TB, got Verdict, o Outcome, owner Owner) {
	t.Helper()
	if got != (Verdict{o, owner}) {
		t.Errorf("got %v, want %v", got, Verdict{o, owner})
	}
}

// hold returns a handler that tells when it runs, and returns when released.
func hold() (run func(context.Context), running chan struct{}, release chan struct{}) {
	running, release = make(chan struct{}, 1024), make(chan struct{})
	return func(context.Context) { running <- struct{}{}; <-release }, running, release
}
