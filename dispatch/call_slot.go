package dispatch

import (
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// Groups 13 to 17: what happens in a call's handler slot.

// intercept is group 13. No interceptor is configured.
func (c *Call) intercept() *wire.Failure { return nil }

// checkInput is group 14: the arguments against the tool's input schema.
// Arguments that break it are a result for the model to correct (decisions 1,
// 32).
func (c *Call) checkInput() *wire.Failure {
	if violation := c.tool.Input.Check(c.Arguments()); violation != nil {
		c.misuse(violation.Text())
	}
	return nil
}

func (c *Call) misuse(text string) {
	c.misused = true
	c.result.SetText(text)
	c.result.IsError = true
}

// invoke is group 15: the handler.
func (c *Call) invoke() *wire.Failure {
	if c.misused {
		return nil
	}
	err := c.tool.Invoke(&c.Context, c, &c.result)
	if err == nil {
		return nil
	}
	f, misuse := sortError(err)
	if misuse != "" {
		c.misuse(misuse)
		return nil
	}
	if f == nil {
		c.pipeline.config.Events.handlerFailed(c)
		c.pipeline.config.Logger.Warn("handler returned an error", "endpoint", c.endpoint.Path, "tool", c.toolName(), "error", err)
		f = executionFailed
	}
	return f
}

// SetStructured hands over the value whose JSON is the result's structured
// content, or a pointer to it. It is encoded once the handler has returned.
func (c *Call) SetStructured(value any) { c.structured = value }

// checkOutput is group 16: structured content is encoded, keeps its output
// schema and has its text, and the whole result keeps the bounds (TL-25 to
// TL-27, TL-37).
func (c *Call) checkOutput() *wire.Failure {
	if c.misused {
		return nil
	}
	r, output := &c.result, c.tool.Output
	switch {
	case c.structured != nil:
		if f := c.encodeStructured(); f != nil {
			return f
		}
		if r.Content == nil {
			r.SetText(view(r.Structured))
		}
	case output != nil && !r.IsError:
		return c.brokenContract("no structured content, though the tool has an output schema")
	}
	if err := wire.CheckCallResult(r, &c.pipeline.config.Bounds); err != nil {
		return c.brokenContract(err.Error())
	}
	return nil
}

// encodeStructured encodes structured content against the output schema, from
// which the result of a failed tool is exempt.
func (c *Call) encodeStructured() *wire.Failure {
	buffer := c.pipeline.buffers.get()
	var violation *schema.Violation
	var err error
	if output := c.tool.Output; output != nil && !c.result.IsError {
		c.result.Structured, violation, err = output.Encode(buffer, c.structured)
	} else {
		c.result.Structured, err = schema.AppendEncode(buffer, c.structured)
	}
	switch {
	case err != nil:
		return c.brokenContract(err.Error())
	case violation != nil:
		return c.brokenContract(violation.Text())
	}
	return nil
}

// brokenContract logs what a result broke; the client learns nothing of it
// (ER-16, ER-19).
func (c *Call) brokenContract(rule string) *wire.Failure {
	c.pipeline.config.Events.handlerFailed(c)
	c.pipeline.config.Logger.Warn("result breaks its contract", "endpoint", c.endpoint.Path, "tool", c.toolName(), "rule", rule)
	return executionFailed
}

// encode is group 17 as far as the slot does it: the whole answer's bytes. The
// connection's goroutine writes them once the actor has reserved the result.
func (c *Call) encode() *wire.Failure {
	c.response = wire.AppendCallResult(c.pipeline.buffers.get(), c.id, &c.result, &c.endpoint.projection)
	c.pipeline.buffers.put(c.result.Structured)
	c.result.Structured = nil // the text may be a view of it, so nothing of the result is read again
	return nil
}

// recycle gives the answer's buffer back once its bytes have been copied.
func (c *Call) recycle() {
	c.pipeline.buffers.put(c.response)
	c.response = nil
}
