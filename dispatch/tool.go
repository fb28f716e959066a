package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A Tool is a registered tool, compiled.
type Tool struct {
	Descriptor wire.Tool
	Input      *schema.Program
	Output     *schema.Program // nil without an output schema
	// Requires are the client's capabilities without which the tool is not run.
	Requires Capabilities
	// Invoke decodes the arguments of c, runs the handler and fills result,
	// structured content apart, which c.SetStructured takes. An error made by
	// Refuse is the handler's own JSON-RPC error, a *schema.Violation is that
	// of arguments which do not fit; any other is an internal error.
	Invoke func(ctx context.Context, c *Call, result *wire.CallResult) error

	containment
}

// String names the tool.
func (t *Tool) String() string { return "tool " + strconv.Quote(t.Descriptor.Name) }

// checkInput checks the arguments against the input schema. Arguments that
// break it are a result for the model to correct (decisions 1, 32).
func (t *Tool) checkInput(c *Call) *wire.Failure {
	if violation := t.Input.Check(c.Arguments()); violation != nil {
		c.misuse(violation)
	}
	return nil
}

func (c *Call) misuse(v *schema.Violation) {
	c.misused = true
	c.result.SetText(v.Text())
	c.result.IsError = true
}

func (t *Tool) invoke(c *Call) error { return t.Invoke(&c.Context, c, &c.result) }

// SetStructured hands over the value whose JSON is the result's structured
// content, or a pointer to it. It is encoded once the handler has returned.
func (c *Call) SetStructured(value any) { c.structured = value }

var errNoStructured = errors.New("no structured content, though the tool has an output schema")

// checkOutput encodes structured content, checks it against the output schema,
// gives it its text, and checks the whole result's bounds (TL-25 to TL-27,
// TL-37).
func (t *Tool) checkOutput(c *Call) error {
	if c.misused {
		return nil
	}
	r := &c.result
	switch {
	case c.structured != nil:
		if err := t.encodeStructured(c); err != nil {
			return err
		}
		if r.Content == nil {
			r.SetText(view(r.Structured))
		}
	case t.Output != nil && !r.IsError:
		return errNoStructured
	}
	return wire.CheckCallResult(r, &c.pipeline.config.Bounds)
}

// encodeStructured encodes structured content against the output schema, from
// which the result of a failed tool is exempt.
func (t *Tool) encodeStructured(c *Call) error {
	buffer := c.pipeline.buffers.get()
	var violation *schema.Violation
	var err error
	if t.Output != nil && !c.result.IsError {
		c.result.Structured, violation, err = t.Output.Encode(buffer, c.structured)
	} else {
		c.result.Structured, err = schema.AppendEncode(buffer, c.structured)
	}
	if violation != nil {
		return fmt.Errorf("structured content %s: %s", violation.Pointer, violation.Rule)
	}
	return err
}

func (t *Tool) appendResponse(dst []byte, c *Call) []byte {
	dst = wire.AppendCallResult(dst, c.id, &c.result, &c.endpoint.projection)
	if c.structured != nil {
		c.pipeline.buffers.put(c.result.Structured)
		c.result = wire.CallResult{} // its text may be a view of the buffer
	}
	return dst
}
