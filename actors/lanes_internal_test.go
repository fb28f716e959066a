package actors

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// lanes are the three ways a handler may run.
var lanes = []struct {
	name   string
	cfg    Config
	inline bool
}{
	{"fast", Config{FastLane: true}, true},
	{"pool", Config{}, true},
	{"no fence", Config{FastLane: true}, false},
	{"executor", Config{Executor: submitter(func(f func()) error { go f(); return nil })}, true},
}

type submitter func(func()) error

func (s submitter) Submit(f func()) error { return s(f) }

// Every way a request can end, on every lane, and what is left of it.
func TestRequestEnds(t *testing.T) {
	t.Parallel()
	ends := []struct {
		name  string
		play  func(t *testing.T, s *System, inline bool) Verdict
		want  Verdict
		fails int // handlers that failed
	}{
		{"result", func(t *testing.T, s *System, inline bool) Verdict {
			_, done := do(s, newProbe(nil), time.Minute, inline)
			return get(t, done)
		}, Verdict{Result, Application}, 0},
		{"panic", func(t *testing.T, s *System, inline bool) Verdict {
			p := newProbe(func(context.Context) { panic("boom") })
			_, done := do(s, p, time.Minute, inline)
			v := get(t, done)
			if r := p.reasons(); len(r) != 1 || r[0] != "boom" {
				t.Errorf("Failed got %v", r)
			}
			return v
		}, Verdict{Internal, Application}, 1},
		{"goexit", func(t *testing.T, s *System, inline bool) Verdict {
			p := newProbe(func(context.Context) { runtime.Goexit() })
			_, done := do(s, p, time.Minute, inline)
			var v Verdict
			if s.fastLane && inline {
				v = get(t, p.told) // the goroutine that called Do is dead
			} else {
				v = get(t, done)
			}
			if r := p.reasons(); len(r) != 1 || r[0] != ErrGoexit {
				t.Errorf("Failed got %v", r)
			}
			return v
		}, Verdict{Internal, Application}, 1},
		{"goexit after the disconnect", func(t *testing.T, s *System, inline bool) Verdict {
			running := make(chan struct{})
			p := newProbe(func(ctx context.Context) { close(running); <-ctx.Done(); runtime.Goexit() })
			ticket, done := do(s, p, time.Minute, inline)
			get(t, running)
			ticket.Gone()
			var v Verdict
			if s.fastLane && inline {
				v = get(t, p.told)
			} else {
				v = get(t, done)
			}
			waitUntil(t, func() bool { return s.Gauges().Active == 0 && s.Gauges().Failures == 1 })
			if len(p.told) != 0 && s.executor == nil {
				t.Error("Early came although Do was waiting, or twice")
			}
			return v
		}, Verdict{Disconnected, Application}, 1},
		{"deadline", func(t *testing.T, s *System, inline bool) Verdict {
			_, done := do(s, newProbe(func(ctx context.Context) {
				<-ctx.Done()
				if !errors.Is(ctx.Err(), context.DeadlineExceeded) || !errors.Is(ctx.(*Context).Cause(), ErrDeadline) {
					t.Errorf("%v, %v", ctx.Err(), ctx.(*Context).Cause())
				}
			}), time.Millisecond, inline)
			return get(t, done)
		}, Verdict{Deadline, Application}, 0}, // CX-07
		{"disconnect", func(t *testing.T, s *System, inline bool) Verdict {
			running := make(chan struct{})
			ticket, done := do(s, newProbe(func(ctx context.Context) {
				close(running)
				<-ctx.Done()
				if !errors.Is(ctx.(*Context).Cause(), ErrDisconnected) {
					t.Error(ctx.(*Context).Cause())
				}
			}), time.Minute, inline)
			get(t, running)
			ticket.Gone()
			return get(t, done)
		}, Verdict{Disconnected, Application}, 0}, // CX-05
		{"cancel", func(t *testing.T, s *System, inline bool) Verdict {
			running := make(chan struct{})
			ticket, done := do(s, newProbe(func(ctx context.Context) { close(running); <-ctx.Done() }), time.Minute, inline)
			get(t, running)
			ticket.Cancel()
			return get(t, done)
		}, Verdict{Canceled, Application}, 0},
		{"policy deadline", func(t *testing.T, s *System, inline bool) Verdict {
			var ticket atomic.Pointer[Ticket]
			ready := make(chan struct{})
			p := newProbe(func(ctx context.Context) { <-ready; ticket.Load().Own(Policy); <-ctx.Done() })
			tk, done := do(s, p, 50*time.Millisecond, inline)
			ticket.Store(&tk)
			close(ready)
			return get(t, done)
		}, Verdict{Deadline, Policy}, 0},
		{"gone before Do", func(t *testing.T, s *System, inline bool) Verdict {
			p := newProbe(nil)
			ticket := s.Admit(p, new(Context), time.Minute, inline)
			ticket.Gone()
			v := ticket.Do()
			if p.runs() != 0 {
				t.Error("ran all the same")
			}
			get(t, p.told) // whoever serves the connection may be busy in a hook
			ticket.Release()
			return v
		}, Verdict{Disconnected, Framework}, 0},
		{"deadline before Do", func(t *testing.T, s *System, inline bool) Verdict {
			p := newProbe(nil)
			ticket := s.Admit(p, new(Context), time.Millisecond, inline)
			want(t, get(t, p.told), Deadline, Framework) // CX-09: the early answer of a slow hook
			v := ticket.Answer()
			ticket.Release()
			return v
		}, Verdict{Deadline, Framework}, 0},
		{"deadline already passed", func(t *testing.T, s *System, inline bool) Verdict {
			ticket := s.Admit(newProbe(nil), new(Context), -time.Second, inline)
			get(t, ticket.r.ctx.Done())
			v := ticket.Do()
			ticket.Release()
			return v
		}, Verdict{Deadline, Framework}, 0},
		{"answer", func(_ *testing.T, s *System, inline bool) Verdict {
			ticket := s.Admit(newProbe(nil), new(Context), time.Minute, inline)
			v := ticket.Answer()
			ticket.Gone()
			ticket.Cancel()
			if again := ticket.Answer(); again != v { // CX-15
				return again
			}
			ticket.Release()
			return v
		}, Verdict{Result, Framework}, 0},
		{"released undecided", func(_ *testing.T, s *System, inline bool) Verdict {
			ticket := s.Admit(newProbe(nil), new(Context), time.Minute, inline)
			ticket.Release()
			for o, n := range s.Gauges().Outcomes {
				if n != 0 {
					return Verdict{Outcome(o), Framework}
				}
			}
			return Verdict{}
		}, Verdict{Internal, Framework}, 0},
	}
	for _, lane := range lanes {
		for _, end := range ends {
			t.Run(lane.name+"/"+end.name, func(t *testing.T) {
				t.Parallel()
				cfg := lane.cfg
				cfg.Tick = time.Millisecond
				s := setup(t, cfg)
				want(t, end.play(t, s, lane.inline), end.want.Outcome, end.want.Owner)
				waitUntil(t, func() bool { return s.Gauges().Active == 0 })
				g := s.Gauges()
				if g.Running != 0 || g.Zombies != 0 || g.Queued != 0 || g.Deadlines != 0 || g.Early != 0 || int(g.Failures) != end.fails {
					t.Errorf("what is left: %+v", g)
				}
				if n := g.Outcomes[end.want.Outcome]; n != 1 {
					t.Errorf("counted %d times: %v", n, g.Outcomes)
				}
				// The actor and the slot are good for the next one.
				_, done := do(s, newProbe(nil), time.Minute, lane.inline)
				want(t, get(t, done), Result, Application)
				if g := s.Gauges(); g.Pooled != 1 {
					t.Errorf("%d actors for one request at a time", g.Pooled)
				}
			})
		}
	}
}

// The slots and the queue are bounded, whoever supplies the goroutines.
// EX-01, EX-02, EX-04, EX-05, EX-23.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, lane := range lanes {
		t.Run(lane.name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, lane.cfg) // the defaults: 32 and 128
			run, running, release := hold()
			var verdicts []<-chan Verdict
			more := func(n int) {
				for range n {
					_, done := do(s, newProbe(run), time.Minute, lane.inline)
					verdicts = append(verdicts, done)
				}
			}
			more(32)
			for range 32 {
				get(t, running)
			}
			more(1) // EX-01: the 33rd queues
			waitUntil(t, func() bool { return s.Gauges().Queued == 1 })
			more(127)
			waitUntil(t, func() bool { return s.Gauges().Queued == 128 })
			_, done := do(s, newProbe(run), time.Minute, lane.inline) // EX-02: the 161st
			want(t, get(t, done), Busy, Queue)
			if g := s.Gauges(); g.Running != 32 || g.Queued != 128 || len(running) != 0 {
				t.Errorf("%+v", g)
			}
			close(release)
			for _, done := range verdicts {
				want(t, get(t, done), Result, Application)
			}
			if n := len(running); n != 128 {
				t.Errorf("%d of the queued ones ran", n)
			}
		})
	}
}

// The queue is first in, first out, and what leaves it does so once.
// CX-08, CX-12, EX-06, EX-07, EX-08.
func TestQueue(t *testing.T) {
	t.Parallel()
	for _, lane := range lanes {
		t.Run(lane.name, func(t *testing.T) {
			t.Parallel()
			cfg := lane.cfg
			cfg.Slots, cfg.Tick = 1, time.Millisecond
			s := setup(t, cfg)
			run, running, release := hold()
			_, first := do(s, newProbe(run), time.Minute, lane.inline)
			get(t, running)
			order := make(chan int, 8)
			queue := func(i int, d time.Duration) (Ticket, *probe, <-chan Verdict) {
				p := newProbe(func(context.Context) { order <- i })
				ticket, done := do(s, p, d, lane.inline)
				waitUntil(t, func() bool { return s.Gauges().Queued == i || d < time.Second })
				return ticket, p, done
			}
			_, _, one := queue(1, time.Minute)
			gone, gonep, two := queue(2, time.Minute)
			_, _, three := queue(3, time.Minute)
			gone.Gone()
			want(t, get(t, two), Disconnected, Queue)
			_, latep, late := queue(4, 5*time.Millisecond)
			want(t, get(t, late), Deadline, Queue)
			if n := s.Gauges().Queued; n != 2 {
				t.Errorf("%d are queued", n)
			}
			close(release)
			want(t, get(t, first), Result, Application)
			want(t, get(t, one), Result, Application)
			want(t, get(t, three), Result, Application)
			if a, b := get(t, order), get(t, order); a != 1 || b != 3 {
				t.Errorf("order %d, %d", a, b)
			}
			if gonep.runs()+latep.runs() != 0 {
				t.Error("a request that had left the queue ran")
			}
			if len(gonep.told)+len(latep.told) != 0 {
				t.Error("an early answer although Do was waiting") // decision 71
			}
		})
	}
}

// A handler that outlives its outcome keeps its slot. CX-06, EX-10.
func TestZombie(t *testing.T) {
	t.Parallel()
	for _, lane := range lanes {
		t.Run(lane.name, func(t *testing.T) {
			t.Parallel()
			cfg := lane.cfg
			cfg.Slots, cfg.Queue = 1, 1
			s := setup(t, cfg)
			run, running, release := hold()
			p := newProbe(run)
			ticket, done := do(s, p, time.Minute, lane.inline)
			get(t, running)
			ticket.Gone()
			fast := s.fastLane && lane.inline
			if fast {
				want(t, get(t, p.told), Disconnected, Application) // Do's goroutine is in the handler
			} else {
				want(t, get(t, done), Disconnected, Application)
			}
			waitUntil(t, func() bool { g := s.Gauges(); return g.Zombies == 1 && g.Running == 0 })
			_, next := do(s, newProbe(nil), time.Minute, lane.inline)
			waitUntil(t, func() bool { return s.Gauges().Queued == 1 })
			_, busy := do(s, newProbe(nil), time.Minute, lane.inline)
			want(t, get(t, busy), Busy, Queue)
			close(release)
			want(t, get(t, next), Result, Application)
			if fast {
				want(t, get(t, done), Disconnected, Application)
			}
			waitUntil(t, func() bool { g := s.Gauges(); return g.Zombies == 0 && g.Active == 0 })
		})
	}
}

// An executor may refuse, panic, end the goroutine, or run the handler itself.
// EX-04, EX-19, CX-19, decision 75.
func TestExecutor(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		submit func(f func()) error
		run    func(context.Context)
		want   Verdict
		ran    int
		dies   bool
	}{
		{"refuses", func(func()) error { return errors.New("no") }, nil, Verdict{Busy, Queue}, 0, false},
		{"refuses, and runs it all the same", func(f func()) error { go f(); return errors.New("no") }, nil, Verdict{}, -1, false},
		{"panics", func(func()) error { panic("no") }, nil, Verdict{Busy, Queue}, 0, false},
		{"goexit", func(func()) error { runtime.Goexit(); return nil }, nil, Verdict{Busy, Queue}, 0, true},
		{"runs itself", func(f func()) error { f(); return nil }, nil, Verdict{Result, Application}, 1, false},
		{"runs it twice", func(f func()) error { f(); f(); return nil }, nil, Verdict{Result, Application}, 1, false},
		{"runs, then fails", func(f func()) error { f(); return errors.New("late") }, nil, Verdict{Result, Application}, 1, false},
		{
			"handler goexit on Do's goroutine", func(f func()) error { f(); return nil },
			func(context.Context) { runtime.Goexit() },
			Verdict{Internal, Application},
			1, true,
		},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, Config{Slots: 1, Queue: 1, FastLane: true, Executor: submitter(r.submit)})
			p := newProbe(r.run)
			_, done := do(s, p, time.Minute, true)
			var v Verdict
			if r.dies {
				v = get(t, p.told)
			} else {
				v = get(t, done)
			}
			if r.ran < 0 { // whoever was first
				if v != (Verdict{Busy, Queue}) && v != (Verdict{Result, Application}) {
					t.Error(v)
				}
			} else {
				want(t, v, r.want.Outcome, r.want.Owner)
				if p.runs() != r.ran {
					t.Errorf("ran %d times", p.runs())
				}
			}
			waitUntil(t, func() bool { g := s.Gauges(); return g.Active == 0 && g.Running == 0 && g.Zombies == 0 })
		})
	}
}

// A Submit that blocks does not hold up the deadline: the early answer is
// written meanwhile.
func TestExecutorBlocks(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := setup(t, Config{Tick: time.Millisecond, Executor: submitter(func(f func()) error { <-release; go f(); return nil })})
	p := newProbe(nil)
	_, done := do(s, p, time.Millisecond, true)
	want(t, get(t, p.told), Deadline, Application)
	close(release)
	want(t, get(t, done), Deadline, Application)
	waitUntil(t, func() bool { return s.Gauges().Active == 0 })
}
