package troupe

import (
	"context"
	"fmt"
	"reflect"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// PromptInfo describes a prompt.
type PromptInfo struct {
	// Name is unique among the endpoint's prompts.
	Name string
	// Title is the name to show. Optional.
	Title string
	// Description says what the prompt is for; it is sent with its messages, too.
	Description string
	// Versions are the revisions on which the prompt is listed and got. Empty
	// takes those of the enclosing For (V-04).
	Versions []ProtocolVersion
	// Icons to show. Optional.
	Icons []Icon
	// Meta is sent as the prompt's _meta in the list. Optional.
	Meta map[string]any
	// Requires are client capabilities without which the prompt is not run; a
	// client that lacks one gets -32021.
	Requires ClientCapabilities
}

// A PromptMessage is one message of a prompt.
type PromptMessage = wire.PromptMessage

// UserMessage and AssistantMessage return messages of the two roles.
func UserMessage(content Content) PromptMessage {
	return PromptMessage{Role: RoleUser, Content: content}
}

// AssistantMessage returns a message of the assistant's.
func AssistantMessage(content Content) PromptMessage {
	return PromptMessage{Role: RoleAssistant, Content: content}
}

// Prompt registers a prompt. Args is a struct whose fields are strings, or
// pointers to strings: each is an argument, required unless it is a pointer or
// has omitempty; its jsonschema tag is the argument's description. Bad
// arguments are refused with -32602 before the handler runs.
func Prompt[Args any](info PromptInfo, handler func(context.Context, Call, Args) ([]PromptMessage, error)) Feature {
	return &prompt[Args]{info: info, handler: handler}
}

type prompt[Args any] struct {
	info    PromptInfo
	handler func(context.Context, Call, Args) ([]PromptMessage, error)
	input   *schema.Program
}

func (p *prompt[Args]) register(r *registrar) {
	noun := fmt.Sprintf("prompt %q", p.info.Name)
	before := len(r.faults)
	if p.handler == nil {
		r.fault("%s: nil handler", noun)
	}
	if blank(p.info.Name) {
		r.fault("%s: the name is blank", noun)
	}
	r.unique("prompt", p.info.Name)
	r.revisions(p.info.Versions, noun)
	arguments, input := r.strings(reflect.TypeFor[Args](), noun+": arguments")
	registered := &dispatch.Prompt{
		Descriptor: wire.Prompt{
			Name: p.info.Name, Title: p.info.Title, Description: p.info.Description, Icons: p.info.Icons,
			Meta: r.meta(p.info.Meta, noun),
		},
		Input: input, Requires: p.info.Requires.compile(r, noun),
	}
	for _, a := range arguments {
		registered.Descriptor.Arguments = append(registered.Descriptor.Arguments, wire.PromptArgument{
			Name: a.name, Description: a.description, Required: a.required,
		})
	}
	if len(r.faults) > before {
		return
	}
	own := *p // the feature may be registered elsewhere, too
	own.input = input
	registered.Invoke = own.invoke
	r.endpoint.Prompts = append(r.endpoint.Prompts, registered)
}

func (p *prompt[Args]) invoke(ctx context.Context, c *dispatch.Call, result *wire.PromptResult) error {
	var args Args
	if err := schema.Decode(p.input, c.Arguments(), &args); err != nil {
		return err
	}
	messages, err := p.handler(ctx, Call{c}, args)
	if err != nil {
		return refusalOf(err)
	}
	result.Messages = messages
	return nil
}
