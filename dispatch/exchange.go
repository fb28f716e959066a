package dispatch

import (
	"sync"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/wire"
)

// An exchange is what a connection's goroutine knows while it serves one
// request. It lives as long as Serve; what may outlive that is in the Call.
type exchange struct {
	pipeline *Pipeline
	stripe   *stripe // where its calls are counted
	front    *front.Exchange
	endpoint *Endpoint
	message  wire.Message
	kind     wire.MessageKind
	// doc is what message's spans refer to: the connection's buffer until the
	// request is accepted, the call's own copy afterwards.
	doc       []byte
	operation *Operation // nil for an unknown method
	call      *Call      // nil until the request is accepted
	reference reference  // of a completion
	failure   wire.Failure
	allow     string // of a 405
}

func (x *exchange) reset() {
	x.front, x.endpoint, x.doc, x.operation, x.call = nil, nil, nil, nil, nil
	x.kind, x.failure, x.allow, x.reference = wire.Invalid, wire.Failure{}, "", reference{}
}

// fail returns the exchange's failure, of the given kind.
func (x *exchange) fail(kind wire.FailureKind) *wire.Failure {
	x.failure = wire.Failure{Kind: kind}
	return &x.failure
}

// failWith is fail with data.
func (x *exchange) failWith(kind wire.FailureKind, data []byte) *wire.Failure {
	x.failure = wire.Failure{Kind: kind, Data: data}
	return &x.failure
}

// serve takes the request through the groups. Every path ends in exactly one
// of refuse (not accepted), conclude (accepted).
func (x *exchange) serve() {
	for i := range groups[:classified] {
		if f := x.run(&groups[i]); f != nil {
			x.refuse(f)
			return
		}
	}
	x.accept()
	if x.kind == wire.Notification {
		for i := range notificationGroups {
			if f := x.run(&notificationGroups[i]); f != nil {
				x.conclude(x.call.ticket.Answer(), f)
				return
			}
		}
		x.conclude(x.call.ticket.Answer(), nil)
		return
	}
	for i := classified; i < len(groups) && groups[i].serving != nil; i++ {
		if f := x.run(&groups[i]); f != nil {
			x.conclude(x.call.ticket.Answer(), f)
			return
		}
	}
	if x.operation.static != nil {
		x.conclude(x.call.ticket.Answer(), nil)
		return
	}
	ticket := x.call.ticket
	if x.call.target.exited().Load() {
		ticket = ticket.OnWorker()
	}
	v := ticket.Do()
	if v.Outcome != actors.Result {
		x.conclude(v, nil) // the call belongs to whoever runs the handler
		return
	}
	x.conclude(v, x.call.failure)
}

func (x *exchange) run(g *group) *wire.Failure {
	if x.pipeline.probe != nil {
		if f := x.pipeline.probe(g.number, g.name); f != nil {
			return f
		}
	}
	return g.serving(x)
}

// accept makes the request's record, its actor and its tie to the connection.
// From here on it has exactly one outcome.
func (x *exchange) accept() {
	p, conn := x.pipeline, x.front.Conn()
	c := newCall(x)
	x.call = c
	p.config.Events.accepted(c)
	c.ticket = p.config.System.Admit(c, &c.Context, c.remaining(), conn != nil)
	if conn != nil {
		conn.Attach(c)
	}
}

// refuse answers a request that was not accepted.
func (x *exchange) refuse(f *wire.Failure) {
	x.pipeline.config.Events.refused(f)
	x.answerFailure(f)
}

// conclude answers an accepted request, or leaves it unanswered, as its one
// verdict demands. f is the failure that the pipeline found when it is the
// pipeline's own result that won.
func (x *exchange) conclude(v actors.Verdict, f *wire.Failure) {
	c := x.call
	if v.Outcome != actors.Result {
		f = c.failureOf(v)
	}
	c.decide(v, f)
	conn := x.front.Conn()
	if conn != nil {
		if f == nil && v.Outcome != actors.Result {
			conn.Discard(c)
			return
		}
		if !conn.Claim(c) {
			return // an early answer has gone out
		}
	}
	x.answer(f)
	if conn == nil {
		c.Settled(nil)
	}
}

// exchangeList keeps exchanges for the next request. What it keeps is bounded
// by the requests that were served at once, and by keptExchanges.
type exchangeList struct {
	mu   sync.Mutex // guards free
	free []*exchange
}

const keptExchanges = 256

func (l *exchangeList) get(p *Pipeline) *exchange {
	l.mu.Lock()
	n := len(l.free)
	if n == 0 {
		l.mu.Unlock()
		return &exchange{pipeline: p, stripe: p.config.Events.stripe()}
	}
	x := l.free[n-1]
	l.free = l.free[:n-1]
	l.mu.Unlock()
	return x
}

func (l *exchangeList) put(x *exchange) {
	l.mu.Lock()
	if len(l.free) < keptExchanges {
		l.free = append(l.free, x)
	}
	l.mu.Unlock()
}
