package schema

import (
	"fmt"
	"strings"
	"testing"
)

// TL-05, NO-02, TL-06, NO-03, decisions 24, 50: what Compile refuses, and that
// the error says why.
func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, raw, want string }{
		{"nothing", ``, "not strict JSON"},
		{"no JSON", `{"type":object}`, "not strict JSON"},
		{"trailing", `{"type":"object"} {}`, "not strict JSON"},
		{"byte order mark", "\ufeff{\"type\":\"object\"}", "not strict JSON"},
		{"invalid UTF-8", "{\"type\":\"object\",\"title\":\"\xff\"}", "UTF-8"},
		{"half a surrogate pair", `{"type":"object","title":"\ud800"}`, "surrogate"},
		{"duplicate name", `{"type":"object","typ\u0065":"object"}`, "twice in one object"},
		{"duplicate in a constant", `{"type":"object","const":{"a":1,"a":1}}`, "twice in one object"},
		{"array", `[]`, "the root: a schema is an object or a boolean"},
		{"root true", `true`, `must have type "object"`},
		{"root without type", `{}`, `must have type "object"`},
		{"root type array", `{"type":["object"]}`, ""},
		{"root type too wide", `{"type":["object","null"]}`, `must have type "object"`},
		{"root type by reference only", `{"$ref":"#/$defs/o","$defs":{"o":{"type":"object"}}}`, `must have type "object"`},
		{"dialect", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, "$schema must be"},
		{"dialect with empty fragment", `{"$schema":"https://json-schema.org/draft/2020-12/schema#","type":"object"}`, ""},
		{"dialect below the root", `{"type":"object","items":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}`, "/items: $schema stands only at the root"},
		{"unknown type", `{"type":"int"}`, "type must be"},
		{"no type", `{"type":[]}`, "type must be"},
		{"type twice", `{"type":["object","object"]}`, "type must be"},
		{"type null", `{"type":null}`, "type must be"},
		{"properties", `{"type":"object","properties":[]}`, "properties must be"},
		{"property", `{"type":"object","properties":{"a/b":1}}`, "/properties/a~1b: a schema is"},
		{"required", `{"type":"object","required":"a"}`, "required must be"},
		{"required number", `{"type":"object","required":[1]}`, "required must be"},
		{"required twice", `{"type":"object","required":["a","a"]}`, `names "a" twice`},
		{"additionalProperties", `{"type":"object","additionalProperties":1}`, "/additionalProperties: a schema is"},
		{"items array", `{"type":"object","items":[{}]}`, "/items: a schema is"},
		{"enum", `{"type":"object","enum":1}`, "enum must be"},
		{"minimum", `{"type":"object","minimum":"1"}`, "minimum must be"},
		{"maximum", `{"type":"object","maximum":null}`, "maximum must be"},
		{"allOf empty", `{"type":"object","allOf":[]}`, "allOf must be"},
		{"anyOf object", `{"type":"object","anyOf":{}}`, "anyOf must be"},
		{"$defs", `{"type":"object","$defs":[]}`, "$defs must be"},
		{"title", `{"type":"object","title":1}`, "title must be"},
		{"examples", `{"type":"object","examples":1}`, "examples must be"},
		{"deprecated", `{"type":"object","deprecated":"yes"}`, "deprecated must be"},
		{"format", `{"type":"object","format":1}`, "format must be"},
		{"header", `{"type":"object","properties":{"a":{"x-mcp-header":""}}}`, "x-mcp-header must be"},
		{"anchor", `{"type":"object","$anchor":"1a"}`, "$anchor must be"},
		{"anchor twice", `{"type":"object","$anchor":"a","items":{"$anchor":"a"}}`, "given twice"},
		{"remote reference", `{"type":"object","items":{"$ref":"https://example.com/schema"}}`, "/items: $ref must point into the same document"},
		{"file reference", `{"type":"object","$ref":"other.json"}`, "same document"},
		{"reference to nothing", `{"type":"object","$ref":"#/$defs/x"}`, "points to no subschema"},
		{"reference to no schema", `{"type":"object","$ref":"#/properties","properties":{}}`, "points to no subschema"},
		{"reference into a constant", `{"type":"object","$ref":"#/const","const":{}}`, "points to no subschema"},
		{"reference to no anchor", `{"type":"object","$ref":"#x"}`, "points to no subschema"},
		{"reference, bad percent", `{"type":"object","$ref":"#/%zz"}`, "malformed"},
		{"reference, bad tilde", `{"type":"object","$ref":"#/$defs/~2","$defs":{"~2":{}}}`, "points to no subschema"},
		{"cycle", `{"type":"object","$ref":"#"}`, "the root: refers to itself"},
		{"cycle through allOf", `{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`, "refers to itself"},
		{"cycle through if", `{"type":"object","if":{"$ref":"#"},"then":true}`, "refers to itself"},
		{"recursion through the value", `{"type":"object","items":{"$ref":"#"},"additionalProperties":{"$ref":"#"},"properties":{"a":{"$ref":"#"}}}`, ""},
		{"every annotation", `{"type":"object","$comment":"c","title":"t","description":"d","default":[{"$ref":"no schema"}],"examples":[1],"deprecated":true,"readOnly":false,"writeOnly":false,"format":"f","properties":{"a":{"type":"string","x-mcp-header":"Region"}}}`, ""},
	}
	refused := strings.FieldsSeq(`$id $vocabulary $dynamicRef $dynamicAnchor $recursiveRef oneOf not patternProperties pattern minLength maxLength
		minItems maxItems uniqueItems contains minContains maxContains minProperties maxProperties propertyNames dependentRequired
		dependentSchemas dependencies multipleOf exclusiveMinimum exclusiveMaximum unevaluatedItems unevaluatedProperties prefixItems
		contentEncoding contentMediaType contentSchema definitions Type x-other`)
	for keyword := range refused {
		cases = append(cases, struct{ name, raw, want string }{
			"keyword " + keyword, fmt.Sprintf(`{"type":"object","properties":{"a":{%q:1}}}`, keyword),
			fmt.Sprintf("at /properties/a: keyword %q is not supported", keyword),
		})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := Compile([]byte(c.raw), Limits{})
			switch {
			case c.want == "":
				if err != nil {
					t.Error(err)
				}
			case err == nil || p != nil:
				t.Error("accepted")
			case !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "schema: "):
				t.Errorf("got %q, want it to contain %q", err, c.want)
			}
		})
	}
}

// Only Compile wants an object at the root.
func TestCompileOutputRoot(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`true`, `{}`, `{"type":"array"}`, `{"type":"object"}`} {
		if _, err := CompileOutput([]byte(raw), Limits{}); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// Decision 8: each limit at its bound and one beyond, with the defaults.
func TestCompileLimits(t *testing.T) {
	t.Parallel()
	nest := func(levels int) string { // levels of items below the root
		return `{"type":"object"` + strings.Repeat(`,"items":{"title":""`, levels) + strings.Repeat("}", levels) + "}"
	}
	nodes := func(n int) string { // the root is one
		return `{"type":"object","allOf":[true` + strings.Repeat(",true", n-2) + "]}"
	}
	annotations := strings.Fields(`"title":"" "description":"" "$comment":"" "format":"" "deprecated":true "readOnly":true "writeOnly":true
		"default":0 "examples":[] "x-mcp-header":"A"`)
	words := func(n int) string { // the root has two, each alternative ten, the last one the rest
		full, rest := (n-2)/len(annotations), (n-2)%len(annotations)
		all := "{" + strings.Join(annotations, ",") + "},"
		return `{"type":"object","anyOf":[` + strings.Repeat(all, full) + "{" + strings.Join(annotations[:rest], ",") + `}]}`
	}
	pad := func(n int) string {
		const head, tail = `{"type":"object","title":"`, `"}`
		return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
	}
	cases := []struct {
		name string
		make func(int) string
		at   int
		want string
	}{
		{"bytes", pad, DefaultBytes, "1048577 bytes, more than 1048576"},
		{"nodes", nodes, DefaultNodes, "more than 4096 subschemas"},
		{"depth", nest, DefaultDepth - 1, "nested deeper than 64"},
		{"keywords", words, DefaultKeywords, "more than 32768 keywords"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := Compile([]byte(c.make(c.at)), Limits{}); err != nil {
				t.Errorf("at the limit: %v", err)
			}
			if _, err := Compile([]byte(c.make(c.at+1)), Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("one beyond: %v", err)
			}
		})
	}
	// Nesting where no subschemas are, and nesting beyond any parser's patience.
	for _, raw := range []string{
		`{"type":"object","default":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
		`{"type":"object","const":` + strings.Repeat(`{"a":`, 300_000/5) + "1" + strings.Repeat("}", 300_000/5) + `}`,
		strings.Repeat(`{"items":`, 100_000) + "true" + strings.Repeat("}", 100_000),
	} {
		if _, err := Compile([]byte(raw), Limits{}); err == nil {
			t.Errorf("accepted: %.40s", raw)
		}
	}
	if got, want := (Limits{Nodes: 7, Depth: -1}).withDefaults(), (Limits{DefaultBytes, 7, DefaultDepth, DefaultKeywords, DefaultOperations, DefaultPending}); got != want {
		t.Errorf("defaults: %+v", got)
	}
}

// Flat tells programs that decide in one pass from the rest.
func TestFlat(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":["integer","null"],"enum":[1],"minimum":0}},"required":["a"],"additionalProperties":false}`: true,
		`{"type":"object","properties":{"a":{"items":{"additionalProperties":{"const":1}}}}}`:                                                   true,
		`{"type":"object","if":true}`:                                        true,
		`{"type":"object","allOf":[true]}`:                                   false,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}}}`: false,
		`{"type":"object","items":{"$ref":"#"}}`:                             false,
		`{"type":"object","items":{"if":true,"then":false}}`:                 false,
	} {
		if got := compiled(t, raw).Flat(); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}
