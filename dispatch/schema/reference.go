package schema

import (
	"net/url"
	"strings"
)

// A reference is a $ref that waits for its target.
type reference struct {
	from *node
	text string
	path []string
}

// resolve binds each $ref to the subschema that it points to. Pointers to what
// is no subschema, and to nothing, are errors.
func (c *compiler) resolve() error {
	for _, r := range c.refs {
		fragment, err := url.PathUnescape(r.text[1:])
		if err != nil {
			return fault(r.path, "$ref %q is malformed", clip(r.text))
		}
		var target *node
		switch {
		case fragment == "":
			target = c.places["/"]
		case fragment[0] == '/':
			target = c.places[canonical(fragment)]
		default:
			target = c.anchors[fragment]
		}
		if target == nil {
			return fault(r.path, "$ref %q points to no subschema", clip(r.text))
		}
		r.from.ref = target
	}
	return nil
}

// canonical spells a JSON pointer's tokens as child does. An escape that is
// none makes it point to nothing.
func canonical(pointer string) string {
	tokens := strings.SplitSeq(pointer[1:], "/")
	for t := range tokens {
		plain := strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
		if pointerEscaper.Replace(plain) != t {
			return ""
		}
	}
	return pointer
}

// acyclic refuses a schema whose in-place keywords lead back to themselves:
// evaluating it would never reach the value.
func (c *compiler) acyclic() error {
	const (
		open = 1
		done = 2
	)
	state := make(map[*node]int, len(c.nodes))
	names := make(map[*node]string, len(c.nodes))
	for path, n := range c.places {
		names[n] = path
	}
	type frame struct {
		n    *node
		next int
		out  []*node
	}
	for _, start := range c.nodes {
		if state[start] != 0 {
			continue
		}
		stack := []frame{{n: start, out: start.applied()}}
		state[start] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.out) {
				state[top.n] = done
				stack = stack[:len(stack)-1]
				continue
			}
			n := top.out[top.next]
			top.next++
			switch state[n] {
			case open:
				return fault(strings.FieldsFunc(names[n], func(r rune) bool { return r == '/' }), "refers to itself without entering the value")
			case 0:
				state[n] = open
				stack = append(stack, frame{n: n, out: n.applied()})
			}
		}
	}
	return nil
}

// applied lists the subschemas that apply to the same value as n.
func (n *node) applied() []*node {
	if !n.inPlace {
		return nil
	}
	var out []*node
	for _, each := range []*node{n.ref, n.cond, n.then, n.other} {
		if each != nil {
			out = append(out, each)
		}
	}
	out = append(out, n.allOf...)
	return append(out, n.anyOf...)
}
