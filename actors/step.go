package actors

import "math"

// phase is where a request stands.
type phase uint8

const (
	free     phase = iota // not lent out, or lent out and nothing heard of it yet
	admitted              // the connection's goroutine has it: framework work, hooks
	queued                // waits for a slot
	running               // holds a slot
	terminal              // its outcome is reserved
)

// state is the state of a request actor. It lives in the request, not in
// protoactor's instance, and so survives restarts.
//
// What holds: in free and admitted there is no handler; in queued handler is
// set, since a lease may be on its way; the verdict is set in terminal only.
type state struct {
	gen      uint64
	deadline int64 // tick
	slot     int32
	phase    phase
	verdict  Verdict
	owner    Owner
	external bool // an executor runs the handler; the connection's goroutine submits
	busy     bool // the connection's goroutine may be in user code: it is not waiting in Do
	handler  bool // a handler, or a lease on its way to it, has not come back
	told     bool // the slot's actor knows of the lease
	early    bool // an answerer has not come back
	released bool // the connection's side is finished
}

// effects is a set of what is to be done after a step. They are performed in
// the order of the bits.
type effects uint16

const (
	doDequeue  effects = 1 << iota // leave the queue; msgDequeued follows unless a lease is on its way
	doHandBack                     // give back the slot that came to nothing
	doFree                         // give back the slot, whose actor knows nothing
	doReturn                       // give back the slot through its actor
	doOrphan                       // tell the slot's actor that the handler has outlived its outcome
	doCancel                       // end the handler's context
	doPublish                      // publish the verdict and wake the connection's goroutine
	doDisarm                       // take the deadline out of the wheel
	doGrant                        // tell the connection's goroutine that the slot is its own
	doLaunch                       // have the slot's worker run the handler
	doEarly                        // have an answerer write the early answer
	doOffer                        // get a slot, or queue; msgStarted, msgFull or msgDraining follows at once, or msgStarted later
	doDequeued                     // handle msgDequeued
	doAnswered                     // handle msgAnswered: there is no answerer any more
	doRecycle                      // end the generation
)

// noDeadline is the tick of a deadline that does not come.
const noDeadline int64 = math.MaxInt64

// admit returns the state of a request that is lent out, at the first message
// of its generation: no message can carry a generation before Admit handed it
// out, so admission needs no message of its own.
func admit(s state, deadline int64, external bool) state {
	return state{
		gen:      s.gen,
		deadline: deadline,
		slot:     noSlot,
		phase:    admitted,
		owner:    Framework,
		external: external,
		busy:     true,
	}
}

// step decides what a message does to a request at the tick now. It is the
// only place where an outcome is reserved: the first reserving message wins,
// later ones change nothing but who has come back.
func step(s state, m Message, now int64) (state, effects) {
	if m.Gen != s.gen || s.phase == free {
		return s, 0
	}
	var do effects
	switch m.Kind {
	case msgBegin:
		if s.phase != admitted {
			if m.Arg != noSlot {
				s.slot = m.Arg
				do = doHandBack
			}
			return s, do
		}
		s.busy = false // it waits for this message
		switch {
		case now >= s.deadline:
			s, do = reserve(s, Deadline)
			if m.Arg != noSlot {
				s.slot = m.Arg
				do |= doHandBack
			}
		case m.Arg != noSlot:
			s.phase, s.owner, s.slot = running, Application, m.Arg
			s.handler, s.busy = true, true
			do = doGrant
		default:
			s.phase, s.owner, s.handler = queued, Queue, true
			do = doOffer
		}
	case msgAnswer:
		if s.phase == admitted {
			s.busy = false
			s, do = reserve(s, Result)
		}
	case msgStarted:
		switch {
		case s.phase == queued && now >= s.deadline:
			s.slot, s.handler = m.Arg, false
			s, do = reserve(s, Deadline)
			do = do&^doDequeue | doHandBack
		case s.phase == queued && s.external:
			s.phase, s.owner, s.slot, s.busy = running, Application, m.Arg, true
			do = doGrant
		case s.phase == queued:
			s.phase, s.owner, s.slot, s.told = running, Application, m.Arg, true
			do = doLaunch
		default: // the lease was on its way when the outcome came
			s.slot, s.handler = m.Arg, false
			do = doHandBack
		}
	case msgFull, msgDraining:
		s.handler = false
		if s.phase == queued {
			if m.Kind == msgFull {
				s, do = reserve(s, Busy)
			} else {
				s, do = reserve(s, ShuttingDown)
			}
			do &^= doDequeue
		}
	case msgDequeued:
		s.handler = false
	case msgWaiting:
		s.busy = false
	case msgRefused:
		s.busy = false
		s, do = handlerBack(s)
		if s.phase == running {
			var r effects
			s.owner = Queue
			s, r = reserve(s, Busy)
			do |= r
		}
	case msgDone:
		s.busy = false // it ran on the connection's goroutine, or that one waits, or is about to
		s, do = handlerBack(s)
		if s.phase == running {
			o := Result
			if m.Arg == failed {
				o = Internal
			}
			var r effects
			s, r = reserve(s, o)
			do |= r
		}
	case msgPolicy, msgHandler:
		if s.phase == running {
			s.owner = Policy
			if m.Kind == msgHandler {
				s.owner = Application
			}
		}
	case msgDeadline:
		s, do = reserve(s, Deadline)
	case msgGone:
		s, do = reserve(s, Disconnected)
	case msgCancel:
		s, do = reserve(s, Canceled)
	case msgDrain:
		if s.phase == queued {
			s, do = reserve(s, ShuttingDown)
		}
	case msgStop:
		s, do = reserve(s, ShuttingDown)
	case msgCrash:
		s, do = reserve(s, Internal)
	case msgRelease:
		s.busy, s.released = false, true
		s, do = reserve(s, Internal) // nobody decided, and nobody is left who could
	case msgAnswered:
		s.early = false
	}
	if s.phase == terminal && s.released && !s.handler && !s.early {
		do |= doRecycle
	}
	return s, do
}

// handlerBack notes that the handler has returned and gives its slot back.
func handlerBack(s state) (state, effects) {
	if !s.handler {
		return s, 0
	}
	s.handler = false
	if s.told {
		return s, doReturn
	}
	return s, doFree
}

// reserve makes o the outcome, unless there is one.
func reserve(s state, o Outcome) (state, effects) {
	if s.phase == terminal {
		return s, 0
	}
	do := doDisarm | doCancel | doPublish
	switch {
	case s.phase == queued:
		do |= doDequeue
	case s.phase == running && s.handler:
		s.told = true
		do |= doOrphan
	}
	if s.busy {
		s.early = true
		do |= doEarly
	}
	s.phase, s.verdict = terminal, Verdict{o, s.owner}
	return s, do
}
