package actors

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Shutdown: unstarted, twice, idle, with queued, running and stubborn
// handlers, with slow hooks. CX-24, decision 65.
func TestShutdown(t *testing.T) {
	t.Parallel()
	bg := context.Background()
	fresh := func(t *testing.T, cfg Config) *System {
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Run("unstarted", func(t *testing.T) {
		t.Parallel()
		s := fresh(t, Config{})
		p, ctx := newProbe(nil), new(Context)
		want(t, s.Admit(p, ctx, time.Minute, true).Do(), ShuttingDown, Framework)
		if !errors.Is(ctx.Cause(), ErrShuttingDown) || p.runs() != 0 {
			t.Errorf("%v, ran %d", ctx.Cause(), p.runs())
		}
		for range 2 {
			if r := s.Shutdown(bg, time.Second, time.Second); r.String() != "nothing" {
				t.Error(r)
			}
		}
		s.Start() // too late: it must start no goroutine
		want(t, s.Admit(p, new(Context), time.Minute, true).Answer(), ShuttingDown, Framework)
		if _, err := s.Spawn("x", 1, nil); !errors.Is(err, ErrNotStarted) {
			t.Error(err)
		}
	})
	t.Run("idle and twice", func(t *testing.T) {
		t.Parallel()
		s := fresh(t, Config{})
		s.Start()
		s.Start()
		_, done := do(s, newProbe(nil), time.Minute, false)
		want(t, get(t, done), Result, Application)
		residues := make(chan Residue, 3)
		for range 3 {
			go func() { residues <- s.Shutdown(bg, time.Minute, time.Minute) }()
		}
		for range 3 {
			if r := get(t, residues); r.String() != "nothing" {
				t.Error(r)
			}
		}
		if g := s.Gauges(); g.Actors != 0 || g.Pooled != 0 || g.Workers != 0 || g.Outcomes[Result] != 1 {
			t.Errorf("%+v", g)
		}
	})
	for _, lane := range lanes {
		t.Run("queued and obedient/"+lane.name, func(t *testing.T) {
			t.Parallel()
			cfg := lane.cfg
			cfg.Slots = 1
			s := fresh(t, cfg)
			s.Start()
			running := make(chan struct{})
			p := newProbe(func(ctx context.Context) { close(running); <-ctx.Done() })
			_, first := do(s, p, time.Minute, lane.inline)
			get(t, running)
			second := newProbe(nil)
			_, queued := do(s, second, time.Minute, lane.inline)
			waitUntil(t, func() bool { return s.Gauges().Queued == 1 })
			s.Drain()
			s.Drain()
			want(t, get(t, queued), ShuttingDown, Queue)
			_, late := do(s, second, time.Minute, lane.inline) // admitted, but there is no queue any more
			want(t, get(t, late), ShuttingDown, Queue)
			if g := s.Gauges(); g.Running != 1 || second.runs() != 0 {
				t.Errorf("%+v, ran %d", g, second.runs())
			}
			if r := s.Shutdown(bg, time.Millisecond, time.Minute); !r.Clean() {
				t.Error(r)
			}
			want(t, get(t, first), ShuttingDown, Application)
			waitUntil(t, func() bool { return s.Gauges().Actors == 0 })
		})
		t.Run("within the grace/"+lane.name, func(t *testing.T) {
			t.Parallel()
			s := fresh(t, lane.cfg)
			s.Start()
			run, running, release := hold()
			_, done := do(s, newProbe(run), time.Minute, lane.inline)
			get(t, running)
			down := make(chan Residue, 1)
			go func() { down <- s.Shutdown(bg, time.Minute, time.Second) }()
			waitUntil(t, func() bool { s.scheduler.mu.Lock(); defer s.scheduler.mu.Unlock(); return s.scheduler.draining })
			close(release)
			want(t, get(t, done), Result, Application)
			if r := get(t, down); !r.Clean() {
				t.Error(r)
			}
		})
		t.Run("stubborn/"+lane.name, func(t *testing.T) {
			t.Parallel()
			s := fresh(t, lane.cfg)
			s.Start()
			run, running, release := hold()
			_, done := do(s, newProbe(run), time.Minute, lane.inline)
			get(t, running)
			r := s.Shutdown(bg, time.Millisecond, 5*time.Millisecond)
			if r.Clean() || len(r.Handlers) != 1 || !strings.HasPrefix(r.String(), "probe (slot 0, ") {
				t.Errorf("residue %v", r)
			}
			if again := s.Shutdown(bg, 0, 0); len(again.Handlers) != 1 {
				t.Errorf("the second time %v", again)
			}
			close(release) // it returns after all: nothing may remain
			want(t, get(t, done), ShuttingDown, Application)
			waitUntil(t, func() bool {
				g := s.Gauges()
				return g.Actors == 0 && g.Workers == 0 && g.Zombies == 0 && g.Active == 0
			})
		})
	}
	t.Run("slow hook", func(t *testing.T) {
		t.Parallel()
		s := fresh(t, Config{})
		s.Start()
		p := newProbe(nil)
		ticket := s.Admit(p, new(Context), time.Minute, true) // the connection's goroutine is in a hook
		if r := s.Shutdown(bg, time.Millisecond, time.Minute); !r.Clean() || r.Requests != 1 {
			t.Error(r)
		}
		want(t, get(t, p.told), ShuttingDown, Framework)
		want(t, ticket.Do(), ShuttingDown, Framework)
		ticket.Gone()
		ticket.Release()
		if g := s.Gauges(); g.Actors != 0 || g.Active != 0 || p.runs() != 0 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("ctx ends", func(t *testing.T) {
		t.Parallel()
		s := fresh(t, Config{})
		s.Start()
		run, running, release := hold()
		_, done := do(s, newProbe(run), time.Minute, false)
		get(t, running)
		ctx, cancel := context.WithCancel(bg)
		cancel()
		if r := s.Shutdown(ctx, time.Hour, time.Hour); len(r.Handlers) != 1 {
			t.Error(r)
		}
		close(release)
		want(t, get(t, done), ShuttingDown, Application)
		waitUntil(t, func() bool { return s.Gauges().Actors == 0 && s.Gauges().Workers == 0 })
	})
	t.Run("stuck early answer", func(t *testing.T) {
		t.Parallel()
		s := fresh(t, Config{})
		s.Start()
		stuck, release := make(chan struct{}), make(chan struct{})
		p := newProbe(nil)
		p.early = func(Verdict) { close(stuck); <-release }
		ticket := s.Admit(p, new(Context), time.Minute, true)
		ticket.Gone()
		get(t, stuck)
		ticket.Release()
		if r := s.Shutdown(bg, 0, 5*time.Millisecond); r.Clean() || r.Early != 1 || !strings.Contains(r.String(), "1 early answers") {
			t.Error(r)
		}
		close(release)
		waitUntil(t, func() bool { return s.Gauges().Actors == 0 && s.answerers.left.Load() == 0 })
	})
}

// Early answers that block, panic or call Goexit hold up neither the wheel nor
// whoever reserves, and are answered all the same.
func TestEarlyBlocks(t *testing.T) {
	t.Parallel()
	s := setup(t, Config{Tick: time.Millisecond})
	release := make(chan struct{})
	const many = 4 * answererCount
	var probes []*probe
	var tickets []Ticket
	blocked := make(chan struct{}, many)
	admit := func(early func(Verdict)) {
		p := newProbe(nil)
		p.early = early
		probes = append(probes, p)
		tickets = append(tickets, s.Admit(p, new(Context), time.Millisecond, true))
	}
	for range many {
		admit(func(Verdict) { blocked <- struct{}{}; <-release })
	}
	for range answererCount {
		get(t, blocked) // all of them are stuck
	}
	ticks := make(chan time.Time, 8)
	s.Wheel().OnTick(time.Millisecond, func(now time.Time) {
		select {
		case ticks <- now:
		default:
		}
	})
	for range 3 {
		get(t, ticks)
	}
	_, done := do(s, newProbe(func(ctx context.Context) { <-ctx.Done() }), time.Millisecond, false)
	want(t, get(t, done), Deadline, Application)
	for _, ticket := range tickets {
		ticket.Gone()
		want(t, ticket.Answer(), Deadline, Framework)
		ticket.Release()
	}
	if g := s.Gauges(); g.Early != many || g.Active < many {
		t.Errorf("%+v", g) // none of them is lent out again before it is answered
	}
	close(release)
	for _, p := range probes {
		want(t, get(t, p.told), Deadline, Framework)
	}
	probes, tickets = nil, nil
	const bad = 4 * answererCount
	for range bad / 2 {
		admit(func(Verdict) { panic("early") })
		admit(func(Verdict) { runtime.Goexit() })
	}
	for range answererCount {
		admit(nil)
	}
	for _, p := range probes[bad:] {
		get(t, p.told)
	}
	for _, ticket := range tickets {
		ticket.Release()
	}
	waitUntil(t, func() bool { g := s.Gauges(); return g.Active == 0 && g.Early == 0 })
}

// protoactor's default supervisor stops an actor for good at its 11th failure
// in 10 s. Ours restarts it, every time, and nothing is lost.
func TestPanicBurst(t *testing.T) {
	t.Parallel()
	for _, at := range []faultPoint{atReceive, atEffects} {
		s, err := New(Config{FastLane: true})
		if err != nil {
			t.Fatal(err)
		}
		fire, own := true, true
		s.fault = func(_ *request, _ Message, p faultPoint) {
			if own && fire && p == at {
				fire = false
				panic("fault")
			}
			fire = true
		}
		s.Start()
		const bursts = 40
		var pid string
		for range bursts {
			ticket := s.Admit(newProbe(nil), new(Context), time.Minute, true)
			if pid == "" {
				pid = ticket.r.ref.PID().Id
			} else if got := ticket.r.ref.PID().Id; got != pid {
				t.Fatalf("another actor: %s, %s", got, pid)
			}
			if v := ticket.Do(); v.Outcome != Internal && v.Outcome != Result {
				t.Fatal(v)
			}
			ticket.Release()
			waitUntil(t, func() bool { return s.Gauges().Active == 0 })
		}
		own = false
		_, done := do(s, newProbe(nil), time.Minute, true)
		want(t, get(t, done), Result, Application)
		g := s.Gauges()
		if g.Crashes < 12 || g.Running != 0 || g.Zombies != 0 || g.Deadlines != 0 {
			t.Errorf("%+v", g)
		}
		if r := s.Shutdown(context.Background(), time.Second, time.Second); !r.Clean() {
			t.Error(r)
		}
	}
}

// A request that Shutdown ends while Admit is at it leaves no deadline behind.
func TestStopDuringAdmit(t *testing.T) {
	t.Parallel()
	s := setup(t, Config{})
	over := make(chan struct{})
	var hunter sync.WaitGroup
	hunter.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				s.pool.unsettled(func(r *request, gen uint64) { r.post(msgStop, gen, 0) })
			}
		}
	})
	stopped := 0
	for n := 0; n < 5_000 || stopped < 20 && n < 10_000_000; n++ {
		ticket := s.Admit(idler{}, new(Context), time.Minute, true)
		if ticket.Answer().Outcome == ShuttingDown {
			stopped++
		}
		ticket.Release()
	}
	close(over)
	waitFor(t, hunter.Wait)
	waitUntil(t, func() bool { return s.Gauges().Active == 0 })
	if n := s.Gauges().Deadlines; n != 0 || stopped == 0 {
		t.Errorf("%d deadlines are armed, %d were stopped", n, stopped)
	}
}

type lineWriter chan string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

// A panic inside Receive reserves Internal, and the handler is not run.
func TestCrash(t *testing.T) {
	t.Parallel()
	for _, lane := range lanes {
		t.Run(lane.name, func(t *testing.T) {
			t.Parallel()
			cfg, lines := lane.cfg, make(chan string, 4)
			cfg.Logger = slog.New(slog.NewTextHandler(lineWriter(lines), nil))
			s, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			s.fault = func(_ *request, m Message, p faultPoint) {
				if p == atReceive && m.Kind == msgBegin {
					panic("fault")
				}
			}
			s.Start()
			p := newProbe(nil)
			ticket, done := do(s, p, time.Minute, lane.inline)
			want(t, get(t, done), Internal, Framework)
			if line := get(t, lines); !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "reason=fault") || !strings.Contains(line, "TestCrash") {
				t.Error(line)
			}
			ticket.Gone()
			waitUntil(t, func() bool { return s.Gauges().Active == 0 })
			if g := s.Gauges(); p.runs() != 0 || g.Crashes != 1 || g.Outcomes[Internal] != 1 || g.Running != 0 {
				t.Errorf("ran %d times, %+v", p.runs(), g)
			}
			if r := s.Shutdown(context.Background(), time.Second, time.Second); !r.Clean() {
				t.Error(r)
			}
		})
	}
}
