package socket

import (
	"net"
	"time"
)

// past is a deadline that has expired under every clock.
var past = time.Unix(1, 0)

// Sweep sets the coarse clock to now and enforces the time limits. It is called
// about ten times a second, from one goroutine at a time, and costs a few
// nanoseconds a connection. A head or a body that is late is answered 408, a
// connection that is idle or was never used is closed without an answer, one whose client takes
// nothing of an answer is reset. A limit is enforced by the first Sweep at or after it.
func (l *Listener) Sweep(now time.Time) {
	l.sweeping.Lock()
	defer l.sweeping.Unlock()
	at := l.since(now)
	l.coarse.Store(at)

	l.mu.Lock()
	for _, s := range l.slots {
		if s.c == nil {
			continue
		}
		state := s.c.state.Load()
		if action := l.overdue(state, at); action != nothing {
			l.due = append(l.due, todo{s.c, state, action})
		}
	}
	rejected := len(l.rejected)
	l.mu.Unlock()

	for i, todo := range l.due {
		todo.c.overdue(todo.state, todo.action)
		l.due[i].c = nil
	}
	l.due = l.due[:0]
	if rejected > 0 {
		l.dropRejected(at, false)
	}
}

// overdue does what Sweep has found, unless the connection has moved on.
func (c *Conn) overdue(state uint64, action action) {
	at := state >> 4
	switch action {
	case closeQuietly:
		if c.state.CompareAndSwap(state, word(dead, at)) {
			c.kill(ErrClosed)
		}
	case answerTimeout:
		if c.state.CompareAndSwap(state, word(expired, at)) {
			_ = c.inner.SetReadDeadline(past) // wakes the reader, which answers
		}
	case resetWriter:
		if c.state.CompareAndSwap(state, word(dead, at)) {
			c.fail(ReasonWriteTimeout)
			if tcp, ok := c.inner.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // frees what the client does not take
			}
			c.kill(ErrWriteTimeout)
		}
	case lookForPeer:
		if !c.watched.Load() && rawGone(c.raw) {
			c.peerGone()
		}
	}
}

// dropRejected closes refused connections whose time is over or whose peer has left.
func (l *Listener) dropRejected(at uint64, all bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var scratch [4096]byte
	kept := l.rejected[:0]
	for _, r := range l.rejected {
		_, ended := rawDrain(r.raw, scratch[:], 4*len(scratch))
		if all || ended || at >= r.at+uint64(lingerTime/time.Millisecond) {
			_ = r.inner.Close()
			continue
		}
		kept = append(kept, r)
	}
	clear(l.rejected[len(kept):])
	l.rejected = kept
}
