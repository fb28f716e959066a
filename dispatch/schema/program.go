package schema

// kinds is a set of JSON types. A number belongs to kindInteger or to
// kindFraction, by its value.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindInteger
	kindFraction
	kindString
	kindArray
	kindObject

	kindNumber = kindInteger | kindFraction
	kindAny    = kindNull | kindBoolean | kindNumber | kindString | kindArray | kindObject
)

// A Program is a compiled schema. It is immutable and safe for use by several
// goroutines.
type Program struct {
	root   *node
	limits Limits
	flat   bool
	open   bool // some node declares properties and admits others
	stats  stats
}

type stats struct{ nodes, keywords, depth int }

// A node is one compiled subschema. Nodes form a graph: recursion goes through
// properties, additionalProperties or items, never through the keywords that
// apply in place (compile refuses that).
type node struct {
	types    kinds
	verdict  verdict
	typeRule string

	constant *constant   // const
	enum     *constants  // enum
	minimum  *bound      //
	maximum  *bound      //
	object   *properties // nil: members are not looked at
	items    *node       // nil: elements are not looked at
	base64   bool        // format is "byte"

	inPlace bool // one of the following is set
	ref     *node
	allOf   []*node
	anyOf   []*node
	cond    *node // if; set only where then or else is
	then    *node
	other   *node // else
}

// verdict is how a subschema decides without looking at the value.
type verdict uint8

const (
	verdictLook verdict = iota
	verdictTrue
	verdictFalse
)

// plain reports whether any value satisfies n.
func (n *node) plain() bool { return n.verdict == verdictTrue }

// properties is what a node says of an object's members.
type properties struct {
	entries    []property
	index      map[string]int // name to entry, where there are many
	longest    int            // of the names, in bytes
	required   int            // the first so many entries' bits are required
	additional *node          // nil: not looked at
	closed     bool           // additionalProperties is false
}

// A property is a name that the schema declares in properties or in required.
type property struct {
	name string
	node *node // nil: declared in required only, so additional applies
	bit  int   // -1: not required

	spelling string // `"name":`, as most documents have it; "" where the name needs escapes
}

// spelt reports whether the member at pos begins with p's name and a colon.
func (p *property) spelt(doc []byte, pos int) bool {
	n := len(p.spelling)
	return n > 0 && len(doc)-pos > n && string(doc[pos:pos+n]) == p.spelling
}

// manyProperties is the number of names from which a map is faster than a scan.
const manyProperties = 12

// key reads the key at pos and its colon, and returns the key's entry or -1
// and the position after the colon.
func (p *properties) key(doc []byte, pos int) (i, end int, ok bool) {
	if pos >= len(doc) || doc[pos] != '"' {
		return 0, 0, false
	}
	end, escaped, ok := stringEnd(doc, pos)
	if !ok {
		return 0, 0, false
	}
	i = p.find(doc[pos+1:end-1], escaped)
	end = space(doc, end)
	return i, end + 1, end < len(doc) && doc[end] == ':'
}

// find returns the entry of a key as it stands between its quotes, or -1.
func (p *properties) find(key []byte, escaped bool) int {
	if escaped {
		return p.findEscaped(key)
	}
	return p.lookup(key)
}

func (p *properties) lookup(key []byte) int {
	if p.index != nil {
		if i, ok := p.index[string(key)]; ok {
			return i
		}
		return -1
	}
	for i := range p.entries {
		if p.entries[i].name == string(key) {
			return i
		}
	}
	return -1
}

// findEscaped compares after unescaping. A key of n bytes stands for at least
// n/6 bytes, so that a hostile one is not unescaped at all.
func (p *properties) findEscaped(key []byte) int {
	if len(key) > 6*p.longest {
		return -1
	}
	var room [256]byte
	name, ok := unescape(room[:0], key)
	if !ok {
		return -1
	}
	return p.lookup(name)
}

// Check evaluates the program against doc, one JSON value that the wire
// package's scanner has accepted (T-40), white space around it allowed. It
// returns nil if doc satisfies the schema and the first fault otherwise. It
// costs no allocation on success, unless an object has more than 64 required
// members.
func (p *Program) Check(doc []byte) *Violation {
	e := evaluation{doc: doc, operations: p.limits.Operations, pending: p.limits.Pending}
	start := space(doc, 0)
	end, ok := e.value(p.root, start)
	if ok && space(doc, end) != len(doc) {
		e.malformed()
		ok = false
	}
	if ok {
		return nil
	}
	return e.violation()
}

// Flat reports whether one pass over a document decides: the schema applies
// nothing in place ($ref to other than a plain copy, allOf, anyOf, if), so the
// cost of Check is linear in the document.
func (p *Program) Flat() bool { return p.flat }
