package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

var (
	half   = 0.5
	size   = int64(2048)
	noted  = wire.Annotations{Audience: []wire.Role{wire.RoleUser, wire.RoleAssistant}, Priority: &half, LastModified: "2026-01-12T15:00:58Z"}
	icons  = []wire.Icon{{Source: "https://example.com/i.svg", MIMEType: "image/svg+xml", Sizes: []string{"48x48", "any"}, Theme: "dark"}, {Source: "data:,"}}
	readme = wire.Resource{
		URI: "file:///README.md", Name: "README.md", Title: "Docs", Description: "says \"a\"", MIMEType: "text/markdown", Size: &size,
		Annotations: &noted, Icons: icons, Meta: []byte("{ \"com.example/a\" : [ 1.0 ] }"),
	}
)

const (
	notedJSON = `"annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2026-01-12T15:00:58Z"}`
	iconsJSON = `"icons":[{"src":"https://example.com/i.svg","mimeType":"image/svg+xml","sizes":["48x48","any"],"theme":"dark"},{"src":"data:,"}]`
	metaJSON  = `"_meta":{"com.example/a":[1.0]}`
)

// blockOf returns how a block is written in a result.
func blockOf(t *testing.T, c wire.Content, p *wire.Projection) string {
	t.Helper()
	r := wire.CallResult{Content: []wire.Content{c}}
	if err := wire.CheckCallResult(&r, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	out := string(wire.AppendCallResult(nil, idOf(t, `1`), &r, p))
	_, out, _ = strings.Cut(out, `"content":[`)
	if p.Revision == wire.V20260728 {
		return strings.TrimSuffix(out, `],"_meta":{`+serverInfo+`}}}`)
	}
	return strings.TrimSuffix(out, `]}}`)
}

// Spec section 14, decision 14, RS-05: each kind of block on each revision, byte for
// byte. 2025-06-18 has no icons.
func TestContentBlocks(t *testing.T) {
	t.Parallel()
	meta := []byte("{\n\"a\" : \"\u2028\"\n}")
	text := wire.ResourceContents{URI: "mem://1", MIMEType: "text/plain", Text: "a\u2029"}
	blob := wire.ResourceContents{URI: "mem://2", Blob: []byte{0, 1, 2, 255}, Text: "not sent", Meta: meta}
	cases := []struct {
		name, want string
		content    wire.Content
	}{
		{"zero", `{"type":"text","text":""}`, wire.Content{}},
		{"text", `{"type":"text","text":"a\n\u2028"}`, wire.TextContent("a\n\u2028")},
		{"text with annotations", `{"type":"text","text":"a",` + notedJSON + `}`, wire.TextContent("a").WithAnnotations(noted)},
		{"text with metadata", `{"type":"text","text":"a","_meta":{"a":"\u2028"}}`, wire.TextContent("a").WithMeta(meta)},
		{"text with both", `{"type":"text","text":"a",` + notedJSON + `,"_meta":{"a":"\u2028"}}`, wire.TextContent("a").WithMeta(meta).WithAnnotations(noted)},
		{"no annotations", `{"type":"text","text":"a","annotations":{}}`, wire.TextContent("a").WithAnnotations(wire.Annotations{})},
		{
			"priority only", `{"type":"text","text":"a","annotations":{"priority":0}}`,
			wire.TextContent("a").WithAnnotations(wire.Annotations{Priority: new(float64)}),
		},
		{
			"time only", `{"type":"text","text":"a","annotations":{"lastModified":"2026"}}`,
			wire.TextContent("a").WithAnnotations(wire.Annotations{LastModified: "2026"}),
		},
		{"metadata taken away", `{"type":"text","text":"a"}`, wire.TextContent("a").WithMeta(meta).WithMeta(nil)},
		{"image", `{"type":"image","data":"AAEC/w==","mimeType":"image/png"}`, wire.ImageContent([]byte{0, 1, 2, 255}, "image/png")},
		{"no bytes", `{"type":"image","data":"","mimeType":"image/png"}`, wire.ImageContent(nil, "image/png")},
		{
			"image with both", `{"type":"image","data":"AA==","mimeType":"a\"b",` + notedJSON + `,"_meta":{"a":"\u2028"}}`,
			wire.ImageContent([]byte{0}, `a"b`).WithAnnotations(noted).WithMeta(meta),
		},
		{"audio", `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`, wire.AudioContent([]byte("RIFF"), "audio/wav")},
		{
			"embedded text", `{"type":"resource","resource":{"uri":"mem://1","mimeType":"text/plain","text":"a\u2029"}}`,
			wire.EmbeddedResource(text),
		},
		{
			"embedded blob", `{"type":"resource","resource":{"uri":"mem://2","blob":"AAEC/w==","_meta":{"a":"\u2028"}},` + notedJSON + `,"_meta":{}}`,
			wire.EmbeddedResource(blob).WithAnnotations(noted).WithMeta([]byte(` { } `)),
		},
		{
			"embedded, nothing but a URI", `{"type":"resource","resource":{"uri":"mem://3","text":""}}`,
			wire.EmbeddedResource(wire.ResourceContents{URI: "mem://3"}),
		},
		{
			"embedded, a blob of no bytes", `{"type":"resource","resource":{"uri":"mem://3","blob":""}}`,
			wire.EmbeddedResource(wire.ResourceContents{URI: "mem://3", Blob: []byte{}}),
		},
		{
			"link", `{"type":"resource_link","uri":"file:///README.md","name":"README.md","title":"Docs","description":"says \"a\"",` +
				`"mimeType":"text/markdown","size":2048,` + iconsJSON + `,` + notedJSON + `,` + metaJSON + `}`,
			wire.ResourceLink(readme),
		},
		{
			"link with others' annotations and metadata", `{"type":"resource_link","uri":"u","name":"n","annotations":{},"_meta":{"b":1}}`,
			wire.ResourceLink(wire.Resource{URI: "u", Name: "n", Annotations: &noted, Meta: meta}).WithAnnotations(wire.Annotations{}).WithMeta([]byte(`{"b":1}`)),
		},
		{"link, nothing but the required", `{"type":"resource_link","uri":"u","name":"n"}`, wire.ResourceLink(wire.Resource{URI: "u", Name: "n"})},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []*wire.Projection{&modern, &late, &early} {
				want := c.want
				if p == &early {
					want = strings.Replace(want, ","+iconsJSON, "", 1)
				}
				if got := blockOf(t, c.content, p); got != want {
					t.Errorf("%s\ngot  %s\nwant %s", p.Revision, got, want)
				}
			}
		})
	}
}

// A block that is given annotations or metadata is another block.
func TestContentDoesNotChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]wire.Content{
		"text": wire.TextContent("a"), "image": wire.ImageContent(nil, "m"), "link": wire.ResourceLink(readme),
		"text with metadata": wire.TextContent("a").WithMeta([]byte(`{}`)),
	} {
		before := blockOf(t, c, &modern)
		changed := c.WithAnnotations(wire.Annotations{LastModified: "now"}).WithMeta([]byte(`{"z":1}`))
		if got := blockOf(t, c, &modern); got != before {
			t.Errorf("%s became %s", name, got)
		}
		if got := blockOf(t, changed, &modern); !strings.HasSuffix(got, `"annotations":{"lastModified":"now"},"_meta":{"z":1}}`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if readme.Annotations != &noted || len(readme.Meta) == 0 {
		t.Error("the resource of a link was changed")
	}
}

// Text is that of a text block, whatever else it has.
func TestContentText(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]wire.Content{
		"a": wire.TextContent("a"), "b": wire.TextContent("b").WithAnnotations(noted), "": wire.ImageContent(nil, "image/png"),
	} {
		if got := c.Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	if wire.Role(0) != wire.RoleUser || wire.RoleUser.String() != "user" || wire.RoleAssistant.String() != "assistant" {
		t.Error("roles")
	}
}
