package schema

import (
	"strings"
)

// A constant is a JSON value of const or enum.
type constant struct {
	kind    kinds // kindInteger stands for any number
	text    string
	number  decimal
	members []constantMember
	items   []*constant
	nodes   int
	rule    string
}

type constantMember struct {
	name  string
	value *constant
}

// constants are the values of enum.
type constants struct {
	values []*constant
	words  map[string]struct{} // the strings among them, where there are many
	rule   string
}

const manyWords = 12

func newConstant(v *value) *constant {
	c := &constant{kind: v.kind, text: v.text, nodes: 1}
	switch v.kind {
	case kindInteger:
		c.number = parseDecimal([]byte(v.text))
	case kindArray:
		for _, each := range v.items {
			item := newConstant(each)
			c.items = append(c.items, item)
			c.nodes += item.nodes
		}
	case kindObject:
		for _, each := range v.members {
			member := newConstant(each.value)
			c.members = append(c.members, constantMember{each.name, member})
			c.nodes += member.nodes
		}
	}
	c.rule = "const: " + clip(v.source)
	return c
}

func newConstants(v *value) *constants {
	c := &constants{}
	var operands strings.Builder
	for i, each := range v.items {
		c.values = append(c.values, newConstant(each))
		if operands.Len() <= maxOperand {
			if i > 0 {
				operands.WriteString(", ")
			}
			operands.WriteString(clip(each.source))
		}
		if each.kind == kindString && len(v.items) >= manyWords {
			if c.words == nil {
				c.words = make(map[string]struct{}, len(v.items))
			}
			c.words[each.text] = struct{}{}
		}
	}
	c.rule = "enum: " + clip(operands.String())
	return c
}

// constants returns the rule of const or enum that the value breaks, or "".
func (e *evaluation) constants(n *node, raw []byte) string {
	if n.constant != nil && !e.equal(n.constant, raw) {
		return n.constant.rule
	}
	if n.enum == nil {
		return ""
	}
	if n.enum.words != nil && raw[0] == '"' {
		if e.isWord(n.enum.words, raw) {
			return ""
		}
		return n.enum.rule
	}
	for _, each := range n.enum.values {
		if e.equal(each, raw) {
			return ""
		}
		if e.abort != "" {
			break
		}
	}
	return n.enum.rule
}

func (e *evaluation) isWord(words map[string]struct{}, raw []byte) bool {
	if !e.spend(1) {
		return false
	}
	var room [256]byte
	text, ok := unescape(room[:0], raw[1:len(raw)-1])
	if !ok {
		return false
	}
	_, ok = words[string(text)]
	return ok
}

// equal compares by value: numbers mathematically, strings after unescaping,
// objects without regard to order. raw is one whole value.
func (e *evaluation) equal(c *constant, raw []byte) bool {
	if !e.spend(1) || len(raw) == 0 {
		return false
	}
	switch raw[0] {
	case '"':
		return c.kind == kindString && equalString(c.text, raw[1:len(raw)-1])
	case '{':
		return c.kind == kindObject && e.equalObject(c, raw)
	case '[':
		return c.kind == kindArray && e.equalArray(c, raw)
	case 't':
		return c.kind == kindBoolean && c.text == "true"
	case 'f':
		return c.kind == kindBoolean && c.text == "false"
	case 'n':
		return c.kind == kindNull
	}
	return c.kind == kindInteger && parseDecimal(raw).compare(c.number) == 0
}

func (e *evaluation) equalArray(c *constant, raw []byte) bool {
	pos := 1
	for i := 0; ; i++ {
		start, done, ok := element(raw, pos, i == 0)
		if !ok || done {
			return ok && i == len(c.items)
		}
		if i == len(c.items) {
			return false
		}
		if pos, ok = skip(raw, start); !ok || !e.spend((pos-start)/64) || !e.equal(c.items[i], raw[start:pos]) {
			return false
		}
	}
}

func (e *evaluation) equalObject(c *constant, raw []byte) bool {
	pos := 1
	for i := 0; ; i++ {
		m, _, done, ok := next(raw, pos, i == 0)
		if !ok || done {
			return ok && i == len(c.members)
		}
		if i == len(c.members) {
			return false
		}
		var found *constant
		for j := range c.members {
			if equalString(c.members[j].name, m.key) {
				found = c.members[j].value
				break
			}
		}
		if found == nil || !e.spend(len(c.members)) {
			return false
		}
		if pos, ok = skip(raw, m.value); !ok || !e.spend((pos-m.value)/64) || !e.equal(found, raw[m.value:pos]) {
			return false
		}
	}
}

// equalString compares with the text between a string's quotes.
func equalString(want string, text []byte) bool {
	if string(text) == want && !strings.Contains(want, `\`) {
		return true
	}
	if len(text) > 6*len(want) || len(text) <= len(want) {
		return false
	}
	var room [256]byte
	got, ok := unescape(room[:0], text)
	return ok && string(got) == want
}
