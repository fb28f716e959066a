package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A codec turns documents into Go values and back. There are two: sonic, and
// encoding/json for platforms and Go versions that sonic does not know and for
// builds with the tag stdjson. Both keep numbers in an any as json.Number.
type codec struct {
	name   string
	decode func(doc string, into any) error
	encode func(dst []byte, v any) ([]byte, error)
	folds  bool // matches names without case
	alias  bool // numbers in an any refer to the document
}

// Codec names the codec in use: "sonic" or "encoding/json".
func Codec() string { return active.name }

var stdCodec = codec{
	name:  "encoding/json",
	folds: true,
	decode: func(doc string, into any) error {
		decoder := json.NewDecoder(bytes.NewReader([]byte(doc)))
		decoder.UseNumber()
		return decoder.Decode(into)
	},
	encode: func(dst []byte, v any) ([]byte, error) {
		out := bytes.NewBuffer(dst)
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			return dst, err
		}
		return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
	},
}

// errPanic is how a panic of an application's method is reported.
var errPanic = errors.New("panic in a method of the type")

// guarded decodes, and makes a panic of a method of the type an error.
func (c *codec) guarded(doc []byte, into any) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("schema: decoding %T: %w: %v", into, errPanic, fault)
		}
	}()
	if len(doc) == 0 || c.alias && holdsAny(reflect.TypeOf(into)) {
		return c.decode(string(doc), into)
	}
	// The decoder copies what it keeps, so it may read doc in place.
	return c.decode(unsafe.String(&doc[0], len(doc)), into)
}

// anyTypes caches holdsAny by type: the types of registered handlers, so few.
var anyTypes sync.Map // reflect.Type to bool

// holdsAny reports whether decoding into t may fill an interface.
func holdsAny(t reflect.Type) bool {
	if known, ok := anyTypes.Load(t); ok {
		return known.(bool)
	}
	found := findAny(t, map[reflect.Type]bool{})
	anyTypes.Store(t, found)
	return found
}

func findAny(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return findAny(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if findAny(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
