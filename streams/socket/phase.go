package socket

import "time"

// A phase is what a connection is doing. It shares one word with the time, in
// milliseconds since the listener's epoch, at which it began; every change is one
// compare-and-swap, so that Sweep and the connection's goroutine cannot both win.
type phase uint8

const (
	fresh    phase = iota // accepted, no byte of a request yet
	idle                  // between two requests
	head                  // reading a head
	body                  // reading a body
	serving               // the request is with the server
	writing               // a write is in progress
	answered              // at least one write of an answer is complete
	expired               // a timeout won; its reader answers 408
	closing               // answered for good, write side shut
	dead                  // closed
)

func word(p phase, at uint64) uint64   { return at<<4 | uint64(p) }
func phaseOf(w uint64) (phase, uint64) { return phase(w & 15), w >> 4 }

// move changes the phase, unless the connection is being ended.
func (c *Conn) move(to phase, at uint64) bool {
	for {
		old := c.state.Load()
		if phase(old&15) >= expired {
			return false
		}
		if c.state.CompareAndSwap(old, word(to, at)) {
			return true
		}
	}
}

// end changes the phase to closing or dead. It reports false when the
// connection is that far already.
func (c *Conn) end(to phase, at uint64) bool {
	for {
		old := c.state.Load()
		if phase(old&15) >= to {
			return false
		}
		if c.state.CompareAndSwap(old, word(to, at)) {
			return true
		}
	}
}

// phase returns the current phase.
func (c *Conn) phase() phase { return phase(c.state.Load() & 15) }

// overdue says what Sweep must do with a connection in state w at time now.
func (l *Listener) overdue(w uint64, now uint64) action {
	p, since := phaseOf(w)
	age := time.Duration(0)
	if now > since {
		age = time.Duration(now-since) * time.Millisecond
	}
	switch p {
	case fresh:
		if age >= l.limits.HeaderTimeout {
			return closeQuietly
		}
	case idle:
		if age >= l.limits.IdleTimeout {
			return closeQuietly
		}
	case head:
		if age >= l.limits.HeaderTimeout {
			return answerTimeout
		}
	case body:
		if age >= l.limits.BodyTimeout {
			return answerTimeout
		}
	case writing:
		if age >= l.limits.WriteTimeout {
			return resetWriter
		}
	case closing:
		if age >= lingerTime {
			return closeQuietly
		}
	case serving:
		if age >= peekAfter {
			return lookForPeer
		}
	}
	return nothing
}

// An action is a decision of overdue.
type action uint8

const (
	nothing       action = iota
	closeQuietly         // no answer, no failure
	answerTimeout        // 408 by the reading goroutine
	resetWriter          // the client takes nothing
	lookForPeer          // MSG_PEEK, when the watch does not cover the connection
)
