package schema

import (
	"errors"
	"fmt"
	"reflect"
)

// Decode fills into, a pointer to a zero value, from doc, which satisfies p
// (group 14). It keeps nothing of doc. Members match fields with case; a
// number in an any is a json.Number, exact; integers may be spelt 1.0 or 1e2
// (decision 38).
//
// Where the Go type refuses what the schema allows (a date that is none, an
// integer beyond its 64 bits, an error from UnmarshalJSON) the error is a
// *Violation. A panic in a method of the type is an error of another kind: it
// is the application's fault, not the caller's.
func Decode(p *Program, doc []byte, into any) error { return active.decodeChecked(p, doc, into) }

func (c *codec) decodeChecked(p *Program, doc []byte, into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("schema: cannot decode into %T", into)
	}
	if c.folds && p.open {
		r := &rewriter{folds: true}
		r.doc, r.operations = doc, p.limits.Operations
		if _, ok := r.value(closure([]*node{p.root}), space(doc, 0)); !ok {
			return &Violation{Pointer: pointer(r.folded), Rule: ruleAdditional}
		}
	}
	err := c.guarded(doc, into)
	if err == nil || errors.Is(err, errPanic) {
		return err
	}
	if text, changed := p.Normalize(nil, doc); changed {
		target.Elem().SetZero()
		if err = c.guarded(text, into); err == nil || errors.Is(err, errPanic) {
			return err
		}
		doc = text
	}
	if c != &stdCodec {
		// encoding/json has the last word on what a type takes: sonic refuses
		// some values that fit, such as the greatest float32 on arm64.
		target.Elem().SetZero()
		return stdCodec.decodeChecked(p, doc, into)
	}
	return c.locate(target.Type().Elem(), doc)
}

// Encode returns v as compact JSON: no HTML escaping, numbers exact (decision
// 14), keys of maps sorted, invalid UTF-8 replaced by U+FFFD. U+2028 and
// U+2029 may stand unescaped. An error or a panic of a method of v, a value
// that refers to itself, NaN and infinities are errors.
func Encode(v any) ([]byte, error) { return active.append(nil, v) }

// AppendEncode is Encode into dst, which it returns as it came on an error.
func AppendEncode(dst []byte, v any) ([]byte, error) { return active.append(dst, v) }

func (c *codec) append(dst []byte, v any) (out []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			out, err = dst, fmt.Errorf("schema: encoding %T: %w: %v", v, errPanic, fault)
		}
	}()
	return c.encode(dst, v)
}

// Encode is AppendEncode followed by Check: the text of v if it satisfies the
// program, else the violation. Nil slices, maps and []byte are written as [],
// {} and "" where the schema does not allow null.
func (p *Program) Encode(dst []byte, v any) ([]byte, *Violation, error) {
	return active.encodeChecked(p, dst, v)
}

func (c *codec) encodeChecked(p *Program, dst []byte, v any) ([]byte, *Violation, error) {
	out, err := c.append(dst, v)
	if err != nil {
		return dst, nil, err
	}
	violation := p.Check(out[len(dst):])
	if violation == nil {
		return out, nil, nil
	}
	if filled, changed := p.fill(nil, out[len(dst):]); changed {
		if violation = p.Check(filled); violation == nil {
			return append(dst, filled...), nil, nil
		}
	}
	return dst, violation, nil
}
