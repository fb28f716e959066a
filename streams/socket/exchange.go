package socket

// An Exchange is one request and its answer. Implementations are pointers. The
// methods are never called with a lock held and must not block; Gone is never
// called after Settled, nor while Settled runs.
type Exchange interface {
	// Gone says that the peer closed or half-closed its side (decision 18), or
	// reset the connection. It is called at most once, before an answer is claimed, from the watch's
	// goroutine, from Sweep, or from Attach.
	Gone()
	// Settled says, exactly once per attached exchange, what became of the
	// answer: nil when it has left, else why not.
	Settled(err error)
}

// A telling is a Gone in progress. A Settled that becomes due meanwhile is left
// to whoever is telling, so that the two neither overlap nor wait for each other.
type telling struct {
	x   Exchange // nil: free
	due bool
	err error
}

// The two tellers a connection can have at a time.
const (
	byWatch  = iota // once per connection
	byAttach        // the serving goroutine
)

// Attach binds x to the request that Read has given out. If the peer has already
// closed or half-closed, it calls Gone at once. x must be settled by the next
// Read, a failing Write, Close, Early or Discard; attaching another exchange to the
// same request settles the first.
func (c *Conn) Attach(x Exchange) {
	if c.attached {
		c.settle(c.outcome())
	}
	c.attached, c.claimed = true, false
	g := &c.gate
	g.mu.Lock()
	g.x, g.claimed = x, false
	gone, ended := g.gone, g.cause
	if gone {
		g.tells[byAttach] = telling{x: x}
	}
	g.mu.Unlock()
	if gone {
		c.tell(byAttach, x)
	}
	if ended != nil {
		c.settle(ended) // closed from outside in the meantime
	}
}

// Claim says that the serving goroutine is about to answer x. It reports
// false when an early answer came first or the connection has ended: then
// nothing may be written.
func (c *Conn) Claim(x Exchange) bool {
	if x == nil {
		return false
	}
	return c.claim(x)
}

// claim claims x, or for nil whichever exchange is attached.
func (c *Conn) claim(x Exchange) bool {
	g := &c.gate
	g.mu.Lock()
	ok := g.x != nil && (x == nil || g.x == x)
	if ok {
		g.claimed = true
	}
	g.mu.Unlock()
	c.claimed = ok
	return ok
}

// Early answers x from any goroutine while the serving goroutine is still
// busy with it: one write of the complete response that does not block. It closes the connection
// in any case, after a full write by shutting the write side and leaving the rest to the
// serving goroutine's return or, half a second later, to Sweep. It reports false, and does
// nothing, when x is not attached or has been claimed (decision 71).
func (c *Conn) Early(x Exchange, response []byte) bool {
	g := &c.gate
	g.mu.Lock()
	if x == nil || g.x != x || g.claimed {
		g.mu.Unlock()
		return false
	}
	g.x, g.early, g.cause = nil, true, ErrFenced
	g.mu.Unlock()

	c.end(closing, c.l.coarse.Load())
	err := c.writeOnce(response)
	if err != nil {
		c.fail(ReasonWrite)
	}
	half := err == nil && c.closeWrite()
	g.mu.Lock()
	g.early = false
	wanted := g.closeWanted
	g.mu.Unlock()
	if wanted || !half {
		c.end(dead, c.l.coarse.Load())
		_ = c.shut()
	}
	g.mu.Lock()
	due := !g.postpone(x, err)
	g.mu.Unlock()
	if due {
		x.Settled(err)
	}
	return true
}

// Discard says that the exchange gets no answer: later writes fail and the
// connection closes. It does nothing when x is not attached.
func (c *Conn) Discard(x Exchange) {
	g := &c.gate
	g.mu.Lock()
	ok := x != nil && g.x == x
	g.mu.Unlock()
	if ok {
		c.kill(ErrDiscarded)
	}
}

// settle tells the attached exchange what became of it. At most one caller finds one.
func (c *Conn) settle(err error) {
	g := &c.gate
	g.mu.Lock()
	x := g.x
	g.x = nil
	due := x != nil && !g.postpone(x, err)
	g.mu.Unlock()
	if due {
		x.Settled(err)
	}
}

// postpone leaves a Settled to the Gone in progress, if there is one. g.mu is held.
func (g *gate) postpone(x Exchange, err error) bool {
	for i := range g.tells {
		if t := &g.tells[i]; t.x == x {
			t.due, t.err = true, err
			return true
		}
	}
	return false
}

// peerGone notes that the peer has closed its side and tells the exchange that
// still waits for its answer, if there is one.
func (c *Conn) peerGone() {
	g := &c.gate
	g.mu.Lock()
	x := g.x
	if g.gone || g.claimed {
		x = nil
	}
	g.gone = true
	if x != nil {
		g.tells[byWatch] = telling{x: x}
	}
	g.mu.Unlock()
	if x != nil {
		c.tell(byWatch, x)
	}
}

// tell calls Gone, and Settled if that has become due meanwhile.
func (c *Conn) tell(slot int, x Exchange) {
	x.Gone()
	g := &c.gate
	g.mu.Lock()
	t := g.tells[slot]
	g.tells[slot] = telling{}
	g.mu.Unlock()
	if t.due {
		x.Settled(t.err)
	}
}

// outcome is what an exchange is told that is replaced before it was settled.
func (c *Conn) outcome() error {
	if c.wrote {
		return nil
	}
	return ErrClosed
}
