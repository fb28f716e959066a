package troupe

import (
	"context"
	"slices"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/wire"
)

// CompleterInfo says for what a completer suggests values: one argument of a
// prompt, or one variable of a resource template. Exactly one of Prompt and
// Template is set; both must be registered on the endpoint.
type CompleterInfo struct {
	Prompt   string // a prompt's name
	Template string // a template's text, as it is registered
	Argument string // the prompt's argument or the template's variable
	// Versions are the revisions on which it suggests. Empty takes those of the
	// enclosing For (V-04).
	Versions []ProtocolVersion
}

// A CompletionRequest is what has been typed so far.
type CompletionRequest struct {
	// Value is the text to complete. It may be empty.
	Value string
	// Arguments are values chosen before, by name. They are the client's claim.
	Arguments map[string]string
}

// A Completion is what a completer suggests. Values beyond the first 100 are
// not sent (decision 62). Total is how many there are, where that is known.
type Completion struct {
	Values  []string
	Total   int // 0 when unknown
	HasMore bool
}

// Completer registers a completer. A server with completers needs a
// Config.RequestLimiter (C-04). Every suggestion must be one that the caller
// may see.
func Completer(info CompleterInfo, handler func(context.Context, Call, CompletionRequest) (Completion, error)) Feature {
	return &completer{info, handler}
}

type completer struct {
	info    CompleterInfo
	handler func(context.Context, Call, CompletionRequest) (Completion, error)
}

func (k *completer) register(r *registrar) {
	target := k.info.Prompt + k.info.Template
	if k.handler == nil {
		r.fault("completer of %q: nil handler", target)
	}
	if (k.info.Prompt == "") == (k.info.Template == "") {
		r.fault("completer: exactly one of Prompt and Template is needed")
	}
	r.revisions(k.info.Versions, "completer of "+target)
	r.unique("completer", target+"\x00"+k.info.Argument)
	r.endpoint.Completers = append(r.endpoint.Completers, dispatch.Completion{
		Prompt: k.info.Prompt, Template: k.info.Template, Argument: k.info.Argument,
		Completer: &dispatch.Completer{Invoke: k.invoke},
	})
	r.later = append(r.later, func() { k.check(r) })
}

// check runs once everything is registered: the target is there and declares
// the argument.
func (k *completer) check(r *registrar) {
	for _, p := range r.endpoint.Prompts {
		if p.Descriptor.Name != k.info.Prompt {
			continue
		}
		if !slices.ContainsFunc(p.Descriptor.Arguments, func(a wire.PromptArgument) bool { return a.Name == k.info.Argument }) {
			r.fault("completer: prompt %q has no argument %q", k.info.Prompt, k.info.Argument)
		}
		return
	}
	for _, t := range r.endpoint.Templates {
		if t.Template.URITemplate != k.info.Template {
			continue
		}
		if !t.Pattern.Declares(k.info.Argument) {
			r.fault("completer: template %q has no variable %q", k.info.Template, k.info.Argument)
		}
		return
	}
	r.fault("completer: %q is not registered on the endpoint", k.info.Prompt+k.info.Template)
}

func (k *completer) invoke(ctx context.Context, c *dispatch.Call, value string, others map[string]string, completion *wire.Completion) error {
	out, err := k.handler(ctx, Call{c}, CompletionRequest{Value: value, Arguments: others})
	if err != nil {
		return refusalOf(err)
	}
	completion.Values, completion.HasMore = out.Values, out.HasMore
	if out.Total > 0 {
		completion.Total = &out.Total
	}
	return nil
}
