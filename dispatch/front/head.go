package front

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// A Field is what a request's head says under one field name.
type Field struct {
	// Value is the first field line's value without optional whitespace around
	// it; nil when the field is absent. It is a view into the request and valid
	// only inside Handler.Serve.
	Value []byte
	// Count is the number of field lines.
	Count int
}

// Head is what the pipeline reads from a request's head. Field names are
// matched without case, values are left as they were sent.
//
// Fields whose repetition is a fault of the head (decision 64) have a Count of
// at most 1 here: Host, Content-Type, Content-Length, Transfer-Encoding,
// Authorization, Origin, Expect and Access-Control-Request-Method. The Mcp
// fields may be repeated, which is a later group's fault; the rest are lists
// whose lines [Exchange.Values] gives.
type Head struct {
	ProtocolVersion Field // MCP-Protocol-Version
	McpMethod       Field // Mcp-Method
	McpName         Field // Mcp-Name
	SessionID       Field // Mcp-Session-Id
	LastEventID     Field // Last-Event-ID

	Host             Field
	Origin           Field
	Authorization    Field
	Accept           Field
	AcceptLanguage   Field
	ContentType      Field
	ContentEncoding  Field
	ContentLength    Field
	TransferEncoding Field
	Expect           Field

	// Of a CORS preflight.
	RequestMethod  Field // Access-Control-Request-Method
	RequestHeaders Field // Access-Control-Request-Headers

	Params int // number of Mcp-Param-* field lines
	Fields int // number of field lines in all
}

// scan reads a header section: field lines ended by CRLF, closed by an empty
// line. It reports whether the section is well formed: no folding, no bare CR
// or LF, names that are tokens with the colon right behind them, and values
// without control bytes other than tab. h must be zero.
func (h *Head) scan(section []byte) bool {
	for len(section) > 0 {
		name, value, rest, ok := nextLine(section)
		if !ok {
			return false
		}
		if name == nil {
			return len(rest) == 0
		}
		section = rest
		h.Fields++
		if f := h.field(name); f != nil {
			if f.Count == 0 {
				f.Value = value
			}
			f.Count++
		}
	}
	return h.Fields == 0 // an absent section is fine, an unfinished one is not
}

// nextLine cuts one field line off a header section. The line that ends the
// section has a nil name.
func nextLine(section []byte) (name, value, rest []byte, ok bool) {
	end := bytes.IndexByte(section, '\n')
	if end < 1 || section[end-1] != '\r' {
		return nil, nil, nil, false
	}
	line, rest := section[:end-1], section[end+1:]
	if len(line) == 0 {
		return nil, nil, rest, true
	}
	colon := 0
	for colon < len(line) && tokenByte[line[colon]] {
		colon++
	}
	if colon == 0 || colon == len(line) || line[colon] != ':' {
		return nil, nil, nil, false
	}
	value = trim(line[colon+1:])
	return line[:colon], value, rest, printable(value)
}

// field returns where the named field is kept, nil for names that nobody asks
// for.
func (h *Head) field(name []byte) *Field {
	switch name[0] | 0x20 {
	case 'a':
		switch len(name) {
		case len("accept"):
			return h.match(name, "accept", &h.Accept)
		case len("authorization"):
			return h.match(name, "authorization", &h.Authorization)
		case len("accept-language"):
			return h.match(name, "accept-language", &h.AcceptLanguage)
		case len("access-control-request-method"):
			return h.match(name, "access-control-request-method", &h.RequestMethod)
		case len("access-control-request-headers"):
			return h.match(name, "access-control-request-headers", &h.RequestHeaders)
		}
	case 'c':
		switch len(name) {
		case len("content-type"):
			return h.match(name, "content-type", &h.ContentType)
		case len("content-length"):
			return h.match(name, "content-length", &h.ContentLength)
		case len("content-encoding"):
			return h.match(name, "content-encoding", &h.ContentEncoding)
		}
	case 'e':
		return h.match(name, "expect", &h.Expect)
	case 'h':
		return h.match(name, "host", &h.Host)
	case 'l':
		return h.match(name, "last-event-id", &h.LastEventID)
	case 'm':
		return h.mcpField(name)
	case 'o':
		return h.match(name, "origin", &h.Origin)
	case 't':
		return h.match(name, "transfer-encoding", &h.TransferEncoding)
	}
	return nil
}

func (h *Head) mcpField(name []byte) *Field {
	switch len(name) {
	case len("mcp-name"):
		return h.match(name, "mcp-name", &h.McpName)
	case len("mcp-method"): // as long as the prefix below
		if equalFold(name, "mcp-method") {
			return &h.McpMethod
		}
	case len("mcp-session-id"):
		if equalFold(name, "mcp-session-id") {
			return &h.SessionID
		}
	case len("mcp-protocol-version"):
		if equalFold(name, "mcp-protocol-version") {
			return &h.ProtocolVersion
		}
	}
	if len(name) >= len(paramPrefix) && equalFold(name[:len(paramPrefix)], paramPrefix) {
		h.Params++
	}
	return nil
}

const paramPrefix = "mcp-param-"

func (h *Head) match(name []byte, want string, f *Field) *Field {
	if equalFold(name, want) {
		return f
	}
	return nil
}

// fieldsOf walks the field lines of a header section up to the first bad one.
func fieldsOf(section []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for len(section) > 0 {
			name, value, rest, ok := nextLine(section)
			if !ok || name == nil || !yield(name, value) {
				return
			}
			section = rest
		}
	}
}

// equalFold compares a token with a lower-case name of letters and hyphens.
func equalFold(token []byte, lower string) bool {
	if len(token) != len(lower) {
		return false
	}
	for i, c := range token {
		// Among the bytes of a token only a letter's other case maps onto it.
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}

// equalToken compares two texts without regard to ASCII case.
func equalToken[T ~string | ~[]byte](a []byte, b T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if lower(c) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// trim takes optional whitespace (RFC 9110 section 5.6.3) off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// printable reports whether a field value has no control byte but tab
// (RFC 9110 section 5.5). It looks at eight bytes at a time.
func printable(value []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	rest := value
	for len(rest) >= 8 {
		w := binary.LittleEndian.Uint64(rest)
		small := (w - 0x20*ones) & ^w                      // high bit where a byte is below 0x20
		del := ((w ^ 0x7f*ones) - ones) & ^(w ^ 0x7f*ones) // … or is 0x7f
		if (small|del)&high != 0 && !printableSlow(rest[:8]) {
			return false
		}
		rest = rest[8:]
	}
	return printableSlow(rest)
}

func printableSlow(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// tokenByte holds the bytes of a token (RFC 9110 section 5.6.2).
var tokenByte = byteSet("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

func byteSet(members string) (set [256]bool) {
	for i := range len(members) {
		set[members[i]] = true
	}
	return set
}
