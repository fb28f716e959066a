package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Dialect is the only value that $schema may have; without $schema it is meant.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Compile checks that raw is a schema for a tool's input and compiles it: JSON
// Schema 2020-12 within Profile 1 (TL-05, NO-02), references local (TL-06,
// NO-03), the root an object schema with type "object", all within limits. The
// error names the place in the schema as a JSON pointer. raw is not kept.
func Compile(raw []byte, limits Limits) (*Program, error) { return compile(raw, limits, true) }

// CompileOutput is Compile without the rule that the root describes an object.
func CompileOutput(raw []byte, limits Limits) (*Program, error) { return compile(raw, limits, false) }

func compile(raw []byte, limits Limits, input bool) (*Program, error) {
	limits = limits.withDefaults()
	if len(raw) > limits.Bytes {
		return nil, fmt.Errorf("schema: %d bytes, more than %d", len(raw), limits.Bytes)
	}
	doc, err := parse(bytes.Clone(raw), 2*limits.Depth)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	c := &compiler{limits: limits, places: map[string]*node{}, anchors: map[string]*node{}}
	root, err := c.subschema(doc, nil)
	if err != nil {
		return nil, err
	}
	if input && (doc.kind != kindObject || root.types != kindObject) {
		return nil, errors.New(`schema: the root must have type "object"`)
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	if err := c.acyclic(); err != nil {
		return nil, err
	}
	p := &Program{root: root, limits: limits, flat: true, stats: c.stats}
	for _, n := range c.nodes {
		if n.inPlace {
			p.flat = false
		}
		if o := n.object; o != nil && !o.closed && len(o.entries) > 0 {
			p.open = true
		}
	}
	return p, nil
}

// compiler holds what is known while a schema is compiled.
type compiler struct {
	limits  Limits
	stats   stats
	nodes   []*node
	places  map[string]*node // by JSON pointer
	anchors map[string]*node
	refs    []reference
}

// fault makes an error that names the place.
func fault(path []string, format string, args ...any) error {
	where := "/" + strings.Join(path, "/")
	if len(path) == 0 {
		where = "the root"
	}
	return fmt.Errorf("schema: at %s: %s", clip(where), fmt.Sprintf(format, args...))
}

// subschema compiles v, which stands at path (reference tokens, escaped).
func (c *compiler) subschema(v *value, path []string) (*node, error) {
	c.stats.nodes++
	c.stats.depth = max(c.stats.depth, len(path)+1)
	switch {
	case c.stats.nodes > c.limits.Nodes:
		return nil, fault(path, "more than %d subschemas", c.limits.Nodes)
	case len(path)+1 > c.limits.Depth:
		return nil, fault(path, "nested deeper than %d", c.limits.Depth)
	}
	n := &node{types: kindAny}
	c.nodes = append(c.nodes, n)
	c.places["/"+strings.Join(path, "/")] = n
	switch v.kind {
	case kindBoolean:
		n.verdict = verdictTrue
		if v.text == "false" {
			n.verdict = verdictFalse
		}
		return n, nil
	case kindObject:
	default:
		return nil, fault(path, "a schema is an object or a boolean")
	}
	if c.stats.keywords += len(v.members); c.stats.keywords > c.limits.Keywords {
		return nil, fault(path, "more than %d keywords", c.limits.Keywords)
	}
	for _, m := range v.members {
		rule, known := keywords[m.name]
		if !known {
			return nil, fault(path, "keyword %q is not supported", clip(m.name))
		}
		if rule == nil {
			continue // an annotation that may hold anything
		}
		if err := rule(c, n, m.value, path, m.name); err != nil {
			return nil, err
		}
	}
	if err := c.object(n, v, path); err != nil {
		return nil, err
	}
	if n.then == nil && n.other == nil {
		n.cond = nil
	}
	if n.cond == nil {
		n.then, n.other = nil, nil
	}
	n.inPlace = v.get("$ref") != nil || n.allOf != nil || n.anyOf != nil || n.cond != nil
	if n.types == kindAny && n.constant == nil && n.enum == nil && n.minimum == nil && n.maximum == nil &&
		n.object == nil && n.items == nil && !n.inPlace {
		n.verdict = verdictTrue
	}
	n.typeRule = "type: want " + n.types.String()
	return n, nil
}

type keyword func(c *compiler, n *node, v *value, path []string, name string) error

// keywords is Profile 1. A keyword that is not here is refused.
var keywords map[string]keyword

func init() {
	keywords = map[string]keyword{
		"$schema":              dialectKeyword,
		"$defs":                definitions,
		"$anchor":              anchor,
		"$ref":                 refKeyword,
		"$comment":             textAnnotation,
		"properties":           checkedInObject,
		"additionalProperties": checkedInObject,
		"required":             checkedInObject,
		"items":                single,
		"allOf":                list,
		"anyOf":                list,
		"if":                   single,
		"then":                 single,
		"else":                 single,
		"type":                 typeKeyword,
		"enum":                 enumKeyword,
		"const":                constKeyword,
		"minimum":              boundKeyword,
		"maximum":              boundKeyword,
		"title":                textAnnotation,
		"description":          textAnnotation,
		"default":              nil,
		"examples":             examples,
		"deprecated":           flagAnnotation,
		"readOnly":             flagAnnotation,
		"writeOnly":            flagAnnotation,
		"format":               formatAnnotation,
		"x-mcp-header":         headerAnnotation,
	}
}

func dialectKeyword(_ *compiler, _ *node, v *value, path []string, _ string) error {
	if len(path) != 0 {
		return fault(path, "$schema stands only at the root")
	}
	if v.kind != kindString || strings.TrimSuffix(v.text, "#") != Dialect {
		return fault(path, "$schema must be %q", Dialect)
	}
	return nil
}

func definitions(c *compiler, _ *node, v *value, path []string, name string) error {
	if v.kind != kindObject {
		return fault(path, "%s must be an object", name)
	}
	for _, m := range v.members {
		if _, err := c.subschema(m.value, child(path, name, m.name)); err != nil {
			return err
		}
	}
	return nil
}

var anchorName = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

func anchor(c *compiler, n *node, v *value, path []string, _ string) error {
	if v.kind != kindString || !anchorName.MatchString(v.text) {
		return fault(path, "$anchor must be a name")
	}
	if c.anchors[v.text] != nil {
		return fault(path, "$anchor %q is given twice", clip(v.text))
	}
	c.anchors[v.text] = n
	return nil
}

func refKeyword(c *compiler, n *node, v *value, path []string, _ string) error {
	if v.kind != kindString || !strings.HasPrefix(v.text, "#") {
		return fault(path, "$ref must point into the same document")
	}
	c.refs = append(c.refs, reference{from: n, text: v.text, path: slices.Clone(path)})
	return nil
}

func textAnnotation(_ *compiler, _ *node, v *value, path []string, name string) error {
	if v.kind != kindString {
		return fault(path, "%s must be a string", name)
	}
	return nil
}

func formatAnnotation(_ *compiler, n *node, v *value, path []string, name string) error {
	if v.kind != kindString {
		return fault(path, "%s must be a string", name)
	}
	n.base64 = v.text == formatByte
	return nil
}

func flagAnnotation(_ *compiler, _ *node, v *value, path []string, name string) error {
	if v.kind != kindBoolean {
		return fault(path, "%s must be a boolean", name)
	}
	return nil
}

func headerAnnotation(_ *compiler, _ *node, v *value, path []string, name string) error {
	if v.kind != kindString || v.text == "" {
		return fault(path, "%s must be a string that is not empty", name)
	}
	return nil
}

func examples(_ *compiler, _ *node, v *value, path []string, name string) error {
	if v.kind != kindArray {
		return fault(path, "%s must be an array", name)
	}
	return nil
}

// checkedInObject stands for the keywords that c.object reads together.
func checkedInObject(*compiler, *node, *value, []string, string) error { return nil }

func single(c *compiler, n *node, v *value, path []string, name string) error {
	sub, err := c.subschema(v, child(path, name))
	if err != nil {
		return err
	}
	switch name {
	case "items":
		if !sub.plain() {
			n.items = sub
		}
	case "if":
		n.cond = sub
	case "then":
		n.then = sub
	case "else":
		n.other = sub
	}
	return nil
}

func list(c *compiler, n *node, v *value, path []string, name string) error {
	if v.kind != kindArray || len(v.items) == 0 {
		return fault(path, "%s must be an array that is not empty", name)
	}
	subs := make([]*node, len(v.items))
	for i, each := range v.items {
		sub, err := c.subschema(each, child(path, name, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		subs[i] = sub
	}
	if name == "allOf" {
		n.allOf = subs
	} else {
		n.anyOf = subs
	}
	return nil
}

func enumKeyword(_ *compiler, n *node, v *value, path []string, _ string) error {
	if v.kind != kindArray {
		return fault(path, "enum must be an array")
	}
	n.enum = newConstants(v)
	return nil
}

func constKeyword(_ *compiler, n *node, v *value, _ []string, _ string) error {
	n.constant = newConstant(v)
	return nil
}

func boundKeyword(_ *compiler, n *node, v *value, path []string, name string) error {
	if v.kind != kindInteger {
		return fault(path, "%s must be a number", name)
	}
	if name == "minimum" {
		n.minimum = newBound(name, []byte(v.text))
	} else {
		n.maximum = newBound(name, []byte(v.text))
	}
	return nil
}

// object compiles properties, required and additionalProperties.
func (c *compiler) object(n *node, v *value, path []string) error {
	declared, required, additional := v.get("properties"), v.get("required"), v.get("additionalProperties")
	if declared == nil && required == nil && additional == nil {
		return nil
	}
	p := &properties{}
	index := map[string]int{}
	add := func(name string) int {
		if i, ok := index[name]; ok {
			return i
		}
		index[name] = len(p.entries)
		p.entries = append(p.entries, property{name: name, bit: -1})
		p.longest = max(p.longest, len(name))
		return len(p.entries) - 1
	}
	if declared != nil {
		if declared.kind != kindObject {
			return fault(path, "properties must be an object")
		}
		for _, m := range declared.members {
			sub, err := c.subschema(m.value, child(path, "properties", m.name))
			if err != nil {
				return err
			}
			p.entries[add(m.name)].node = sub
		}
	}
	if required != nil {
		if required.kind != kindArray {
			return fault(path, "required must be an array of strings")
		}
		for _, each := range required.items {
			if each.kind != kindString {
				return fault(path, "required must be an array of strings")
			}
			entry := &p.entries[add(each.text)]
			if entry.bit >= 0 {
				return fault(path, "required names %q twice", clip(each.text))
			}
			entry.bit = p.required
			p.required++
		}
	}
	if additional != nil {
		sub, err := c.subschema(additional, child(path, "additionalProperties"))
		if err != nil {
			return err
		}
		switch sub.verdict {
		case verdictFalse:
			p.closed = true
		case verdictLook:
			p.additional = sub
		}
	}
	for i := range p.entries {
		if name := p.entries[i].name; !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
			p.entries[i].spelling = `"` + name + `":`
		}
	}
	if len(p.entries) >= manyProperties {
		p.index = index
	}
	if len(p.entries) > 0 || p.closed || p.additional != nil {
		n.object = p
	}
	return nil
}

// child returns path with tokens added, escaped for a JSON pointer.
func child(path []string, tokens ...string) []string {
	longer := make([]string, 0, len(path)+len(tokens))
	longer = append(longer, path...)
	for _, t := range tokens {
		longer = append(longer, pointerEscaper.Replace(t))
	}
	return longer
}
