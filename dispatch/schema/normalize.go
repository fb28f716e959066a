package schema

import (
	"slices"
	"strings"
)

// Normalize appends to dst a spelling of doc that Go's decoders take for the
// types from which schemas are inferred: where the schema asks for an integer,
// 1.0 and 1e2 become 1 and 100, and -0 becomes 0 (decision 38). Everything
// else stays as it is, byte for byte. It reports whether anything changed; dst
// is returned as it came where nothing did. doc must satisfy the program.
func (p *Program) Normalize(dst, doc []byte) ([]byte, bool) {
	return p.rewrite(dst, doc, &rewriter{integers: true})
}

// fill does for output what Normalize does for input: null becomes [], {} or
// "" where the schema asks for an array, an object or base64 and not for null,
// because that is how a nil slice, map or []byte is encoded.
func (p *Program) fill(dst, doc []byte) ([]byte, bool) {
	return p.rewrite(dst, doc, &rewriter{nulls: true})
}

func (p *Program) rewrite(dst, doc []byte, r *rewriter) ([]byte, bool) {
	length := len(dst)
	r.doc, r.dst, r.operations = doc, dst, p.limits.Operations
	_, ok := r.value(closure([]*node{p.root}), space(doc, 0))
	if !ok || !r.changed {
		return r.dst[:length], false
	}
	return append(r.dst, doc[r.copied:]...), true
}

// A rewriter copies a document while it walks it together with the nodes that
// may apply at each place. It looks at alternatives without asking which one
// holds: what it changes keeps its value, so that is harmless.
type rewriter struct {
	doc, dst   []byte
	copied     int // doc[:copied] is in dst
	operations int
	changed    bool
	integers   bool
	nulls      bool
	folds      bool
	folded     []step // found by folds, innermost first
}

// replace puts text in the place of doc[start:end].
func (r *rewriter) replace(start, end int, text string) {
	r.dst = append(r.dst, r.doc[r.copied:start]...)
	r.dst = append(r.dst, text...)
	r.copied, r.changed = end, true
}

func (r *rewriter) value(nodes []*node, pos int) (end int, ok bool) {
	if r.operations -= 1 + len(nodes); r.operations < 0 || pos >= len(r.doc) {
		return 0, false
	}
	if len(nodes) == 0 {
		return skip(r.doc, pos)
	}
	switch c := r.doc[pos]; {
	case c == '{':
		return r.members(nodes, pos)
	case c == '[':
		return r.elements(nodes, pos)
	case c == 'n' && r.nulls:
		if empty := emptyFor(nodes); empty != "" {
			r.replace(pos, pos+4, empty)
		}
		return pos + 4, true
	case (c == '-' || c >= '0' && c <= '9') && r.integers:
		end, plain := numberEnd(r.doc, pos)
		if !plain || string(r.doc[pos:end]) == "-0" {
			r.integer(nodes, pos, end)
		}
		return end, true
	}
	return skip(r.doc, pos)
}

// integer respells a number where a node wants an integer and no fraction.
func (r *rewriter) integer(nodes []*node, start, end int) {
	for _, n := range nodes {
		if n.types&kindNumber != kindInteger {
			continue
		}
		if text, ok := parseDecimal(r.doc[start:end]).integer(); ok {
			r.replace(start, end, string(text))
		}
		return
	}
}

// emptyFor returns the empty value that stands for null, or "".
func emptyFor(nodes []*node) string {
	empty := ""
	for _, n := range nodes {
		switch {
		case n.types == kindArray:
			empty = "[]"
		case n.types == kindObject:
			empty = "{}"
		case n.types == kindString && n.base64:
			empty = `""`
		case n.types&kindNull != 0 && n.types != kindAny:
			return "" // null may be meant
		}
	}
	return empty
}

func (r *rewriter) members(nodes []*node, pos int) (end int, ok bool) {
	pos++
	for first := true; ; first = false {
		m, after, done, ok := next(r.doc, pos, first)
		if !ok || done {
			return after, ok
		}
		var inner []*node
		declared, name := false, ""
		for _, n := range nodes {
			if n.object == nil {
				continue
			}
			i := n.object.find(m.key, m.escaped)
			switch {
			case i >= 0 && n.object.entries[i].node != nil:
				inner = append(inner, n.object.entries[i].node)
				declared, name = true, n.object.entries[i].name
			case n.object.additional != nil:
				inner = append(inner, n.object.additional)
			}
		}
		if r.folds && !declared && r.collides(nodes, m) {
			return 0, false
		}
		if pos, ok = r.value(closure(inner), m.value); !ok {
			if declared && r.folds {
				r.folded = append(r.folded, step{name: name})
			}
			return 0, false
		}
	}
}

// collides reports whether an undeclared key differs from a declared one by
// case only: a decoder that matches without case would take it.
func (r *rewriter) collides(nodes []*node, m member) bool {
	key, ok := unescape(nil, m.key)
	if !ok {
		return true
	}
	for _, n := range nodes {
		if n.object == nil {
			continue
		}
		for _, entry := range n.object.entries {
			if r.operations--; r.operations < 0 || strings.EqualFold(entry.name, string(key)) {
				return true
			}
		}
	}
	return false
}

func (r *rewriter) elements(nodes []*node, pos int) (end int, ok bool) {
	var inner []*node
	for _, n := range nodes {
		if n.items != nil {
			inner = append(inner, n.items)
		}
	}
	inner = closure(inner)
	pos++
	for i := 0; ; i++ {
		value, done, ok := element(r.doc, pos, i == 0)
		if !ok || done {
			return value, ok
		}
		if pos, ok = r.value(inner, value); !ok {
			if r.folds {
				r.folded = append(r.folded, step{index: i, array: true})
			}
			return 0, false
		}
	}
}

// closure adds the nodes that apply in place, each once.
func closure(nodes []*node) []*node {
	for i := 0; i < len(nodes); i++ {
		for _, n := range nodes[i].applied() {
			if !slices.Contains(nodes, n) {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}
