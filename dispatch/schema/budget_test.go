package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The budget of evaluation, at its bound and one beyond, and that what spends
// it ends in an ordinary violation, whatever the schema and the document.
func TestBudget(t *testing.T) {
	t.Parallel()
	limited := func(raw string, l Limits) *Program {
		t.Helper()
		p, err := CompileOutput([]byte(raw), l)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// An array of n integers takes one operation for itself and one for each.
	list := func(n int) []byte { return []byte("[" + strings.Repeat("1,", n-1) + "1]") }
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	const anyDepth = `{"type":"array","items":{"$ref":"#"}}`
	exact := []struct {
		name   string
		p      *Program
		doc    []byte
		beyond []byte
	}{
		{"operations", limited(`{"items":{"type":"integer"}}`, Limits{Operations: 100}), list(99), list(100)},
		{"members", limited(`{"additionalProperties":{"type":"integer"}}`, Limits{Operations: 5}), []byte(`{"a":1,"b":2}`), []byte(`{"a":1,"b":2,"c":3}`)},
		{"comparisons", limited(`{"items":{"enum":[1,2,3]}}`, Limits{Operations: 9}), []byte(`[3,3]`), []byte(`[3,3,1]`)},
		{"bytes passed over", limited(`{"properties":{}}`, Limits{Operations: 11}), []byte(`"` + strings.Repeat("x", 64*10+60) + `"`), []byte(`"` + strings.Repeat("x", 64*11) + `"`)},
		{"pending", limited(`{"items":{"items":{"items":{"type":"integer"}}}}`, Limits{Pending: 3}), []byte(`[[[1]]]`), nil},
		{"pending too small", limited(`{"items":{"items":{"items":{"type":"integer"}}}}`, Limits{Pending: 2}), []byte(`[[1]]`), []byte(`[[[1]]]`)},
		{"pending, default", limited(anyDepth, Limits{}), deep(64), deep(65)}, // each level is an array and a reference
	}
	for _, c := range exact {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if v := c.p.Check(c.doc); v != nil && v.Rule == ruleBudget {
				t.Error("at the limit: spent")
			}
			if c.beyond == nil {
				return
			}
			if v := c.p.Check(c.beyond); v == nil || *v != (Violation{Rule: ruleBudget}) {
				t.Errorf("one beyond: %v", v)
			}
		})
	}
	wideEnum := make([]string, 4000)
	for i := range wideEnum {
		wideEnum[i] = fmt.Sprintf("[%d]", i)
	}
	chain := `{"$defs":{"d0":{"type":"integer"}`
	for i := range 1000 {
		chain += fmt.Sprintf(`,"d%d":{"$ref":"#/$defs/d%d"}`, i+1, i)
	}
	chain += `},"$ref":"#/$defs/d1000"}`
	hostile := []struct {
		name, schema string
		doc          []byte
	}{
		{
			"exponential alternatives", `{"$defs":{"n":{"anyOf":[{"properties":{"n":{"$ref":"#/$defs/n"}},"required":["x"]},{"properties":{"n":{"$ref":"#/$defs/n"}},"required":["y"]}]}},"$ref":"#/$defs/n"}`,
			[]byte(strings.Repeat(`{"n":`, 40) + "1" + strings.Repeat("}", 40)),
		},
		{"exponential conditions", `{"if":{"items":{"$ref":"#"}},"then":{"items":{"$ref":"#"}},"else":{"items":{"$ref":"#"}}}`, deep(40)},
		{"deep", anyDepth, deep(100_000)},
		{"a long chain of references", chain, []byte("1")},
		{"many comparisons", `{"items":{"enum":[` + strings.Join(wideEnum, ",") + `]}}`, []byte("[" + strings.Repeat("[3999],", 50_000) + "[0]]")},
		{"many long values", `{"allOf":[` + strings.Repeat(`{"required":["b"]},`, 3000) + `true]}`, []byte(`{"b":"` + strings.Repeat("x", 1<<20) + `"}`)},
		{"a long value, many times", `{"allOf":[` + strings.Repeat(`{"const":{"b":1}},`, 3000) + `true]}`, []byte(`{"b":[` + strings.Repeat("1,", 1<<19) + `1]}`)},
	}
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := compiled(t, c.schema)
			start := time.Now()
			v := p.Check(c.doc)
			if v == nil || v.Rule != ruleBudget && c.name != "a long value, many times" {
				t.Errorf("got %v", v)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
			p.Normalize(nil, c.doc)
			p.fill(nil, c.doc)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("rewriting took %s", took)
			}
			t.Log(time.Since(start))
		})
	}
}

// A spent budget is never an accepted alternative, nor a condition that decides.
func TestBudgetIsNoVerdict(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`{"anyOf":[{"items":{"type":"integer"}},true]}`,
		`{"if":{"items":{"type":"integer"}},"then":false,"else":true}`,
		`{"if":{"items":{"type":"integer"}},"else":true}`,
		`{"if":{"items":{"type":"integer"}},"then":false}`,
		`{"anyOf":[{"enum":[1,2,3,4,5,6,7,8,9,10,11,12]},true]}`,
	} {
		p, err := CompileOutput([]byte(raw), Limits{Operations: 10})
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Check([]byte(`[1,2,3,4,5,6,7,8,9,10,11,12]`)); v == nil || v.Rule != ruleBudget {
			t.Errorf("%s: %v", raw, v)
		}
	}
}

// Alternatives that failed leave nothing pending.
func TestPendingAfterFailure(t *testing.T) {
	t.Parallel()
	p := compiled(t, `{"anyOf":[`+strings.Repeat(`{"items":{"type":"string"}},`, 200)+`{"items":{"type":"integer"}}]}`)
	if v := p.Check([]byte(`[1]`)); v != nil {
		t.Error(v)
	}
}
