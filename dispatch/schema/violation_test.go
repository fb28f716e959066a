package schema

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Decisions 1, 32: the wording for the model.
func TestViolationText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 2000)
	cases := []struct {
		name string
		v    Violation
		want string
	}{
		{"type", Violation{"/a", "type: want integer"}, "invalid arguments: /a: must be integer"},
		{"types", Violation{"/a/0", "type: want integer or null"}, "invalid arguments: /a/0: must be integer or null"},
		{"required", Violation{"", "required: a, b"}, "invalid arguments: must have a, b"},
		{"undeclared", Violation{"/o", "additionalProperties"}, "invalid arguments: /o: must not have members that the schema does not declare"},
		{"below undeclared", Violation{"", "additionalProperties: type: want string"}, "invalid arguments: a member without a declaration of its own must be string"},
		{"enum", Violation{"/a", `enum: "x", 1`}, `invalid arguments: /a: must be one of "x", 1`},
		{"const", Violation{"/a", `const: {"a: b":1}`}, `invalid arguments: /a: must be {"a: b":1}`},
		{"minimum", Violation{"/a", "minimum: 0"}, "invalid arguments: /a: must be at least 0"},
		{"maximum", Violation{"/a", "maximum: 9.5"}, "invalid arguments: /a: must be at most 9.5"},
		{"anyOf", Violation{"/a", "anyOf"}, "invalid arguments: /a: must match at least one of the alternatives"},
		{"false", Violation{"/a", "false"}, "invalid arguments: /a: must not be present"},
		{"conversion", Violation{"/a", "conversion: want an RFC 3339 date-time"}, "invalid arguments: /a: must be an RFC 3339 date-time"},
		{"budget", Violation{"", ruleBudget}, "invalid arguments: is too large to check within the evaluation budget"},
		{"malformed", Violation{"", ruleMalformed}, "invalid arguments: is not valid JSON"},
		{"long pointer", Violation{"/" + long, "type: want string"}, ""},
		{"long rule", Violation{"", "required: " + long}, ""},
		{"both", Violation{"/" + long, "required: " + long}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := c.v.Text()
			if c.want != "" && got != c.want {
				t.Errorf("got %q", got)
			}
			if len(got) > maxText || !utf8.ValidString(got) {
				t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
			}
			if c.want == "" && (len(got) < maxText-8 || !strings.Contains(got, "…")) {
				t.Errorf("cut to %d bytes: %q", len(got), got)
			}
			if c.v.Error() != got {
				t.Error("Error and Text differ")
			}
		})
	}
}

// Operands and names that a schema declares are repeated only to a bound.
func TestViolationBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 5000)
	many := make([]string, 300)
	for i := range many {
		many[i] = `"` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `"`
	}
	for _, c := range []struct{ name, schema, doc string }{
		{"required", `{"required":["` + long + `"]}`, `{}`},
		{"required, many", `{"required":[` + strings.Join(many, ",") + `]}`, `{}`},
		{"enum", `{"enum":["` + long + `"]}`, `1`},
		{"enum, many", `{"enum":[` + strings.Join(many, ",") + `]}`, `1`},
		{"const", `{"const":"` + long + `"}`, `1`},
		{"minimum", `{"minimum":` + strings.Repeat("9", 2000) + `}`, `1`},
		{"pointer", `{"properties":{"` + long + `":false}}`, `{"` + long + `":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := compiled(t, c.schema).Check([]byte(c.doc))
			if v == nil || len(v.Rule) > maxOperand+32 || len(v.Text()) > maxText {
				t.Errorf("got %v", v)
			}
		})
	}
}
