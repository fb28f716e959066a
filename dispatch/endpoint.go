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
	CatalogTTL   time.Duration
	CatalogScope wire.CacheScope

	served     wire.RevisionSet
	supported  []byte // {"supported":[…]}, the data of a refused initialize
	allow      string // of a 405
	projection wire.Projection
	operations map[string]*Operation
	tools      map[string]*Tool
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
	e.tools = make(map[string]*Tool, len(e.Tools))
	descriptors := make([]wire.Tool, len(e.Tools))
	for i, t := range e.Tools {
		e.tools[t.Descriptor.Name] = t
		descriptors[i] = t.Descriptor
	}
	capabilities := wire.Capabilities{Tools: len(e.Tools) > 0}
	e.operations = map[string]*Operation{
		"server/discover": {
			method: "server/discover",
			static: wire.AppendDiscover(nil, e.served, capabilities, e.Instructions, e.CatalogTTL, e.CatalogScope, &e.projection),
		},
	}
	if capabilities.Tools {
		e.operations["tools/list"] = &Operation{
			method: "tools/list", structure: (*exchange).listStructure, target: (*exchange).listTarget,
			static: wire.AppendToolList(nil, descriptors, e.CatalogTTL, e.CatalogScope, &e.projection),
		}
		e.operations["tools/call"] = &Operation{
			method: "tools/call", named: "name", structure: (*exchange).callStructure, target: (*exchange).callTarget,
		}
	}
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

// callTarget: the tool exists (TL-02).
func (x *exchange) callTarget() *wire.Failure {
	x.call.tool = x.endpoint.tools[view(x.call.name.Text(x.doc))]
	if x.call.tool == nil {
		return x.fail(wire.UnknownTarget)
	}
	return nil
}
