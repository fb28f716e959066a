package dispatch

import (
	"github.com/troupe-mcp/troupe/wire"
)

// Groups 5 to 10: what the message decides, without asking the application.

// parse is group 5: strict JSON within bounds.
func (x *exchange) parse() *wire.Failure {
	x.doc = x.front.Body()
	if err := x.message.Scan(x.doc, &x.pipeline.config.Bounds); err != nil {
		return x.fail(wire.ParseError)
	}
	return nil
}

// classify is group 6: one request or one notification.
func (x *exchange) classify() *wire.Failure {
	x.kind = x.message.Classify()
	if x.kind == wire.Invalid {
		return x.fail(wire.InvalidRequest)
	}
	x.operation = x.endpoint.operation(x.message.Method(), x.doc)
	return nil
}

// mirrors is group 7: which revision frames the request, and whether the
// mirrored headers agree with the message (precedence section 0; V-11 to V-16).
func (x *exchange) mirrors() *wire.Failure {
	head := x.front.Head()
	framing := frameOf(&head.ProtocolVersion)
	if x.message.Method().Is(x.doc, "initialize") {
		return x.refuseInitialize(framing)
	}
	switch framing.form {
	case versionAbsent, versionMalformed:
		return x.fail(wire.HeaderMismatch)
	case versionKnown:
		if framing.revision < wire.V20260728 {
			return x.unsupported(head.ProtocolVersion.Value)
		}
	}
	if !x.methodAgrees() || !x.nameAgrees() {
		return x.fail(wire.HeaderMismatch)
	}
	return nil
}

// methodAgrees reports whether Mcp-Method is there once and equals the method.
func (x *exchange) methodAgrees() bool {
	field := &x.front.Head().McpMethod
	return field.Count == 1 && x.message.Method().Is(x.doc, view(field.Value))
}

// nameAgrees reports whether Mcp-Name mirrors what the message names, and is
// absent from served methods that name nothing (decisions 3, 35).
func (x *exchange) nameAgrees() bool {
	field := &x.front.Head().McpName
	if x.operation == nil {
		return true
	}
	if x.operation.named == "" {
		return field.Count == 0
	}
	if field.Count != 1 {
		return false
	}
	text, ok := wire.DecodeMirror(field.Value)
	if !ok {
		return false
	}
	name := x.message.Param(x.operation.named)
	// A name that is no string fails in group 10.
	return name.Kind != wire.String || name.Is(x.doc, view(text))
}

// refuseInitialize answers the method that this revision no longer has, naming
// the revisions that are served (decisions 22, 34; V-20, V-21).
func (x *exchange) refuseInitialize(framing framing) *wire.Failure {
	head := x.front.Head()
	modern := framing.form == versionKnown && framing.revision == wire.V20260728 && x.methodAgrees() &&
		x.message.Meta(metaProtocolVersion).Is(x.doc, framing.revision.String())
	if modern {
		return x.failWith(wire.MethodNotFound, x.endpoint.supported)
	}
	requested := head.ProtocolVersion.Value
	if framing.form == versionAbsent {
		if v := x.message.Param("protocolVersion"); v.Kind == wire.String {
			requested = v.Text(x.doc)
		}
	}
	return x.unsupported(requested)
}

// unsupported is the failure of a revision that the endpoint does not serve.
func (x *exchange) unsupported(requested []byte) *wire.Failure {
	return x.failWith(wire.UnsupportedVersion, wire.UnsupportedVersionData(x.endpoint.served, requested))
}

// selector is group 8: the revision is one that the endpoint serves (P-10).
func (x *exchange) selector() *wire.Failure {
	framing := frameOf(&x.front.Head().ProtocolVersion)
	if framing.form != versionKnown || !x.endpoint.served.Has(framing.revision) {
		return x.unsupported(x.front.Head().ProtocolVersion.Value)
	}
	x.call.revision = framing.revision
	return nil
}

// metadata is group 9: the _meta that the revision requires, then its
// agreement with the version header (P-12, P-54).
func (x *exchange) metadata() *wire.Failure {
	meta := x.message.Param("_meta")
	if x.message.Params().Kind != wire.Object || meta.Kind != wire.Object {
		return x.fail(wire.InvalidParams)
	}
	version := x.message.Meta(metaProtocolVersion)
	if version.Kind != wire.String || x.message.Meta(metaCapabilities).Kind != wire.Object || !x.validMeta() {
		return x.fail(wire.InvalidParams)
	}
	if !version.Is(x.doc, x.call.revision.String()) {
		return x.fail(wire.HeaderMismatch)
	}
	x.call.client = x.message.Meta(metaClientInfo)
	x.call.capabilities = x.message.Meta(metaCapabilities)
	return nil
}

// structure is group 10: cheap checks of the parameters. An unknown method
// fails after admission (decision 11).
func (x *exchange) structure() *wire.Failure {
	if x.operation == nil {
		return nil
	}
	if named := x.operation.named; named != "" {
		name := x.message.Param(named)
		if name.Kind != wire.String {
			return x.fail(wire.InvalidParams)
		}
		x.call.name = name
	}
	if x.operation.structure != nil {
		return x.operation.structure(x)
	}
	return nil
}
