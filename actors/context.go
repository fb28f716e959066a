package actors

import (
	"context"
	"sync"
	"time"
)

// Context is the context that a handler gets: one struct, embedded in the
// record that the caller makes for each request, and left to the garbage
// collector with it. It ends when the request's outcome is reserved. It
// allocates nothing unless somebody asks for Done or AfterFunc.
//
// The zero Context is ready. It carries no values.
type Context struct {
	wheel *Wheel
	at    time.Duration // the deadline, from the wheel's base

	mu    sync.Mutex // guards what follows
	done  chan struct{}
	err   error
	cause error
	after *after
}

var _ context.Context = (*Context)(nil)

// after is one function to call at the end.
type after struct {
	f          func()
	prev, next *after
	waiting    bool
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// begin sets the deadline to d from now.
func (c *Context) begin(w *Wheel, d time.Duration) {
	now := time.Duration(w.tick.Load()) * w.step
	c.wheel, c.at = w, now+min(d, NoDeadline-now)
}

// Deadline returns when the request's deadline passes.
func (c *Context) Deadline() (time.Time, bool) {
	if c.wheel == nil {
		return time.Time{}, false
	}
	return c.wheel.base.Add(c.at), true
}

// Done returns a channel that is closed when the request's outcome is reserved.
func (c *Context) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		if c.err != nil {
			c.done = closedChan
		} else {
			c.done = make(chan struct{})
		}
	}
	return c.done
}

// Err returns nil before the outcome is reserved; then
// context.DeadlineExceeded if it is a deadline, else context.Canceled.
func (c *Context) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Cause returns nil before the outcome is reserved; then ErrDeadline,
// ErrDisconnected, ErrCanceled, ErrShuttingDown, or ErrFinished.
// (context.Cause only knows Err.)
func (c *Context) Cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// Value returns nil.
func (c *Context) Value(any) any { return nil }

// AfterFunc has f called when the outcome is reserved, and returns a function
// that prevents it, and reports whether it did. It makes context.WithCancel
// and its kind start no goroutine for their children; what they pass here does
// not block.
//
// f runs on whichever goroutine reserves the outcome, the wheel's perhaps: it
// must not block. Applications use context.AfterFunc, which gives theirs a
// goroutine. On a context that has ended f gets a goroutine of its own.
func (c *Context) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		go f() // the caller may hold a lock that f needs, as package context does
		return func() bool { return false }
	}
	a := &after{f: f, next: c.after, waiting: true}
	if c.after != nil {
		c.after.prev = a
	}
	c.after = a
	c.mu.Unlock()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !a.waiting {
			return false
		}
		if a.prev == nil {
			c.after = a.next
		} else {
			a.prev.next = a.next
		}
		if a.next != nil {
			a.next.prev = a.prev
		}
		a.waiting = false
		return true
	}
}

// end ends the context with the outcome o. Later calls do nothing.
func (c *Context) end(o Outcome) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = context.Canceled, o.cause()
	if o == Deadline {
		c.err = context.DeadlineExceeded
	}
	if c.done != nil {
		close(c.done)
	}
	first := c.after
	c.after = nil
	for a := first; a != nil; a = a.next {
		a.waiting = false
	}
	c.mu.Unlock()
	for a := first; a != nil; a = a.next {
		a.call()
	}
}

// call calls f and contains its panic: the others are to be called too.
func (a *after) call() {
	defer func() { _ = recover() }()
	a.f()
}
