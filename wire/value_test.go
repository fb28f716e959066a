package wire_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Text and Is see what a string stands for, whatever it is spelled like.
func TestText(t *testing.T) {
	t.Parallel()
	for spelled, want := range map[string]string{
		`""`: "", `"plain"`: "plain", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"a\u0062c"`: "abc", `"\u00e9\u4E16"`: "é世", `"\u0000"`: "\x00",
		`"\ud83d\ude00x"`: "😀x", `"x\uDBFF\uDFFF"`: "x\U0010ffff", `"\\u0041"`: `\u0041`, `"é\n世"`: "é\n世", `"\u2028"`: "\u2028",
	} {
		doc := []byte(`{"params":{"v":` + spelled + `}}`)
		var m wire.Message
		if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
			t.Fatal(err)
		}
		v := m.Param("v")
		if got := string(v.Text(doc)); got != want || v.Escaped != strings.Contains(spelled, `\`) {
			t.Errorf("%s: %q, escaped %v", spelled, got, v.Escaped)
		}
		for _, other := range []string{want + "x", "x" + want, strings.ToUpper(want) + "?"} {
			if !v.Is(doc, want) || v.Is(doc, other) {
				t.Errorf("%s: Is(%q) %v, Is(%q) %v", spelled, want, v.Is(doc, want), other, v.Is(doc, other))
			}
		}
	}
}

// A view cannot grow into the document.
func TestViewsAreCapped(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"id":1,"params":{"v":"abc"}}`)
	before := bytes.Clone(doc)
	var m wire.Message
	if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	v := m.Param("v")
	_ = append(v.Text(doc), '!')
	_ = append(v.Span.Of(doc), '!')
	_ = append(m.ID().Raw(), '!')
	if !bytes.Equal(doc, before) {
		t.Errorf("document overwritten: %s", doc)
	}
}

// Kinds other than strings have no text, and walks end when they are told to.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"params":{"_meta":{"null":null,"true":true,"false":false,"0":0,"array":[],"object":{}}}}`)
	var m wire.Message
	if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	for key, kind := range map[string]wire.Kind{"null": wire.Null, "true": wire.Bool, "false": wire.Bool, "0": wire.Number, "array": wire.Array, "object": wire.Object, "absent": wire.Absent} {
		if v := m.Meta(key); v.Kind != kind || v.Text(doc) != nil || v.Is(doc, key) {
			t.Errorf("%s: kind %v", key, v.Kind)
		}
	}
	seen := 0
	m.EachMeta(func(key, value wire.Value) bool { seen++; return seen < 2 })
	if seen != 2 {
		t.Errorf("%d members seen, want 2", seen)
	}
}
