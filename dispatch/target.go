package dispatch

import (
	"errors"
	"sync/atomic"

	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A target is what a call runs in its slot: a tool, a prompt, a resource, a
// resource list, a completer. One method for each group from 14 to 17; what
// they find or make is in the Call.
type target interface {
	checkInput(c *Call) *wire.Failure
	invoke(c *Call) error
	checkOutput(c *Call) error
	appendResponse(dst []byte, c *Call) []byte
	// String names the target to operators, by what was configured.
	String() string
	// exited is set once the handler has called runtime.Goexit.
	exited() *atomic.Bool
}

// A containment remembers that a handler has called runtime.Goexit. In the
// fast lane that ends the connection's goroutine, and the HTTP server never
// learns that it may forget the connection; so such a handler gets no second
// chance there.
type containment struct{ goexit atomic.Bool }

func (t *containment) exited() *atomic.Bool { return &t.goexit }

// intercept is group 13. No interceptor is configured.
func (c *Call) intercept() *wire.Failure { return nil }

// checkInput is group 14: the input against what the target declares.
func (c *Call) checkInput() *wire.Failure { return c.target.checkInput(c) }

// invoke is group 15: the handler.
func (c *Call) invoke() *wire.Failure {
	if c.misused {
		return nil
	}
	err := c.target.invoke(c)
	if err == nil {
		return nil
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.failure
	}
	if v, ok := errors.AsType[*schema.Violation](err); ok {
		return c.misfit(v)
	}
	if c.Context.Err() != nil {
		// The outcome is reserved, and the handler does what it should.
		c.pipeline.config.Logger.Debug("handler ended with its context", "endpoint", c.endpoint.Path, "target", c.target.String(), "error", err)
		return executionFailed
	}
	c.pipeline.config.Events.handlerFailed(c)
	c.pipeline.config.Logger.Warn("handler returned an error", "endpoint", c.endpoint.Path, "target", c.target.String(), "error", err)
	return executionFailed
}

// misfit ends a call whose input its schema accepts and its Go type does not.
func (c *Call) misfit(v *schema.Violation) *wire.Failure {
	if _, ok := c.target.(*Tool); ok {
		c.misuse(v)
		return nil
	}
	return invalidParams
}

// checkOutput is group 16: the result against its contract and the bounds of
// results. What it breaks goes to the log; the client learns nothing of it
// (ER-16, ER-19).
func (c *Call) checkOutput() *wire.Failure {
	if err := c.target.checkOutput(c); err != nil {
		return c.brokenContract(err)
	}
	return nil
}

func (c *Call) brokenContract(err error) *wire.Failure {
	c.pipeline.config.Events.handlerFailed(c)
	c.pipeline.config.Logger.Warn("result breaks its contract", "endpoint", c.endpoint.Path, "target", c.target.String(), "rule", err)
	return executionFailed
}

// encode is group 17 as far as the slot does it: the whole answer's bytes. The
// connection's goroutine writes them once the actor has reserved the result.
func (c *Call) encode() *wire.Failure {
	c.response = c.target.appendResponse(c.pipeline.buffers.get(), c)
	if c.value == nil {
		return nil // a tool's result, whose bounds have been checked
	}
	if err := wire.CheckResponse(c.response, &c.pipeline.config.Bounds); err != nil {
		c.recycle()
		return c.brokenContract(err)
	}
	return nil
}

// recycle gives the answer's buffer back once its bytes have been copied.
func (c *Call) recycle() {
	c.pipeline.buffers.put(c.response)
	c.response = nil
}

// Refuse returns the error of a handler that answers with a JSON-RPC error of
// its own.
func Refuse(f *wire.Failure) error { return &refusal{f} }

type refusal struct{ failure *wire.Failure }

func (*refusal) Error() string { return "application error" }

// ErrNoResult is the error of a handler that returned neither a result nor an
// error.
var ErrNoResult = errors.New("the handler returned no result")
