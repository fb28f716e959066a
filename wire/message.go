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
// scratch: Scan forgets what was there before. The zero Message is ready; it
// must not be copied.
type Message struct {
	scanner  scanner
	doc      []byte
	envelope envelope
	id       ID
	params   level // params and its members
	meta     level // params._meta and its members
}

// An envelope is the members of the outermost object that JSON-RPC knows.
type envelope struct {
	object   bool // the document is an object
	response bool // it has a result or an error
	jsonrpc  Value
	id       Value
	method   Value
}

// Scan checks a document (group 5) and notes where the members of the envelope
// are. It returns nil or a *SyntaxError, after which the message is empty. The
// Message refers to doc until the next Scan or Rebase. It allocates nothing
// for documents in which no object has hundreds of keys.
func (m *Message) Scan(doc []byte, b *Bounds) error {
	m.forget()
	m.scanner.reset(doc, b)
	if err := m.scanner.run(m); err != nil {
		m.forget()
		return err
	}
	m.doc = doc
	m.id, _ = parseID(doc, m.envelope.id)
	return nil
}

func (m *Message) forget() {
	m.doc, m.envelope, m.id = nil, envelope{}, ID{}
	m.params.forget()
	m.meta.forget()
}

// Rebase makes the message refer to doc, a copy of the document it was scanned
// from. IDs taken before still refer to the old one.
func (m *Message) Rebase(doc []byte) {
	m.doc = doc
	if !m.id.IsZero() {
		m.id = ID{m.envelope.id.Span.Of(doc)}
	}
}

// Classify says what the message is (group 6): one request or notification of
// JSON-RPC 2.0. A request has an id that is a string or an integer within
// bounds; params, where present, are an object: MCP has no positional
// parameters (decisions 12, 33; T-41, T-42). Other members of the envelope are
// ignored.
func (m *Message) Classify() MessageKind {
	e, params := &m.envelope, m.params.object.Kind
	if !e.object || e.response || e.method.Kind != String || params != Absent && params != Object ||
		!e.jsonrpc.Is(m.doc, "2.0") {
		return Invalid
	}
	switch {
	case e.id.Kind == Absent:
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
func (m *Message) Method() Value { return m.envelope.method }

// Params returns params: an object, or absent in a classified message.
func (m *Message) Params() Value { return m.params.object }

// Param returns the member of params with that key.
func (m *Message) Param(key string) Value { return m.params.get(m.doc, key) }

// Meta returns the member of params._meta with that key.
func (m *Message) Meta(key string) Value { return m.meta.get(m.doc, key) }

// EachMeta walks the members of params._meta in their order, until yield
// returns false.
func (m *Message) EachMeta(yield func(key, value Value) bool) { m.meta.each(m.doc, yield) }
