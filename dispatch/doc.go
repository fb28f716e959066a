// Package dispatch takes a request through the 17 groups of the pipeline to
// its one outcome.
//
// It owns the order of the groups (one list, in pipeline.go), the operations
// of an endpoint, the record of a call, the mapping from an actor's verdict to
// what the client is told, and the outcomes that observers see. What a status
// or a code looks like is wire's; who wins a race is the actors'; how bytes
// come and go is the front end's and the sockets'.
//
// A request runs straight down:
//
//	front ─ Serve ─ groups 1-11 ─ Ticket.Do ─ groups 13-17 ─ answer
//	                (connection)              (handler slot)  (connection)
//
// The package is here to read; only the root package is promised to anyone.
package dispatch
