package dispatch

import (
	"time"

	"github.com/troupe-mcp/troupe/wire"
)

// An Endpoint is what one path serves, compiled: registrations in, rendered
// answers and look-up tables out. It is immutable once Build has returned.
type Endpoint struct {
	Path         string
	Served       wire.RevisionSet
	Info         wire.Implementation
	Instructions string
	Tools        []*Tool
	Prompts      []*Prompt
	Resources    []*Resource     // exact ones
	Templates    []*Resource     // in the order in which they are tried
	Lister       *ResourceLister // answers resources/list; nil for the static catalog
	Completers   []Completion
	CatalogTTL   time.Duration
	CatalogScope wire.CacheScope

	served     wire.RevisionSet
	supported  []byte // {"supported":[…]}, the data of a refused initialize
	allow      string // of a 405
	projection wire.Projection
	operations map[string]*Operation
	tools      map[string]*Tool
	prompts    map[string]*Prompt
	resources  map[string]*Resource
	templates  map[string]*Resource
}

// A Completion puts a completer in its place: exactly one of Prompt and
// Template is named.
type Completion struct {
	Prompt, Template string
	Argument         string
	Completer        *Completer
}

// An Operation is a method that an endpoint serves.
type Operation struct {
	method string
	// named is the member of params that Mcp-Name mirrors; empty for methods
	// that name nothing.
	named string
	// structure is the method's own part of group 10, target that of group 11.
	structure func(*exchange) *wire.Failure
	target    func(*exchange) *wire.Failure
	// static is the result of a method that the framework answers itself,
	// rendered once; nil where a handler runs.
	static []byte
}

// Method labels of methods that no endpoint serves (soklet-notes section 4).
const unrecognized = "<unrecognized>"

// Build renders what does not depend on the caller.
func (e *Endpoint) Build() {
	e.served = e.Served
	e.allow = "POST"
	e.supported = wire.SupportedData(e.served)
	e.projection = wire.Projection{Revision: wire.V20260728, ServerInfo: wire.AppendImplementation(nil, &e.Info)}
	e.operations = make(map[string]*Operation)
	capabilities := wire.Capabilities{
		Tools: e.serveTools(), Prompts: e.servePrompts(), Resources: e.serveResources(), Completions: e.serveCompletions(),
	}
	e.serve(&Operation{
		method: "server/discover",
		static: wire.AppendDiscover(nil, e.served, capabilities, e.Instructions, e.CatalogTTL, e.CatalogScope, &e.projection),
	})
}

func (e *Endpoint) serve(o *Operation) { e.operations[o.method] = o }

// serveTools adds the operations of tools, if there are any.
func (e *Endpoint) serveTools() bool {
	if len(e.Tools) == 0 {
		return false
	}
	e.tools = make(map[string]*Tool, len(e.Tools))
	descriptors := make([]wire.Tool, len(e.Tools))
	for i, t := range e.Tools {
		e.tools[t.Descriptor.Name] = t
		descriptors[i] = t.Descriptor
	}
	e.serve(&Operation{
		method: "tools/list", structure: (*exchange).listStructure, target: (*exchange).listTarget,
		static: wire.AppendToolList(nil, descriptors, e.CatalogTTL, e.CatalogScope, &e.projection),
	})
	e.serve(&Operation{
		method: "tools/call", named: "name", structure: (*exchange).callStructure, target: (*exchange).callTarget,
	})
	return true
}

// servePrompts is serveTools for prompts.
func (e *Endpoint) servePrompts() bool {
	if len(e.Prompts) == 0 {
		return false
	}
	e.prompts = make(map[string]*Prompt, len(e.Prompts))
	descriptors := make([]wire.Prompt, len(e.Prompts))
	for i, p := range e.Prompts {
		e.prompts[p.Descriptor.Name] = p
		descriptors[i] = p.Descriptor
	}
	e.serve(&Operation{
		method: "prompts/list", structure: (*exchange).listStructure, target: (*exchange).listTarget,
		static: wire.AppendPromptList(nil, descriptors, e.CatalogTTL, e.CatalogScope, &e.projection),
	})
	e.serve(&Operation{
		method: "prompts/get", named: "name", structure: (*exchange).promptStructure, target: (*exchange).promptTarget,
	})
	return true
}

// serveResources is serveTools for resources, templates and the list handler.
func (e *Endpoint) serveResources() bool {
	if len(e.Resources) == 0 && len(e.Templates) == 0 && e.Lister == nil {
		return false
	}
	e.resources = make(map[string]*Resource, len(e.Resources))
	e.templates = make(map[string]*Resource, len(e.Templates))
	resources := make([]wire.Resource, len(e.Resources))
	for i, r := range e.Resources {
		e.resources[r.Descriptor.URI] = r
		resources[i] = r.Descriptor
	}
	templates := make([]wire.ResourceTemplate, len(e.Templates))
	for i, r := range e.Templates {
		e.templates[r.Template.URITemplate] = r
		templates[i] = *r.Template
	}
	list := &Operation{method: "resources/list", structure: (*exchange).listStructure, target: (*exchange).listTarget}
	if e.Lister != nil {
		list.target = (*exchange).listerTarget
	} else {
		list.static = wire.AppendResourceList(nil, &wire.ResourcePage{Resources: resources, TTL: e.CatalogTTL, Scope: e.CatalogScope}, &e.projection)
	}
	e.serve(list)
	e.serve(&Operation{
		method: "resources/templates/list", structure: (*exchange).listStructure, target: (*exchange).listTarget,
		static: wire.AppendTemplateList(nil, templates, e.CatalogTTL, e.CatalogScope, &e.projection),
	})
	e.serve(&Operation{method: "resources/read", named: "uri", target: (*exchange).readTarget})
	return true
}

// serveCompletions hangs the completers on their targets and adds the
// operation, if there are any (C-02, C-03).
func (e *Endpoint) serveCompletions() bool {
	for _, c := range e.Completers {
		var completers *map[string]*Completer
		if c.Prompt != "" {
			completers = &e.prompts[c.Prompt].completers
			c.Completer.name = "prompt " + c.Prompt + ", argument " + c.Argument
		} else {
			completers = &e.templates[c.Template].completers
			c.Completer.name = "template " + c.Template + ", variable " + c.Argument
		}
		if *completers == nil {
			*completers = make(map[string]*Completer)
		}
		(*completers)[c.Argument] = c.Completer
	}
	if len(e.Completers) == 0 {
		return false
	}
	e.serve(&Operation{
		method: "completion/complete", structure: (*exchange).completionStructure, target: (*exchange).completionTarget,
	})
	return true
}

func (e *Endpoint) operation(method wire.Value, doc []byte) *Operation {
	return e.operations[view(method.Text(doc))]
}

// listStructure: a cursor is a string.
func (x *exchange) listStructure() *wire.Failure {
	if cursor := x.message.Param("cursor"); cursor.Kind != wire.Absent && cursor.Kind != wire.String {
		return x.fail(wire.InvalidParams)
	}
	return nil
}

// listTarget: a catalog of this revision is one page, so no cursor is valid
// (D-11, D-12).
func (x *exchange) listTarget() *wire.Failure {
	if x.message.Param("cursor").Kind != wire.Absent {
		return x.fail(wire.InvalidParams)
	}
	return nil
}

// callStructure: arguments are an object, where they are present.
func (x *exchange) callStructure() *wire.Failure {
	arguments := x.message.Param("arguments")
	if arguments.Kind != wire.Absent && arguments.Kind != wire.Object {
		return x.fail(wire.InvalidParams)
	}
	x.call.arguments = arguments
	return nil
}

// callTarget: the tool exists (TL-02), and the caller can what it needs.
func (x *exchange) callTarget() *wire.Failure {
	t := x.endpoint.tools[view(x.call.name.Text(x.doc))]
	if t == nil {
		return x.fail(wire.UnknownTarget)
	}
	x.call.target = t
	if f := x.retryShape(); f != nil {
		return f
	}
	return x.requires(&t.Requires)
}
