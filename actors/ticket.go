package actors

import "time"

// Ticket names one lending of a request actor. It is a value, may be copied,
// and stays harmless for ever: after Release every method is a no-op. The zero
// Ticket is inert.
//
// Answer, Do and Release are for the goroutine that serves the connection, one
// call at a time. Gone, Cancel and Own are for any goroutine.
type Ticket struct {
	r      *request
	gen    uint64
	inline bool // the fast lane is allowed
}

// refusedGen marks the ticket of a system that admits nothing: not started, or
// shut down.
const refusedGen = ^uint64(0)

// NoDeadline is the deadline, given to Admit, that never comes.
const NoDeadline time.Duration = 1<<63 - 1

// Admit lends out an actor for an accepted request and arms its deadline: d
// from now, already passed if d is not positive (CX-11; Limits default 60 s,
// EX-03). The deadline is kept to two ticks of the wheel, and never early.
//
// ctx becomes the handler's context: it gets the deadline, and ends with the
// request. inline allows the fast lane: the connection has a fence through
// which an early answer can be written.
//
// A system that is not started, or shut down, returns a ticket whose verdict
// is ShuttingDown, and ends ctx.
func (s *System) Admit(w Work, ctx *Context, d time.Duration, inline bool) Ticket {
	r := s.pool.get(s)
	if r == nil {
		ctx.end(ShuttingDown)
		return Ticket{gen: refusedGen}
	}
	gen := r.word.Load() >> genShift
	r.work, r.ctx = w, ctx
	r.deadline = noDeadline
	if d != NoDeadline {
		ctx.begin(s.wheel, d)
		r.deadline = s.wheel.after(d)
	}
	r.word.Store(gen<<genShift | wordAdmitted)
	if d != NoDeadline {
		s.wheel.arm(&r.node, gen, r.deadline)
		if r.word.Load()&wordSettled != 0 { // Shutdown was quicker, and there was nothing to disarm
			s.wheel.Disarm(&r.node)
		}
	}
	return Ticket{r, gen, inline}
}

// verdict returns what the word says for this ticket, and whether there is
// nothing left to do.
func (t Ticket) verdict() (Verdict, bool) {
	if t.r == nil {
		if t.gen == refusedGen {
			return Verdict{ShuttingDown, Framework}, true
		}
		return Verdict{}, true
	}
	w := t.r.word.Load()
	if w>>genShift != t.gen {
		return Verdict{}, true
	}
	return wordVerdict(w), w&wordSettled != 0
}

// Verdict returns what is reserved so far, None if nothing is.
func (t Ticket) Verdict() Verdict {
	v, _ := t.verdict()
	return v
}

// Answer reserves Result for an answer that the framework has ready, a static
// result or a mapped failure, unless something was reserved before. It returns
// the one verdict; a stale ticket has the zero Verdict.
func (t Ticket) Answer() Verdict {
	if v, over := t.verdict(); over {
		return v
	}
	t.r.post(msgAnswer, t.gen, 0)
	return wordVerdict(t.r.await(t.gen, wordSettled))
}

// Do gets a slot, waiting in the queue if there is none, and has Work.Run run
// in it. It returns when the outcome is reserved; in the fast lane not before
// Run has returned. Result means that Run returned and won. Run is not called
// when something else was reserved before.
//
// In the fast lane a runtime.Goexit in Run ends the calling goroutine: Early
// and Release have been called by then.
func (t Ticket) Do() Verdict {
	v, over := t.verdict()
	if over {
		return v
	}
	r, s := t.r, t.r.system
	if t.inline && s.fastLane {
		if slot := s.scheduler.lease(r, t.gen, s.wheel.tick.Load()); slot != noSlot {
			if r.post(msgBegin, t.gen, slot) != Accepted {
				s.handOn(slot)
				return t.Verdict()
			}
			if v, over := t.granted(); over {
				return v
			}
			return r.serveInline(t.gen)
		}
	}
	r.post(msgBegin, t.gen, noSlot)
	if s.executor != nil {
		if v, over := t.granted(); over {
			return v
		}
		r.submit(t.gen)
	}
	return t.of(r.await(t.gen, wordSettled))
}

// granted waits until a slot is this goroutine's own, or something is reserved:
// then it returns that. If both has happened the slot goes back unused.
func (t Ticket) granted() (v Verdict, over bool) {
	w := t.r.await(t.gen, wordSettled|wordGranted)
	if w>>genShift == t.gen && w&wordSettled == 0 {
		return Verdict{}, false
	}
	if w&wordGranted != 0 {
		t.r.post(msgDone, t.gen, 0)
	}
	return t.of(w), true
}

// OnWorker returns the ticket without the fast lane. It is for handlers that are
// known to call runtime.Goexit: on a slot's worker that costs the worker, which
// is replaced, and not the connection with what the HTTP server keeps for it.
func (t Ticket) OnWorker() Ticket {
	t.inline = false
	return t
}

// of returns the verdict in w, if w is of this ticket's generation.
func (t Ticket) of(w uint64) Verdict {
	if w>>genShift != t.gen {
		return Verdict{}
	}
	return wordVerdict(w)
}

// live reports whether anything can still be reserved for the ticket. It
// spares late callers the mailbox; the mailbox has the last word.
func (t Ticket) live() bool {
	if t.r == nil {
		return false
	}
	w := t.r.word.Load()
	return w>>genShift == t.gen && w&wordSettled == 0
}

// Gone reserves Disconnected: the client has closed, or half-closed, the
// connection (CX-05, decision 18).
func (t Ticket) Gone() {
	if t.live() {
		t.r.post(msgGone, t.gen, 0)
	}
}

// Cancel reserves Canceled: the client canceled on a session (CX-03).
func (t Ticket) Cancel() {
	if t.live() {
		t.r.post(msgCancel, t.gen, 0)
	}
}

// Own says who owns the time from now on while the request holds a slot: the
// Application, as Do assumes, or the Policy. Each of the two may be named once;
// other owners are ignored.
func (t Ticket) Own(o Owner) {
	if !t.live() {
		return
	}
	switch o {
	case Policy:
		t.r.post(msgPolicy, t.gen, 0)
	case Application:
		t.r.post(msgHandler, t.gen, 0)
	default:
	}
}

// Release tells that the connection's side is finished: the answer has left,
// or failed, or there is none to write. When the handler's side has come back
// too, the actor is free again. A request that has no outcome yet gets
// Internal.
func (t Ticket) Release() {
	if t.r != nil && t.r.word.Load()>>genShift == t.gen {
		t.r.post(msgRelease, t.gen, 0)
	}
}
