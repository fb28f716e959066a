package wire_test

import (
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// FuzzResults makes every kind of result of the same pieces. What passes its check
// is one line of strict JSON on each revision, and none panics.
func FuzzResults(f *testing.F) {
	f.Add("text", "image/png", "mem://1", []byte{0, 255}, []byte(`{"com.example/a":[1]}`), 0.5, int64(7), byte(1))
	f.Add("\u2028\xff\"", "", "", []byte(nil), []byte(nil), -1.0, int64(-1), byte(2))
	f.Add("", "\x00", "\\", []byte{}, []byte("\t{\"a\" : \"\u2029\"}\n"), 5e-324, int64(0), byte(0))
	f.Add("light", "dark", "\u2029", []byte("RIFF"), []byte(`{"a":1,"\u0061":2}`), 1e-9, int64(1)<<62, byte(0))
	var m wire.Message
	if err := m.Scan([]byte(`{"id":1}`), &wire.DefaultBounds); err != nil {
		f.Fatal(err)
	}
	id := m.ID().Clone()
	f.Fuzz(func(t *testing.T, text, mimeType, uri string, data, meta []byte, priority float64, size int64, role byte) {
		annotations := wire.Annotations{Audience: []wire.Role{wire.Role(role)}, Priority: &priority, LastModified: text}
		resource := wire.Resource{
			URI: uri, Name: text, Title: mimeType, Description: uri, MIMEType: mimeType, Size: &size, Annotations: &annotations, Meta: meta,
			Icons: []wire.Icon{{Source: uri, MIMEType: mimeType, Sizes: []string{text, uri}, Theme: text}},
		}
		part := wire.ResourceContents{URI: uri, MIMEType: mimeType, Text: text, Blob: data, Meta: meta}
		total := int(size)
		said := func(c wire.Content) result { return messages(wire.PromptMessage{Role: wire.Role(role), Content: c}) }
		plain := wire.Resource{URI: uri, Name: uri, Size: &size}
		for _, r := range []result{
			blocks(wire.TextContent(text).WithAnnotations(annotations)), blocks(wire.ImageContent(data, mimeType).WithMeta(meta)),
			blocks(wire.AudioContent(data, mimeType), wire.TextContent(text)), blocks(wire.EmbeddedResource(part).WithMeta(meta)),
			blocks(wire.ResourceLink(resource)), blocks(wire.ResourceLink(plain).WithAnnotations(annotations).WithMeta(meta)),
			call(&wire.CallResult{Structured: meta, Meta: meta}), said(wire.TextContent(text)), said(wire.ResourceLink(resource)),
			prompt(&wire.PromptResult{Description: text, Messages: []wire.PromptMessage{}, Meta: meta}),
			contents(part), read(&wire.ReadResult{Meta: meta}), resources(resource), resources(plain),
			page(&wire.ResourcePage{NextCursor: &text, Meta: meta}), completion(&wire.Completion{Values: []string{text, mimeType, uri}, Total: &total}),
		} {
			if r.check() != nil {
				continue
			}
			for _, p := range []*wire.Projection{&modern, &late, &early} {
				response := r.append(nil, id, p)
				checkLine(t, response)
				// What surrounds the parts is not counted, so that the document may be a little deeper.
				bounds := wire.DefaultBounds
				bounds.Depth, bounds.Nodes = bounds.Depth+8, bounds.Nodes+100
				if err := m.Scan(response, &bounds); err != nil {
					t.Fatalf("%.300q: %v", response, err)
				}
			}
		}
	})
}
