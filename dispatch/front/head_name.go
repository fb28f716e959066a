package front

import "encoding/binary"

// A name is the name of a field that matters, as it is recognized at the start
// of a field line: without case, and with the colon right behind it.
type name struct {
	text  string // lower-case letters and hyphens
	field func(*Head) *Field

	// What text and colon begin and end with, as words. Letters take the bit
	// that makes them lower-case before they are compared, so that nothing but
	// their other case is equal to them.
	first, firstFold, firstKeep uint64 // keep: of a text shorter than a word
	last, lastFold              uint64
	lastAt                      int // where last begins; 0 where first says it all
}

func newName(text string, field func(*Head) *Field) *name {
	n := &name{text: text, field: field}
	line := text + ":"
	for i := range min(8, len(line)) {
		n.first |= uint64(line[i]) << (8 * i)
		n.firstFold |= foldBit(line[i]) << (8 * i)
		n.firstKeep |= 0xff << (8 * i)
	}
	if n.lastAt = max(0, len(line)-8); n.lastAt > 0 {
		for i, c := range []byte(line[n.lastAt:]) {
			n.last |= uint64(c) << (8 * i)
			n.lastFold |= foldBit(c) << (8 * i)
		}
	}
	return n
}

func foldBit(c byte) uint64 {
	if 'a' <= c && c <= 'z' {
		return 0x20
	}
	return 0
}

// begins reports whether b begins with the name and a colon.
func (n *name) begins(b []byte) bool {
	if len(b) < n.lastAt+8 {
		return len(b) > len(n.text) && b[len(n.text)] == ':' && equalFold(b[:len(n.text)], n.text)
	}
	switch {
	case (binary.LittleEndian.Uint64(b)|n.firstFold)&n.firstKeep != n.first:
		return false
	case n.lastAt == 0:
		return true
	case binary.LittleEndian.Uint64(b[n.lastAt:])|n.lastFold != n.last:
		return false
	}
	return n.lastAt <= 8 || equalFold(b[8:n.lastAt], n.text[8:n.lastAt])
}

// names holds the names that matter under their first letter, in both cases.
var names = func() (by [256][]*name) {
	for _, n := range []*name{
		newName("accept", func(h *Head) *Field { return &h.Accept }),
		newName("accept-language", func(h *Head) *Field { return &h.AcceptLanguage }),
		newName("access-control-request-headers", func(h *Head) *Field { return &h.RequestHeaders }),
		newName("access-control-request-method", func(h *Head) *Field { return &h.RequestMethod }),
		newName("authorization", func(h *Head) *Field { return &h.Authorization }),
		newName("content-encoding", func(h *Head) *Field { return &h.ContentEncoding }),
		newName("content-length", func(h *Head) *Field { return &h.ContentLength }),
		newName("content-type", func(h *Head) *Field { return &h.ContentType }),
		newName("expect", func(h *Head) *Field { return &h.Expect }),
		newName("host", func(h *Head) *Field { return &h.Host }),
		newName("last-event-id", func(h *Head) *Field { return &h.LastEventID }),
		newName("mcp-method", func(h *Head) *Field { return &h.McpMethod }),
		newName("mcp-name", func(h *Head) *Field { return &h.McpName }),
		newName("mcp-protocol-version", func(h *Head) *Field { return &h.ProtocolVersion }),
		newName("mcp-session-id", func(h *Head) *Field { return &h.SessionID }),
		newName("origin", func(h *Head) *Field { return &h.Origin }),
		newName("transfer-encoding", func(h *Head) *Field { return &h.TransferEncoding }),
	} {
		c := n.text[0]
		by[c] = append(by[c], n)
		by[c&^0x20] = append(by[c&^0x20], n)
	}
	return by
}()
