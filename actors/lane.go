package actors

import (
	"runtime/debug"
	"sync/atomic"
)

// serve runs the handler on a goroutine that is not the connection's: l's
// worker, or the executor's if l is nil. It reports whether the handler
// returned; if not, the goroutine is spent. What was reserved on the way here
// spares the handler.
func (r *request) serve(gen uint64, l *slot) (whole bool) {
	work, ctx := r.work, r.ctx
	defer func() {
		if whole {
			return
		}
		r.contain(work, recover())
		if l != nil {
			l.ref.Post(Message{Kind: msgFell})
		}
		r.post(msgDone, gen, failed)
	}()
	if r.word.Load()&wordSettled == 0 {
		work.Run(ctx)
	}
	whole = true
	r.post(msgDone, gen, 0)
	return
}

// serveInline runs the handler on the connection's goroutine: the fast lane.
// After a Goexit the goroutine dies, and with it fasthttp's: so the answer is
// written from here, unless an answerer does, and the connection's side
// released.
func (r *request) serveInline(gen uint64) (v Verdict) {
	work, ctx := r.work, r.ctx
	whole := false
	defer func() {
		if whole {
			return
		}
		reason := recover()
		r.contain(work, reason)
		r.post(msgDone, gen, failed)
		if reason == nil {
			r.bury(work, gen)
		}
		v = wordVerdict(r.await(gen, wordSettled))
	}()
	work.Run(ctx)
	whole = true
	r.post(msgDone, gen, 0)
	return wordVerdict(r.await(gen, wordSettled))
}

// bury does for a connection's goroutine that calls runtime.Goexit what it
// would have done: it answers, unless an answerer does, and releases.
func (r *request) bury(work Work, gen uint64) {
	w := r.await(gen, wordSettled)
	if w>>genShift == gen && w&wordEarly == 0 {
		early(work, wordVerdict(w))
	}
	r.post(msgRelease, gen, 0)
}

// early calls Early and contains what it does.
func early(work Work, v Verdict) {
	defer func() { _ = recover() }()
	work.Early(v)
}

// contain reports a failed handler to its owner. reason is nil after a Goexit.
func (r *request) contain(work Work, reason any) {
	r.system.failures.Add(1)
	if reason == nil {
		reason = ErrGoexit
	}
	stack := debug.Stack()
	defer func() { _ = recover() }() // a log that panics must not cost the outcome
	work.Failed(reason, stack)
}

// submit gives the handler to the executor, on the connection's goroutine.
func (r *request) submit(gen uint64) {
	const (
		open = iota
		taken
		refused
	)
	work := r.work
	var claim atomic.Int32
	whole, err := false, error(nil)
	settle := func() {
		if (whole && err == nil) || !claim.CompareAndSwap(open, refused) {
			r.post(msgWaiting, gen, 0)
			return
		}
		r.post(msgRefused, gen, 0)
	}
	defer func() {
		if whole {
			return
		}
		reason := recover()
		settle()
		if reason == nil {
			r.bury(work, gen)
		}
	}()
	err = r.system.executor.Submit(func() {
		if claim.CompareAndSwap(open, taken) {
			r.serve(gen, nil)
		}
	})
	whole = true
	settle()
}
