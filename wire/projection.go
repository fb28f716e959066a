package wire

// A Projection is how results look on a revision: what differs between eras
// in one place.
type Projection struct {
	Revision Revision
	// ServerInfo is the server's Implementation as JSON, in every result of
	// 2026-07-28 (decision 17).
	ServerInfo []byte
}

func (p *Projection) modern() bool { return p.Revision >= V20260728 }

// appendOpening appends a result's brace and, where it has one, its type.
func (p *Projection) appendOpening(dst []byte) []byte {
	if p.modern() {
		return append(dst, `{"resultType":"complete",`...)
	}
	return append(dst, '{')
}

const serverInfoKey = "io.modelcontextprotocol/serverInfo"

// appendMeta appends a result's last member, preceded by a comma: _meta with
// the server's name and what the application added. The name of the server is
// not the application's to change.
func (p *Projection) appendMeta(dst, app []byte) []byte {
	object := rootOf(app)
	if !p.modern() {
		if object.Kind != Object {
			return dst
		}
		return AppendCompact(append(dst, `,"_meta":`...), app)
	}
	dst = append(append(dst, `,"_meta":{"`+serverInfoKey+`":`...), p.ServerInfo...)
	Members(app, object, func(key, value Value) bool {
		if key.Is(app, serverInfoKey) {
			return true
		}
		dst = AppendCompact(append(dst, ','), key.Span.Of(app))
		dst = AppendCompact(append(dst, ':'), value.Span.Of(app))
		return true
	})
	return append(dst, '}')
}

// rootOf returns the value that a valid document is.
func rootOf(doc []byte) Value {
	for i, c := range doc {
		if c > ' ' {
			return Value{Span: Span{int32(i), int32(len(doc))}, Kind: kindOf(c)}
		}
	}
	return Value{}
}
