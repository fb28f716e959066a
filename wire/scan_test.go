package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// members returns an object with n keys, after a prefix.
func members(prefix string, n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s%d":%d`, prefix, i, i)
	}
	return b.String() + "}"
}

// withKey adds a key to an object.
func withKey(object, key string) string { return strings.TrimSuffix(object, "}") + `,"` + key + `":0}` }

func nested(open, inner, shut string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
}

// hostile are bodies that are not strict JSON, each for one reason.
var hostile = []struct{ name, doc string }{
	{"empty", ""},
	{"only whitespace", " \r\n\t"},
	{"leading BOM", "\xef\xbb\xbf{}"},
	{"UTF-16 BOM", "\xff\xfe{\x00}\x00"},
	{"other whitespace: form feed", "\f{}"},
	{"other whitespace: no-break space", "\u00a0{}"},
	{"other whitespace: line separator", "{}\u2028"},
	{"NUL after the value", "{}\x00"},
	{"trailing comma after the value", "{},"},
	{"trailing brace", "{}}"},
	{"two values", "{} {}"},
	{"two lines", "{}\n{}"},
	{"line comment", "{} // x"},
	{"block comment", "{/* x */}"},
	{"incomplete object", `{"a":1`},
	{"truncated after key", `{"a"`},
	{"truncated after colon", `{"a":`},
	{"truncated after comma", `{"a":1,`},
	{"truncated in string", `{"a":"b`},
	{"truncated in escape", `{"a":"\`},
	{"truncated in unicode escape", `{"a":"\u00`},
	{"truncated in pair", `{"a":"\ud83d\u`},
	{"truncated in literal", `{"a":tru`},
	{"truncated array", `[1,2`},
	{"truncated after minus", `[-`},
	{"trailing comma in object", `{"a":1,}`},
	{"trailing comma in array", `[1,]`},
	{"leading comma in array", `[,1]`},
	{"leading comma in object", `{,"a":1}`},
	{"no comma in object", `{"a":1 "b":2}`},
	{"no comma in array", `[1 2]`},
	{"no colon", `{"a" 1}`},
	{"two colons", `{"a"::1}`},
	{"bare key", `{a:1}`},
	{"single quotes", `{'a':1}`},
	{"number as key", `{1:1}`},
	{"null as key", `{null:1}`},
	{"wrong bracket", `{"a":[1}]`},
	{"closed array as object", `[}`},
	{"NaN", `[NaN]`},
	{"Infinity", `[Infinity]`},
	{"minus Infinity", `[-Infinity]`},
	{"undefined", `[undefined]`},
	{"capital literal", `[True]`},
	{"literal with a tail", `[nullx]`},
	{"invalid number: plus", `[+1]`},
	{"invalid number: leading zero", `[01]`},
	{"invalid number: leading zero after minus", `[-01]`},
	{"invalid number: no integer", `[.5]`},
	{"invalid number: no fraction", `[1.]`},
	{"invalid number: no exponent", `[1e]`},
	{"invalid number: signed nothing", `[1e+]`},
	{"invalid number: only minus", `[-]`},
	{"invalid number: hexadecimal", `[0x10]`},
	{"invalid number: underscore", `[1_000]`},
	{"invalid number: two points", `[1.2.3]`},
	{"invalid number: full-width digit", `[１]`},
	{"raw newline in string", "[\"a\nb\"]"},
	{"raw tab in string", "[\"a\tb\"]"},
	{"raw NUL in string", "[\"a\x00b\"]"},
	{"raw unit separator in a long string", "[\"abcdefghijklmnop\x1fq\"]"},
	{"unknown escape", `["\x41"]`},
	{"escaped apostrophe", `["\'"]`},
	{"upper-case escape", `["\N"]`},
	{"escaped newline", "[\"\\\n\"]"},
	{"unicode escape of three digits", `["\u12"]`},
	{"unicode escape with a sign", `["\u+123"]`},
	{"unicode escape without digits", `["\uzzzz"]`},
	{"lone high surrogate", `["\ud83d"]`},
	{"lone low surrogate", `["\ude00"]`},
	{"lone low surrogate in key", `{"\ude00":1}`},
	{"reversed pair", `["\ude00\ud83d"]`},
	{"high surrogate twice", `["\ud83d\ud83d"]`},
	{"low surrogate twice", `["\ude00\ude00"]`},
	{"high surrogate and an escape above the surrogates", `["\ud83d\uffff"]`},
	{"high surrogate and a letter", `["\ud83dx"]`},
	{"high surrogate and another escape", `["\ud83d\n\ude00"]`},
	{"high surrogate and a BMP escape", `["\ud83d\u0041"]`},
	{"invalid UTF-8: lone continuation", "[\"\x80\"]"},
	{"invalid UTF-8: overlong slash", "[\"\xc0\xaf\"]"},
	{"invalid UTF-8: overlong of two", "[\"\xc1\xbf\"]"},
	{"invalid UTF-8: overlong of three", "[\"\xe0\x9f\xbf\"]"},
	{"invalid UTF-8: overlong of four", "[\"\xf0\x8f\xbf\xbf\"]"},
	{"invalid UTF-8: encoded surrogate", "[\"\xed\xa0\x80\"]"},
	{"invalid UTF-8: encoded low surrogate", "[\"\xed\xbf\xbf\"]"},
	{"invalid UTF-8: CESU-8 pair", "[\"\xed\xa0\xbd\xed\xb8\x80\"]"},
	{"invalid UTF-8: beyond U+10FFFF", "[\"\xf4\x90\x80\x80\"]"},
	{"invalid UTF-8: byte FE", "[\"\xfe\"]"},
	{"invalid UTF-8: sequence cut by the quote", "[\"\xe2\x80\"]"},
	{"invalid UTF-8: sequence cut by the end", "[\"\xe2\x80"},
	{"invalid UTF-8: bad third byte", "[\"\xe2\x80A\"]"},
	{"invalid UTF-8: bad fourth byte", "[\"\xf0\x9f\x98A\"]"},
	{"invalid UTF-8 in key", "{\"\xff\":1}"},
	{"invalid UTF-8 after an escape", "[\"\\n\xff\"]"},
	{"invalid UTF-8 between values", "[1,\xff2]"},
	{"duplicate keys", `{"a":1,"a":2}`},
	{"duplicate keys: empty", `{"":1,"":2}`},
	{"duplicate keys apart", `{"a":1,"b":2,"c":{},"a":3}`},
	{"duplicate keys after unescaping", `{"a":1,"\u0061":2}`},
	{"duplicate keys, escaped first", `{"\u0061":1,"a":2}`},
	{"duplicate keys, escaped differently", `{"\u00e9\/":1,"\u00E9/":2}`},
	{"duplicate keys, pair and raw", `{"\ud83d\ude00":1,"😀":2}`},
	{"duplicate keys, deep in arrays", `[[[{"x":[{"k":1,"k":2}]}]]]`},
	{"duplicate keys after a nested object", `{"a":{"b":1},"a":2}`},
	{"duplicate keys among 17", withKey(members("k", 17), "k0")},
	{"duplicate keys among 17, the last", withKey(members("k", 17), "k16")},
	{"duplicate keys among 17, escaped", withKey(members("k", 17), `\u006b3`)},
	{"duplicate keys among 16", withKey(members("k", 16), "k15")},
	{"duplicate keys among 1000", withKey(members("k", 1000), "k567")},
	{"duplicate keys around a large object", `{"a":` + members("k", 100) + `,"a":1}`},
	{"duplicate keys around large objects", strings.TrimSuffix(members("k", 40), "}") + `,"x":` + members("k", 100) + `,"k7":0}`},
	{"duplicate keys in the second of two large objects", `[` + members("k", 40) + `,` + withKey(members("k", 30), "k1") + `]`},
	{"duplicate id", `{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}`},
	{"duplicate in params", `{"params":{"name":"a","name":"b"}}`},
	{"duplicate in _meta", `{"params":{"_meta":{"a":1,"\u0061":2}}}`},
	{"deep-array", nested("[", "", "]", 129)},
	{"deep object", nested(`{"a":`, "1", "}", 129)},
	{"very deep array, unclosed", strings.Repeat("[", 1<<20)},
	{"long number", "[1" + strings.Repeat("0", 1024) + "]"},
	{"canonical-length-overflow", "[0." + strings.Repeat("0", 1023) + "]"},
	{"exponent beyond the bound", "[1e10001]"},
	{"negative exponent beyond the bound", "[1e-10001]"},
	{"canonical-exponent-overflow", "[1e99999999999999999999]"},
	{"large-exponent of zero", "[0e10001]"},
}

// T-40 ER-01: each of the bodies is refused, whatever it is nested in, with an
// error that says where and quotes nothing.
func TestScanRefusesHostileBodies(t *testing.T) {
	t.Parallel()
	if len(hostile) < 44 {
		t.Fatalf("%d bodies", len(hostile))
	}
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m wire.Message
			err := m.Scan([]byte(c.doc), &wire.DefaultBounds)
			var syntax *wire.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("accepted, error %v", err)
			}
			if syntax.Offset < 0 || syntax.Offset > len(c.doc) || syntax.Rule == "" {
				t.Errorf("offset %d, rule %q", syntax.Offset, syntax.Rule)
			}
			if m.Classify() != wire.Invalid || !m.ID().IsZero() {
				t.Error("a refused body has left a message behind")
			}
			if twinAccepts([]byte(c.doc), &wire.DefaultBounds) {
				t.Error("the twin accepts it")
			}
			if err := wire.CheckResult([]byte(c.doc), &wire.DefaultBounds); err == nil {
				t.Error("CheckResult accepts it")
			}
			if err := m.Scan([]byte(`{"jsonrpc":"2.0","id":1,"method":"m"}`), &wire.DefaultBounds); err != nil || m.Classify() != wire.Request {
				t.Errorf("the scratch is spoilt: %v", err)
			}
		})
	}
}

// friendly are documents at the edges of what is strict JSON.
var friendly = []struct{ name, doc string }{
	{"object", `{}`},
	{"array", `[]`},
	{"string", `""`},
	{"number", `0`},
	{"minus zero", `-0`},
	{"literals", `[true,false,null]`},
	{"whitespace everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \r\n"},
	{"nested", `{"a":{"a":{"a":[{"a":1},{"a":2}]}}}`},
	{"equal keys in sisters", `[{"a":1},{"a":2}]`},
	{"keys that differ in case", `{"a":1,"A":2}`},
	{"keys that differ in normalization", "{\"\u00e9\":1,\"e\u0301\":2}"},
	{"keys that share a prefix", `{"a":1,"aa":2,"aaa":3,"":4}`},
	{"string-escapes", `["\"\\\/\b\f\n\r\t\u0000\u001f\uFFFF"]`},
	{"surrogate-pair", `["\ud83d\ude00\uDBFF\uDFFF\uD800\uDC00"]`},
	{"an escaped backslash before u", `["\\ud83d"]`},
	{"line-separators", "[\"\u2028\u2029\"]"},
	{"BOM in a string", "[\"\ufeff\"]"},
	{"noncharacters", "[\"\ufffe\uffff\U0010ffff\"]"},
	{"replacement character", "[\"\ufffd\"]"},
	{"DEL", "[\"\x7f\"]"},
	{"edges of UTF-8", "[\"\u0080\u07ff\u0800\ud7ff\ue000\U00010000\"]"},
	{"exponent-limit", `[1e10000,1e-10000,1E+10000]`},
	{"exponent-scale", `[1.5e0,0.0e-0,1e00010000]`},
	{"long number at the limit", "[" + strings.Repeat("9", 1024) + "]"},
	{"depth at the limit", nested("[", "", "]", 128)},
	{"depth at the limit, objects", nested(`{"a":`, "1", "}", 128)},
	{"many keys", members("k", 5000)},
	{"many keys, some escaped", withKey(members("k", 500), `\u006bx`)},
	{"large objects in arrays", `[` + members("a", 40) + `,` + members("b", 70) + `,` + members("a", 17) + `]`},
	{"large objects in a large object", strings.TrimSuffix(members("k", 20), "}") + `,"x":` + members("k", 60) + `,"y":` + members("k", 60) + `,"k20":0}`},
}

func TestScanAcceptsStrictJSON(t *testing.T) {
	t.Parallel()
	for _, c := range friendly {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m wire.Message
			if err := m.Scan([]byte(c.doc), &wire.DefaultBounds); err != nil {
				t.Errorf("refused: %v", err)
			}
			if err := wire.CheckResult([]byte(c.doc), &wire.DefaultBounds); err != nil {
				t.Errorf("CheckResult: %v", err)
			}
			if !twinAccepts([]byte(c.doc), &wire.DefaultBounds) || !json.Valid([]byte(c.doc)) {
				t.Error("the twin refuses it")
			}
		})
	}
}

// Decision 52, T-40: each bound has a document at it, which passes, and one
// beyond it, which does not.
func TestScanBounds(t *testing.T) {
	t.Parallel()
	ascii := strings.Repeat("x", 1_048_576)
	cases := []struct {
		name       string
		bounds     wire.Bounds
		at, beyond string
		rule       string
	}{
		{"depth", wire.Bounds{Depth: 3, Nodes: 9, String: 9, Number: 9, Exponent: 9}, `[[{"a":1}]]`, `[[{"a":[]}]]`, "nested too deeply"},
		{"depth in params", wire.Bounds{Depth: 3, Nodes: 9, String: 9, Number: 9, Exponent: 9}, `{"params":{"_meta":{}}}`, `{"params":{"_meta":{"a":{}}}}`, "nested too deeply"},
		{"depth of _meta", wire.Bounds{Depth: 2, Nodes: 9, String: 9, Number: 9, Exponent: 9}, `{"params":{"_meta":1}}`, `{"params":{"_meta":{}}}`, "nested too deeply"},
		{"nodes: values", wire.Bounds{Depth: 9, Nodes: 4, String: 9, Number: 9, Exponent: 9}, `[1,2,3]`, `[1,2,3,4]`, "too many values"},
		{"nodes: keys count", wire.Bounds{Depth: 9, Nodes: 5, String: 9, Number: 9, Exponent: 9}, `{"a":1,"b":2}`, `{"a":1,"b":[3]}`, "too many values"},
		{"nodes: default", wire.DefaultBounds, "[" + strings.Repeat("1,", 99_998) + "1]", "[" + strings.Repeat("1,", 99_999) + "1]", "too many values"},
		{"nodes: default, keys", wire.DefaultBounds, `[0,` + members("k", 49_998) + `,1]`, `[0,` + members("k", 49_998) + `,1,2]`, "too many values"},
		{"string: ASCII", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"abcd"`, `"abcde"`, "string too long"},
		{"string: a long one", wire.Bounds{Depth: 9, Nodes: 9, String: 20, Number: 9, Exponent: 9}, `"abcdefghijklmnopqrst"`, `"abcdefghijklmnopqrstu"`, "string too long"},
		{"string: key", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `{"abcd":1}`, `{"abcde":1}`, "string too long"},
		{"string: two-byte units", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"éééé"`, `"ééééé"`, "string too long"},
		{"string: three-byte units", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"天地玄黄"`, `"天地玄黄x"`, "string too long"},
		{"string: pairs are two units", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"😀😀"`, `"😀😀x"`, "string too long"},
		{"string: escapes are one unit", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"\u0041\n\u00e9\\"`, `"\u0041\n\u00e9\\x"`, "string too long"},
		{"string: escaped pairs are two units", wire.Bounds{Depth: 9, Nodes: 9, String: 4, Number: 9, Exponent: 9}, `"\ud83d\ude00\ud83d\ude00"`, `"\ud83d\ude00\ud83d\ude00x"`, "string too long"},
		{"string: default", wire.DefaultBounds, `"` + ascii + `"`, `"` + ascii + `x"`, "string too long"},
		{"number", wire.Bounds{Depth: 9, Nodes: 9, String: 9, Number: 5, Exponent: 9}, `-1.25`, `-1.250`, "number too long"},
		{"number: default", wire.DefaultBounds, strings.Repeat("1", 1024), strings.Repeat("1", 1025), "number too long"},
		{"exponent", wire.Bounds{Depth: 9, Nodes: 9, String: 9, Number: 9, Exponent: 12}, `1e+0012`, `1e+0013`, "exponent out of bounds"},
		{"exponent: negative", wire.Bounds{Depth: 9, Nodes: 9, String: 9, Number: 9, Exponent: 12}, `1e-12`, `1e-13`, "exponent out of bounds"},
		{"exponent: none", wire.Bounds{Depth: 9, Nodes: 9, String: 9, Number: 9}, `1e0`, `1e1`, "exponent out of bounds"},
		{"exponent: default", wire.DefaultBounds, `1E10000`, `1E10001`, "exponent out of bounds"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m wire.Message
			if err := m.Scan([]byte(c.at), &c.bounds); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			err := m.Scan([]byte(c.beyond), &c.bounds)
			var syntax *wire.SyntaxError
			if !errors.As(err, &syntax) || syntax.Rule != c.rule {
				t.Errorf("beyond the bound: %v, want %q", err, c.rule)
			}
			if !twinAccepts([]byte(c.at), &c.bounds) || twinAccepts([]byte(c.beyond), &c.bounds) {
				t.Error("the twin disagrees")
			}
		})
	}
}

// ER-19 ER-20: what a parse failure says is a position and a fixed text.
func TestSyntaxErrorQuotesNothing(t *testing.T) {
	t.Parallel()
	const marker = "planted-marker"
	for _, doc := range []string{
		`{"planted-marker":1,"planted-marker":2}`, `{"a":planted-marker}`, `{"a":"planted-marker\q"}`, `planted-marker`,
		`{"planted-marker" 1}`, `["planted-marker" "x"]`, "[\"planted-marker\xff\"]", `{"planted-marker":"` + "\x01",
	} {
		var m wire.Message
		err := m.Scan([]byte(doc), &wire.DefaultBounds)
		if err == nil || strings.Contains(err.Error(), marker) {
			t.Errorf("%s: error %v", doc, err)
		}
	}
}

// What a hostile body has made a Message allocate is not kept: the next bodies
// are scanned with no allocation and in the room that is always there.
func TestScanForgetsHostileScratch(t *testing.T) {
	var m wire.Message
	huge := []byte(members("k", 49_000))
	if err := m.Scan(huge, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	small := []byte(toolsCall)
	if n := testing.AllocsPerRun(100, func() {
		if m.Scan(small, &wire.DefaultBounds) != nil {
			t.Error("refused")
		}
	}); n != 0 {
		t.Errorf("%v allocations after a hostile body", n)
	}
}
