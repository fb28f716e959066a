package actors

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stormWork is a request of the storm: what its handler does is drawn before.
type stormWork struct {
	act    int
	ran    atomic.Int32
	failed atomic.Int32
	early  atomic.Uint32 // outcome | owner<<8 | 1<<16
	twice  atomic.Bool
}

const (
	actReturn = iota
	actYield
	actObey   // waits for its context
	actLinger // outlives its context
	actPanic
	actGoexit
	acts
)

func (w *stormWork) Run(ctx context.Context) {
	if w.ran.Add(1) != 1 {
		w.twice.Store(true)
	}
	switch w.act {
	case actYield:
		for range 20 {
			runtime.Gosched()
		}
	case actObey:
		<-ctx.Done()
	case actLinger:
		<-ctx.Done()
		for range 50 {
			runtime.Gosched()
		}
	case actPanic:
		panic("drawn")
	case actGoexit:
		runtime.Goexit()
	}
}

func (w *stormWork) Failed(reason any, stack []byte) {
	if w.failed.Add(1) != 1 || len(stack) == 0 {
		w.twice.Store(true)
	}
}

func (w *stormWork) Early(v Verdict) {
	if !w.early.CompareAndSwap(0, uint32(v.Outcome)|uint32(v.Owner)<<8|1<<16) {
		w.twice.Store(true)
	}
}

// storm is one system under load, with what it should have counted.
type storm struct {
	t        *testing.T
	s        *System
	admitted atomic.Int64
	refused  atomic.Int64
	counted  [outcomes]atomic.Int64

	mu    sync.Mutex
	stale []Ticket
}

// keep keeps a ticket, and returns an old one.
func (st *storm) keep(t Ticket, r *rand.Rand) Ticket {
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.stale) < 256 {
		st.stale = append(st.stale, t)
	} else {
		st.stale[r.IntN(256)] = t
	}
	return st.stale[r.IntN(len(st.stale))]
}

// request plays one request on a goroutine of its own, which may die.
func (st *storm) request(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	w := &stormWork{act: r.IntN(acts)}
	ctx := new(Context)
	deadline := time.Duration(1+r.IntN(40)) * time.Millisecond
	if r.IntN(3) == 0 && w.act != actObey && w.act != actLinger {
		deadline = time.Minute
	}
	t := st.s.Admit(w, ctx, deadline, r.IntN(2) == 0)
	if t.r == nil {
		st.refused.Add(1)
		if v := t.Do(); v.Outcome != ShuttingDown || w.ran.Load() != 0 || ctx.Err() == nil {
			st.t.Errorf("refused ticket: %v", v)
		}
		t.Release()
		return
	}
	st.admitted.Add(1)

	var racers sync.WaitGroup
	race := func(f func()) {
		racers.Go(func() {
			for range rand.IntN(30) {
				runtime.Gosched()
			}
			f()
		})
	}
	if r.IntN(4) == 0 {
		race(t.Gone)
	}
	if r.IntN(4) == 0 {
		race(t.Cancel)
	}
	if r.IntN(8) == 0 {
		race(func() { t.Own(Policy); t.Own(Application) })
	}
	if r.IntN(2) == 0 {
		old := st.keep(t, r)
		if old != t {
			race(func() {
				// Whoever has old may be in the middle of it: what any goroutine may call.
				old.Gone()
				old.Cancel()
				old.Own(Policy)
			})
		}
	}

	v, returned := Verdict{}, false
	defer func() {
		if !returned { // Goexit in the fast lane: Early had the verdict
			for w.early.Load() == 0 {
				runtime.Gosched()
			}
			e := w.early.Load()
			v = Verdict{Outcome(e & 0xff), Owner(e >> 8 & 0xff)}
		}
		st.check(w, ctx, v, returned)
		racers.Wait()
		// Long released: nothing may come of these.
		t.Gone()
		t.Cancel()
		t.Release()
		if got := t.Do(); got != (Verdict{}) && got != v { // v while the handler is still about
			st.t.Errorf("Do on a released ticket: %v", got)
		}
		if got := t.Answer(); got != (Verdict{}) && got != v {
			st.t.Errorf("Answer on a released ticket: %v", got)
		}
	}()
	if r.IntN(5) == 0 {
		v = t.Answer()
		if v.Owner != Framework {
			st.t.Errorf("Answer: %v", v)
		}
	} else {
		v = t.Do()
	}
	if again := t.Verdict(); again != v {
		st.t.Errorf("verdict changed from %v to %v", v, again)
	}
	returned = true
	t.Release()
}

// check checks one verdict against what the handler saw, and counts it.
func (st *storm) check(w *stormWork, ctx *Context, v Verdict, returned bool) {
	if v.Outcome == None {
		st.t.Errorf("no outcome")
	}
	st.counted[v.Outcome].Add(1)
	if w.twice.Load() {
		st.t.Errorf("Run, Failed or Early came twice")
	}
	if ctx.Err() == nil {
		st.t.Errorf("%v: the context goes on", v)
	}
	ran := w.ran.Load() == 1
	switch {
	case v.Owner == Queue && ran:
		st.t.Errorf("%v: ran all the same", v) // CX-08, EX-06
	case v == Verdict{Result, Application} && (!ran || w.failed.Load() != 0):
		st.t.Errorf("%v: ran %v, failed %d", v, ran, w.failed.Load())
	case !returned && w.act != actGoexit:
		st.t.Errorf("%v: the goroutine died", v)
	}
}

// The race test: results, deadlines, disconnects, cancels, drain, shutdown,
// stale tickets, panics and Goexits of handlers, and panics inside Receive, on
// all paths. Each request has one outcome, each is counted once, nothing
// remains. CX-06, CX-13, CX-14, CX-24, CX-25, EX-08.
func TestStorm(t *testing.T) {
	const perSystem, at = 1600, 200 // generations; at a time
	type plan struct {
		name     string
		cfg      Config
		faults   bool
		shutdown bool // in the middle of the load
	}
	var plans []plan
	for _, faults := range []bool{false, true} {
		for _, shutdown := range []bool{false, true} {
			suffix := ""
			if faults {
				suffix += "/faults"
			}
			if shutdown {
				suffix += "/shutdown"
			}
			plans = append(plans,
				plan{"fast" + suffix, Config{Slots: 8, Queue: 16, FastLane: true, Tick: time.Millisecond}, faults, shutdown},
				plan{"pool" + suffix, Config{Slots: 8, Queue: 16, Tick: time.Millisecond}, faults, shutdown},
				plan{"executor" + suffix, Config{Slots: 8, Queue: 16, Tick: time.Millisecond, Executor: goExecutor{}}, faults, shutdown},
				plan{"wide" + suffix, Config{Slots: 64, Queue: 256, FastLane: true, Tick: time.Millisecond}, faults, shutdown})
		}
	}
	var generations, crashes atomic.Int64
	t.Run("plans", func(t *testing.T) {
		for i, p := range plans {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				s, err := New(p.cfg)
				if err != nil {
					t.Fatal(err)
				}
				if p.faults {
					s.fault = func(*request, Message, faultPoint) {
						if rand.IntN(12) == 0 {
							panic("fault")
						}
					}
					s.slotFault = func(*slot, Message) {
						if rand.IntN(12) == 0 {
							panic("slot fault")
						}
					}
				}
				s.Start()
				st := &storm{t: t, s: s}
				tokens := make(chan struct{}, at)
				var all sync.WaitGroup
				down := make(chan struct{})
				for n := range perSystem {
					tokens <- struct{}{}
					all.Go(func() {
						defer func() { <-tokens }()
						st.request(uint64(i)<<32 | uint64(n))
					})
					if p.shutdown && n == perSystem/2 {
						go func() {
							defer close(down)
							if r := s.Shutdown(context.Background(), 5*time.Millisecond, patience); !r.Clean() {
								t.Errorf("residue: %v", r)
							}
						}()
					}
				}
				defer func() {
					if t.Failed() {
						t.Log(s.dump())
					}
				}()
				waitFor(t, all.Wait)
				if !p.shutdown {
					close(down)
				}
				<-down
				waitUntil(t, func() bool { return s.Gauges().Active == 0 && s.Gauges().Zombies == 0 && s.Gauges().Running == 0 })
				g := s.Gauges()
				if r := s.Shutdown(context.Background(), time.Second, time.Second); !r.Clean() {
					t.Errorf("residue: %v", r)
				}
				if g.Active != 0 || g.Queued != 0 || g.Running != 0 || g.Zombies != 0 || g.Deadlines != 0 || g.Early != 0 {
					t.Errorf("gauges are not back at 0: %+v", g)
				}
				var sum int64
				for o := range outcomes {
					if got, want := int64(g.Outcomes[o]), st.counted[o].Load(); got != want && o != int(None) {
						t.Errorf("%v: counted %d, seen %d", Outcome(o), got, want)
					}
					sum += int64(g.Outcomes[o])
				}
				if sum != st.admitted.Load() {
					t.Errorf("%d outcomes for %d requests", sum, st.admitted.Load())
				}
				g = s.Gauges()
				if g.Actors != 0 || g.Workers != 0 || g.Pooled != 0 {
					t.Errorf("after Shutdown: %+v", g)
				}
				for _, r := range s.pool.all {
					if n := r.ref.Dropped(); n != 0 {
						t.Errorf("a mailbox was full %d times", n)
					}
				}
				generations.Add(st.admitted.Load())
				crashes.Add(int64(g.Crashes))
			})
		}
	})
	t.Logf("%d generations, %d panics inside Receive", generations.Load(), crashes.Load())
	if generations.Load() < 16_000 {
		t.Errorf("only %d generations", generations.Load())
	}
}

type goExecutor struct{}

func (goExecutor) Submit(f func()) error {
	switch rand.IntN(10) {
	case 0:
		return ErrCanceled
	case 1:
		panic("executor")
	case 2:
		f()
		return nil
	}
	go f()
	return nil
}

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

// waitFor waits until f has returned.
func waitFor(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(patience):
		buf := make([]byte, 1<<20)
		t.Fatalf("still waiting\n%s", buf[:runtime.Stack(buf, true)])
	}
}

// waitUntil waits until ok returns true.
func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	limit := time.After(patience)
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for !ok() {
		select {
		case <-look.C:
		case <-limit:
			t.Fatal("still waiting")
		}
	}
}
