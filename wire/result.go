package wire

import "errors"

// A Content is one block of a tool's result. This release has text blocks.
type Content struct{ text string }

// TextContent returns a text block.
func TextContent(text string) Content { return Content{text: text} }

// Text returns the text of a block.
func (c Content) Text() string { return c.text }

func appendContent(dst []byte, c *Content) []byte {
	return append(AppendString(append(dst, `{"type":"text","text":`...), c.text), '}')
}

// A CallResult is the result of tools/call.
type CallResult struct {
	Content    []Content
	Structured []byte // JSON; nil is absent
	IsError    bool
	Meta       []byte // a JSON object of the application's, or nil
	inline     [1]Content
}

// SetText makes the content one text block. It does not allocate; r must not
// be copied afterwards.
func (r *CallResult) SetText(text string) {
	r.inline[0] = Content{text: text}
	r.Content = r.inline[:]
}

// A Projection is how results look on a revision: what differs between eras
// in one place.
type Projection struct {
	Revision Revision
	// ServerInfo is the server's Implementation as JSON, in every result of
	// 2026-07-28 (decision 17).
	ServerInfo []byte
}

func (p *Projection) modern() bool { return p.Revision >= V20260728 }

const metaServerInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":`

// appendMeta appends a result's last member: _meta with the server's name and
// what the application added, preceded by a comma.
func (p *Projection) appendMeta(dst, app []byte) []byte {
	if !p.modern() {
		if app == nil {
			return dst
		}
		return AppendCompact(append(dst, `,"_meta":`...), app)
	}
	dst = append(append(append(dst, ','), metaServerInfo...), p.ServerInfo...)
	Members(app, Value{Span: Span{End: int32(len(app))}, Kind: metaKind(app)}, func(key, value Value) bool {
		if key.Is(app, "io.modelcontextprotocol/serverInfo") {
			return true
		}
		dst = AppendCompact(append(dst, ','), key.Span.Of(app))
		dst = AppendCompact(append(dst, ':'), value.Span.Of(app))
		return true
	})
	return append(dst, '}')
}

func metaKind(app []byte) Kind {
	if len(app) == 0 || app[0] != '{' {
		return Absent
	}
	return Object
}

// AppendResult appends the response that carries a result, which is an object
// on one line.
func AppendResult(dst []byte, id ID, result []byte) []byte {
	dst = appendHead(dst, id)
	return append(append(dst, result...), '}')
}

func appendHead(dst []byte, id ID) []byte {
	dst = AppendID(append(dst, `{"jsonrpc":"2.0","id":`...), id)
	return append(dst, `,"result":`...)
}

// AppendCallResult appends the response to tools/call.
func AppendCallResult(dst []byte, id ID, r *CallResult, p *Projection) []byte {
	dst = appendHead(dst, id)
	if p.modern() {
		dst = append(dst, `{"resultType":"complete","content":[`...)
	} else {
		dst = append(dst, `{"content":[`...)
	}
	for i := range r.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendContent(dst, &r.Content[i])
	}
	dst = append(dst, ']')
	if r.Structured != nil {
		dst = AppendCompact(append(dst, `,"structuredContent":`...), r.Structured)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return append(p.appendMeta(dst, r.Meta), "}}"...)
}

// maxDocument bounds a result, in bytes (soklet-notes section 2).
const maxDocument = 4 << 20

// Why a result is not sent (decision 52).
var (
	errLongText  = errors.New("result: a text is longer than the bound")
	errLarge     = errors.New("result: larger than 4 MiB")
	errMetaShape = errors.New("result: _meta is not an object with valid keys")
)

// CheckCallResult reports what of a result is out of bounds. Structured content
// and metadata must be JSON; CheckResult is run on them, too.
func CheckCallResult(r *CallResult, b *Bounds) error {
	total := len(r.Structured) + len(r.Meta)
	for i := range r.Content {
		text := r.Content[i].text
		if len(text) > b.String && utf16Length(text) > b.String {
			return errLongText
		}
		total += len(text)
	}
	if r.Structured != nil {
		if err := CheckResult(r.Structured, b); err != nil {
			return err
		}
	}
	if r.Meta != nil {
		if err := CheckResult(r.Meta, b); err != nil {
			return err
		}
		if err := checkMeta(r.Meta); err != nil {
			return err
		}
	}
	if total > maxDocument {
		return errLarge
	}
	return nil
}

func checkMeta(meta []byte) error {
	ok := metaKind(meta) == Object
	if ok {
		Members(meta, Value{Span: Span{End: int32(len(meta))}, Kind: Object}, func(key, _ Value) bool {
			ok = ValidMetaKey(key.Text(meta))
			return ok
		})
	}
	if !ok {
		return errMetaShape
	}
	return nil
}

// CheckResult reports what of a JSON text that an application made is not
// strict JSON within the bounds (decision 52).
func CheckResult(raw []byte, b *Bounds) error {
	if len(raw) > maxDocument {
		return errLarge
	}
	var s scanner
	var room [32]keyEntry
	s.keys.entries = room[:0]
	s.reset(raw, b)
	return s.run(nil)
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}
