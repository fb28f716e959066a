package wire

// MessageKind is what a document is as a JSON-RPC message.
type MessageKind uint8

// The kinds. Invalid is everything that a client must not send: batches,
// responses, scalars, broken envelopes.
const (
	Invalid MessageKind = iota
	Request
	Notification
)

// A Message is a scanned JSON-RPC message: where its members are. It is
// scratch: Scan forgets what was there before. A Message must not be copied.
type Message struct {
	scanner scanner
	doc     []byte
	root    Value
	levels  [3]level // members of the envelope, of params and of params._meta
	id      ID
	params  Value
	meta    Value
}

// A level holds the members of one object. What does not fit is found by
// walking the object again.
type level struct {
	n        int
	overflow bool
	members  [16]struct{ key, value Value }
}

func (l *level) add(key, value Value) {
	if l.n == len(l.members) {
		l.overflow = true
		return
	}
	l.members[l.n].key, l.members[l.n].value = key, value
	l.n++
}

func (l *level) get(doc []byte, object Value, key string) Value {
	for i := range l.members[:l.n] {
		m := &l.members[i]
		if !m.key.Escaped && int(m.key.Span.End-m.key.Span.Start)-2 != len(key) {
			continue
		}
		if m.key.Is(doc, key) {
			return m.value
		}
	}
	if l.overflow {
		return member(doc, object, key)
	}
	return Value{}
}

// Scan checks a document (group 5) and notes where the members of the envelope
// are. It returns nil or a *SyntaxError. The Message refers to doc until the
// next Scan or Rebase.
func (m *Message) Scan(doc []byte, b *Bounds) error {
	m.doc, m.root, m.id, m.params, m.meta = doc, Value{}, ID{}, Value{}, Value{}
	for i := range m.levels {
		m.levels[i].n, m.levels[i].overflow = 0, false
	}
	s := &m.scanner
	s.doc, s.bounds, s.nodes, s.rule, s.at, s.note = doc, *b, 0, "", 0, m
	err := s.run()
	s.doc = nil
	if err != nil || m.root.Kind != Object {
		return err
	}
	m.params = m.levels[levelEnvelope].get(doc, m.root, "params")
	if m.params.Kind == Object {
		m.meta = m.Param("_meta")
	}
	if id, ok := parseID(doc, m.levels[levelEnvelope].get(doc, m.root, "id")); ok {
		m.id = id
	}
	return nil
}

// Rebase makes the message refer to doc, a copy of the document it was scanned
// from.
func (m *Message) Rebase(doc []byte) {
	m.doc = doc
	if !m.id.IsZero() {
		m.id, _ = parseID(doc, m.levels[levelEnvelope].get(doc, m.root, "id"))
	}
}

// Classify says what the message is (group 6): one request or notification of
// JSON-RPC 2.0. A request has an id that is a string or an integer within
// bounds; params, where present, are an object: MCP has no positional
// parameters (decisions 12, 33; T-41, T-42).
func (m *Message) Classify() MessageKind {
	if m.root.Kind != Object {
		return Invalid
	}
	envelope := &m.levels[levelEnvelope]
	if !envelope.get(m.doc, m.root, "jsonrpc").Is(m.doc, "2.0") || m.Method().Kind != String ||
		m.params.Kind != Absent && m.params.Kind != Object ||
		envelope.get(m.doc, m.root, "result").Kind != Absent || envelope.get(m.doc, m.root, "error").Kind != Absent {
		return Invalid
	}
	switch {
	case envelope.get(m.doc, m.root, "id").Kind == Absent:
		return Notification
	case m.id.IsZero():
		return Invalid
	}
	return Request
}

// ID returns the message's id if it has a usable one, even when the message is
// invalid otherwise.
func (m *Message) ID() ID { return m.id }

// Method returns the method; it is a string in a classified message.
func (m *Message) Method() Value { return m.levels[levelEnvelope].get(m.doc, m.root, "method") }

// Params returns params: an object, or absent in a classified message.
func (m *Message) Params() Value { return m.params }

// Param returns the member of params with that key.
func (m *Message) Param(key string) Value {
	if m.params.Kind != Object {
		return Value{}
	}
	return m.levels[levelParams].get(m.doc, m.params, key)
}

// Meta returns the member of params._meta with that key.
func (m *Message) Meta(key string) Value {
	if m.meta.Kind != Object {
		return Value{}
	}
	return m.levels[levelMeta].get(m.doc, m.meta, key)
}
