package wire_test

import (
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Checking and writing a result allocates nothing, given a buffer.
func TestResultAllocations(t *testing.T) {
	id := idOf(t, `1`)
	room := make([]byte, 0, 64<<10)
	data := make([]byte, 1000)
	part := wire.ResourceContents{URI: "mem://1", MIMEType: "text/plain", Text: "a\u2028", Meta: []byte(`{"a": 1}`)}
	blob := wire.ResourceContents{URI: "mem://1", Blob: data}
	cursor, total := "c", 2
	for name, r := range map[string]result{
		"text":       blocks(wire.TextContent("a")),
		"annotated":  blocks(wire.TextContent("a").WithAnnotations(noted).WithMeta([]byte(`{"a": 1}`))),
		"image":      blocks(wire.ImageContent(data, "image/png")),
		"embedded":   blocks(wire.EmbeddedResource(part), wire.EmbeddedResource(blob)),
		"link":       blocks(wire.ResourceLink(readme)),
		"prompt":     prompt(&wire.PromptResult{Description: "d", Messages: []wire.PromptMessage{{Content: wire.TextContent("a")}, {Content: wire.ResourceLink(readme)}}}),
		"read":       read(&wire.ReadResult{Contents: []wire.ResourceContents{part, blob}, Meta: []byte(`{"a": 1}`)}),
		"page":       page(&wire.ResourcePage{Resources: []wire.Resource{readme, readme}, NextCursor: &cursor}),
		"completion": completion(&wire.Completion{Values: []string{"a", "b"}, Total: &total}),
	} {
		for _, p := range []*wire.Projection{&modern, &late, &early} {
			if n := testing.AllocsPerRun(100, func() {
				if r.check() != nil || len(r.append(room, id, p)) == 0 {
					t.Error(name, "failed")
				}
			}); n != 0 {
				t.Errorf("%s on %s: %v allocations", name, p.Revision, n)
			}
		}
	}
}

// A block of text is made without allocating, others with one or two.
func TestContentAllocations(t *testing.T) {
	data := []byte{1}
	part := wire.ResourceContents{URI: "u"}
	var c wire.Content
	for _, m := range []struct {
		name string
		most float64
		run  func()
	}{
		{"text", 0, func() { c = wire.TextContent("a") }},
		{"image", 1, func() { c = wire.ImageContent(data, "m") }},
		{"audio", 1, func() { c = wire.AudioContent(data, "m") }},
		{"embedded", 2, func() { c = wire.EmbeddedResource(part) }},
		{"link", 2, func() { c = wire.ResourceLink(readme) }},
	} {
		if n := testing.AllocsPerRun(100, m.run); n > m.most {
			t.Errorf("%s: %v allocations", m.name, n)
		}
	}
	if c.Text() != "" {
		t.Error("a link has text")
	}
}
