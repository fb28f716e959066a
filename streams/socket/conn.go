package socket

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Conn is one accepted connection.
//
// Read, Write, Attach, Claim, Discard and Received belong to the goroutine that
// serves the connection; Early, Close and the deadlines may be called from any
// goroutine. Read gives out one request at a time, see the package comment.
type Conn struct {
	inner net.Conn
	raw   syscall.RawConn // nil without a descriptor
	l     *Listener

	index, generation uint32 // place in the table
	address           addressKey
	watched           atomic.Bool // the disconnect watch covers it

	state   atomic.Uint64 // phase and its start
	closed  atomic.Bool   // the inner connection has been closed
	charged atomic.Int64  // bytes counted against the body budget

	// The serving goroutine's own.
	frame    framer
	stash    []byte // bytes read beyond the request
	stashAt  int
	held     segments // a request that outgrew the reader's buffer
	received time.Time
	served   bool // a complete request has been given out
	wrote    bool // an answer to it has been written
	attached bool // an exchange was attached to it
	claimed  bool // and claimed

	gate gate
}

// gate is what several goroutines agree about under one lock. Nothing of
// another package is called while it is held.
type gate struct {
	mu          sync.Mutex
	x           Exchange // attached and not settled
	claimed     bool     // x is being answered by the serving goroutine
	gone        bool     // the peer has closed or half-closed; sticky
	early       bool     // Early is writing: a Close meanwhile is left to it
	closeWanted bool     // and has been asked for
	cause       error    // why the connection was ended from outside
	tells       [2]telling
}

var interim = []byte("HTTP/1.1 100 Continue\r\n\r\n")

// Read reads bytes of the current request, complete requests where p is large
// enough, never a byte of the one after it. Reading on after a complete request settles its exchange.
// A framing fault, a timeout and a spent budget are answered here (400, 408,
// 413, 414, 417, 431, 503) and returned as ErrRefused. io.EOF means that the
// connection ended between requests.
func (c *Conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if c.held.filled() {
		return c.held.read(p), nil
	}
	if c.served {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n, err := c.assemble(p)
	if err != nil {
		c.held.drop()
		c.uncharge()
	}
	return n, err
}

// next leaves the request that has been served.
func (c *Conn) next() error {
	if c.phase() >= expired {
		return c.ended()
	}
	if !c.wrote {
		// The server wants more bytes of a request that has none: had it got
		// them, a second request would have been read as part of the first.
		c.fail(ReasonInternal)
		c.kill(ErrDesync)
		return ErrDesync
	}
	c.served, c.wrote, c.claimed = false, false, false
	if c.attached {
		c.attached = false
		c.settle(nil)
	}
	c.uncharge()
	c.frame.reset()
	if len(c.stash) > 0 {
		if !c.move(head, c.l.coarse.Load()) {
			return c.ended()
		}
		return nil
	}
	if !c.move(idle, c.l.coarse.Load()) {
		return c.ended()
	}
	if c.l.draining.Load() {
		c.kill(ErrClosed)
		return io.EOF
	}
	return nil
}

// assemble reads until the request is complete or p is full.
func (c *Conn) assemble(p []byte) (int, error) {
	n, spilled, now := 0, false, c.phase()
	for {
		room := p[n:]
		if spilled {
			if room = c.held.tail(); len(room) == 0 {
				if !c.grow() {
					return c.refuse(503, p)
				}
				continue
			}
		}
		m, verdict, err := c.pull(room)
		if err != nil {
			return c.readFailed(err, p)
		}
		if spilled {
			c.held.wrote(m)
		} else {
			n += m
		}
		if verdict == feedDone {
			c.received = c.l.now()
			if !c.move(serving, c.l.since(c.received)) {
				return c.interrupted(p)
			}
			c.served, c.wrote = true, false
			if spilled {
				return c.held.read(p), nil
			}
			return n, nil
		}
		if verdict != feedMore {
			return c.refuse(verdict, p)
		}
		if !c.frame.started() {
			continue
		}
		if now < head {
			now = head
			if !c.move(head, c.l.coarse.Load()) {
				return c.interrupted(p)
			}
		}
		if c.frame.inBody() && now == head {
			now = body
			if !c.move(body, c.l.coarse.Load()) {
				return c.interrupted(p)
			}
			if c.frame.continues && !c.frame.v10 && len(c.stash) == 0 {
				if err := c.writeOnce(interim); err != nil {
					return c.readFailed(err, p)
				}
			}
		}
		if !spilled && n == len(p) {
			if !c.frame.inBody() {
				return n, nil
			}
			if !c.spill(p) {
				return c.refuse(503, p)
			}
			spilled = true
		}
	}
}

// pull puts bytes of the current request into room, from the stash or from
// the peer, and returns how many with the framer's verdict. Bytes beyond the
// request go to the stash.
func (c *Conn) pull(room []byte) (n, verdict int, err error) {
	if len(c.stash) > 0 {
		view := c.stash[c.stashAt:]
		skipped := c.frame.skip(view)
		view = view[skipped:min(len(view), skipped+len(room))]
		n, verdict = c.frame.feed(view)
		copy(room, view[:n])
		if c.stashAt += skipped + n; c.stashAt == len(c.stash) {
			c.emptyStash()
		}
		return n, verdict, nil
	}
	if rest := c.frame.want(); rest > 0 && rest < len(room) {
		room = room[:rest]
	}
	m, err := c.inner.Read(room)
	if m == 0 {
		if err == nil {
			err = io.ErrNoProgress
		}
		return 0, feedMore, err
	}
	if skipped := c.frame.skip(room[:m]); skipped > 0 {
		m = copy(room, room[skipped:m])
	}
	n, verdict = c.frame.feed(room[:m])
	if n < m && verdict == feedDone {
		c.stash = append(c.stash[:0], room[n:m]...)
		c.stashAt = 0
	}
	return n, verdict, nil
}

func (c *Conn) emptyStash() {
	c.stashAt = 0
	if c.stash = c.stash[:0]; cap(c.stash) > 4096 {
		c.stash = nil
	}
}

// readFailed turns an error of the inner connection into what Read returns.
func (c *Conn) readFailed(err error, p []byte) (int, error) {
	if ph := c.phase(); ph >= expired {
		return c.interrupted(p)
	}
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return 0, err // someone else's deadline: theirs to handle
	}
	if !c.frame.started() {
		c.kill(ErrClosed)
		return 0, io.EOF
	}
	c.fail(ReasonRead)
	c.kill(errTruncated)
	return 0, errTruncated
}

// interrupted returns what Read returns after Sweep or Close has won.
func (c *Conn) interrupted(p []byte) (int, error) {
	if c.phase() == expired {
		return c.refuse(408, p)
	}
	return 0, c.ended()
}

// refuse answers status, drops what the peer still sends for a moment, so that
// the answer is not lost in a reset, and closes.
func (c *Conn) refuse(status int, scratch []byte) (int, error) {
	if !c.end(closing, c.l.coarse.Load()) {
		return 0, c.ended()
	}
	switch status {
	case 408:
		c.fail(ReasonReadTimeout)
	case 413, 414, 431:
		c.fail(ReasonTooLarge)
	case 503:
		c.fail(ReasonBudget)
	default:
		c.fail(ReasonMalformed)
	}
	if c.writeOnce(c.l.answer(status)) == nil && c.closeWrite() {
		_ = c.inner.SetReadDeadline(time.Now().Add(lingerTime))
		for dropped := 0; dropped < lingerBytes; {
			n, err := c.inner.Read(scratch)
			if n == 0 || err != nil {
				break
			}
			dropped += n
		}
	}
	c.kill(ErrRefused)
	return 0, ErrRefused
}

// Write writes bytes of an answer. The first one claims the attached
// exchange. It fails once an early answer or Discard has come first. The interim
// response "100 Continue" is dropped, because Read has sent it where it is due.
func (c *Conn) Write(p []byte) (int, error) {
	if c.frame.hasExpect && bytes.Equal(p, interim) {
		return len(p), nil
	}
	if c.attached && !c.claimed && !c.claim(nil) {
		return 0, ErrFenced
	}
	n := 0
	for {
		if !c.move(writing, c.l.coarse.Load()) {
			return n, c.broken(nil)
		}
		m, err := c.inner.Write(p[n:min(len(p), n+writePiece)])
		n += m
		if err != nil {
			return n, c.broken(err)
		}
		if n == len(p) {
			break
		}
	}
	c.wrote = true
	if !c.move(answered, c.l.coarse.Load()) {
		return n, c.broken(nil)
	}
	return n, nil
}

// broken ends the connection after a failed write and returns the error to report.
func (c *Conn) broken(err error) error {
	if c.phase() >= expired {
		err = c.ended()
	} else {
		c.fail(ReasonWrite)
	}
	c.kill(err)
	return err
}

// Close closes the connection and settles its exchange: with nil when the answer
// has been written, with ErrClosed otherwise.
func (c *Conn) Close() error {
	err := ErrClosed
	if c.phase() == answered {
		err = nil
	}
	c.gate.mu.Lock()
	early := c.gate.early
	c.gate.closeWanted = early
	c.gate.mu.Unlock()
	if early {
		return nil
	}
	return c.killWith(err, ErrClosed)
}

// kill ends the connection for the reason given.
func (c *Conn) kill(reason error) { _ = c.killWith(reason, reason) }

func (c *Conn) killWith(outcome, cause error) error {
	c.gate.mu.Lock()
	if c.gate.cause == nil {
		c.gate.cause = cause
	}
	c.gate.mu.Unlock()
	c.end(dead, c.l.coarse.Load())
	err := c.shut()
	c.settle(outcome)
	return err
}

// shut closes the inner connection once and leaves the table.
func (c *Conn) shut() error {
	if !c.closed.CompareAndSwap(false, true) {
		return nil
	}
	if c.raw != nil {
		// Closing with unread input is a reset, which may overtake the answer.
		var scratch [4096]byte
		rawDrain(c.raw, scratch[:], lingerBytes)
	}
	err := c.inner.Close()
	c.uncharge()
	c.l.forget(c)
	return err
}

// ended returns why the connection was ended from outside.
func (c *Conn) ended() error {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if c.gate.cause != nil {
		return c.gate.cause
	}
	return ErrFenced
}

func (c *Conn) fail(reason Reason) {
	if c.l.events != nil {
		c.l.events.TransportFailure(reason)
	}
}

// writeOnce writes all of p in one write that does not block, or fails.
func (c *Conn) writeOnce(p []byte) error { return writeOnce(c.inner, c.raw, p) }

func writeOnce(inner net.Conn, raw syscall.RawConn, p []byte) error {
	n, err := rawWrite(raw, p)
	if errors.Is(err, errUnsupported) {
		// In-memory connections: as short a wait as they allow.
		if err = inner.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err == nil {
			n, err = inner.Write(p)
			_ = inner.SetWriteDeadline(time.Time{})
		}
	}
	if err == nil && n < len(p) || errors.Is(err, errWouldBlock) {
		return ErrShortWrite
	}
	return err
}

// closeWrite shuts the write side. It reports false where that cannot be done.
func (c *Conn) closeWrite() bool {
	half, ok := c.inner.(interface{ CloseWrite() error })
	return ok && half.CloseWrite() == nil
}

// Received returns when the last byte of the current request was read, with a
// monotonic reading (decision 72).
func (c *Conn) Received() time.Time { return c.received }

// LocalAddr returns the local address.
func (c *Conn) LocalAddr() net.Addr { return c.inner.LocalAddr() }

// RemoteAddr returns the peer's address.
func (c *Conn) RemoteAddr() net.Addr { return c.inner.RemoteAddr() }

// SetDeadline sets both deadlines of the inner connection. The package itself
// needs none; Sweep bounds every phase.
func (c *Conn) SetDeadline(t time.Time) error { return c.inner.SetDeadline(t) }

// SetReadDeadline sets the read deadline of the inner connection.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.inner.SetReadDeadline(t) }

// SetWriteDeadline sets the write deadline of the inner connection.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.inner.SetWriteDeadline(t) }
