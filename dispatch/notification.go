package dispatch

import "github.com/troupe-mcp/troupe/wire"

// The groups of a notification after its classification. Their failures have
// no body (P-40).

// notificationSelector: exactly one well-formed revision that is served (P-29,
// P-30).
func (x *exchange) notificationSelector() *wire.Failure {
	framing := frameOf(&x.front.Head().ProtocolVersion)
	if framing.form != versionKnown || !x.endpoint.served.Has(framing.revision) {
		return x.fail(wire.InvalidRequest)
	}
	x.call.revision = framing.revision
	return nil
}

// notificationMetadata: _meta, where there is one, is valid; not looked at for
// notifications/cancelled (P-31, P-35).
func (x *exchange) notificationMetadata() *wire.Failure {
	if x.isCancelled() {
		return nil
	}
	params := x.message.Params()
	if params.Kind == wire.Absent {
		return nil
	}
	meta := x.message.Param("_meta")
	if meta.Kind == wire.Absent {
		return nil
	}
	version := x.message.Meta(metaProtocolVersion)
	switch {
	case meta.Kind != wire.Object || !x.validMeta(),
		version.Kind != wire.Absent && !version.Is(x.doc, x.call.revision.String()):
		return x.fail(wire.InvalidParams)
	}
	return nil
}

// notificationAdmission: admission and the request limiter; neither is
// configured.
func (x *exchange) notificationAdmission() *wire.Failure { return nil }

// notificationMethod: notifications/cancelled is acknowledged and has no
// effect (CX-01, decisions 26, 53); this revision has no other that a client
// may send (P-32).
func (x *exchange) notificationMethod() *wire.Failure {
	if x.isCancelled() {
		return nil
	}
	return x.fail(wire.InvalidRequest)
}

func (x *exchange) isCancelled() bool { return x.message.Method().Is(x.doc, "notifications/cancelled") }
