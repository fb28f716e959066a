package troupe

import "github.com/troupe-mcp/troupe/dispatch"

// An Observer is told what happens, one event at a time, on a goroutine of its
// own. Up to 4,096 events wait for it; more are dropped and counted in
// Gauges.EventsDropped. What it does, or that it panics, never changes an
// answer.
type Observer interface {
	Observe(Event)
}

// ObserverFunc is a function as an Observer.
type ObserverFunc func(Event)

// Observe calls f.
func (f ObserverFunc) Observe(e Event) { f(e) }

type (
	// Event is one thing that happened. No value that a client chose is ever in
	// it.
	Event = dispatch.Event
	// EventKind says what an Event reports.
	EventKind = dispatch.EventKind
	// Outcome is how an accepted request ended.
	Outcome = dispatch.Outcome
)

// The kinds of events.
const (
	RequestAccepted    = dispatch.RequestAccepted
	RequestEnded       = dispatch.RequestEnded
	RequestRefused     = dispatch.RequestRefused
	ConnectionAccepted = dispatch.ConnectionAccepted
	ConnectionRejected = dispatch.ConnectionRejected
	TransportFailure   = dispatch.TransportFailure
	HandlerFailed      = dispatch.HandlerFailed
)

// The outcomes. A request is accepted once its message is classified as a
// request or notification; from then on it ends in exactly one of them
// (decisions 65, 72).
const (
	OutcomeComplete           = dispatch.OutcomeComplete
	OutcomeInputRequired      = dispatch.OutcomeInputRequired
	OutcomeRejected           = dispatch.OutcomeRejected
	OutcomeApplicationError   = dispatch.OutcomeApplicationError
	OutcomeProtocolError      = dispatch.OutcomeProtocolError
	OutcomeInternalError      = dispatch.OutcomeInternalError
	OutcomeCanceled           = dispatch.OutcomeCanceled
	OutcomeDeadlineExceeded   = dispatch.OutcomeDeadlineExceeded
	OutcomeClientDisconnected = dispatch.OutcomeClientDisconnected
	OutcomeWriteFailed        = dispatch.OutcomeWriteFailed
	OutcomeServerStopping     = dispatch.OutcomeServerStopping
)

// Gauges are what a server holds at one moment.
type Gauges struct {
	// Connections are open now.
	Connections int
	// BodyBytes are buffered request bodies.
	BodyBytes int64
	// Active requests are accepted and not ended.
	Active int64
	// Queued calls wait for a slot, Running slots are in use, Zombies among
	// them run a handler whose request has ended without it.
	Queued, Running, Zombies int
	// EventsDropped counts what the observer was too slow for, since start.
	EventsDropped int64
}
