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
	if len(doc) == 0 || !inPlace(reflect.TypeOf(into)) {
		return c.decode(string(doc), into)
	}
	return c.decode(unsafe.String(&doc[0], len(doc)), into)
}

// inPlaceTypes caches inPlace by type: the types of registered handlers, so few.
var inPlaceTypes sync.Map // reflect.Type to bool

// inPlace reports whether a decoder may read the document where it stands,
// though its buffer will be used again: whether t consists of nothing but
// booleans, numbers, strings, structs, slices, arrays, maps and pointers.
// Of the rest not all is copied: sonic lets a json.Number refer to the
// document, in an any on each platform and everywhere on arm64, and what an
// UnmarshalJSON keeps is not known.
func inPlace(t reflect.Type) bool {
	if known, ok := inPlaceTypes.Load(t); ok {
		return known.(bool)
	}
	found := plainType(t, map[reflect.Type]bool{})
	inPlaceTypes.Store(t, found)
	return found
}

func plainType(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == typeTime {
		return true
	}
	seen[t] = true
	if t == typeNumber || implements(t, unmarshaler) || implements(t, textUnmarshaler) {
		// A pointer to time.Time has the methods of time.Time.
		return t.Kind() == reflect.Pointer && plainType(t.Elem(), seen)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return plainType(t.Elem(), seen)
	case reflect.Map:
		return plainType(t.Key(), seen) && plainType(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if !plainType(t.Field(i).Type, seen) {
				return false
			}
		}
		return true
	}
	return t.Kind() != reflect.Interface
}
