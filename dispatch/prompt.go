package dispatch

import (
	"context"
	"strconv"

	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A Prompt is a registered prompt, compiled.
type Prompt struct {
	Descriptor wire.Prompt
	Input      *schema.Program // of its arguments, all of them strings
	Requires   Capabilities
	// Invoke decodes the arguments of c, runs the handler and fills result.
	Invoke func(ctx context.Context, c *Call, result *wire.PromptResult) error

	containment
	completers map[string]*Completer // by argument
}

// String names the prompt.
func (p *Prompt) String() string { return "prompt " + strconv.Quote(p.Descriptor.Name) }

// checkInput checks the arguments; what is wrong with them is not told
// (decision 1).
func (p *Prompt) checkInput(c *Call) *wire.Failure {
	if p.Input.Check(c.Arguments()) != nil {
		return invalidParams
	}
	return nil
}

func (p *Prompt) invoke(c *Call) error {
	result := &wire.PromptResult{Description: p.Descriptor.Description}
	c.value = result
	return p.Invoke(&c.Context, c, result)
}

// checkOutput checks the messages (PR-08).
func (p *Prompt) checkOutput(c *Call) error {
	return wire.CheckPromptResult(c.value.(*wire.PromptResult))
}

func (p *Prompt) appendResponse(dst []byte, c *Call) []byte {
	return wire.AppendPromptResult(dst, c.id, c.value.(*wire.PromptResult), &c.endpoint.projection)
}

// promptStructure: arguments are an object of strings, where they are present.
func (x *exchange) promptStructure() *wire.Failure {
	if f := x.callStructure(); f != nil {
		return f
	}
	strings := true
	wire.Members(x.doc, x.call.arguments, func(_, value wire.Value) bool {
		strings = value.Kind == wire.String
		return strings
	})
	if !strings {
		return x.fail(wire.InvalidParams)
	}
	return nil
}

// promptTarget: the prompt exists (PR-04), and the caller can what it needs.
func (x *exchange) promptTarget() *wire.Failure {
	p := x.endpoint.prompts[view(x.call.name.Text(x.doc))]
	if p == nil {
		return x.fail(wire.UnknownTarget)
	}
	x.call.target = p
	if f := x.retryShape(); f != nil {
		return f
	}
	return x.requires(&p.Requires)
}
