package schema

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

type looped struct {
	Next *looped `json:"next"`
}

type broken struct{ text string }

func (b broken) MarshalJSON() ([]byte, error) { return []byte(b.text), nil }

type refused struct{}

func (refused) MarshalText() ([]byte, error) { return nil, errors.New("refused") }

// Decision 14: numbers exactly as given, no HTML escapes, compact text.
func TestEncode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		v    any
		want string
	}{
		{"int64", []int64{math.MinInt64, math.MaxInt64}, `[-9223372036854775808,9223372036854775807]`},
		{"uint64", uint64(math.MaxUint64), `18446744073709551615`},
		{"number", json.Number("1.00e5"), `1.00e5`},
		{"raw", json.RawMessage("{ \"a\" :\n 1.0, \"b\\n\" : [ ] }"), `{"a":1.0,"b\n":[]}`},
		{"own JSON with lines", broken{"[1,\n2]"}, `[1,2]`},
		{"html", "<a&b>", `"<a&b>"`},
		{"sorted", map[string]int{"b": 2, "a": 1, "c": 3}, `{"a":1,"b":2,"c":3}`},
		{"invalid UTF-8", "a\xffb", `"a\ufffdb"`},
		{"nil slice stays without a schema", []int(nil), `null`},
		{"bytes", []byte{0, 1, 255}, `"AAH/"`},
	}
	for _, c := range codecs() {
		for _, row := range cases {
			t.Run(c.name+"/"+row.name, func(t *testing.T) {
				t.Parallel()
				got, err := c.append([]byte("x"), row.v)
				if err != nil || string(got) != "x"+row.want {
					t.Errorf("got %s, %v", got, err)
				}
			})
		}
	}
	if got, err := Encode(1); err != nil || string(got) != "1" {
		t.Errorf("Encode: %s, %v", got, err)
	}
	if got, err := AppendEncode([]byte("["), true); err != nil || string(got) != "[true" {
		t.Errorf("AppendEncode: %s, %v", got, err)
	}
}

// A value that has no JSON is an error, never a crash, and leaves no text.
func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	loop := &looped{}
	loop.Next = loop
	table := map[string]any{}
	table["t"] = table
	cases := []struct {
		name string
		v    any
	}{
		{"cycle of pointers", loop},
		{"cycle of maps", table},
		{"NaN", math.NaN()},
		{"infinity", math.Inf(1)},
		{"channel", make(chan int)},
		{"own JSON cut", broken{`{"a":`}},
		{"own JSON empty", broken{``}},
		{"own JSON two values", broken{`1 2`}},
		{"raw cut", json.RawMessage(`[1,`)},
		{"own error", refused{}},
		{"own panic", panicking{}},
		{"own panic in a map", map[string]any{"k": []any{panicking{}}}},
		{"bad number", json.Number("1.")},
	}
	for _, c := range codecs() {
		for _, row := range cases {
			t.Run(c.name+"/"+row.name, func(t *testing.T) {
				t.Parallel()
				got, err := c.append([]byte("x"), row.v)
				if err == nil || string(got) != "x" {
					t.Errorf("got %.80s, %v", got, err)
				}
			})
		}
	}
}

// The output side: results that their schema does not accept are violations,
// and what is nil in Go is empty in JSON where null is not allowed.
func TestProgramEncode(t *testing.T) {
	t.Parallel()
	type inner struct {
		Tags  []string       `json:"tags"`
		Index map[string]int `json:"index"`
	}
	type out struct {
		inner
		Data  []byte           `json:"data"`
		Items []inner          `json:"items"`
		Table map[string][]int `json:"table"`
		Maybe *[]int           `json:"maybe"`
		Any   any              `json:"any"`
		Node  Node             `json:"node"`
	}
	p := inferred(t, reflect.TypeFor[out]())
	for _, c := range codecs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := out{Items: []inner{{}}, Table: map[string][]int{"k": nil}}
			got, violation, err := c.encodeChecked(p, []byte("x"), v)
			const want = `x{"tags":[],"index":{},"data":"","items":[{"tags":[],"index":{}}],"table":{"k":[]},"maybe":null,"any":null,"node":{"value":0,"next":null,"kids":[]}}`
			if err != nil || violation != nil || string(got) != want {
				t.Errorf("got %s, %v, %v\nwant %s", got, violation, err, want)
			}
			strict := compiled(t, `{"type":"object","properties":{"tags":{"type":"array","items":{"enum":["a"]}}}}`)
			got, violation, err = c.encodeChecked(strict, []byte("x"), inner{Tags: []string{"secret"}})
			if err != nil || violation == nil || violation.Pointer != "/tags/0" || string(got) != "x" {
				t.Errorf("got %s, %v, %v", got, violation, err)
			}
			if violation != nil && strings.Contains(violation.Text(), "secret") {
				t.Error("output leaks")
			}
			if _, violation, err = c.encodeChecked(strict, nil, math.NaN()); err == nil || violation != nil {
				t.Errorf("got %v, %v", violation, err)
			}
		})
	}
	if got, violation, err := p.Encode(nil, out{}); err != nil || violation != nil || len(got) == 0 {
		t.Errorf("Encode: %s, %v, %v", got, violation, err)
	}
}

// Members that a document repeats do not stand for others that are required.
func TestCheckRepeatedMember(t *testing.T) {
	t.Parallel()
	p := compiled(t, `{"properties":{"a":{"type":"integer"},"b":true},"required":["a","b"]}`)
	if v := p.Check([]byte(`{"a":1,"a":2}`)); v == nil || v.Rule != "required: b" {
		t.Errorf("got %v", v)
	}
}
