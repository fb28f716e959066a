package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// toolsCall is what a client of 2026-07-28 sends for a small call: 250 bytes.
const toolsCall = `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"sum","arguments":{"a":1,"b":2},"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}}}`

// scanned is what dispatch asks of a message on every call.
func scanned(m *wire.Message, doc []byte) bool {
	return m.Scan(doc, &wire.DefaultBounds) == nil && m.Classify() == wire.Request && !m.ID().IsZero() &&
		m.Method().Kind == wire.String && m.Param("name").Kind == wire.String && m.Param("arguments").Kind == wire.Object &&
		m.Param("_meta").Kind == wire.Object && m.Meta("io.modelcontextprotocol/protocolVersion").Kind == wire.String &&
		m.Meta("io.modelcontextprotocol/clientCapabilities").Kind == wire.Object &&
		m.Meta("io.modelcontextprotocol/clientInfo").Kind == wire.Object
}

func BenchmarkScan(b *testing.B) {
	large := func(text string) string {
		return strings.Replace(toolsCall, `"b":2`, `"b":2,"text":"`+text+`"`, 1)
	}
	for _, c := range []struct{ name, doc string }{
		{"body=250B", toolsCall},
		{"body=2KiB/prose", large(strings.Repeat("The quick brown fox jumps over the dog. ", 45))},
		{"body=2KiB/numbers", strings.Replace(toolsCall, `"b":2`, `"b":[`+strings.Repeat("1234,-5.25,", 160)+`0]`, 1)},
		{"body=2KiB/objects", strings.Replace(toolsCall, `"b":2`, `"b":[`+strings.Repeat(`{"id":17,"name":"x","tags":["a","b"]},`, 45)+`{}]`, 1)},
		{"body=64KiB/prose", large(strings.Repeat("The quick brown fox jumps over the dog. ", 1600))},
		{"body=64KiB/chinese", large(strings.Repeat("天地玄黄宇宙洪荒", 2700))},
		{"body=64KiB/objects", strings.Replace(toolsCall, `"b":2`, `"b":[`+strings.Repeat(`{"id":17,"name":"x","tags":["a","b"]},`, 1700)+`{}]`, 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc := []byte(c.doc)
			var m wire.Message
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if !scanned(&m, doc) {
					b.Fatal("refused")
				}
			}
		})
	}
}

// BenchmarkScanHostile: what a body costs must grow with its length, whatever
// its keys are (ns/B stays the same from 1,000 keys to 40,000).
func BenchmarkScanHostile(b *testing.B) {
	inner := members("i", 17)
	around := func(n int) string { // n large objects inside a large one
		var doc strings.Builder
		for i := range n {
			fmt.Fprintf(&doc, `,"o%d":%s`, i, inner)
		}
		return "{" + doc.String()[1:] + "}"
	}
	params := func(n int) string { return `{"jsonrpc":"2.0","id":1,"method":"m","params":` + members("k", n) + `}` }
	escaped := func(n int) string { return strings.ReplaceAll(members("k", n), `"k`, `"\u006b`) }
	for _, c := range []struct{ name, doc string }{
		{"flat/keys=1000", members("k", 1000)},
		{"flat/keys=40000", members("k", 40_000)},
		{"escaped/keys=1000", escaped(1000)},
		{"escaped/keys=40000", escaped(40_000)},
		{"nested/keys=1000", around(55)},
		{"nested/keys=40000", around(2222)},
		{"params/keys=1000", params(1000)},
		{"params/keys=40000", params(40_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			doc := []byte(c.doc)
			var m wire.Message
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
					b.Fatal(err)
				}
				for _, key := range []string{"name", "arguments", "_meta", "cursor"} { // not there
					if m.Param(key).Kind != wire.Absent {
						b.Fatal(key)
					}
				}
			}
		})
	}
}

func BenchmarkScanOnly(b *testing.B) {
	doc := []byte(toolsCall)
	var m wire.Message
	b.ReportAllocs()
	for b.Loop() {
		if m.Scan(doc, &wire.DefaultBounds) != nil {
			b.Fatal("refused")
		}
	}
}

func BenchmarkAppendCallResult(b *testing.B) {
	var m wire.Message
	if err := m.Scan([]byte(toolsCall), &wire.DefaultBounds); err != nil {
		b.Fatal(err)
	}
	p := wire.Projection{Revision: wire.V20260728, ServerInfo: wire.AppendImplementation(nil, &wire.Implementation{Name: "calc", Version: "1.4.0"})}
	text := wire.CallResult{}
	text.SetText("the sum is 3")
	structured := wire.CallResult{Structured: []byte(`{"sum":3,"parts":[1,2],"note":"added with care"}`)}
	structured.SetText(`{"sum":3,"parts":[1,2],"note":"added with care"}`)
	for _, c := range []struct {
		name   string
		result *wire.CallResult
	}{{"text", &text}, {"structured", &structured}} {
		b.Run(c.name, func(b *testing.B) {
			room := make([]byte, 0, 1024)
			b.ReportAllocs()
			for b.Loop() {
				room = wire.AppendCallResult(room[:0], m.ID(), c.result, &p)
			}
		})
	}
}

func BenchmarkCheckCallResult(b *testing.B) {
	r := wire.CallResult{Structured: []byte(`{"sum":3,"parts":[1,2],"note":"added with care"}`)}
	r.SetText(`{"sum":3,"parts":[1,2],"note":"added with care"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := wire.CheckCallResult(&r, &wire.DefaultBounds); err != nil {
			b.Fatal(err)
		}
	}
}
