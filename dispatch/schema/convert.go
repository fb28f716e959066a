package schema

import (
	"errors"
	"fmt"
	"reflect"
)

// locate finds the place in doc that a value of type t cannot be decoded from,
// after decoding has failed.
func (c *codec) locate(t reflect.Type, doc []byte) error {
	l := &locator{codec: c, doc: doc}
	l.value(t, false, space(doc, 0))
	if l.panicked != nil {
		return l.panicked
	}
	if l.rule == "" {
		l.rule = "conversion: want " + wanted(t, false)
	}
	return &Violation{Pointer: pointer(l.path), Rule: l.rule}
}

// A locator decodes a document leaf by leaf.
type locator struct {
	codec    *codec
	doc      []byte
	rule     string // of the fault, once found
	path     []step
	panicked error
}

// value returns the position after the value and false once a fault is found.
func (l *locator) value(t reflect.Type, quoted bool, pos int) (end int, ok bool) {
	end, ok = skip(l.doc, pos)
	if !ok {
		return l.fault(t, quoted)
	}
	raw := l.doc[pos:end]
	for t.Kind() == reflect.Pointer && !t.Implements(unmarshaler) && !t.Implements(textUnmarshaler) {
		if string(raw) == "null" {
			return end, true
		}
		t = t.Elem()
	}
	if _, _, isSpecial := special(t); isSpecial || quoted {
		return end, l.leaf(t, quoted, raw)
	}
	switch kind := t.Kind(); {
	case kind == reflect.Struct && raw[0] == '{':
		return l.members(t, pos)
	case kind == reflect.Map && raw[0] == '{':
		return l.entries(t, pos)
	case (kind == reflect.Slice || kind == reflect.Array) && raw[0] == '[':
		return l.elements(t, pos)
	}
	return end, l.leaf(t, quoted, raw)
}

func (l *locator) fault(t reflect.Type, quoted bool) (int, bool) {
	if l.rule == "" {
		l.rule = "conversion: want " + wanted(t, quoted)
	}
	return 0, false
}

// leaf decodes one value by itself.
func (l *locator) leaf(t reflect.Type, quoted bool, raw []byte) bool {
	holder := t
	if quoted { // the option only works in a struct
		holder = reflect.StructOf([]reflect.StructField{{Name: "V", Type: t, Tag: `json:"v,string"`}})
		raw = append(append([]byte(`{"v":`), raw...), '}')
	}
	err := l.codec.guarded(raw, reflect.New(holder).Interface())
	if err == nil {
		return true
	}
	if errors.Is(err, errPanic) {
		l.panicked = err
	}
	l.fault(t, quoted)
	return false
}

func (l *locator) members(t reflect.Type, pos int) (int, bool) {
	fields := fieldsOf(t)
	pos++
	for first := true; ; first = false {
		m, after, done, ok := next(l.doc, pos, first)
		if !ok || done {
			return after, ok
		}
		found := false
		for i := range fields {
			if !equalString(fields[i].name, m.key) {
				continue
			}
			found = true
			if pos, ok = l.value(fields[i].typ, fields[i].quoted, m.value); !ok {
				l.path = append(l.path, step{name: fields[i].name})
				return 0, false
			}
			break
		}
		if !found {
			if pos, ok = skip(l.doc, m.value); !ok {
				return 0, false
			}
		}
	}
}

// entries reports faults in a map at the map: its names are not declared.
func (l *locator) entries(t reflect.Type, pos int) (int, bool) {
	pos++
	for first := true; ; first = false {
		m, after, done, ok := next(l.doc, pos, first)
		if !ok || done {
			return after, ok
		}
		end, ok := l.value(t.Elem(), false, m.value)
		if !ok {
			l.path = l.path[:0]
			return 0, false
		}
		key := append(append([]byte(`{"`), m.key...), `":null}`...)
		if !l.leaf(reflect.MapOf(t.Key(), reflect.TypeFor[*int]()), false, key) {
			return 0, false
		}
		pos = end
	}
}

func (l *locator) elements(t reflect.Type, pos int) (int, bool) {
	pos++
	for i := 0; ; i++ {
		start, done, ok := element(l.doc, pos, i == 0)
		if !ok || done {
			return start, ok
		}
		if pos, ok = l.value(t.Elem(), false, start); !ok {
			l.path = append(l.path, step{index: i, array: true})
			return 0, false
		}
	}
}

// wanted words what t takes.
func wanted(t reflect.Type, quoted bool) string {
	text := ""
	if quoted {
		text = "a string that holds "
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == typeTime:
		return "an RFC 3339 date-time"
	case isBytes(t):
		return "base64 text"
	}
	if _, _, ok := special(t); ok {
		return "a value of the form that its description gives"
	}
	switch t.Kind() {
	case reflect.Bool:
		return text + "a boolean"
	case reflect.String:
		return text + "a string"
	case reflect.Float32, reflect.Float64:
		return text + fmt.Sprintf("a number that fits %d-bit floating point", t.Bits())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return text + fmt.Sprintf("an integer that fits %d bits with sign", t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return text + fmt.Sprintf("an integer that fits %d bits without sign", t.Bits())
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map:
		return fmt.Sprintf("an object with names that are each %s", wanted(t.Key(), false))
	}
	return "an object"
}
