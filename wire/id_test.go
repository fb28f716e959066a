package wire_test

import (
	"bytes"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// T-42, decision 38: exact spelling, but for the separators of lines.
func TestAppendID(t *testing.T) {
	t.Parallel()
	for spelling, want := range map[string]string{
		`7`: `7`, `-0`: `-0`, `"7"`: `"7"`, `"\u0037"`: `"\u0037"`, `"\/\""`: `"\/\""`, `"é😀"`: `"é😀"`, `""`: `""`,
		"\"a\u2028b\u2029\"": `"a\u2028b\u2029"`, `"\u2028"`: `"\u2028"`, "\"\u2027\u202a\u00e2\"": "\"\u2027\u202a\u00e2\"", "\"\u2030\"": "\"\u2030\"",
	} {
		if got := string(wire.AppendID(nil, idOf(t, spelling))); got != want {
			t.Errorf("%s: %s, want %s", spelling, got, want)
		}
	}
	if got := wire.AppendID(nil, wire.ID{}); len(got) != 0 {
		t.Errorf("no id: %s", got)
	}
}

// A clone survives the document; the id that it was made from does not.
func TestIDClone(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"jsonrpc":"2.0","id":"abc","method":"m"}`)
	var m wire.Message
	if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	view, clone := m.ID(), m.ID().Clone()
	copy(doc, bytes.Repeat([]byte{'#'}, len(doc)))
	if got := string(clone.Raw()); got != `"abc"` || !clone.IsString() {
		t.Errorf("clone %s", got)
	}
	if got := string(view.Raw()); got != "#####" {
		t.Errorf("view %s", got)
	}
	if none := (wire.ID{}).Clone(); !none.IsZero() || none.IsString() {
		t.Error("a clone of nothing")
	}
}

// Decision 12: an integer is a literal without fraction and exponent within
// int64.
func TestIsInteger(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]bool{
		`0`: true, `-0`: true, `1`: true, `-1`: true, `9223372036854775807`: true, `-9223372036854775808`: true,
		`9223372036854775808`: false, `-9223372036854775809`: false, `92233720368547758070`: false, `1.0`: false, `1e0`: false, `1E2`: false,
		`"1"`: false, `true`: false, `null`: false, `[1]`: false, `{}`: false,
	} {
		doc := []byte(`{"params":{"v":` + literal + `}}`)
		var m wire.Message
		if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
			t.Fatal(err)
		}
		if got := wire.IsInteger(doc, m.Param("v")); got != want {
			t.Errorf("IsInteger(%s) = %v", literal, got)
		}
	}
	if wire.IsInteger(nil, wire.Value{}) {
		t.Error("what is absent is no integer")
	}
}
