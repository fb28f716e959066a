package dispatch

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/puzpuzpuz/xsync/v3"

	"github.com/troupe-mcp/troupe/wire"
)

// EventKind says what an Event reports.
type EventKind uint8

// The kinds of events.
const (
	// RequestAccepted: a message was classified; exactly one RequestEnded follows.
	RequestAccepted EventKind = iota
	// RequestEnded: an accepted request has its outcome.
	RequestEnded
	// RequestRefused: a request failed before it was classified.
	RequestRefused
	// ConnectionAccepted, ConnectionRejected: a connection was taken, or was
	// over a limit.
	ConnectionAccepted
	ConnectionRejected
	// TransportFailure: a connection broke or broke the rules in mid-request.
	TransportFailure
	// HandlerFailed: a handler panicked, called Goexit, returned a plain error
	// or broke its output contract.
	HandlerFailed
)

var eventNames = [...]string{
	"request_accepted", "request_ended", "request_refused", "connection_accepted", "connection_rejected",
	"transport_failure", "handler_failed",
}

// String returns the kind's name in metrics.
func (k EventKind) String() string { return eventNames[k] }

// An Event is one thing that happened. Its strings come from closed sets: no
// value that a client chose is ever among them (OB-03).
type Event struct {
	Kind EventKind
	// Endpoint is the configured path, Method a known method or "<unrecognized>".
	Endpoint, Method string
	// Outcome and Duration belong to RequestEnded. The duration counts from the
	// request's last byte.
	Outcome  Outcome
	Duration time.Duration
	// Status is the HTTP status of a RequestRefused.
	Status int
	// Reason names a TransportFailure.
	Reason string
}

// queuedEvents is how many events wait for the observer; more are dropped and
// counted (soklet-notes section 2).
const queuedEvents = 4096

// Events counts what happens and tells an observer, on one goroutine and off
// the path of requests.
type Events struct {
	observe func(Event)
	dropped *xsync.Counter
	stripes [stripeCount]stripe
	next    atomic.Uint32 // the stripe that is given out next

	mu      sync.Mutex // guards what follows
	ring    []Event    // the oldest event is at head
	head, n int
	wake    *sync.Cond
	closed  bool
	done    chan struct{} // closed when the observer's goroutine has returned
}

// A stripe is a part of the counts of requests. Whoever serves a connection has
// one, so that cores do not share its cache lines; a count is the sum over all.
type stripe struct {
	accepted atomic.Int64
	ended    [OutcomeServerStopping + 1]atomic.Int64
	_        [24]byte // up to a multiple of 64
}

const stripeCount = 64

// stripe gives out a stripe.
func (e *Events) stripe() *stripe { return &e.stripes[e.next.Add(1)%stripeCount] }

// NewEvents returns events that tell observe, which may be nil. Run delivers
// them.
func NewEvents(observe func(Event)) *Events {
	e := &Events{observe: observe, dropped: xsync.NewCounter(), done: make(chan struct{})}
	e.wake = sync.NewCond(&e.mu)
	if observe != nil {
		e.ring = make([]Event, queuedEvents)
	}
	return e
}

// Active returns how many requests are accepted and not ended.
func (e *Events) Active() int64 {
	ended := int64(0)
	for o := range e.stripes[0].ended {
		ended += e.Ended(Outcome(o))
	}
	accepted := int64(0)
	for i := range e.stripes {
		accepted += e.stripes[i].accepted.Load()
	}
	return accepted - ended
}

// Dropped returns how many events the observer was too slow for.
func (e *Events) Dropped() int64 { return e.dropped.Value() }

// Ended returns how many requests ended in an outcome.
func (e *Events) Ended(o Outcome) int64 {
	ended := int64(0)
	for i := range e.stripes {
		ended += e.stripes[i].ended[o].Load()
	}
	return ended
}

// Run delivers events until Close. A panic of the observer is its own loss.
func (e *Events) Run() {
	defer close(e.done)
	for {
		e.mu.Lock()
		for e.n == 0 && !e.closed {
			e.wake.Wait()
		}
		if e.n == 0 {
			e.mu.Unlock()
			return
		}
		event := e.ring[e.head]
		e.head, e.n = (e.head+1)%len(e.ring), e.n-1
		e.mu.Unlock()
		e.deliver(event)
	}
}

func (e *Events) deliver(event Event) {
	defer func() { _ = recover() }()
	e.observe(event)
}

// Close ends Run once everything queued has been delivered.
func (e *Events) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.wake.Signal()
}

// Done is closed when Run has returned.
func (e *Events) Done() <-chan struct{} { return e.done }

// Observed reports whether there is an observer, so that Run is needed.
func (e *Events) Observed() bool { return e.observe != nil }

// Emit queues an event; when the queue is full it is dropped and counted.
func (e *Events) Emit(event Event) {
	if e.observe == nil {
		return
	}
	e.mu.Lock()
	if e.n == len(e.ring) || e.closed {
		e.mu.Unlock()
		e.dropped.Inc()
		return
	}
	e.ring[(e.head+e.n)%len(e.ring)] = event
	e.n++
	e.mu.Unlock()
	e.wake.Signal()
}

func (e *Events) accepted(c *Call) {
	c.stripe.accepted.Add(1)
	if e.observe != nil {
		e.Emit(Event{Kind: RequestAccepted, Endpoint: c.endpoint.Path, Method: c.label()})
	}
}

func (e *Events) ended(c *Call, outcome Outcome) {
	c.stripe.ended[outcome].Add(1)
	if e.observe != nil {
		e.Emit(Event{
			Kind: RequestEnded, Endpoint: c.endpoint.Path, Method: c.label(), Outcome: outcome, Duration: time.Since(c.begun),
		})
	}
}

func (e *Events) refused(f *wire.Failure) {
	e.Emit(Event{Kind: RequestRefused, Status: f.Kind.Status()})
}

func (e *Events) handlerFailed(c *Call) {
	if e.observe != nil {
		e.Emit(Event{Kind: HandlerFailed, Endpoint: c.endpoint.Path, Method: c.label()})
	}
}
