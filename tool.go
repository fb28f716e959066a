package troupe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// ToolInfo describes a tool.
type ToolInfo struct {
	// Name is 1 to 128 characters of [A-Za-z0-9_.-], unique in its endpoint.
	Name string
	// Title is the name to show. Optional.
	Title string
	// Description tells a model what the tool does.
	Description string
	// Versions are the revisions on which the tool is listed and called. Empty
	// takes those of the enclosing For; none at all is an error (V-04).
	Versions []ProtocolVersion
	// Annotations are hints for clients. Optional.
	Annotations *ToolAnnotations
	// Icons to show. Optional.
	Icons []Icon
	// Meta is sent as the tool's _meta in the list. Optional.
	Meta map[string]any
	// Requires are client capabilities without which the tool is not run; a
	// client that lacks one gets -32021.
	Requires ClientCapabilities
	// InputSchema and OutputSchema replace the schemas inferred from the
	// handler's types. They are checked by NewServer and sent as written
	// (decision 24). They may use what is called Profile 1: $schema, $defs,
	// $anchor, $ref (within the schema), $comment, properties,
	// additionalProperties, items, allOf, anyOf, if, then, else, type, enum,
	// const, required, minimum, maximum, title, description, default, examples,
	// deprecated, readOnly, writeOnly, format and x-mcp-header; no other
	// keywords. That they fit the handler's types is yours to see to.
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
}

// A ToolResult is the result of a tool that wants to say more than a value.
type ToolResult struct {
	// Content is what the model reads. When it is nil and Structured is not,
	// the JSON text of Structured is sent as one text block (TL-26).
	Content []Content
	// Structured is encoded as structuredContent. Nil leaves it out.
	Structured any
	// IsError marks a failure that the model may correct.
	IsError bool
	// Meta is sent as the result's _meta. It is no secret channel (TL-36).
	Meta map[string]any
}

// Tool registers a tool. In is the type of its arguments: a struct (or a map,
// or struct{} for none) from which the input schema is inferred; arguments are
// validated before the handler runs, with keys matched exactly and unknown
// ones refused (TL-04, decision 77). A field is named by its json tag,
// described by its jsonschema tag, and required unless it is a pointer or has
// omitempty or omitzero. Numbers in an any arrive as json.Number, exactly as
// sent. What Out is decides the result:
//
//	string                 one text block
//	Content, []Content     these blocks
//	ToolResult, *ToolResult  all of it
//	anything else          structured content, with an output schema inferred
//	                       from Out and its JSON as one text block
//
// The handler runs in one of the server's slots; its context is canceled when
// the client goes away, the deadline passes or the server stops. It may be
// called concurrently. A nil pointer or interface as Out, without an error, is
// a failed call: "no result" (decision 31).
func Tool[In, Out any](info ToolInfo, handler func(context.Context, Call, In) (Out, error)) Feature {
	return &tool[In, Out]{info: info, handler: handler}
}

type tool[In, Out any] struct {
	info    ToolInfo
	handler func(context.Context, Call, In) (Out, error)
	input   *schema.Program
}

func (t *tool[In, Out]) register(r *registrar) {
	if t.handler == nil {
		r.fault("tool %q: nil handler", t.info.Name)
		return
	}
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if out != reflect.TypeFor[ToolResult]() && out != reflect.TypeFor[*ToolResult]() && out != reflect.TypeFor[any]() &&
		describesItself(out) && t.info.OutputSchema != nil {
		r.fault("tool %q: a handler that returns %s has no structured content, so no OutputSchema", t.info.Name, out)
		return
	}
	registered := r.tool(t.info, in, out, describesItself(out))
	if registered == nil {
		return
	}
	own := *t // the feature may be registered elsewhere, too
	own.input = registered.Input
	registered.Invoke = own.invoke
}

// describesItself reports whether values of the type are results as they are,
// so that no output schema is inferred.
func describesItself(out reflect.Type) bool {
	switch out {
	case reflect.TypeFor[string](), reflect.TypeFor[Content](), reflect.TypeFor[[]Content](),
		reflect.TypeFor[ToolResult](), reflect.TypeFor[*ToolResult](), reflect.TypeFor[any]():
		return true
	}
	return false
}

// invoke decodes the arguments, which the input schema has accepted, runs the
// handler and hands over its result (groups 14 and 15).
func (t *tool[In, Out]) invoke(ctx context.Context, c *dispatch.Call, result *wire.CallResult) error {
	var in In
	if err := schema.Decode(t.input, c.Arguments(), &in); err != nil {
		return err
	}
	out, err := t.handler(ctx, Call{c}, in)
	if err != nil {
		return outcomeOf(err, result)
	}
	return put(&out, c, result)
}

// outcomeOf sorts what a tool's handler returned as an error (decision 31).
func outcomeOf(err error, result *wire.CallResult) error {
	if text, ok := errors.AsType[ToolError](err); ok {
		result.SetText(string(text))
		result.IsError = true
		return nil
	}
	return refusalOf(err)
}

// refusalOf turns an *Error into what the dispatcher sends; other errors stay
// as they are.
func refusalOf(err error) error {
	authored, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	f, bad := authored.failure()
	if bad != nil {
		return bad
	}
	return dispatch.Refuse(f)
}

// put hands over a handler's value. It takes a pointer to the value because
// looking at its type then costs no allocation.
func put(out any, c *dispatch.Call, result *wire.CallResult) error {
	switch v := out.(type) {
	case *string:
		result.SetText(*v)
		return nil
	case *Content:
		result.Content = []Content{*v}
		return nil
	case *[]Content:
		if *v == nil {
			return dispatch.ErrNoResult
		}
		result.Content = *v
		return nil
	case *ToolResult:
		return putToolResult(v, c, result)
	case **ToolResult:
		if *v == nil {
			return dispatch.ErrNoResult
		}
		return putToolResult(*v, c, result)
	case *any:
		switch v := (*v).(type) {
		case nil:
			return dispatch.ErrNoResult
		case string:
			return put(&v, c, result)
		case Content:
			return put(&v, c, result)
		case []Content:
			return put(&v, c, result)
		case ToolResult:
			return put(&v, c, result)
		case *ToolResult:
			return put(&v, c, result)
		}
	}
	v := reflect.ValueOf(out).Elem()
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return dispatch.ErrNoResult
	}
	c.SetStructured(out)
	return nil
}

func putToolResult(v *ToolResult, c *dispatch.Call, result *wire.CallResult) error {
	if v.Content == nil && v.Structured == nil && !v.IsError {
		return dispatch.ErrNoResult
	}
	result.Content, result.IsError = v.Content, v.IsError
	if v.Structured != nil {
		c.SetStructured(v.Structured)
	}
	if v.Meta != nil {
		meta, err := schema.Encode(v.Meta)
		if err != nil {
			return fmt.Errorf("result metadata: %w", err)
		}
		result.Meta = meta
	}
	return nil
}
