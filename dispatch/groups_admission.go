package dispatch

import "github.com/troupe-mcp/troupe/wire"

// Groups 11 and 12: whether this caller gets this target now.

// admission is group 11: the application's admission, then what the target is
// and whether it exists, then quotas. Policies that are not configured let
// everything pass.
func (x *exchange) admission() *wire.Failure {
	if x.operation == nil {
		return x.fail(wire.MethodNotFound)
	}
	if x.operation.target != nil {
		return x.operation.target(x)
	}
	return nil
}

// reserve is group 12 as far as the connection's goroutine decides it: a
// server that is stopping starts nothing new. Queue and slot are the actor's
// (Ticket.Do).
func (x *exchange) reserve() *wire.Failure {
	if x.operation.static == nil && x.pipeline.stopping.Load() {
		return stopping
	}
	return nil
}
