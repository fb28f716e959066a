package dispatch

import (
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
	f, misfit := sortError(err)
	if misfit {
		c.misuse("invalid arguments: a value is out of its field's range")
		return nil
	}
	if f == nil {
		c.pipeline.config.Events.handlerFailed(c)
		c.pipeline.config.Logger.Warn("handler returned an error", "endpoint", c.endpoint.Path, "tool", c.toolName(), "error", err)
		f = executionFailed
	}
	return f
}

// checkOutput is group 16: the result keeps its output schema and the bounds
// of results, and structured content has its text (TL-25 to TL-27, TL-37).
func (c *Call) checkOutput() *wire.Failure {
	r := &c.result
	if c.misused {
		return nil
	}
	if r.Structured != nil {
		if err := wire.CheckResult(r.Structured, &c.pipeline.config.Bounds); err != nil {
			return c.brokenContract(err.Error())
		}
		if c.tool.Output != nil && !r.IsError {
			if violation := c.tool.Output.Check(r.Structured); violation != nil {
				return c.brokenContract(violation.Text())
			}
		}
		if r.Content == nil {
			r.SetText(view(r.Structured))
		}
	} else if c.tool.Output != nil && !r.IsError {
		return c.brokenContract("no structured content, though the tool has an output schema")
	}
	if err := wire.CheckCallResult(r, &c.pipeline.config.Bounds); err != nil {
		return c.brokenContract(err.Error())
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
	return nil
}

// recycle gives the answer's buffer back once its bytes have been copied.
func (c *Call) recycle() {
	c.pipeline.buffers.put(c.response)
	c.response = nil
}
