package actors

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// EX-21: every fault is reported at once; what is not set has its default.
func TestNew(t *testing.T) {
	t.Parallel()
	s, err := New(Config{})
	if err != nil || s.slotCount != 32 || s.scheduler.bound != 128 || s.wheel.Tick() != 10*time.Millisecond {
		t.Errorf("%v, %+v", err, s)
	}
	for _, cfg := range []Config{
		{Slots: -1, Queue: -1, Tick: -1},
		{Slots: math.MaxInt, Queue: math.MaxInt, Tick: time.Hour},
	} {
		_, err = New(cfg)
		for _, name := range []string{"Slots", "Queue", "Tick"} {
			if err == nil || !strings.Contains(err.Error(), "Config."+name+":") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(Verdict{ShuttingDown, Policy}, Outcome(99), Owner(99), Verdict{}); got != "shutting_down/policy invalid invalid none/framework" {
		t.Error(got)
	}
}

// The zero Ticket is inert.
func TestZeroTicket(t *testing.T) {
	t.Parallel()
	var ticket Ticket
	ticket.Gone()
	ticket.Cancel()
	ticket.Own(Policy)
	ticket.Release()
	if ticket.Do() != (Verdict{}) || ticket.Answer() != (Verdict{}) || ticket.Verdict() != (Verdict{}) {
		t.Error("it has a verdict")
	}
}

// A request costs no allocation on any lane of our own, with its deadline and
// its reservation.
func TestAllocs(t *testing.T) {
	rows := []struct {
		name string
		cfg  Config
		do   func(Ticket) Verdict
		want Verdict
	}{
		{"answer", Config{}, Ticket.Answer, Verdict{Result, Framework}},
		{"fast", Config{FastLane: true}, Ticket.Do, Verdict{Result, Application}},
		{"pool", Config{}, Ticket.Do, Verdict{Result, Application}},
		{"late callers", Config{}, func(t Ticket) Verdict {
			v := t.Answer()
			t.Gone()
			t.Cancel()
			t.Own(Policy)
			return v
		}, Verdict{Result, Framework}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := setup(t, r.cfg)
			var w Work = idler{}
			ctx := new(Context)
			one := func() {
				*ctx = Context{}
				ticket := s.Admit(w, ctx, time.Minute, true)
				if v := r.do(ticket); v != r.want {
					t.Fatal(v)
				}
				ticket.Release()
			}
			for range 100 {
				one()
			}
			if n := testing.AllocsPerRun(2000, one); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
	t.Run("wheel", func(t *testing.T) {
		w, _ := still()
		n := &newBell(nil).node
		if a := testing.AllocsPerRun(1000, func() { w.Arm(n, 1, time.Minute); w.Disarm(n) }); a != 0 {
			t.Errorf("%v allocations", a)
		}
	})
	t.Run("mailbox", func(t *testing.T) {
		s := setup(t, Config{})
		b := &counter{}
		ref, err := s.Spawn("counter", 8, b)
		if err != nil {
			t.Fatal(err)
		}
		defer ref.Stop()
		if a := testing.AllocsPerRun(1000, func() { ref.Post(Message{Ref: b}) }); a != 0 || b.n == 0 {
			t.Errorf("%v allocations", a)
		}
	})
}

type counter struct{ n int }

func (c *counter) Receive(Message) { c.n++ }
func (c *counter) Crashed(Message) {}
func (c *counter) Ended()          {}
func (c *counter) Stopped()        {}

// What an idle actor of another kind costs: streams, sessions and grants.
func BenchmarkSpawnIdle(b *testing.B) {
	s := benchSystem(b, Config{})
	refs := make([]*Ref, 0, 1<<20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		ref, err := s.Spawn("idle", 16, &counter{})
		if err != nil {
			b.Fatal(err)
		}
		refs = append(refs, ref)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(refs)), "heap-B/actor")
	for _, ref := range refs {
		ref.Stop()
	}
}

func BenchmarkPost(b *testing.B) {
	s := benchSystem(b, Config{})
	ref, err := s.Spawn("counter", 8, &counter{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		ref.Post(Message{})
	}
	ref.Stop()
}
