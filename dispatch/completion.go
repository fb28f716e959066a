package dispatch

import (
	"context"

	"github.com/troupe-mcp/troupe/wire"
)

// A Completer suggests values for one argument of a prompt or one variable of
// a template (C-01).
type Completer struct {
	// Invoke runs the handler and fills completion.
	Invoke func(ctx context.Context, c *Call, value string, others map[string]string, completion *wire.Completion) error

	containment
	name string
}

// String names the completer.
func (k *Completer) String() string { return "completer of " + k.name }

func (*Completer) checkInput(*Call) *wire.Failure { return nil }

func (k *Completer) invoke(c *Call) error {
	completion := new(wire.Completion)
	c.value = completion
	value, others := c.completionInput()
	return k.Invoke(&c.Context, c, value, others, completion)
}

// completionInput reads what has been typed so far and the values chosen
// before.
func (c *Call) completionInput() (value string, others map[string]string) {
	wire.Members(c.doc, c.arguments, func(key, v wire.Value) bool {
		if key.Is(c.doc, "value") {
			value = string(v.Text(c.doc))
		}
		return true
	})
	wire.Members(c.doc, c.completionContext, func(key, v wire.Value) bool {
		if key.Is(c.doc, "arguments") {
			wire.Members(c.doc, v, func(key, v wire.Value) bool {
				if others == nil {
					others = make(map[string]string)
				}
				others[string(key.Text(c.doc))] = string(v.Text(c.doc))
				return true
			})
		}
		return true
	})
	return value, others
}

func (*Completer) checkOutput(c *Call) error {
	return wire.CheckCompletion(c.value.(*wire.Completion))
}

func (*Completer) appendResponse(dst []byte, c *Call) []byte {
	return wire.AppendCompletion(dst, c.id, c.value.(*wire.Completion), &c.endpoint.projection)
}

// noCompleter answers for a declared argument that has no completer: nothing
// to suggest (C-07).
var noCompleter = &Completer{
	name: "nothing",
	Invoke: func(context.Context, *Call, string, map[string]string, *wire.Completion) error {
		return nil
	},
}

// A reference is what a completion is asked for.
type reference struct {
	kind, target, argument wire.Value
}

// completionStructure: ref and argument have their members, of their types.
func (x *exchange) completionStructure() *wire.Failure {
	ref, argument := x.message.Param("ref"), x.message.Param("argument")
	if ref.Kind != wire.Object || argument.Kind != wire.Object {
		return x.fail(wire.InvalidParams)
	}
	var r reference
	var named, value wire.Value
	wire.Members(x.doc, ref, func(key, v wire.Value) bool {
		switch {
		case key.Is(x.doc, "type"):
			r.kind = v
		case key.Is(x.doc, "name"):
			named = v
		case key.Is(x.doc, "uri"):
			r.target = v
		}
		return true
	})
	wire.Members(x.doc, argument, func(key, v wire.Value) bool {
		switch {
		case key.Is(x.doc, "name"):
			r.argument = v
		case key.Is(x.doc, "value"):
			value = v
		}
		return true
	})
	switch {
	case r.kind.Is(x.doc, "ref/prompt"):
		r.target = named
	case !r.kind.Is(x.doc, "ref/resource"):
		return x.fail(wire.InvalidParams)
	}
	if r.target.Kind != wire.String || r.argument.Kind != wire.String || value.Kind != wire.String || !x.completionContext() {
		return x.fail(wire.InvalidParams)
	}
	x.reference = r
	x.call.arguments, x.call.name = argument, r.target
	return nil
}

// completionContext checks context, where there is one: its arguments are an
// object of strings.
func (x *exchange) completionContext() bool {
	value := x.message.Param("context")
	if value.Kind == wire.Absent {
		return true
	}
	ok := value.Kind == wire.Object
	wire.Members(x.doc, value, func(key, arguments wire.Value) bool {
		if !key.Is(x.doc, "arguments") {
			return true
		}
		ok = arguments.Kind == wire.Object
		wire.Members(x.doc, arguments, func(_, v wire.Value) bool {
			ok = v.Kind == wire.String
			return ok
		})
		return ok
	})
	x.call.completionContext = value
	return ok
}

// completionTarget: the prompt, or the template by its literal text (C-11), is
// registered and declares the argument (C-08 to C-10).
func (x *exchange) completionTarget() *wire.Failure {
	r := &x.reference
	target, argument := view(r.target.Text(x.doc)), view(r.argument.Text(x.doc))
	var completers map[string]*Completer
	declared := false
	if r.kind.Is(x.doc, "ref/prompt") {
		p := x.endpoint.prompts[target]
		if p == nil {
			return x.fail(wire.UnknownTarget)
		}
		completers = p.completers
		for i := range p.Descriptor.Arguments {
			declared = declared || p.Descriptor.Arguments[i].Name == argument
		}
	} else {
		t := x.endpoint.templates[target]
		if t == nil {
			return x.fail(wire.UnknownTarget)
		}
		completers = t.completers
		declared = t.Pattern.Declares(argument)
	}
	if !declared {
		return x.fail(wire.InvalidParams)
	}
	x.call.target = noCompleter
	if k := completers[argument]; k != nil {
		x.call.target = k
	}
	return nil
}
