package actors

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// bell counts how often its node expires, and when.
type bell struct {
	node Node
	rang func(gen uint64)
}

func (b *bell) Expire(gen uint64) { b.rang(gen) }

func newBell(rang func(uint64)) *bell {
	b := &bell{rang: rang}
	b.node.Target = b
	return b
}

// still is a wheel that only advance moves.
func still() (*Wheel, func(d time.Duration)) {
	now := time.Unix(1_000_000, 0)
	w := newWheel(10*time.Millisecond, func() time.Time { return now })
	return w, func(d time.Duration) { now = now.Add(d); w.advance(now) }
}

// A node rings once, never before its time and within two ticks of it, however
// the wheel moves; a disarmed one does not. CX-11.
func TestWheelModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, move := still()
		var at time.Duration
		type entry struct {
			b         *bell
			due       time.Duration
			rang, off int
		}
		var all []*entry
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				d := time.Duration(rapid.Int64Range(-5, 120_000).Draw(t, "ms")) * time.Millisecond
				e := &entry{due: at + max(d, 0)}
				e.b = newBell(func(gen uint64) {
					if gen != 9 {
						t.Fatalf("generation %d", gen)
					}
					if at < e.due {
						t.Fatalf("%v early", e.due-at)
					}
					e.rang++
				})
				w.Arm(&e.b.node, 9, d)
				all = append(all, e)
			case 2:
				if len(all) > 0 {
					e := rapid.SampledFrom(all).Draw(t, "off")
					if w.Disarm(&e.b.node) != (e.rang+e.off == 0) {
						t.Fatalf("Disarm of a node that rang %d times and is off %d times", e.rang, e.off)
					}
					if e.rang == 0 {
						e.off = 1
					}
				}
			default:
				d := time.Duration(rapid.Int64Range(0, 60_000).Draw(t, "move")) * time.Millisecond
				at += d
				move(d)
			}
			armed := 0
			for _, e := range all {
				if e.rang+e.off > 1 {
					t.Fatalf("rang %d times, off %d times", e.rang, e.off)
				}
				if e.rang+e.off == 0 {
					armed++
					if at > e.due+3*w.Tick() {
						t.Fatalf("%v late", at-e.due)
					}
				}
			}
			if w.Len() != armed {
				t.Fatalf("%d armed, want %d", w.Len(), armed)
			}
		}
	})
}

// 100,000 nodes, half of them disarmed, ring in the order of their ticks.
func TestWheelMany(t *testing.T) {
	t.Parallel()
	w, move := still()
	const many = 100_000
	var order []int64
	bells := make([]*bell, many)
	for i := range bells {
		b := newBell(nil)
		b.rang = func(uint64) { order = append(order, b.node.at) }
		bells[i] = b
		w.Arm(&b.node, 1, time.Duration(rand.IntN(90_000))*time.Millisecond)
	}
	for i := 0; i < many; i += 2 {
		if !w.Disarm(&bells[i].node) {
			t.Fatal("not armed")
		}
	}
	for range 100 {
		move(time.Second)
	}
	if len(order) != many/2 || w.Len() != 0 {
		t.Fatalf("%d rang, %d are left", len(order), w.Len())
	}
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			t.Fatalf("tick %d after tick %d", order[i], order[i-1])
		}
	}
}

// A node may be armed again from its own Expire.
func TestWheelAgain(t *testing.T) {
	t.Parallel()
	w, move := still()
	rang := 0
	var b *bell
	b = newBell(func(uint64) {
		rang++
		w.Arm(&b.node, 1, 20*time.Millisecond)
	})
	w.Arm(&b.node, 1, 0)
	for range 100 {
		move(10 * time.Millisecond)
	}
	if rang < 30 || rang > 50 {
		t.Errorf("rang %d times in a second", rang)
	}
	if !w.Disarm(&b.node) || w.Disarm(&b.node) {
		t.Error("Disarm")
	}
	move(-time.Hour) // a clock that goes back moves nothing
	move(2 * time.Hour)
}

// Periodic functions come in time, and survive a panic.
func TestWheelOnTick(t *testing.T) {
	t.Parallel()
	w, move := still()
	var seconds, ticks int
	w.OnTick(time.Second, func(now time.Time) {
		seconds++
		if !now.Equal(w.Now()) {
			t.Errorf("%v, %v", now, w.Now())
		}
		panic("contained")
	})
	w.OnTick(0, func(time.Time) { ticks++ })
	for range 1000 {
		move(10 * time.Millisecond)
	}
	if seconds != 10 || ticks != 1000 {
		t.Errorf("%d and %d calls in 10 s", seconds, ticks)
	}
}

// Deadlines of a live system, in the bubble's time: 60 s is 60 s (EX-03), it
// covers the queue and the handler (CX-11), and a deadline of none never comes.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{Slots: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		start := time.Now()
		since := func() time.Duration { return time.Since(start) }
		near := func(what string, want time.Duration) {
			t.Helper()
			if d := since(); d < want || d > want+2*DefaultTick {
				t.Errorf("%s after %v, want %v", what, d, want)
			}
		}
		release := make(chan struct{})
		ctx := new(Context)
		running := s.Admit(newProbe(func(c context.Context) {
			if d, ok := c.Deadline(); !ok || d.Sub(start) != time.Minute {
				t.Errorf("deadline %v, %v", d, ok)
			}
			<-release
		}), ctx, time.Minute, false)
		var wait sync.WaitGroup
		wait.Go(func() {
			want(t, running.Do(), Deadline, Application) // CX-07
			near("the running one", time.Minute)
			running.Release()
		})
		synctest.Wait()
		time.Sleep(10 * time.Second)
		wait.Go(func() {
			ticket := s.Admit(newProbe(nil), new(Context), 30*time.Second, false)
			want(t, ticket.Do(), Deadline, Queue) // CX-08
			near("the queued one", 40*time.Second)
			ticket.Release()
		})
		forever := new(Context)
		endless := s.Admit(newProbe(nil), forever, NoDeadline, false)
		if _, ok := forever.Deadline(); ok {
			t.Error("it has a deadline")
		}
		wait.Wait()
		close(release)
		time.Sleep(10 * time.Minute)
		want(t, endless.Answer(), Result, Framework)
		endless.Release()
		if g := s.Gauges(); g.Active != 0 || g.Deadlines != 0 || g.Outcomes[Deadline] != 2 { // CX-10
			t.Errorf("%+v", g)
		}
		if r := s.Shutdown(context.Background(), time.Second, time.Second); !r.Clean() {
			t.Error(r)
		}
	})
}

// With an injected clock the deadline follows that clock, not the world's.
func TestDeadlineClock(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now := time.Unix(0, 0)
	s := setup(t, Config{Tick: time.Millisecond, Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	p := newProbe(nil)
	ticket := s.Admit(p, new(Context), time.Hour, true)
	if v := ticket.Verdict(); v.Outcome != None {
		t.Error(v)
	}
	mu.Lock()
	now = now.Add(time.Hour + 3*time.Millisecond)
	mu.Unlock()
	want(t, get(t, p.told), Deadline, Framework)
	want(t, ticket.Verdict(), Deadline, Framework)
	ticket.Release()
}

func BenchmarkWheel(b *testing.B) {
	for _, armed := range []int{0, 100_000} {
		b.Run(map[int]string{0: "armed=0", 100_000: "armed=100000"}[armed], func(b *testing.B) {
			w, _ := still()
			for range armed {
				w.Arm(&newBell(nil).node, 1, time.Duration(rand.IntN(60_000))*time.Millisecond)
			}
			n := &newBell(nil).node
			b.ReportAllocs()
			for b.Loop() {
				w.Arm(n, 1, time.Minute)
				w.Disarm(n)
			}
		})
	}
}
