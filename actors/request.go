package actors

import (
	"sync/atomic"
)

// The word of a request: generation, flags and verdict in one atomic value.
const (
	wordAdmitted = 1 << 0 // lent out
	wordGranted  = 1 << 1 // the slot is the connection's goroutine's own
	wordParked   = 1 << 2 // the connection's goroutine waits on wake
	wordEarly    = 1 << 3 // an answerer calls Early
	outcomeShift = 4
	ownerShift   = 8
	genShift     = 16
	wordSettled  = 0xf << outcomeShift
)

func verdictBits(v Verdict) uint64 {
	return uint64(v.Outcome)<<outcomeShift | uint64(v.Owner)<<ownerShift
}

func wordVerdict(w uint64) Verdict {
	return Verdict{Outcome(w >> outcomeShift & 0xf), Owner(w >> ownerShift & 0xf)}
}

// A request is the actor that decides the outcome of one request at a time.
//
// Owner:    the mailbox; what step decides on is touched only by whoever is
// processing it.
// Receives: the messages of message.go, each at most once in a generation.
// Sends:    launch, orphan, return to its slot's actor; answered comes back
// from an answerer; started goes to the request that inherits a slot.
// Ends:     when it is idle and the system has been shut down.
// On panic: restarted; reserves Internal and does what was left undone.
// Full:     impossible, see Mailbox.
type request struct {
	system *System
	ref    *Ref

	// Written by Admit, before the ticket exists.

	work     Work
	ctx      *Context
	deadline int64 // tick

	// Owned by whoever is processing the mailbox.

	state     state
	pending   effects // not performed yet
	unstepped bool    // the message being processed has not been stepped

	word  atomic.Uint64
	wake  chan struct{} // holds one; sent to when wordParked was set
	tally [outcomes]atomic.Uint64
	node  Node

	// Guarded by the scheduler's mutex.

	place      place
	prev, next *request
	queuedGen  uint64

	// Guarded by the answerers' mutex.

	nextEarly *request
	early     Verdict
}

// newRequest spawns a request actor.
func newRequest(s *System) (*request, error) {
	r := &request{system: s, wake: make(chan struct{}, 1)}
	r.state.gen = 1
	r.word.Store(1 << genShift)
	r.node.Target = r
	ref, err := s.spawn("request", newMailbox(r, posted, true))
	if err != nil {
		return nil, err
	}
	r.ref = ref
	return r, nil
}

// Receive implements Behavior.
func (r *request) Receive(m Message) {
	r.unstepped = true
	if f := r.system.fault; f != nil {
		f(r, m, atReceive)
	}
	r.decide(m)
	r.unstepped = false
	r.perform()
}

// Crashed implements Behavior: Internal is reserved unless something was, and
// then what the lost message left undone is done. It may be called again for
// the same message.
func (r *request) Crashed(m Message) {
	r.perform()
	r.apply(Message{Kind: msgCrash, Gen: m.Gen})
	if r.unstepped {
		r.decide(m)
		r.unstepped = false
		r.perform()
	}
}

// apply handles a message that the actor tells itself.
func (r *request) apply(m Message) {
	r.decide(m)
	r.perform()
}

// decide steps m.
func (r *request) decide(m Message) {
	if m.Gen != r.state.gen {
		return
	}
	if r.state.phase == free {
		r.state = admit(r.state, r.deadline, r.system.executor != nil)
	}
	r.state, r.pending = step(r.state, m, r.system.wheel.tick.Load())
}

// perform does the pending effects. Each bit is cleared before its effect, so
// that after a panic the rest is done, and nothing twice.
func (r *request) perform() {
	if r.pending == 0 {
		return
	}
	if f := r.system.fault; f != nil {
		f(r, Message{Gen: r.state.gen}, atEffects)
	}
	s := r.system
	if r.take(doDequeue) && s.scheduler.remove(r) {
		r.pending |= doDequeued
	}
	if r.take(doHandBack) || r.take(doFree) {
		s.handOn(r.state.slot)
	}
	if r.take(doReturn) {
		s.slots[r.state.slot].ref.Post(Message{Kind: msgReturn, Gen: r.state.gen})
	}
	if r.take(doOrphan) {
		s.slots[r.state.slot].ref.Post(Message{Kind: msgOrphan, Gen: r.state.gen})
	}
	if r.take(doCancel) {
		r.ctx.end(r.state.verdict.Outcome)
	}
	if r.take(doPublish) {
		r.tally[r.state.verdict.Outcome].Add(1)
		bits := verdictBits(r.state.verdict)
		if r.state.early {
			bits |= wordEarly
		}
		r.publish(bits)
	}
	if r.take(doDisarm) { // after doPublish: Admit may be about to arm it, and looks
		s.wheel.Disarm(&r.node)
	}
	if r.take(doGrant) {
		r.publish(wordGranted)
	}
	if r.take(doLaunch) {
		s.slots[r.state.slot].ref.Post(Message{Kind: msgLaunch, Gen: r.state.gen, Ref: r})
	}
	if r.take(doEarly) && !s.answerers.push(r, r.state.verdict) {
		r.pending |= doAnswered
	}
	if r.take(doOffer) {
		switch slot, standing := s.scheduler.offer(r, r.state.gen, s.wheel.tick.Load()); standing {
		case leased:
			r.apply(Message{Kind: msgStarted, Gen: r.state.gen, Arg: slot})
		case full:
			r.apply(Message{Kind: msgFull, Gen: r.state.gen})
		case closed:
			r.apply(Message{Kind: msgDraining, Gen: r.state.gen})
		}
		return
	}
	// These come with a reservation. doRecycle waits for them, so that nothing
	// else is pending; and not both come, since who waits in the queue is not
	// busy.
	if r.take(doDequeued) {
		r.apply(Message{Kind: msgDequeued, Gen: r.state.gen})
		return
	}
	if r.take(doAnswered) {
		r.apply(Message{Kind: msgAnswered, Gen: r.state.gen})
		return
	}
	if r.take(doRecycle) {
		r.recycle()
	}
}

// take tells whether an effect is pending, and clears it.
func (r *request) take(do effects) bool {
	if r.pending&do == 0 {
		return false
	}
	r.pending &^= do
	return true
}

// publish adds bits to the word and wakes the connection's goroutine if it
// waits. The word belongs to this generation: it is recycled here only.
func (r *request) publish(bits uint64) {
	for {
		w := r.word.Load()
		if !r.word.CompareAndSwap(w, w&^wordParked|bits) {
			continue
		}
		if w&wordParked != 0 {
			select {
			case r.wake <- struct{}{}:
			default:
			}
		}
		return
	}
}

// await waits until one of the bits of mask is set in the word, or the
// generation is over, and returns the word. Only the connection's goroutine
// waits. It touches the channel only if the bit was not there yet.
func (r *request) await(gen, mask uint64) uint64 {
	for {
		w := r.word.Load()
		if w>>genShift != gen || w&mask != 0 {
			return w
		}
		if w&wordParked == 0 && !r.word.CompareAndSwap(w, w|wordParked) {
			continue
		}
		<-r.wake
	}
}

// recycle ends the generation. The mailbox turns when the message is done
// with, and calls Ended.
func (r *request) recycle() {
	r.work, r.ctx = nil, nil
	r.state = state{gen: r.state.gen + 1}
	r.word.Store(r.state.gen << genShift)
	r.ref.endGeneration()
}

// Ended implements Behavior.
func (r *request) Ended() { r.system.pool.put(r) }

// Stopped implements Behavior.
func (r *request) Stopped() {}

// Expire implements Expirer.
func (r *request) Expire(gen uint64) { r.post(msgDeadline, gen, 0) }

func (r *request) post(kind Kind, gen uint64, arg int32) Posting {
	return r.ref.Post(Message{Kind: kind, Gen: gen, Arg: arg})
}
