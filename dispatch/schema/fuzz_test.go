package schema

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// modest reports whether the numbers in text are such that the library's
// arithmetic on fractions stays quick.
func modest(text []byte) bool {
	for i, c := range text {
		if (c == 'e' || c == 'E') && i > 0 && (text[i-1]-'0' <= 9 || text[i-1] == '.') {
			digits := 0
			for j := i + 1; j < len(text) && strings.IndexByte("+-0123456789", text[j]) >= 0; j++ {
				digits++
			}
			if digits > 4 {
				return false
			}
		}
	}
	return true
}

// TL-04, TL-05: any schema and any document. Nothing panics, what Compile
// accepts the library accepts, and on strict documents the two agree.
func FuzzCheck(f *testing.F) {
	for _, s := range samples {
		if len(s.doc) < 1000 {
			f.Add([]byte(s.schema), []byte(s.doc))
		}
	}
	for _, seed := range []struct{ schema, doc string }{
		{`{"$ref":"#"}`, `1`},
		{`{"items":{"$ref":"#"}}`, `[[[]]]`},
		{`{"$defs":{"a":{"$anchor":"x"}},"$ref":"#x"}`, `{}`},
		{`{"properties":{"a":false},"required":["b"],"additionalProperties":{"type":"null"}}`, `{"b":null}`},
		{`{"if":{"type":"integer"},"then":{"minimum":1e2},"else":{"enum":["a",{"b":[1.0]}]}}`, `{"b":[10e-1]}`},
		{`{"const":"\ud83d\ude00"}`, `"😀"`},
		{`{"maximum":18446744073709551615}`, `18446744073709551616`},
		{`{"type":["integer","string"]}`, `1.50e1`},
		{`true`, `{"a":1,"a":2}`},
		{`{"type":"array"}`, strings.Repeat("[", 300) + strings.Repeat("]", 300)},
		{`{"minimum":0}`, `-1e-9999`},
		{`{"enum":[]}`, ` null `},
		{`false`, ``},
	} {
		f.Add([]byte(seed.schema), []byte(seed.doc))
	}
	for seed := range uint64(20) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 2)), defs: int(seed % 2)}
		raw := g.schema(2, true)
		if tree, err := parse([]byte(raw), 128); err == nil {
			f.Add([]byte(raw), []byte(g.instance(tree, 4)))
		}
	}
	f.Fuzz(func(t *testing.T, raw, doc []byte) {
		p, err := CompileOutput(raw, Limits{})
		if err != nil {
			if p != nil || !strings.HasPrefix(err.Error(), "schema: ") {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		v := p.Check(doc)
		if v != nil && len(v.Text()) > maxText {
			t.Fatalf("long text: %s", v.Text())
		}
		normal, changed := p.Normalize(nil, doc)
		p.fill(nil, doc)
		if changed && v == nil {
			if again := p.Check(normal); again != nil {
				t.Fatalf("%s normalized to %s: %v", doc, normal, again)
			}
			if _, twice := p.Normalize(nil, normal); twice {
				t.Fatalf("%s normalized to %s: not stable", doc, normal)
			}
		}
		if !modest(raw) || !modest(doc) {
			return
		}
		w, err := newTwin(raw)
		if err != nil {
			t.Fatalf("the library refuses %s: %v", raw, err)
		}
		if _, err := parse(doc, 128); err != nil || v != nil && v.Rule == ruleBudget {
			return
		}
		want, err := w.accepts(doc)
		if err != nil {
			t.Fatal(err)
		}
		if (v == nil) != want {
			t.Fatalf("disagreement\nschema  %s\ndoc     %s\nlibrary %v\nprogram %v", raw, doc, want, v)
		}
	})
}

// TL-04, decisions 32, 38: any strict document, decoded as types with each
// shape. Both codecs come to the same value or the same violation.
func FuzzDecode(f *testing.F) {
	types := []reflect.Type{
		reflect.TypeFor[sumIn](), reflect.TypeFor[everything](), reflect.TypeFor[optional](), reflect.TypeFor[specials](),
		reflect.TypeFor[embedding](), reflect.TypeFor[Node](), reflect.TypeFor[map[string]any](), reflect.TypeFor[pair[[]string, map[int8]float32]](),
	}
	programs := make([]*Program, len(types))
	for i, typ := range types {
		programs[i] = inferred(f, typ)
	}
	for i, doc := range []string{
		`{"a":-9223372036854775808,"b":9.223372036854775807e18}`,
		`{"i64":1.0,"u64":18446744073709551615,"i8":-0,"u32":0,"f64":1e400,"f32":1e-50,"bool":true,"text":"\u2028\ud83d\ude00","opt":null,"list":[],"map":{"k":1e2},"bytes":"AA==","time":"2026-12-01T00:00:00Z","number":1.50,"quoted":"1","Deep":[{"k":{"key":"","value":null}}],"any":[1,{"a":1e5}],"tree":{"value":0,"kids":[]},"base":{"id":"","name":""}}`,
		`{"pointer":1e0,"slice":["\"\\\/\b\f\n\r\t"],"map":{"a":1.0},"nested":[true,null],"array":[1,2,3]}`,
		`{"raw":{"a": [1.0 ]},"any":null,"number":1e5,"bytes":"","duration":1,"big":123456789012345678901234567890.0,"addr":"::1","level":"INFO","quoted":"-5","own":"x"}`,
		`{"id":"","note":"n","named":{"id":"","name":""},"Title":"","-":1}`,
		`{"value":1,"next":{"value":2.0,"kids":[]},"kids":[],"other":{"leaves":{"l":{"value":1,"kids":[]}}}}`,
		`{"a":{"b":[1,2.5,"x",null,true,12345678901234567890]}}`,
		`{"key":[],"value":{"-128":1.5,"127":3.4028235e38}}`,
		`{"key":[],"value":{"128":1.5}}`,
		`{"A":1,"b":2}`,
	} {
		f.Add(uint8(i), []byte(doc))
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		i := int(which) % len(types)
		if _, err := parse(doc, 128); err != nil || programs[i].Check(doc) != nil {
			return
		}
		before := string(doc)
		var values []any
		var faults []string
		for _, c := range codecs() {
			into := reflect.New(types[i])
			err := c.decodeChecked(programs[i], doc, into.Interface())
			fault := ""
			if err != nil {
				v := &Violation{}
				ok := errors.As(err, &v)
				if !ok {
					t.Fatalf("%s: %s: %v", c.name, doc, err)
				}
				fault = v.Pointer + " " + v.Rule
			}
			faults, values = append(faults, fault), append(values, into.Interface())
			if string(doc) != before {
				t.Fatalf("%s changed the document", c.name)
			}
		}
		for j := 1; j < len(faults); j++ {
			if faults[j] != faults[0] {
				t.Fatalf("%s: %q and %q", doc, faults[0], faults[j])
			}
			if faults[j] == "" && !equalValues(values[0], values[j]) {
				t.Fatalf("%s:\n%+v\n%+v", doc, values[0], values[j])
			}
		}
	})
}

// equalValues is reflect.DeepEqual but for numbers of math/big.
func equalValues(a, b any) bool {
	if x, ok := a.(*everything); ok {
		y := b.(*everything)
		if x.Big != nil && y.Big != nil && x.Big.Cmp(y.Big) == 0 {
			y.Big = x.Big
		}
	}
	if x, ok := a.(*specials); ok {
		y := b.(*specials)
		if x.Big != nil && y.Big != nil && x.Big.Cmp(y.Big) == 0 {
			y.Big = x.Big
		}
		if same := func(p, q *big.Float) bool { return p != nil && q != nil && p.Cmp(q) == 0 }; same(x.Float, y.Float) {
			y.Float = x.Float
		}
	}
	return reflect.DeepEqual(a, b)
}
