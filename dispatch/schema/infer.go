package schema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Infer returns the schema of the JSON text that encoding/json reads and
// writes for t, as compact JSON Schema 2020-12 within Profile 1 (TL-05). The
// result depends on t alone: members stand in the order of the fields.
//
//   - A struct is a closed object (decision 77). Its members are those of
//     encoding/json, promoted ones included. Required are those without
//     omitempty, without omitzero, that are no pointers and are not reached
//     through one.
//   - A pointer allows null; at the root it is looked through.
//   - Slices and maps do not allow null. A nil one that a handler returns is
//     written as [] or {} ([Program.Encode]).
//   - int, int64, uint and uint64 have no bounds of 64 bits in the text, which
//     would only be noise there: [Decode] refuses what does not fit.
//   - []byte is a string of format "byte" (base64), time.Time one of format
//     "date-time", json.Number a number, *big.Int an integer.
//     A type with its own MarshalText or UnmarshalText is a string.
//   - json.RawMessage, any, other interfaces, and types with a MarshalJSON or
//     UnmarshalJSON of their own are unrestricted.
//   - A type that contains itself is described once, in $defs, and referred
//     to with a local $ref (TL-06, NO-03).
//   - The tag `jsonschema:"…"` of a field is its description.
//
// It is an error if t contains a channel, a function, a complex number, an
// unsafe pointer or a map with keys that are no text, if a description is
// empty or begins with "WORD=" (the syntax of other packages), or if the schema
// has more than DefaultNodes subschemas or nests deeper than DefaultDepth.
func Infer(t reflect.Type) (raw []byte, err error) {
	if t == nil {
		return nil, errors.New("schema: no type")
	}
	for range DefaultDepth {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	g := &inference{
		root: t, open: map[reflect.Type]bool{}, recursive: map[reflect.Type]bool{},
		seen: map[reflect.Type]bool{}, names: map[reflect.Type]string{}, taken: map[string]bool{},
	}
	g.find(t)
	if err := g.describe(t, true, false, "", 1); err != nil {
		return nil, fmt.Errorf("schema: %s: %w", t, err)
	}
	if len(g.queue) == 0 {
		return g.out.Bytes(), nil
	}
	g.out.Truncate(g.out.Len() - 1) // the root's closing brace
	g.out.WriteString(`,"$defs":{`)
	for i := 0; i < len(g.queue); i++ {
		if i > 0 {
			g.out.WriteByte(',')
		}
		g.string(g.names[g.queue[i]])
		g.out.WriteByte(':')
		if err := g.describe(g.queue[i], true, false, "", 3); err != nil {
			return nil, fmt.Errorf("schema: %s: %w", t, err)
		}
	}
	g.out.WriteString("}}")
	return g.out.Bytes(), nil
}

// inference is the state of one call of Infer.
type inference struct {
	out       bytes.Buffer
	root      reflect.Type
	nodes     int
	open      map[reflect.Type]bool // on find's stack
	seen      map[reflect.Type]bool
	recursive map[reflect.Type]bool // contain themselves; breaking at them breaks every cycle
	names     map[reflect.Type]string
	taken     map[string]bool
	queue     []reflect.Type // of $defs, in the order of first use
}

var (
	typeTime        = reflect.TypeFor[time.Time]()
	typeRaw         = reflect.TypeFor[json.RawMessage]()
	typeNumber      = reflect.TypeFor[json.Number]()
	typeLevel       = reflect.TypeFor[slog.Level]()
	typeBigInt      = reflect.TypeFor[big.Int]()
	marshaler       = reflect.TypeFor[json.Marshaler]()
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// special gives the keywords of a type that its kind does not describe.
func special(t reflect.Type) (types []string, format string, ok bool) {
	switch {
	case t == typeTime:
		return []string{"string"}, "date-time", true
	case t == typeNumber:
		return []string{"number"}, "", true
	case t == typeBigInt:
		return []string{"integer"}, "", true
	case t == typeRaw, t.Kind() == reflect.Interface, implements(t, marshaler), implements(t, unmarshaler):
		if t == typeLevel {
			return []string{"string"}, "", true
		}
		return nil, "", true
	case implements(t, textMarshaler), implements(t, textUnmarshaler):
		return []string{"string"}, "", true
	case isBytes(t):
		return []string{"string"}, formatByte, true
	}
	return nil, "", false
}

// formatByte marks a base64 string.
const formatByte = "byte"

func implements(t, i reflect.Type) bool { return t.Implements(i) || reflect.PointerTo(t).Implements(i) }

// isBytes reports whether encoding/json writes t as base64.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 &&
		!implements(t.Elem(), marshaler) && !implements(t.Elem(), textMarshaler)
}

// find marks the types at which cycles close.
func (g *inference) find(t reflect.Type) {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		g.find(t.Elem())
		return
	}
	if g.open[t] {
		g.recursive[t] = true
		return
	}
	if g.seen[t] {
		return
	}
	if _, _, ok := special(t); ok {
		return
	}
	g.seen[t], g.open[t] = true, true
	defer delete(g.open, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		g.find(t.Elem())
	case reflect.Struct:
		for _, f := range fieldsOf(t) {
			g.find(f.typ)
		}
	}
}

// describe writes the schema of t. whole: t itself, even where it is recursive.
func (g *inference) describe(t reflect.Type, whole, nullable bool, description string, depth int) error {
	if g.nodes++; g.nodes > DefaultNodes {
		return fmt.Errorf("more than %d subschemas", DefaultNodes)
	}
	if depth > DefaultDepth {
		return fmt.Errorf("nested deeper than %d", DefaultDepth)
	}
	if t.Kind() == reflect.Pointer {
		if t.Name() != "" && g.recursive[t] {
			return fmt.Errorf("type %s has no JSON", t)
		}
		g.nodes--
		return g.describe(t.Elem(), false, true, description, depth)
	}
	if types, format, ok := special(t); ok {
		g.start(types, nullable && types != nil, description)
		if format != "" {
			g.key("format")
			g.string(format)
		}
		g.out.WriteByte('}')
		return nil
	}
	if g.recursive[t] && !whole {
		g.refer(t, nullable, description)
		return nil
	}
	var err error
	switch t.Kind() {
	case reflect.Bool:
		g.start([]string{"boolean"}, nullable, description)
	case reflect.String:
		g.start([]string{"string"}, nullable, description)
	case reflect.Float32, reflect.Float64:
		g.start([]string{"number"}, nullable, description)
	case reflect.Int, reflect.Int64, reflect.Int8, reflect.Int16, reflect.Int32,
		reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		g.start([]string{"integer"}, nullable, description)
		g.bounds(t)
	case reflect.Slice, reflect.Array:
		g.start([]string{"array"}, nullable, description)
		g.key("items")
		err = g.describe(t.Elem(), false, false, "", depth+1)
	case reflect.Map:
		if !textKey(t.Key()) {
			return fmt.Errorf("%s: keys must be text", t)
		}
		g.start([]string{"object"}, nullable, description)
		g.key("additionalProperties")
		err = g.describe(t.Elem(), false, false, "", depth+1)
	case reflect.Struct:
		g.start([]string{"object"}, nullable, description)
		err = g.members(t, depth)
	default:
		return fmt.Errorf("type %s has no JSON", t)
	}
	g.out.WriteByte('}')
	return err
}

// textKey reports whether encoding/json writes a map with keys of type t.
func textKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return t.Implements(textMarshaler) && implements(t, textUnmarshaler)
}

// bounds writes the range of integer types narrower than 64 bits, and zero as
// the minimum of unsigned ones.
func (g *inference) bounds(t reflect.Type) {
	bits := t.Bits()
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32:
		g.key("minimum")
		g.out.WriteString(strconv.FormatInt(-1<<(bits-1), 10))
		g.key("maximum")
		g.out.WriteString(strconv.FormatInt(1<<(bits-1)-1, 10))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		g.key("minimum")
		g.out.WriteByte('0')
		g.key("maximum")
		g.out.WriteString(strconv.FormatUint(1<<bits-1, 10))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		g.key("minimum")
		g.out.WriteByte('0')
	}
}

// word is how other packages begin a tag: jsonschema:"required,minimum=1".
var word = regexp.MustCompile(`^[^ \t\n]*=`)

func (g *inference) members(t reflect.Type, depth int) error {
	fields := fieldsOf(t)
	if len(fields) > 0 {
		g.key("properties")
		g.out.WriteByte('{')
		for i, f := range fields {
			if i > 0 {
				g.out.WriteByte(',')
			}
			description, has := f.tag.Lookup("jsonschema")
			if has && (description == "" || word.MatchString(description)) {
				return fmt.Errorf("field %s: the tag jsonschema must be a description", f.name)
			}
			g.string(f.name)
			g.out.WriteByte(':')
			var err error
			if f.quoted {
				g.nodes++
				g.start([]string{"string"}, f.typ.Kind() == reflect.Pointer, description)
				g.out.WriteByte('}')
			} else {
				err = g.describe(f.typ, false, false, description, depth+2)
			}
			if err != nil {
				return fmt.Errorf("field %s: %w", f.name, err)
			}
		}
		g.out.WriteByte('}')
	}
	first := true
	for _, f := range fields {
		if f.optional {
			continue
		}
		if first {
			g.key("required")
			g.out.WriteByte('[')
		} else {
			g.out.WriteByte(',')
		}
		first = false
		g.string(f.name)
	}
	if !first {
		g.out.WriteByte(']')
	}
	g.key("additionalProperties")
	g.out.WriteString("false")
	return nil
}

// refer writes a local reference to t.
func (g *inference) refer(t reflect.Type, nullable bool, description string) {
	target := "#"
	if t != g.root {
		target = "#/$defs/" + g.name(t)
	}
	g.start(nil, false, description)
	if nullable {
		g.key("anyOf")
		g.out.WriteString(`[{"$ref":`)
		g.string(target)
		g.out.WriteString(`},{"type":"null"}]}`)
		return
	}
	g.key("$ref")
	g.string(target)
	g.out.WriteByte('}')
}

// name gives t its place in $defs.
func (g *inference) name(t reflect.Type) string {
	if name, ok := g.names[t]; ok {
		return name
	}
	base := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, t.Name())
	if base == "" {
		base = "T"
	}
	name := base
	for i := 2; g.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	g.taken[name], g.names[t] = true, name
	g.queue = append(g.queue, t)
	return name
}

// start opens an object with the keywords that come first.
func (g *inference) start(types []string, nullable bool, description string) {
	g.out.WriteByte('{')
	switch {
	case len(types) == 1 && nullable:
		g.key("type")
		g.out.WriteString(`["` + types[0] + `","null"]`)
	case len(types) == 1:
		g.key("type")
		g.string(types[0])
	}
	if description != "" {
		g.key("description")
		g.string(description)
	}
}

// key writes a member's name, and the comma before it.
func (g *inference) key(name string) {
	if b := g.out.Bytes(); b[len(b)-1] != '{' {
		g.out.WriteByte(',')
	}
	g.string(name)
	g.out.WriteByte(':')
}

// string writes a JSON string.
func (g *inference) string(s string) {
	encoder := json.NewEncoder(&g.out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string and a bytes.Buffer: it cannot fail
	g.out.Truncate(g.out.Len() - 1)
}
