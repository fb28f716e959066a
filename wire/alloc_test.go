package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// What every request goes through allocates nothing.
func TestAllocations(t *testing.T) {
	var m wire.Message
	doc := []byte(toolsCall)
	if !scanned(&m, doc) {
		t.Fatal("refused")
	}
	id := m.ID()
	room := make([]byte, 0, 4096)
	result := wire.CallResult{Structured: []byte(`{ "sum": 3 }`), Meta: []byte(`{"a":1}`)}
	result.SetText("the sum is 3\n")
	failure := &wire.Failure{Kind: wire.UnknownTarget}
	mirror := []byte("us-west1")
	key := []byte("io.modelcontextprotocol/protocolVersion")
	escaped := []byte(strings.NewReplacer(`"name"`, `"n\u0061me"`, `"id"`, `"\u0069d"`, `"a"`, `"\u0061"`).Replace(toolsCall))
	large := []byte(members("k", 200))
	plain := wire.CallResult{Structured: []byte(members("k", 17))}
	for _, c := range []struct {
		name string
		run  func() bool
	}{
		{"Scan and questions", func() bool { return scanned(&m, doc) }},
		{"Scan of escapes", func() bool { return scanned(&m, escaped) }},
		{"Scan of many keys", func() bool { return m.Scan(large, &wire.DefaultBounds) == nil }},
		{"EachMeta", func() bool {
			n := 0
			if !scanned(&m, doc) {
				return false
			}
			m.EachMeta(func(key, value wire.Value) bool { n++; return true })
			return n == 3
		}},
		{"Members", func() bool {
			n := 0
			if !scanned(&m, doc) {
				return false
			}
			wire.Members(doc, m.Param("arguments"), func(key, value wire.Value) bool { n++; return true })
			return n == 2
		}},
		{"AppendCallResult", func() bool { return len(wire.AppendCallResult(room, id, &result, &modern)) > 0 }},
		{"CheckCallResult", func() bool { return wire.CheckCallResult(&result, &wire.DefaultBounds) == nil }},
		{"SetText", func() bool { result.SetText("x"); return true }},
		{"AppendError", func() bool { return len(wire.AppendError(room, id, failure)) > 0 }},
		{"DecodeMirror", func() bool { _, ok := wire.DecodeMirror(mirror); return ok }},
		{"ValidMetaKey", func() bool { return wire.ValidMetaKey(key) }},
		{"AppendResult", func() bool { return len(wire.AppendResult(room, id, plain.Structured)) > 0 }},
	} {
		if n := testing.AllocsPerRun(100, func() {
			if !c.run() {
				t.Error(c.name, "failed")
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
