package dispatch

import "github.com/troupe-mcp/troupe/wire"

// The keys of _meta that this revision defines (spec section 5).
const (
	metaProtocolVersion = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities    = "io.modelcontextprotocol/clientCapabilities"
	metaClientInfo      = "io.modelcontextprotocol/clientInfo"
	metaLogLevel        = "io.modelcontextprotocol/logLevel"
	metaProgressToken   = "progressToken"
)

// validMeta checks the members of _meta: the grammar of their keys, and the
// types of those that the revision defines (V-50 to V-56, V-63). Values under
// unknown keys are the application's.
func (x *exchange) validMeta() bool {
	ok := true
	x.message.EachMeta(func(key, value wire.Value) bool {
		name := key.Text(x.doc)
		switch view(name) {
		case metaProtocolVersion:
		case metaCapabilities:
			ok = validCapabilities(x.doc, value)
		case metaClientInfo:
			ok = validImplementation(x.doc, value)
		case metaLogLevel:
			ok = validLogLevel(x.doc, value)
		case metaProgressToken:
			ok = value.Kind == wire.String || wire.IsInteger(x.doc, value)
		case "traceparent", "tracestate", "baggage":
			ok = value.Kind == wire.String
		default:
			ok = wire.ValidMetaKey(name)
		}
		return ok
	})
	return ok
}

// validImplementation checks clientInfo: name and version are strings, blank
// ones included.
func validImplementation(doc []byte, value wire.Value) bool {
	if value.Kind != wire.Object {
		return false
	}
	var name, version wire.Kind
	wire.Members(doc, value, func(key, member wire.Value) bool {
		switch {
		case key.Is(doc, "name"):
			name = member.Kind
		case key.Is(doc, "version"):
			version = member.Kind
		}
		return true
	})
	return name == wire.String && version == wire.String
}

func validLogLevel(doc []byte, value wire.Value) bool {
	if value.Kind != wire.String {
		return false
	}
	switch view(value.Text(doc)) {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return true
	}
	return false
}

// validCapabilities checks the members that the revision defines; unknown ones
// are ignored (decision 80).
func validCapabilities(doc []byte, capabilities wire.Value) bool {
	ok := capabilities.Kind == wire.Object
	if !ok {
		return false
	}
	wire.Members(doc, capabilities, func(key, value wire.Value) bool {
		switch view(key.Text(doc)) {
		case "elicitation", "sampling":
			ok = objectOfObjects(doc, value, nil)
		case "roots":
			ok = value.Kind == wire.Object
		case "experimental":
			ok = objectOfObjects(doc, value, nil)
		case "extensions":
			ok = objectOfObjects(doc, value, wire.ValidExtensionID)
		}
		return ok
	})
	return ok
}

// objectOfObjects reports whether a value is an object whose members are
// objects, with keys that valid accepts when it is given.
func objectOfObjects(doc []byte, value wire.Value, valid func([]byte) bool) bool {
	ok := value.Kind == wire.Object
	if !ok {
		return false
	}
	wire.Members(doc, value, func(key, member wire.Value) bool {
		ok = member.Kind == wire.Object && (valid == nil || valid(key.Text(doc)))
		return ok
	})
	return ok
}
