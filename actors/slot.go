package actors

// slotPhase is where a handler slot stands, as far as its actor knows.
type slotPhase uint8

const (
	slotIdle   slotPhase = iota // not leased, or leased to a fast lane that is in order
	slotLeased                  // its worker runs a handler
	slotZombie                  // a handler has outlived its outcome
	slotEnded                   // retired
)

// slotState is the state of a slot actor.
type slotState struct {
	phase    slotPhase
	gen      uint64 // of the request it is leased to, unless idle
	worker   bool   // a goroutine waits for work or works
	retiring bool
}

// slotEffects is a set of what is to be done after a step.
type slotEffects uint8

const (
	slotStart slotEffects = 1 << iota // start the worker
	slotHand                          // hand it the request
	slotHaunt                         // one zombie more
	slotLay                           // one zombie less
	slotFree                          // give the slot back to the scheduler
	slotEnd                           // let the worker go, stop the actor
)

// stepSlot decides what a message does to a slot.
func stepSlot(s slotState, m Message) (slotState, slotEffects) {
	var do slotEffects
	switch m.Kind {
	case msgLaunch:
		if s.phase != slotIdle {
			return s, 0
		}
		do = slotHand
		if !s.worker {
			do |= slotStart
		}
		s.phase, s.gen, s.worker = slotLeased, m.Gen, true
	case msgOrphan:
		if s.phase == slotZombie || s.phase == slotEnded {
			return s, 0
		}
		s.phase, s.gen = slotZombie, m.Gen
		do = slotHaunt
	case msgReturn:
		switch s.phase {
		case slotZombie:
			do = slotLay | slotFree
		case slotLeased:
			do = slotFree
		default:
			return s, 0
		}
		s.phase = slotIdle
	case msgFell:
		s.worker = false
	case msgRetire:
		s.retiring = true
	default: // a request's
	}
	if s.retiring && s.phase == slotIdle {
		s.phase = slotEnded
		do |= slotEnd
	}
	return s, do
}

// A slot supervises one place where a handler may run.
//
// Owner:    its mailbox. An inline lease that ends in order never bothers it.
// Receives: launch, orphan, return from the request that holds the lease; fell
// from its worker; retire from the system.
// Sends:    through the scheduler, started to the request that is next.
// Ends:     retired and idle; a zombie ends when its handler returns.
// On panic: restarted; does what was left undone.
// Full:     impossible: at most the five kinds of message of one lease wait.
type slot struct {
	system    *System
	index     int32
	ref       *Ref
	jobs      chan job // holds one; closed when the slot ends
	state     slotState
	pending   slotEffects // not performed yet
	unstepped bool        // the message being processed has not been stepped
}

// job is a handler to run.
type job struct {
	r   *request
	gen uint64
}

func newSlot(s *System, index int32) (*slot, error) {
	l := &slot{system: s, index: index, jobs: make(chan job, 1)}
	ref, err := s.spawn("slot", newMailbox(l, 16, false))
	if err != nil {
		return nil, err
	}
	l.ref = ref
	return l, nil
}

// Receive implements Behavior.
func (l *slot) Receive(m Message) {
	l.unstepped = true
	if f := l.system.slotFault; f != nil {
		f(l, m)
	}
	l.decide(m)
	l.perform(m)
}

// Crashed implements Behavior: what was left undone is done.
func (l *slot) Crashed(m Message) {
	l.perform(m)
	if l.unstepped {
		l.decide(m)
		l.perform(m)
	}
}

func (l *slot) decide(m Message) {
	l.state, l.pending = stepSlot(l.state, m)
	l.unstepped = false
}

func (l *slot) perform(m Message) {
	if l.take(slotStart) {
		l.system.workers.Add(1)
		go l.work()
	}
	if l.take(slotHand) {
		l.jobs <- job{m.Ref.(*request), m.Gen} // the one place is free: the lease is the only sender's
	}
	if l.take(slotHaunt) {
		l.system.zombies.Add(1)
	}
	if l.take(slotLay) {
		l.system.zombies.Add(-1)
	}
	if l.take(slotFree) {
		l.system.handOn(l.index)
	}
	if l.take(slotEnd) {
		close(l.jobs)
		l.ref.Stop()
	}
}

func (l *slot) take(do slotEffects) bool {
	if l.pending&do == 0 {
		return false
	}
	l.pending &^= do
	return true
}

// Ended implements Behavior.
func (l *slot) Ended() {}

// Stopped implements Behavior.
func (l *slot) Stopped() {}

// work is the worker: it runs handlers until the slot ends or a handler fails;
// then the slot starts another one when it needs it.
func (l *slot) work() {
	defer l.system.workers.Add(-1)
	for j := range l.jobs {
		if !j.r.serve(j.gen, l) {
			return
		}
	}
}
