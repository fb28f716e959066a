package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/streams/socket"
	"github.com/troupe-mcp/troupe/wire"
)

// A Call is the record of one accepted request: what was asked, and once its
// handler has run, what came of it. It is made once per request and left to
// the garbage collector, so that whoever still holds it sees nothing change
// (decision 73). The fields above the line are written before the request is
// handed over and only read afterwards; those below belong to whoever runs the
// handler until the actor has reserved the result.
type Call struct {
	actors.Context // the handler's: canceled by the actor when an outcome is reserved

	pipeline     *Pipeline
	stripe       *stripe // where the call is counted
	endpoint     *Endpoint
	operation    *Operation   // nil for unknown methods and notifications
	target       target       // what runs in the slot; nil where nothing does
	conn         *socket.Conn // nil when someone else's server owns the connection
	ticket       actors.Ticket
	begun        time.Time
	doc          []byte // the call's own copy of the message
	id           wire.ID
	method       wire.Value
	name         wire.Value
	arguments    wire.Value
	cursor       wire.Value
	variables    []byte // of a template, as a JSON object
	client       wire.Value
	capabilities wire.Value
	revision     wire.Revision

	completionContext wire.Value
	decided           atomic.Uint32 // the Outcome, once an answer is about to be written

	// ------------------------------------------------------------------------

	result     wire.CallResult // of a tool
	value      any             // the result of anything else
	structured any             // to be encoded as the result's structured content
	misused    bool            // the arguments broke the input schema: result says how
	failure    *wire.Failure
	response   []byte

	room [376]byte // of doc, for messages that fit
}

// newCall copies what outlives the exchange. From here on the exchange reads
// the copy, too.
func newCall(x *exchange) *Call {
	c := &Call{
		pipeline: x.pipeline, stripe: x.stripe, endpoint: x.endpoint, operation: x.operation, conn: x.front.Conn(), begun: x.front.Received(),
	}
	c.doc = append(c.room[:0:len(c.room)], x.doc...)
	x.doc = c.doc
	x.message.Rebase(c.doc)
	c.id, c.method = x.message.ID(), x.message.Method()
	return c
}

// remaining is what is left of the deadline, which counts from the request's
// last byte (decision 72).
func (c *Call) remaining() time.Duration {
	return c.pipeline.config.Deadline - time.Since(c.begun)
}

// EndpointPath returns the path of the endpoint.
func (c *Call) EndpointPath() string { return c.endpoint.Path }

// Revision returns the revision that frames the request.
func (c *Call) Revision() wire.Revision { return c.revision }

// Method returns the JSON-RPC method.
func (c *Call) Method() string { return string(c.method.Text(c.doc)) }

// Name returns what the request names: a tool, a prompt, a URI.
func (c *Call) Name() string { return string(c.name.Text(c.doc)) }

// Client returns what the client calls itself.
func (c *Call) Client() wire.Implementation {
	var client wire.Implementation
	if c.client.Kind != wire.Object {
		return client
	}
	wire.Members(c.doc, c.client, func(key, value wire.Value) bool {
		var field *string
		switch {
		case key.Is(c.doc, "name"):
			field = &client.Name
		case key.Is(c.doc, "version"):
			field = &client.Version
		case key.Is(c.doc, "title"):
			field = &client.Title
		case key.Is(c.doc, "websiteUrl"):
			field = &client.WebsiteURL
		}
		if field != nil && value.Kind == wire.String {
			*field = string(value.Text(c.doc))
		}
		return true
	})
	return client
}

// Arguments returns the arguments of a tool or prompt as they were sent: a JSON
// object.
func (c *Call) Arguments() []byte {
	if c.arguments.Kind == wire.Absent {
		return noArguments
	}
	return c.arguments.Span.Of(c.doc)
}

var noArguments = []byte("{}")

// label is the method as metrics know it.
func (c *Call) label() string {
	switch {
	case c.operation != nil:
		return c.operation.method
	case c.id.IsZero() && c.method.Is(c.doc, "notifications/cancelled"):
		return "notifications/cancelled"
	}
	return unrecognized
}

// Run takes the call through the groups that belong to its handler slot. It
// implements actors.Work.
func (c *Call) Run(context.Context) {
	for i := range groups {
		g := &groups[i]
		if g.inSlot == nil {
			continue
		}
		if probe := c.pipeline.probe; probe != nil {
			if c.failure = probe(g.number, g.name); c.failure != nil {
				return
			}
		}
		if c.failure = g.inSlot(c); c.failure != nil {
			return
		}
	}
}

// Failed logs a handler that panicked or called Goexit. It implements
// actors.Work.
func (c *Call) Failed(reason any, stack []byte) {
	if err, ok := reason.(error); ok && errors.Is(err, actors.ErrGoexit) {
		c.target.exited().Store(true)
	}
	c.pipeline.config.Events.handlerFailed(c)
	c.pipeline.config.Logger.Error("handler failed", "endpoint", c.endpoint.Path, "target", c.String(),
		"reason", fmt.Sprint(reason), slog.String("stack", string(stack)))
}

// Early writes the answer of an outcome that was reserved while the
// connection's goroutine runs user code (decision 71). It implements
// actors.Work.
func (c *Call) Early(v actors.Verdict) {
	f := c.failureOf(v)
	c.decide(v, f)
	if c.conn == nil {
		return // the serving goroutine answers; without a fence nobody else may
	}
	if f == nil {
		c.conn.Discard(c)
		return
	}
	var body []byte
	if !f.Kind.Bodyless() && !c.id.IsZero() {
		body = wire.AppendError(nil, c.id, f)
	}
	c.conn.Early(c, front.AppendResponse(nil, f.Kind.Status(), body, c.pipeline.config.Date(), true))
}

// decide notes the outcome that the answer stands for. Everybody who gets here
// has the same verdict.
func (c *Call) decide(v actors.Verdict, f *wire.Failure) {
	c.decided.Store(uint32(outcomeOf(v, f)))
}

// Gone tells the actor that the client has left. It implements
// socket.Exchange.
func (c *Call) Gone() { c.ticket.Gone() }

// Settled ends the request: its answer has left, or cannot. It implements
// socket.Exchange and is called exactly once.
func (c *Call) Settled(err error) {
	outcome := Outcome(c.decided.Load())
	if err != nil && outcome != OutcomeClientDisconnected {
		outcome = OutcomeWriteFailed
	}
	c.pipeline.config.Events.ended(c, outcome)
	c.ticket.Release()
}

// String names the call to operators by what was configured, not by what the
// client sent.
func (c *Call) String() string {
	if c.target == nil {
		return c.label()
	}
	return c.target.String()
}
