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
		m := &l.members[i]
		if !m.key.Escaped && int(m.key.Span.End-m.key.Span.Start) != len(key)+len(`""`) {
			continue
		}
		if m.key.Is(doc, key) {
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
