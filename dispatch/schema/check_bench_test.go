package schema

import (
	"reflect"
	"strings"
	"testing"
)

// samples are documents that satisfy their schema.
var samples = []struct{ name, schema, doc string }{
	{"props=3", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`, `{"a":12,"b":345,"c":"text"}`},
	{"props=3/escaped", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`, `{"\u0061":1.0,"b":345,"c":"te\nxt"}`},
	{"props=20", wide(20), wideDoc(20)},
	{"nested", `{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer","minimum":0,"maximum":100},"kind":{"enum":["x","y"]}},"required":["id"],"additionalProperties":false}}},"additionalProperties":false}`, `{"list":[{"id":1,"kind":"x"},{"id":2,"kind":"y"},{"id":3}]}`},
	{"anyOf", `{"type":"object","properties":{"v":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"if":{"properties":{"v":{"const":1}}},"then":{"required":["v"]}}`, `{"v":null}`},
	{"text=64KiB", `{"type":"object","properties":{"s":{"type":"string"}},"required":["s"],"additionalProperties":false}`, `{"s":"` + strings.Repeat("x", 64<<10) + `"}`},
}

func wide(n int) string {
	var names []string
	for i := range n {
		names = append(names, `"name`+string(rune('a'+i))+`":{"type":"string"}`)
	}
	return `{"type":"object","properties":{` + strings.Join(names, ",") + `},"additionalProperties":false}`
}

func wideDoc(n int) string {
	var members []string
	for i := n - 1; i >= 0; i-- {
		members = append(members, `"name`+string(rune('a'+i))+`":"v"`)
	}
	return `{` + strings.Join(members, ",") + `}`
}

// A document that satisfies its schema costs no allocation.
func TestCheckAllocs(t *testing.T) {
	for _, s := range samples {
		p, doc := compiled(t, s.schema), []byte(s.doc)
		if v := p.Check(doc); v != nil {
			t.Fatalf("%s: %v", s.name, v)
		}
		if n := testing.AllocsPerRun(100, func() { p.Check(doc) }); n != 0 {
			t.Errorf("%s: %v allocations", s.name, n)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, s := range samples {
		p, doc := compiled(b, s.schema), []byte(s.doc)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if p.Check(doc) != nil {
					b.Fatal("violation")
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	p := inferred(b, reflect.TypeFor[sumIn]())
	for _, c := range codecs() {
		for name, text := range map[string]string{"plain": `{"a":12,"b":345}`, "fraction": `{"a":1.0,"b":345}`} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				doc := []byte(text)
				b.ReportAllocs()
				for b.Loop() {
					var in sumIn
					if c.decodeChecked(p, doc, &in) != nil {
						b.Fatal("violation")
					}
				}
			})
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	p := inferred(b, reflect.TypeFor[pair[string, []int]]())
	for _, c := range codecs() {
		for name, v := range map[string]pair[string, []int]{"plain": {"k", []int{1, 2}}, "nil": {"k", nil}} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				room := make([]byte, 0, 256)
				b.ReportAllocs()
				for b.Loop() {
					if _, v, err := c.encodeChecked(p, room, &v); v != nil || err != nil {
						b.Fatal(v, err)
					}
				}
			})
		}
	}
}

// Decoding costs one allocation, the value itself; strings are one more each.
func TestDecodeAllocs(t *testing.T) {
	if active.name != "sonic" {
		return // the bound is sonic's
	}
	p, doc := inferred(t, reflect.TypeFor[sumIn]()), []byte(`{"a":12,"b":345}`)
	n := testing.AllocsPerRun(100, func() {
		var in sumIn
		if Decode(p, doc, &in) != nil || in.B != 345 {
			t.Fatal("not decoded")
		}
	})
	if n > 1 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
}
