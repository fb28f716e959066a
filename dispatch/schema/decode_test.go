package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// codecs are both codecs, so that one run of the tests covers the switch.
func codecs() []*codec {
	if active == &stdCodec {
		return []*codec{&stdCodec}
	}
	return []*codec{active, &stdCodec}
}

// inferred compiles the schema of a type.
func inferred(t testing.TB, typ reflect.Type) *Program {
	t.Helper()
	raw, err := Infer(typ)
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, string(raw))
}

// decode checks and decodes doc as T.
func decode[T any](t testing.TB, c *codec, doc string) (T, error) {
	t.Helper()
	var into T
	p := inferred(t, reflect.TypeFor[T]())
	if v := p.Check([]byte(doc)); v != nil {
		return into, v
	}
	text := []byte(doc)
	err := c.decodeChecked(p, text, &into)
	for i := range text { // the caller's buffer is used again
		text[i] = '#'
	}
	return into, err
}

// TL-04, decision 38: what Check accepts is decoded to the right value.
func TestDecode(t *testing.T) {
	t.Parallel()
	one := int64(1)
	for _, c := range codecs() {
		row := func(name string, test func(t *testing.T)) {
			t.Run(c.name+"/"+name, func(t *testing.T) { t.Parallel(); test(t) })
		}
		row("int64 bounds", func(t *testing.T) {
			same(t, c, `{"a":-9223372036854775808,"b":9223372036854775807}`, sumIn{-1 << 63, 1<<63 - 1})
		})
		row("uint64 maximum", func(t *testing.T) { same(t, c, `18446744073709551615`, uint64(1<<64-1)) })
		row("integral spellings", func(t *testing.T) {
			same(t, c, ` {"a":1.0 ,"b":12.5e1}`, sumIn{1, 125})
			same(t, c, `[-0,0.0,-0e9,1E2,9.223372036854775807e18]`, []int64{0, 0, 0, 100, 1<<63 - 1})
			same(t, c, `[-0,-0.0,1.8446744073709551615E+19]`, []uint64{0, 0, 1<<64 - 1})
			same(t, c, `{"pointer":1e0,"slice":[],"map":{"k":2.0},"array":[3.0,4]}`, optional{
				Pointer: &one, Slice: []string{}, Map: map[string]uint16{"k": 2}, Array: [2]int8{3, 4},
			})
		})
		row("strings", func(t *testing.T) {
			same(t, c, `["\u2028\u2029","😀\ud83d\ude00","\"\\\/\b\f\n\r\t\u0000",""]`,
				[]string{"\u2028\u2029", "😀😀", "\"\\/\b\f\n\r\t\x00", ""})
			same(t, c, "[\"\u2028\u2029é\"]", []string{"\u2028\u2029é"})
		})
		row("numbers in an any are exact and owned", func(t *testing.T) {
			same(t, c, `{"m":[12345678901234567890,1.10,"s"]}`, map[string]any{"m": []any{json.Number("12345678901234567890"), json.Number("1.10"), "s"}})
		})
		row("raw and number", func(t *testing.T) {
			same(t, c, `{"key":[1.0, 2],"value":1.00}`, pair[json.RawMessage, json.Number]{json.RawMessage(`[1.0, 2]`), "1.00"})
		})
		row("numbers in every place are owned", func(t *testing.T) {
			type numbers struct {
				List  []json.Number          `json:"list"`
				Map   map[string]json.Number `json:"map"`
				Ptr   *json.Number           `json:"ptr"`
				Any   []any                  `json:"any"`
				Bytes []byte                 `json:"bytes"`
				Keys  map[string]string      `json:"keys"`
				Addr  netip.Addr             `json:"addr"`
			}
			n := json.Number("-1.5e10")
			same(t, c, `{"list":[1.25],"map":{"key":2.50},"ptr":-1.5e10,"any":["text",3.75,{"inner":4.25}],"bytes":"AAEC","keys":{"a key":"a value"},"addr":"192.0.2.1"}`,
				numbers{
					List: []json.Number{"1.25"}, Map: map[string]json.Number{"key": "2.50"}, Ptr: &n, Any: []any{"text", json.Number("3.75"), map[string]any{"inner": json.Number("4.25")}},
					Bytes: []byte{0, 1, 2}, Keys: map[string]string{"a key": "a value"}, Addr: netip.MustParseAddr("192.0.2.1"),
				})
		})
		row("greatest float32", func(t *testing.T) { same(t, c, `3.4028235e+38`, float32(math.MaxFloat32)) })
		row("recursion", func(t *testing.T) {
			same(t, c, `{"value":1.0,"next":{"value":2,"kids":[]},"kids":[{"value":3e0,"kids":[],"next":null}]}`,
				Node{Value: 1, Next: &Node{Value: 2, Kids: []Node{}}, Kids: []Node{{Value: 3, Kids: []Node{}}}})
		})
		row("escaped names", func(t *testing.T) { same(t, c, `{"\u0061":1,"b":2}`, sumIn{1, 2}) })
		row("embedded", func(t *testing.T) {
			same(t, c, `{"name":"n","id":3.0}`, shadow{base: base{Name: "n"}, ID: 3})
		})
	}
}

func same[T any](t *testing.T, c *codec, doc string, want T) {
	t.Helper()
	got, err := decode[T](t, c, doc)
	if err != nil {
		t.Errorf("%s: %v", doc, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, want %#v", doc, got, want)
	}
}

type failing struct{}

func (failing) UnmarshalJSON([]byte) error { return errors.New("secret") }

type panicking struct{}

func (panicking) MarshalJSON() ([]byte, error)  { panic("secret") }
func (*panicking) UnmarshalJSON([]byte) error   { panic("secret") }
func (*panicking) UnmarshalText(_ []byte) error { panic("secret") }

// TL-04, decisions 1, 32: what the Go type refuses is a violation with a
// pointer of declared names, never with a submitted name or value.
func TestDecodeViolations(t *testing.T) {
	t.Parallel()
	for _, c := range codecs() {
		row := func(name string, want string, decode func(t *testing.T) error) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				err := decode(t)
				var v *Violation
				if !errors.As(err, &v) {
					t.Fatalf("got %v", err)
				}
				if got := v.Pointer + " " + v.Rule; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				if strings.Contains(v.Text(), "secret") || strings.Contains(v.Text(), "9223372036854775808") {
					t.Errorf("submitted text leaks: %s", v.Text())
				}
			})
		}
		row("int64 + 1", "/b conversion: want an integer that fits 64 bits with sign", func(t *testing.T) error {
			_, err := decode[sumIn](t, c, `{"a":1.0,"b":9223372036854775808}`)
			return err
		})
		row("huge exponent", "/a conversion: want an integer that fits 64 bits with sign", func(t *testing.T) error {
			_, err := decode[sumIn](t, c, `{"a":1e999999999,"b":1}`)
			return err
		})
		row("uint64 + 1", "/1 conversion: want an integer that fits 64 bits without sign", func(t *testing.T) error {
			_, err := decode[[]uint64](t, c, `[1,18446744073709551616]`)
			return err
		})
		row("float64", "/value conversion: want a number that fits 64-bit floating point", func(t *testing.T) error {
			_, err := decode[pair[string, *float64]](t, c, `{"key":"secret","value":1e400}`)
			return err
		})
		row("float32", " conversion: want a number that fits 32-bit floating point", func(t *testing.T) error {
			_, err := decode[map[string]float32](t, c, `{"secret":1e39}`)
			return err
		})
		row("below a submitted name", "/key conversion: want an integer that fits 64 bits with sign", func(t *testing.T) error {
			_, err := decode[pair[map[string][]int64, int]](t, c, `{"key":{"x":[1],"secret":[1,9223372036854775808]},"value":1}`)
			return err
		})
		row("time", "/key conversion: want an RFC 3339 date-time", func(t *testing.T) error {
			_, err := decode[pair[*time.Time, int]](t, c, `{"key":"secret","value":1.0}`)
			return err
		})
		row("base64", "/key/1 conversion: want base64 text", func(t *testing.T) error {
			_, err := decode[pair[[][]byte, int]](t, c, `{"key":["AAEC","secret!"],"value":1}`)
			return err
		})
		row("own error", "/key conversion: want a value of the form that its description gives", func(t *testing.T) error {
			_, err := decode[pair[failing, int]](t, c, `{"key":"secret","value":1}`)
			return err
		})
		row("quoted", "/v conversion: want a string that holds an integer that fits 64 bits with sign", func(t *testing.T) error {
			_, err := decode[struct {
				V int64 `json:"v,string"`
			}](t, c, `{"v":"secret"}`)
			return err
		})
		row("map key", " conversion: want an object with names that are each an integer that fits 64 bits with sign", func(t *testing.T) error {
			_, err := decode[map[int]string](t, c, `{"secret":"x"}`)
			return err
		})
	}
}

// A panic in the application's own method is not the caller's fault.
func TestDecodePanic(t *testing.T) {
	t.Parallel()
	for _, c := range codecs() {
		_, err := decode[pair[panicking, int]](t, c, `{"key":"x","value":1}`)
		var v *Violation
		if err == nil || errors.As(err, &v) {
			t.Errorf("%s: got %v", c.name, err)
		}
		_, err = c.append(nil, pair[panicking, int]{})
		if err == nil || !errors.Is(err, errPanic) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// Decision 77: an open schema written by hand does not let a decoder fill a
// field from a member that differs by case.
func TestDecodeMatchesCase(t *testing.T) {
	t.Parallel()
	p := compiled(t, `{"type":"object","properties":{"a":{"type":"integer"}}}`)
	for _, c := range codecs() {
		doc := []byte(`{"a":1,"A":2}`)
		if v := p.Check(doc); v != nil {
			t.Fatal(v)
		}
		var into struct {
			A int `json:"a"`
		}
		err := c.decodeChecked(p, doc, &into)
		if err == nil && into.A != 1 {
			t.Errorf("%s: A = %d", c.name, into.A)
		}
		if c.folds && fmt.Sprint(err) != (&Violation{Rule: ruleAdditional}).Text() {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Only types that a decoder surely copies from are read where they stand.
func TestInPlace(t *testing.T) {
	t.Parallel()
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[*sumIn]():                       true,
		reflect.TypeFor[*Node]():                        true,
		reflect.TypeFor[map[string][]*time.Time]():      true,
		reflect.TypeFor[json.Number]():                  false,
		reflect.TypeFor[[]map[string]json.RawMessage](): false,
		reflect.TypeFor[any]():                          false,
		reflect.TypeFor[*pair[int, any]]():              false,
		reflect.TypeFor[map[json.Number]int]():          false,
		reflect.TypeFor[*failing]():                     false,
		reflect.TypeFor[[]netip.Addr]():                 false,
	} {
		if got := inPlace(typ); got != want {
			t.Errorf("%s: %v", typ, got)
		}
	}
}
