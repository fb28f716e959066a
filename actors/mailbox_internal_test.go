package actors

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// tape is a behavior that records what it gets, and does what a test says.
type tape struct {
	mu      sync.Mutex
	got     []int32
	crashed []int32
	stopped int
	on      func(m Message)
	crash   func(m Message)
}

func (b *tape) Receive(m Message) {
	b.mu.Lock()
	b.got = append(b.got, m.Arg)
	b.mu.Unlock()
	if b.on != nil {
		b.on(m)
	}
}

func (b *tape) Crashed(m Message) {
	b.mu.Lock()
	b.crashed = append(b.crashed, m.Arg)
	b.mu.Unlock()
	if b.crash != nil {
		b.crash(m)
	}
}
func (b *tape) Ended() {}
func (b *tape) Stopped() {
	b.mu.Lock()
	b.stopped++
	b.mu.Unlock()
}

func (b *tape) args() []int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.got)
}

// A general mailbox: bounded, in order, one message at a time, on the poster's
// goroutine.
func TestMailbox(t *testing.T) {
	t.Parallel()
	s := setup(t, Config{})
	inside, release := make(chan struct{}), make(chan struct{})
	b := &tape{}
	b.on = func(m Message) {
		if m.Arg == 0 {
			close(inside)
			<-release
		}
	}
	ref, err := s.Spawn("tape", 4, b)
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Stop()
	done := make(chan struct{})
	go func() { defer close(done); ref.Post(Message{Arg: 0}) }()
	get(t, inside)
	for i := range int32(4) {
		if p := ref.Post(Message{Arg: i + 1, Kind: 200}); p != Accepted {
			t.Fatalf("%d: %v", i, p)
		}
	}
	if p := ref.Post(Message{Arg: 9}); p != Full || ref.Dropped() != 1 || ref.Len() != 4 {
		t.Errorf("%v, dropped %d, %d wait", p, ref.Dropped(), ref.Len())
	}
	close(release)
	get(t, done)
	ref.Post(Message{Arg: 5})
	if got := b.args(); !slices.Equal(got, []int32{0, 1, 2, 3, 4, 5}) {
		t.Error(got)
	}
	// protoactor's own ways in.
	s.root.Root.Send(ref.PID(), &Message{Arg: 6})
	s.root.Root.Send(ref.PID(), "a stranger's")
	if got := b.args(); got[len(got)-1] != 6 || len(got) != 7 {
		t.Error(got)
	}
	ref.Stop()
	ref.Stop()
	ref.Post(Message{Arg: 7})
	if b.stopped != 1 || len(b.args()) != 7 {
		t.Errorf("stopped %d times, %v", b.stopped, b.args())
	}
}

// Every way an actor can end or go on, as the kernel's users see it.
func TestActorEnds(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		play func(t *testing.T, s *System, ref *Ref, b *tape)
		got  []int32
		lost []int32
		ends bool
	}{
		{"stop", func(_ *testing.T, _ *System, ref *Ref, _ *tape) { ref.Post(Message{Arg: 1}); ref.Stop() }, []int32{1}, nil, true},
		{"stop from inside", func(_ *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(Message) { ref.Stop() }
			ref.Post(Message{Arg: 1})
			ref.Post(Message{Arg: 2})
		}, []int32{1}, nil, true},
		{"poison pill", func(_ *testing.T, s *System, ref *Ref, _ *tape) {
			s.root.Root.Poison(ref.PID())
			ref.Post(Message{Arg: 1})
		}, nil, nil, true},
		{"panic", func(_ *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(m Message) {
				if m.Arg == 1 {
					ref.Post(Message{Arg: 2})
					panic("boom")
				}
			}
			ref.Post(Message{Arg: 1})
			ref.Post(Message{Arg: 3})
		}, []int32{1, 2, 3}, []int32{1}, false},
		{"panic, and again in Crashed", func(_ *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(m Message) {
				if m.Arg == 1 {
					panic("boom")
				}
			}
			n := 0
			b.crash = func(Message) {
				if n++; n < 3 {
					panic("again")
				}
			}
			ref.Post(Message{Arg: 1})
			ref.Post(Message{Arg: 2})
		}, []int32{1, 2}, []int32{1, 1, 1}, false},
		{"goexit", func(t *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(m Message) {
				if m.Arg == 1 {
					ref.Post(Message{Arg: 2})
					runtime.Goexit()
				}
			}
			done := make(chan struct{})
			go func() { defer close(done); ref.Post(Message{Arg: 1}) }()
			get(t, done)
			ref.Post(Message{Arg: 3})
		}, []int32{1, 2, 3}, []int32{1}, false},
		{"100 panics", func(_ *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(m Message) {
				if m.Arg < 100 {
					panic("boom")
				}
			}
			for i := range int32(101) {
				ref.Post(Message{Arg: i})
			}
		}, upTo(101), upTo(100), false},
		{"panic for ever in Crashed", func(_ *testing.T, _ *System, ref *Ref, b *tape) {
			b.on = func(m Message) {
				if m.Arg == 0 {
					panic("boom")
				}
			}
			b.crash = func(Message) { panic("again") }
			ref.Post(Message{Arg: 0})
			ref.Post(Message{Arg: 1})
		}, upTo(2), make([]int32, maxTries), false},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, Config{})
			b := &tape{}
			ref, err := s.Spawn("tape", 8, b)
			if err != nil {
				t.Fatal(err)
			}
			before := s.Gauges().Actors
			r.play(t, s, ref, b)
			if got := b.args(); !slices.Equal(got, r.got) || !slices.Equal(b.crashed, r.lost) {
				t.Errorf("got %v, lost %v", got, b.crashed)
			}
			if ended := s.Gauges().Actors < before; ended != r.ends || ended != (b.stopped == 1) {
				t.Errorf("ended %v, stopped %d times", ended, b.stopped)
			}
			ref.Stop()
			if _, ok := s.root.ProcessRegistry.GetLocal(ref.PID().Id); ok {
				t.Error("the PID is still registered")
			}
		})
	}
}

func upTo(n int32) (all []int32) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// Each message is processed once, none beside another, under contention and
// panics.
func TestMailboxRace(t *testing.T) {
	t.Parallel()
	s := setup(t, Config{})
	var inside, bad, n, crashes atomic.Int32
	b := &tape{}
	b.on = func(m Message) {
		if inside.Add(1) != 1 {
			bad.Add(1)
		}
		runtime.Gosched()
		n.Add(1)
		inside.Add(-1)
		if m.Arg%7 == 0 {
			panic("boom")
		}
	}
	b.crash = func(Message) { crashes.Add(1) }
	const posters, each = 8, 500
	ref, err := s.Spawn("tape", posters*each, b)
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Stop()
	var all sync.WaitGroup
	for range posters {
		all.Go(func() {
			for i := range int32(each) {
				if ref.Post(Message{Arg: i}) != Accepted {
					bad.Add(1)
				}
			}
		})
	}
	waitFor(t, all.Wait)
	waitUntil(t, func() bool { return n.Load() == posters*each })
	if bad.Load() != 0 || crashes.Load() != posters*72 {
		t.Errorf("%d bad, %d crashes", bad.Load(), crashes.Load())
	}
}

// The gate: each kind once in a generation, nothing of another generation, so
// that 16 places are always enough, and what is left of a generation does not
// reach the next.
func TestMailboxGate(t *testing.T) {
	t.Parallel()
	if posted > 16 {
		t.Fatalf("%d kinds of message do not fit the gate", posted)
	}
	s := setup(t, Config{})
	inside, release := make(chan struct{}), make(chan struct{})
	b := &gated{tape: tape{}, ended: make(chan struct{}, 8)}
	box := newMailbox(b, posted, true)
	b.on = func(m Message) {
		if m.Arg == 1 {
			close(inside)
			<-release
			box.endGeneration()
		}
	}
	ref, err := s.spawn("gated", box)
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Stop()
	done := make(chan struct{})
	go func() { defer close(done); ref.Post(Message{Gen: 1, Arg: 1}) }()
	get(t, inside)
	refused := 0
	for range 3 {
		for k := range Kind(posted) {
			for gen := range uint64(4) {
				switch ref.Post(Message{Gen: gen, Kind: k, Arg: 2}) {
				case Full:
					t.Fatal("full")
				case Refused:
					refused++
				}
			}
		}
	}
	if ref.Len() != posted-1 || refused != 3*4*posted-(posted-1) || ref.Dropped() != 0 {
		t.Errorf("%d wait, %d refused, %d dropped", ref.Len(), refused, ref.Dropped())
	}
	close(release)
	get(t, done)
	get(t, b.ended)
	if got := b.args(); len(got) != 1 || ref.Len() != 0 {
		t.Errorf("got %v, %d wait", got, ref.Len())
	}
	if p := ref.Post(Message{Gen: 1, Kind: 1}); p != Refused {
		t.Error(p)
	}
	if p := ref.Post(Message{Gen: 2, Kind: 0, Arg: 3}); p != Accepted {
		t.Error(p)
	}
	if got := b.args(); len(got) != 2 {
		t.Error(got)
	}
}

type gated struct {
	tape
	ended chan struct{}
}

func (b *gated) Ended() { b.ended <- struct{}{} }

// What strangers and protoactor queue is bounded too.
func TestMailboxControls(t *testing.T) {
	t.Parallel()
	b := &tape{}
	m := newMailbox(b, 1, false) // not registered: nothing is processed
	for range maxControls + 50 {
		box{m}.PostUserMessage("x")
		box{m}.PostSystemMessage(&actor.ResumeMailbox{})
	}
	if len(m.controls) != maxControls || m.Dropped() == 0 {
		t.Errorf("%d wait, %d dropped", len(m.controls), m.Dropped())
	}
	if m.Post(Message{}) != Accepted || m.Post(Message{}) != Full || (box{m}).UserMessageCount() != 1 {
		t.Error("the ring is not bounded")
	}
}

// A slot's actor that crashes loses nothing, and ends like the others.
func TestSlotFaults(t *testing.T) {
	t.Parallel()
	s, err := New(Config{Slots: 2})
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int32
	s.slotFault = func(*slot, Message) { n.Add(1); panic("slot") }
	s.Start()
	for range 20 {
		_, done := do(s, newProbe(nil), time.Minute, false)
		want(t, get(t, done), Result, Application)
	}
	waitUntil(t, func() bool { g := s.Gauges(); return g.Running == 0 && g.Active == 0 })
	if r := s.Shutdown(context.Background(), time.Second, time.Second); !r.Clean() || s.Gauges().Actors != 0 || n.Load() < 40 {
		t.Errorf("%v, %+v, %d faults", r, s.Gauges(), n.Load())
	}
}

func TestStepSlot(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		s    slotState
		kind Kind
		want slotPhase
		do   slotEffects
	}{
		{"first launch starts the worker", slotState{}, msgLaunch, slotLeased, slotStart | slotHand},
		{"a later one does not", slotState{worker: true}, msgLaunch, slotLeased, slotHand},
		{"a leased slot takes no other", slotState{phase: slotLeased}, msgLaunch, slotLeased, 0},
		{"returned", slotState{phase: slotLeased}, msgReturn, slotIdle, slotFree},
		{"outlived", slotState{phase: slotLeased}, msgOrphan, slotZombie, slotHaunt},
		{"outlived in the fast lane", slotState{}, msgOrphan, slotZombie, slotHaunt},
		{"once", slotState{phase: slotZombie}, msgOrphan, slotZombie, 0},
		{"a zombie takes no other", slotState{phase: slotZombie}, msgLaunch, slotZombie, 0}, // EX-10
		{"a zombie returns", slotState{phase: slotZombie}, msgReturn, slotIdle, slotLay | slotFree},
		{"nothing to return", slotState{}, msgReturn, slotIdle, 0},
		{"retires when idle", slotState{}, msgRetire, slotEnded, slotEnd},
		{"retires later", slotState{phase: slotZombie}, msgRetire, slotZombie, 0},
		{"retires at last", slotState{phase: slotZombie, retiring: true}, msgReturn, slotEnded, slotLay | slotFree | slotEnd},
		{"ended", slotState{phase: slotEnded, retiring: true}, msgLaunch, slotEnded, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if s, do := stepSlot(r.s, Message{Kind: r.kind}); s.phase != r.want || do != r.do {
				t.Errorf("phase %d, effects %b", s.phase, do)
			}
		})
	}
	if s, _ := stepSlot(slotState{worker: true}, Message{Kind: msgFell}); s.worker {
		t.Error("the worker is still there")
	}
}
