package actors

import "context"

// Work is what the request's owner hands over: one object for each request,
// never pooled, so that a late call on it is harmless. Its methods may be
// called at the same time, from different goroutines.
type Work interface {
	// Run is the application's code. It runs once at most, in a slot: on a
	// worker, on a goroutine of the executor, or in the fast lane on the
	// goroutine that called [Ticket.Do]. Panics and runtime.Goexit in it are
	// contained and reserve Internal. ctx is the *Context given to Admit.
	Run(ctx context.Context)

	// Failed tells of a panic or Goexit in Run, for the log: once at most,
	// before anything is reserved for it. The reason of a Goexit is
	// [ErrGoexit].
	Failed(reason any, stack []byte)

	// Early is to write the early answer for v (decision 71). It is called
	// once at most, when v was reserved by another goroutine while the one
	// that serves the connection may be busy in user code, whatever v is. It
	// runs on an answerer's goroutine, never on the wheel's or the watch's,
	// and should not block: there are few answerers. The serving goroutine
	// gets v too, from Answer or Do; who claims the connection first writes.
	//
	// When a Goexit ends the goroutine that called Do, in the fast lane or in
	// the executor's Submit, it is called there, with the verdict that Do would
	// have returned: Internal, unless something else won.
	Early(v Verdict)
}

// Executor supplies the goroutines that run handlers (decision 75). Slots,
// queue and deadline stay in force, and there is no fast lane.
type Executor interface {
	// Submit runs f soon, on any goroutine, or returns an error and does not:
	// then the request's outcome is Busy (EX-19). It is called on the
	// goroutine that called [Ticket.Do], which it may block, and may run f
	// itself. An f that is neither run nor refused keeps its slot for ever.
	Submit(f func()) error
}
