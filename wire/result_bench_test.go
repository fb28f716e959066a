package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// BenchmarkResults: what a result costs from its check to its bytes.
func BenchmarkResults(b *testing.B) {
	var m wire.Message
	if err := m.Scan([]byte(toolsCall), &wire.DefaultBounds); err != nil {
		b.Fatal(err)
	}
	prose := strings.Repeat("The quick brown fox jumps over the dog. ", 1600)
	listed := make([]wire.Resource, 50)
	for i := range listed {
		listed[i] = wire.Resource{URI: "file:///project/README.md", Name: "README.md", MIMEType: "text/markdown"}
	}
	for _, c := range []struct {
		name   string
		result result
	}{
		{"call/text", blocks(wire.TextContent("the sum is 3"))},
		{"call/text=64KiB", blocks(wire.TextContent(prose))},
		{"call/image=768KiB", blocks(wire.ImageContent(make([]byte, maxBinary), "image/png"))},
		{"call/link", blocks(wire.ResourceLink(readme))},
		{"prompt/messages=2", messages(wire.PromptMessage{Content: wire.TextContent("Review: x=1")}, wire.PromptMessage{Role: wire.RoleAssistant, Content: wire.TextContent("Done.")})},
		{"read/text", contents(wire.ResourceContents{URI: "mem://1", MIMEType: "text/plain", Text: "# Hello"})},
		{"read/blob=768KiB", contents(wire.ResourceContents{URI: "mem://1", Blob: make([]byte, maxBinary)})},
		{"list/resources=50", resources(listed...)},
		{"complete/values=10", completion(&wire.Completion{Values: strings.Split("a b c d e f g h i j", " ")})},
	} {
		b.Run(c.name, func(b *testing.B) {
			room := make([]byte, 0, 2<<20)
			b.ReportAllocs()
			for b.Loop() {
				if c.result.check() != nil {
					b.Fatal("refused")
				}
				room = c.result.append(room[:0], m.ID(), &modern)
			}
			b.SetBytes(int64(len(room)))
		})
	}
}
