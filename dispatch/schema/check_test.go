package schema

import (
	"strings"
	"testing"
)

// compiled compiles a schema with the default limits.
func compiled(t testing.TB, raw string) *Program {
	t.Helper()
	p, err := CompileOutput([]byte(raw), Limits{})
	if err != nil {
		t.Fatalf("compile %s: %v", raw, err)
	}
	return p
}

// TL-04, decisions 1, 32, 38, 77: one row for each rule, with the pointer and
// the rule that are reported. "" is acceptance.
func TestCheck(t *testing.T) {
	t.Parallel()
	const abc = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":["number","null"]}},"required":["a","b"],"additionalProperties":false}`
	const nested = `{"type":"object","properties":{"p/q":{"type":"array","items":{"type":"object","properties":{"x~y":{"type":"boolean"}},"required":["x~y"]}}}}`
	cases := []struct{ name, schema, doc, want string }{
		{"all right", abc, `{"a":1,"b":"x","c":1.5}`, ""},
		{"any order", abc, `{"c":null,"b":"x","a":1}`, ""},
		{"white space", abc, " {\t\"a\" :\n1 ,\r\"b\": \"x\" } ", ""},
		{"escaped key", abc, `{"\u0061":1,"b":"x"}`, ""},
		{"escaped key, wrong value", abc, `{"\u0061":"1","b":"x"}`, " /a type: want integer"},
		{"not an object", abc, `[]`, "  type: want object"},
		{"required", abc, `{"a":1}`, "  required: b"},
		{"required, two", abc, `{}`, "  required: a, b"},
		{"undeclared", abc, `{"a":1,"b":"x","secret":1}`, "  additionalProperties"},
		{"case matters", abc, `{"A":1,"b":"x"}`, "  additionalProperties"},
		{"escaped undeclared", abc, `{"\u0041":1,"b":"x"}`, "  additionalProperties"},
		{"integral fraction", abc, `{"a":1.0,"b":""}`, ""},
		{"integral exponent", abc, `{"a":1e2,"b":""}`, ""},
		{"integral negative exponent", abc, `{"a":100e-2,"b":""}`, ""},
		{"huge exponent", abc, `{"a":1e999999999999,"b":""}`, ""},
		{"fraction", abc, `{"a":1.5,"b":""}`, " /a type: want integer"},
		{"tiny", abc, `{"a":1e-999999999999,"b":""}`, " /a type: want integer"},
		{"zero with a huge exponent", abc, `{"a":0e-999999999999,"b":""}`, ""},
		{"number or null", abc, `{"a":1,"b":"","c":"x"}`, " /c type: want number or null"},
		{"nested pointer", nested, `{"p/q":[{"x~y":true},{"x~y":1}]}`, " /p~1q/1/x~0y type: want boolean"},
		{"nested required", nested, `{"p/q":[{"z":true}]}`, " /p~1q/0 required: x~y"},
		{"enum", `{"enum":["a",1,null,{"k":[1]}]}`, `{"k":[1.0]}`, ""},
		{"enum escaped", `{"enum":["a\n",1]}`, `"\u0061\u000a"`, ""},
		{"enum miss", `{"enum":["a",1]}`, `"b"`, `  enum: "a", 1`},
		{"enum of many", `{"enum":["a","b","c","d","e","f","g","h","i","j","k","l"]}`, `"l"`, ""},
		{"enum of many, miss", `{"enum":["a","b","c","d","e","f","g","h","i","j","k","l"]}`, `"m"`, `  enum: "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"`},
		{"const number", `{"const":1}`, `10e-1`, ""},
		{"const miss", `{"const":{"a":1,"b":2}}`, `{"b":2}`, `  const: {"a":1,"b":2}`},
		{"const object order", `{"const":{"a":1,"b":[true,false,null,"x"]}}`, `{"b":[true,false,null,"x"],"\u0061":1}`, ""},
		{"const array longer", `{"const":[1]}`, `[1,1]`, `  const: [1]`},
		{"minimum", `{"minimum":-5}`, `-5`, ""},
		{"minimum miss", `{"minimum":-5}`, `-5.0000001`, "  minimum: -5"},
		{"minimum on a string", `{"minimum":-5}`, `"x"`, ""},
		{"maximum int64", `{"maximum":9223372036854775807}`, `9223372036854775807`, ""},
		{"maximum int64 + 1", `{"maximum":9223372036854775807}`, `9223372036854775808`, "  maximum: 9223372036854775807"},
		{"maximum uint64 + 1", `{"maximum":18446744073709551615}`, `18446744073709551616`, "  maximum: 18446744073709551615"},
		{"maximum decimal", `{"maximum":0.1}`, `0.10000000000000000000000000001`, "  maximum: 0.1"},
		{"items", `{"items":{"type":"integer"}}`, `[1,2,"x"]`, " /2 type: want integer"},
		{"items false", `{"items":false}`, `[1]`, " /0 false"},
		{"items false, empty", `{"items":false}`, `[ ]`, ""},
		{"property false", `{"properties":{"a":false}}`, `{"a":1}`, " /a false"},
		{"map", `{"additionalProperties":{"type":"string"}}`, `{"k":"v"}`, ""},
		{"map miss hides the name", `{"additionalProperties":{"type":"string"}}`, `{"k":1}`, "  additionalProperties: type: want string"},
		{"map of maps", `{"properties":{"m":{"additionalProperties":{"additionalProperties":{"items":{"type":"string"}}}}}}`, `{"m":{"k":{"l":[1]}}}`, " /m additionalProperties: type: want string"},
		{"required but not a property", `{"required":["a"],"additionalProperties":{"type":"string"}}`, `{"a":1}`, " /a type: want string"},
		{"allOf", `{"allOf":[{"type":"integer"},{"minimum":3}]}`, `2`, "  minimum: 3"},
		{"anyOf", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `null`, ""},
		{"anyOf miss", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"x"`, "  anyOf"},
		{"if then", `{"if":{"const":1},"then":{"type":"null"},"else":{"type":"string"}}`, `1`, "  type: want null"},
		{"if else", `{"if":{"const":1},"then":{"type":"null"},"else":{"type":"string"}}`, `2`, "  type: want string"},
		{"if alone", `{"if":false}`, `2`, ""},
		{"then alone", `{"then":false}`, `2`, ""},
		{"ref", `{"$defs":{"i":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/i"}}}`, `{"a":"x"}`, " /a type: want integer"},
		{"ref and siblings", `{"$defs":{"i":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/i","maximum":1}}}`, `{"a":2}`, " /a maximum: 1"},
		{"ref escaped", `{"$defs":{"a/b~c d":{"type":"integer"}},"$ref":"#/$defs/a~1b~0c%20d"}`, `"x"`, "  type: want integer"},
		{"anchor", `{"$defs":{"i":{"$anchor":"int","type":"integer"}},"$ref":"#int"}`, `"x"`, "  type: want integer"},
		{"recursion", `{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"additionalProperties":false}`, `{"next":{"next":null}}`, ""},
		{"recursion miss", `{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`, `{"next":{"next":{"x":1}}}`, " /next/next additionalProperties"},
		{"true", `true`, `[{"a":[]}]`, ""},
		{"false", `false`, `1`, "  false"},
		{"trailing", `true`, `1 2`, "  schema: malformed document"},
		{"cut", abc, `{"a":1,"b":"x`, "  schema: malformed document"},
		{"empty", abc, ``, "  schema: malformed document"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if v := compiled(t, c.schema).Check([]byte(c.doc)); v != nil {
				got = " " + v.Pointer + " " + v.Rule
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if strings.Contains(got, "secret") {
				t.Error("a submitted name leaks")
			}
		})
	}
}
