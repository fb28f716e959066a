package wire

// A level is an object whose members a Message notes: params, or params._meta.
// Those that do not fit are found by walking the object.
type level struct {
	object   Value // of any kind; Absent when it is not there
	n        int
	overflow bool
	members  [16]member
}

type member struct{ key, value Value }

func (l *level) forget() { l.object, l.n, l.overflow = Value{}, 0, false }

func (l *level) note(key, value Value) {
	if l.n == len(l.members) {
		l.overflow = true
		return
	}
	l.members[l.n] = member{key, value}
	l.n++
}

func (l *level) get(doc []byte, key string) Value {
	for i := range l.members[:l.n] {
		if m := &l.members[i]; m.key.Is(doc, key) {
			return m.value
		}
	}
	if !l.overflow {
		return Value{}
	}
	var found Value
	Members(doc, l.object, func(k, v Value) bool {
		if k.Is(doc, key) {
			found = v
			return false
		}
		return true
	})
	return found
}

func (l *level) each(doc []byte, yield func(key, value Value) bool) {
	if l.overflow {
		Members(doc, l.object, yield)
		return
	}
	for i := range l.members[:l.n] {
		if m := &l.members[i]; !yield(m.key, m.value) {
			return
		}
	}
}

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
		inner := s.levelOf(depth, key)
		switch {
		case value.Kind == String:
			i, value.Escaped = s.text(start)
		case value.Kind == Object && inner != 0:
			i = s.noted(m, start, inner)
		default:
			i = s.value(start, depth)
		}
		if i < 0 {
			return i
		}
		value.Span.End = int32(i)
		switch {
		case inner == levelParams:
			m.params.object = value
		case depth == levelEnvelope:
			m.envelope.note(doc, key, value)
		case depth == levelParams:
			if inner == levelMeta {
				m.meta.object = value
			}
			m.params.note(key, value)
		default:
			m.meta.note(key, value)
		}
		i = s.space(i)
		if i >= len(doc) {
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

// levelOf returns which noted object the value of a key is, if it is an
// object; 0 for none.
func (s *scanner) levelOf(depth int, key Value) int {
	switch {
	case depth == levelEnvelope && key.Is(s.doc, "params"):
		return levelParams
	case depth == levelParams && key.Is(s.doc, "_meta"):
		return levelMeta
	}
	return 0
}
