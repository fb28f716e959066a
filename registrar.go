package troupe

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A registrar compiles an endpoint's registrations and collects every fault
// with its path, so that NewServer reports all of them at once.
type registrar struct {
	path     string // such as Config.Endpoints[0].Features[2]
	versions []ProtocolVersion
	served   wire.RevisionSet
	endpoint *dispatch.Endpoint
	names    map[[2]string]string // kind and name → path of the registration
	later    []func()             // checks that need everything to be registered
	faults   []error
}

func (r *registrar) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf("%s: %w", r.path, fmt.Errorf(format, args...)))
}

// enter registers a feature under its place in the list.
func (r *registrar) enter(format string, i int, f Feature) {
	outer := r.path
	r.path += "." + fmt.Sprintf(format, i)
	if f == nil {
		r.fault("nil feature")
	} else {
		f.register(r)
	}
	r.path = outer
}

// revisions checks what a feature selects: its own list, or that of the
// enclosing For (decision 45, V-04, V-08). One revision is served, so that what
// is selected is also what is listed.
func (r *registrar) revisions(own []ProtocolVersion, noun string) {
	if len(own) == 0 {
		own = r.versions
	}
	if len(own) == 0 {
		r.fault("%s: names no protocol version; set Versions, or wrap it in troupe.For", noun)
	}
	for _, v := range own {
		if r.served != 0 && !r.served.Has(v.revision) {
			r.fault("%s: version %s is not one of the endpoint's", noun, v)
		}
	}
}

// unique notes a registration and reports a second one of the same name.
func (r *registrar) unique(kind, name string) {
	key := [2]string{kind, name}
	if first, ok := r.names[key]; ok {
		r.fault("%s %q: registered twice, first as %s", kind, name, first)
		return
	}
	r.names[key] = r.path
}

// meta encodes an application's metadata.
func (r *registrar) meta(meta map[string]any, noun string) []byte {
	if len(meta) == 0 {
		return nil
	}
	for key := range meta {
		if !wire.ValidMetaKey([]byte(key)) {
			r.fault("%s: %q is no key of _meta", noun, key)
		}
	}
	text, err := schema.Encode(meta)
	if err == nil {
		err = wire.CheckResult(text, &wire.DefaultBounds)
	}
	if err != nil {
		r.fault("%s: Meta: %w", noun, err)
	}
	return text
}

// A stringField is a field of a struct whose fields are all strings.
type stringField struct {
	name, description string
	required          bool
}

// strings compiles a struct whose fields are strings, or pointers to strings:
// the arguments of a prompt, the variables of a template.
func (r *registrar) strings(t reflect.Type, noun string) ([]stringField, *schema.Program) {
	if t.Kind() != reflect.Struct {
		r.fault("%s: type %s is not a struct", noun, t)
		return nil, nil
	}
	compiled := r.schema(nil, t, noun, true)
	if compiled.program == nil {
		return nil, nil
	}
	var shape struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(compiled.text, &shape); err != nil {
		r.fault("%s: %w", noun, err)
		return nil, nil
	}
	var fields []stringField
	wire.Members(shape.Properties, objectOf(shape.Properties), func(key, value wire.Value) bool {
		name := string(key.Text(shape.Properties))
		var property struct {
			Type        any
			Description string
		}
		err := json.Unmarshal(value.Span.Of(shape.Properties), &property)
		if err != nil || !isString(property.Type) {
			r.fault("%s: field %q is not a string", noun, name)
			return true
		}
		fields = append(fields, stringField{name, property.Description, slices.Contains(shape.Required, name)})
		return true
	})
	return fields, compiled.program
}

// isString reports whether a schema's type is that of a string or a pointer to
// one.
func isString(t any) bool {
	switch t := t.(type) {
	case string:
		return t == "string"
	case []any:
		return len(t) == 2 && slices.Contains(t, any("string")) && slices.Contains(t, any("null"))
	}
	return false
}

func objectOf(doc []byte) wire.Value {
	if len(doc) == 0 {
		return wire.Value{}
	}
	return wire.Value{Span: wire.Span{End: int32(len(doc))}, Kind: wire.Object}
}

// tool compiles a tool, or notes what is wrong with it and returns nil.
func (r *registrar) tool(info ToolInfo, in, out reflect.Type, describesItself bool) *dispatch.Tool {
	before := len(r.faults)
	noun := fmt.Sprintf("tool %q", info.Name)
	if !validToolName(info.Name) {
		r.fault("%s: a name is 1 to 128 characters of [A-Za-z0-9_.-]", noun)
	}
	r.unique("tool", info.Name)
	r.revisions(info.Versions, noun)
	input := r.schema(info.InputSchema, in, noun+": input schema", true)
	var output compiled
	if info.OutputSchema != nil || !describesItself {
		output = r.schema(info.OutputSchema, out, noun+": output schema", false)
	}
	if len(r.faults) > before {
		return nil
	}
	t := &dispatch.Tool{
		Descriptor: wire.Tool{
			Name: info.Name, Title: info.Title, Description: info.Description,
			InputSchema: input.text, OutputSchema: output.text, Annotations: info.Annotations,
			Icons: info.Icons, Meta: r.meta(info.Meta, noun),
		},
		Input: input.program, Output: output.program, Requires: info.Requires.compile(r, noun),
	}
	if len(r.faults) > before {
		return nil
	}
	r.endpoint.Tools = append(r.endpoint.Tools, t)
	return t
}

type compiled struct {
	text    []byte
	program *schema.Program
}

// schema compiles the schema written by hand, or infers one from the type.
func (r *registrar) schema(written []byte, t reflect.Type, noun string, input bool) compiled {
	text := written
	if text == nil {
		if input && t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
			if t.Kind() == reflect.Pointer {
				r.fault("%s: arguments of type %s: use %s", noun, t, t.Elem())
				return compiled{}
			}
			r.fault("%s: arguments of type %s cannot be a JSON object", noun, t)
			return compiled{}
		}
		inferred, err := schema.Infer(t)
		if err != nil {
			r.fault("%s: %w", noun, err)
			return compiled{}
		}
		text = inferred
	}
	compile := schema.CompileOutput
	if input {
		compile = schema.Compile
	}
	program, err := compile(text, schema.Limits{})
	if err != nil {
		r.fault("%s: %w", noun, err)
		return compiled{}
	}
	return compiled{text, program}
}

func validToolName(name string) bool {
	if name == "" || len(name) > 128 {
		return false
	}
	for _, c := range []byte(name) {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// compileEndpoint turns an Endpoint into what the dispatcher serves.
func compileEndpoint(e Endpoint, path string) (*dispatch.Endpoint, error) {
	r := &registrar{path: path, names: map[[2]string]string{}, endpoint: &dispatch.Endpoint{}}
	if e.Path == "" {
		e.Path = "/mcp"
	}
	if !validPath(e.Path) {
		r.fault("Path %q: must start with a slash, not be the root, and hold printable ASCII without ? and #", e.Path)
	}
	if blank(e.Info.Name) || blank(e.Info.Version) {
		r.fault("Info: Name and Version must not be blank")
	}
	if len(e.Versions) == 0 {
		r.fault("Versions: names no protocol version")
	}
	for _, v := range e.Versions {
		switch v {
		case V20260728:
			r.served = r.served.With(v.revision)
		case V20250618, V20251125:
			r.fault("Versions: %s is not served by this release, only %s", v, V20260728)
		default:
			r.fault("Versions: the zero ProtocolVersion")
		}
	}
	if e.CatalogTTL < 0 {
		r.fault("CatalogTTL: negative")
	}
	for i, f := range e.Features {
		r.enter("Features[%d]", i, f)
	}
	for _, check := range r.later {
		check()
	}
	if len(r.faults) > 0 {
		return nil, errors.Join(r.faults...)
	}
	compiled := r.endpoint
	compiled.Path, compiled.Served, compiled.Info, compiled.Instructions = e.Path, r.served, e.Info, e.Instructions
	compiled.CatalogTTL, compiled.CatalogScope = e.CatalogTTL, e.CatalogScope
	compiled.Build()
	return compiled, nil
}

func validPath(path string) bool {
	if len(path) < 2 || path[0] != '/' {
		return false
	}
	for _, c := range []byte(path) {
		if c <= ' ' || c > '~' || c == '?' || c == '#' {
			return false
		}
	}
	return true
}

func blank(s string) bool {
	for _, c := range s {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
