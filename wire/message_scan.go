package wire

import "unicode/utf8"

// The depths of the objects whose members are noted.
const (
	levelEnvelope = iota + 1
	levelParams
	levelMeta
)

// noted scans an object as object does, and takes down its members. Its depth
// says which one it is.
func (s *scanner) noted(m *Message, i, depth int) int {
	if depth > s.bounds.Depth {
		return s.fail(i, ruleDepth)
	}
	doc := s.doc
	if depth == levelEnvelope {
		m.envelope.object = true
	}
	i = s.space(i + 1)
	if i < len(doc) && doc[i] == '}' {
		return i + 1
	}
	set := s.keys.open()
	for {
		key, start := s.key(i, &set)
		if start < 0 {
			return start
		}
		value := Value{Span: Span{Start: int32(start)}}
		if start < len(doc) {
			value.Kind = kindOf(doc[start])
		}
		role := roleOf(doc, key, depth)
		switch {
		case value.Kind == String:
			i, value.Escaped = s.text(start)
		case value.Kind == Object && (role == roleParams || role == roleMeta):
			i = s.noted(m, start, depth+1)
		default:
			i = s.value(start, depth)
		}
		if i < 0 {
			return i
		}
		value.Span.End = int32(i)
		m.note(depth, role, key, value)
		if i = s.space(i); i >= len(doc) {
			return s.fail(i, ruleEnd)
		}
		switch doc[i] {
		case ',':
			i = s.space(i + 1)
		case '}':
			s.keys.close(&set)
			return i + 1
		default:
			return s.fail(i, ruleObject)
		}
	}
}

// note takes down a member of one of the noted objects.
func (m *Message) note(depth int, r role, key, value Value) {
	switch r {
	case roleNone:
	case roleVersion:
		m.envelope.jsonrpc = value
	case roleID:
		m.envelope.id = value
	case roleMethod:
		m.envelope.method = value
	case roleResponse:
		m.envelope.response = true
	case roleParams:
		m.params.object = value
	case roleMeta:
		m.meta.object = value
	}
	switch depth {
	case levelParams:
		m.params.note(key, value)
	case levelMeta:
		m.meta.note(key, value)
	}
}

// A role is what a member is in its message.
type role uint8

const (
	roleNone role = iota
	roleVersion
	roleID
	roleMethod
	roleParams
	roleResponse // result or error
	roleMeta
)

func roleOf(doc []byte, key Value, depth int) role {
	if depth == levelMeta {
		return roleNone
	}
	var room [8]byte
	name := key.shortText(doc, &room)
	if depth == levelParams {
		if string(name) == "_meta" {
			return roleMeta
		}
		return roleNone
	}
	switch string(name) {
	case "jsonrpc":
		return roleVersion
	case "id":
		return roleID
	case "method":
		return roleMethod
	case "params":
		return roleParams
	case "result", "error":
		return roleResponse
	}
	return roleNone
}

// shortText returns the text of a string: a view when nothing in it is
// escaped, else in room, and of that nothing when it does not fit.
func (v Value) shortText(doc []byte, room *[8]byte) []byte {
	inner := doc[v.Span.Start+1 : v.Span.End-1]
	if !v.Escaped {
		return inner
	}
	text := room[:0]
	var one [utf8.UTFMax]byte
	for len(inner) > 0 {
		n, part := nextText(inner, &one)
		if inner = inner[n:]; len(text)+len(part) > len(room) {
			return nil
		}
		text = append(text, part...)
	}
	return text
}
