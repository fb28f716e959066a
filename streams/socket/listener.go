package socket

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Listener accepts connections for an HTTP server and owns them until they
// are closed.
//
// Owner:    whoever called Listen; it must call Sweep about ten times a second, and Close.
// Starts:   one goroutine on Linux, the disconnect watch; Close joins it.
// Full:     a connection beyond a cap is answered 503 and closed; accepting goes on.
type Listener struct {
	inner  net.Listener
	limits Limits
	answer func(status int) []byte
	events Events
	clock  func() time.Time
	epoch  time.Time
	watch  watch

	coarse   atomic.Uint64 // milliseconds since epoch, as of the last Sweep
	budget   atomic.Int64  // body bytes buffered in connections
	draining atomic.Bool   // idle connections close
	stopped  chan struct{} // closed by StopAccepting
	stop     sync.Once
	stopErr  error
	segments segmentPool

	mu        sync.Mutex // guards the table
	slots     []slot
	free      []uint32
	open      int
	addresses map[addressKey]int
	rejected  []refusal

	sweeping sync.Mutex // serializes Sweep; guards due
	due      []todo
}

// A slot is a place in the connection table. Its generation changes with every
// connection, so that a late event cannot hit the next one.
type slot struct {
	c          *Conn
	generation uint32
}

// A refusal is a connection beyond a cap that has been answered and is kept for a
// moment, so that its request does not turn the answer into a reset.
type refusal struct {
	inner net.Conn
	raw   syscall.RawConn
	at    uint64
}

// A todo is something Sweep has found to do.
type todo struct {
	c      *Conn
	state  uint64
	action action
}

// addressKey is a client address, IPv6 cut to its /64 network.
type addressKey = netip.Addr

// Listen wraps inner, which it then owns. It returns every fault of cfg at once.
func Listen(inner net.Listener, cfg Config) (*Listener, error) {
	return listen(inner, cfg, newWatch)
}

func listen(inner net.Listener, cfg Config, newWatch func(func(index, generation uint32)) (watch, error)) (*Listener, error) {
	limits, err := cfg.Limits.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	l := &Listener{
		inner: inner, limits: limits,
		answer: cfg.Answer, events: cfg.Events, clock: cfg.Now,
		stopped:   make(chan struct{}),
		addresses: map[addressKey]int{},
	}
	if l.answer == nil {
		l.answer = defaultAnswer
	}
	l.epoch = time.Now()
	if l.clock != nil {
		l.epoch = l.clock()
	}
	if l.watch, err = newWatch(l.peerGone); err != nil {
		return nil, err
	}
	return l, nil
}

// now returns the time. Reading only the monotonic clock is half the price of time.Now.
func (l *Listener) now() time.Time {
	if l.clock != nil {
		return l.clock()
	}
	return l.epoch.Add(time.Since(l.epoch))
}

// since converts a time to milliseconds since the epoch.
func (l *Listener) since(t time.Time) uint64 {
	return uint64(max(t.Sub(l.epoch), 0) / time.Millisecond)
}

// Accept returns the next connection, always a *Conn. A connection beyond
// Limits.Connections or Limits.PerAddress is answered 503, without waiting for
// it, and Accept goes on (T-34). Lack of descriptors or memory is waited out. After
// StopAccepting or Close it returns net.ErrClosed.
func (l *Listener) Accept() (net.Conn, error) {
	backoff := 5 * time.Millisecond
	for {
		inner, err := l.inner.Accept()
		if err != nil {
			select {
			case <-l.stopped:
				return nil, net.ErrClosed
			default:
			}
			if !temporary(err) {
				return nil, err
			}
			if l.events != nil {
				l.events.TransportFailure(ReasonAccept)
			}
			wait := time.NewTimer(backoff)
			select {
			case <-l.stopped:
				wait.Stop()
				return nil, net.ErrClosed
			case <-wait.C:
			}
			backoff = min(2*backoff, time.Second)
			continue
		}
		if c := l.admit(inner); c != nil {
			if l.events != nil {
				l.events.ConnectionAccepted()
			}
			return c, nil
		}
		l.reject(inner)
	}
}

// admit gives a connection a place in the table, or returns nil.
func (l *Listener) admit(inner net.Conn) *Conn {
	c := &Conn{inner: inner, raw: rawConn(inner), l: l, address: addressOf(inner)}
	c.frame.limits = &l.limits
	c.held.pool = &l.segments
	c.state.Store(word(fresh, l.since(l.now())))

	l.mu.Lock()
	if l.open >= l.limits.Connections || l.limits.PerAddress > 0 && c.address.IsValid() && l.addresses[c.address] >= l.limits.PerAddress {
		l.mu.Unlock()
		return nil
	}
	l.open++
	if l.limits.PerAddress > 0 && c.address.IsValid() {
		l.addresses[c.address]++
	}
	if n := len(l.free); n > 0 {
		c.index = l.free[n-1]
		l.free = l.free[:n-1]
	} else {
		c.index = uint32(len(l.slots))
		l.slots = append(l.slots, slot{})
	}
	s := &l.slots[c.index]
	s.c = c
	c.generation = s.generation
	l.mu.Unlock()

	if c.raw != nil && l.watch.add(c.raw, c.index, c.generation) {
		c.watched.Store(true)
	}
	return c
}

// forget takes a closed connection out of the table.
func (l *Listener) forget(c *Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.slots[c.index]
	s.c = nil
	s.generation++
	l.free = append(l.free, c.index)
	l.open--
	if l.limits.PerAddress > 0 && c.address.IsValid() {
		if l.addresses[c.address]--; l.addresses[c.address] == 0 {
			delete(l.addresses, c.address)
		}
	}
}

// reject answers a connection beyond a cap with 503 and drops it.
func (l *Listener) reject(inner net.Conn) {
	if l.events != nil {
		l.events.ConnectionRejected()
	}
	raw := rawConn(inner)
	if writeOnce(inner, raw, l.answer(503)) != nil || raw == nil {
		_ = inner.Close()
		return
	}
	if half, ok := inner.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	r := refusal{inner: inner, raw: raw, at: l.since(l.now())}
	l.mu.Lock()
	keep := len(l.rejected) < maxRejected
	if keep {
		l.rejected = append(l.rejected, r)
	}
	l.mu.Unlock()
	if !keep {
		_ = inner.Close()
	}
}

// peerGone is called by the watch.
func (l *Listener) peerGone(index, generation uint32) {
	l.mu.Lock()
	var c *Conn
	if int(index) < len(l.slots) && l.slots[index].generation == generation {
		c = l.slots[index].c
	}
	l.mu.Unlock()
	if c != nil {
		c.peerGone()
	}
}

// Addr returns the address listened on.
func (l *Listener) Addr() net.Addr { return l.inner.Addr() }

// StopAccepting closes the inner listener, and with it the port. Connections live on.
func (l *Listener) StopAccepting() error {
	l.stop.Do(func() {
		close(l.stopped)
		l.stopErr = l.inner.Close()
	})
	return l.stopErr
}

// CloseIdle closes every connection that has no byte of a request in flight,
// fresh or between requests, and from now on each one that gets there (shutdown, step 1).
func (l *Listener) CloseIdle() {
	l.draining.Store(true)
	for _, c := range l.connections() {
		if old := c.state.Load(); phase(old&15) <= idle && c.state.CompareAndSwap(old, word(dead, old>>4)) {
			c.kill(ErrClosed)
		}
	}
}

// CloseAll closes every connection at once, whatever it is doing.
func (l *Listener) CloseAll() {
	l.draining.Store(true)
	for _, c := range l.connections() {
		c.kill(ErrClosed)
	}
	l.dropRejected(0, true)
}

// Gauges returns the current figures.
func (l *Listener) Gauges() Gauges {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Gauges{Connections: l.open, BufferedBodyBytes: l.budget.Load()}
}

// Close stops accepting, ends the disconnect watch and joins its goroutine.
// Connections live on, now unwatched but by Sweep. It may be called again.
func (l *Listener) Close() error {
	err := l.StopAccepting()
	l.watch.close()
	for _, c := range l.connections() {
		c.watched.Store(false)
	}
	l.dropRejected(0, true)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// connections returns the open connections.
func (l *Listener) connections() []*Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]*Conn, 0, l.open)
	for _, s := range l.slots {
		if s.c != nil {
			all = append(all, s.c)
		}
	}
	return all
}

// addressOf returns the key by which connections of one client are counted. It is
// not valid for peers without an IP address.
func addressOf(c net.Conn) addressKey {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return addressKey{}
	}
	address, _ := netip.AddrFromSlice(tcp.IP)
	address = address.Unmap()
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return address
}
