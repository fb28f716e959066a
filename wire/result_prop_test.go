package wire_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
	"pgregory.net/rapid"
)

// Pieces of results, as applications make them: mostly right.

// textGen draws texts that need care.
var textGen = rapid.OneOf(
	rapid.SampledFrom([]string{"", "a", "text/plain", "\u2028\u2029", "\x00\"\\\n", "\xff\xfe", "😀", strings.Repeat("x", 70)}),
	rapid.String(),
)

// neededGen draws texts that must not be empty, and sometimes are.
var neededGen = rapid.Custom(func(t *rapid.T) string {
	if rapid.IntRange(0, 40).Draw(t, "missing") == 0 {
		return ""
	}
	return "u" + textGen.Draw(t, "text")
})

var metaGen = rapid.Custom(func(t *rapid.T) []byte {
	return []byte(rapid.SampledFrom([]string{
		"", "", "", `{}`, " \n{ }", `{"a":1}`, "\t{\"com.example/a\" : [ 1 ] , \"b\":\"\u2028\"}", `{"io.modelcontextprotocol/serverInfo":{"name":"forged"}}`,
		`{"a":1,"a":2}`, `{"a b":1}`, `[]`, `{"a":`, ` `,
	}).Draw(t, "meta"))
})

var dataGen = rapid.Custom(func(t *rapid.T) []byte {
	if rapid.IntRange(0, 60).Draw(t, "large") == 0 {
		return make([]byte, maxBinary+rapid.IntRange(0, 1).Draw(t, "beyond"))
	}
	return rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "data")
})

var annotationsGen = rapid.Custom(func(t *rapid.T) *wire.Annotations {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	a := &wire.Annotations{LastModified: textGen.Draw(t, "lastModified")}
	for range rapid.IntRange(0, 3).Draw(t, "audience") {
		a.Audience = append(a.Audience, wire.Role(rapid.SampledFrom([]byte{0, 0, 1, 1, 1, 1, 1, 1, 1, 2}).Draw(t, "role")))
	}
	if rapid.Bool().Draw(t, "priority") {
		p := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{
			0, 1, math.SmallestNonzeroFloat64, 1e-7, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1, 2,
		})).Draw(t, "priority")
		a.Priority = &p
	}
	return a
})

var iconsGen = rapid.Custom(func(t *rapid.T) (icons []wire.Icon) {
	for range rapid.IntRange(0, 2).Draw(t, "icons") {
		icons = append(icons, wire.Icon{
			Source: neededGen.Draw(t, "src"), MIMEType: textGen.Draw(t, "mimeType"), Sizes: rapid.SliceOfN(textGen, 0, 2).Draw(t, "sizes"),
			Theme: rapid.SampledFrom([]string{"", "", "light", "light", "dark", "dark", "dim"}).Draw(t, "theme"),
		})
	}
	return icons
})

var resourceGen = rapid.Custom(func(t *rapid.T) wire.Resource {
	r := wire.Resource{
		URI: neededGen.Draw(t, "uri"), Name: neededGen.Draw(t, "name"), Title: textGen.Draw(t, "title"), Description: textGen.Draw(t, "description"),
		MIMEType: textGen.Draw(t, "mimeType"), Annotations: annotationsGen.Draw(t, "annotations"), Icons: iconsGen.Draw(t, "icons"), Meta: metaGen.Draw(t, "meta"),
	}
	if rapid.Bool().Draw(t, "sized") {
		n := rapid.Int64Min(-1).Draw(t, "size")
		r.Size = &n
	}
	return r
})

var contentsGen = rapid.Custom(func(t *rapid.T) wire.ResourceContents {
	c := wire.ResourceContents{URI: neededGen.Draw(t, "uri"), MIMEType: textGen.Draw(t, "mimeType"), Text: textGen.Draw(t, "text"), Meta: metaGen.Draw(t, "meta")}
	if rapid.Bool().Draw(t, "blob") {
		c.Blob = dataGen.Draw(t, "blob")
	}
	return c
})

var contentGen = rapid.Custom(func(t *rapid.T) (c wire.Content) {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		c = wire.TextContent(textGen.Draw(t, "text"))
	case 1:
		c = wire.ImageContent(dataGen.Draw(t, "data"), neededGen.Draw(t, "mimeType"))
	case 2:
		c = wire.AudioContent(dataGen.Draw(t, "data"), neededGen.Draw(t, "mimeType"))
	case 3:
		c = wire.EmbeddedResource(contentsGen.Draw(t, "contents"))
	case 4:
		c = wire.ResourceLink(resourceGen.Draw(t, "resource"))
	}
	if a := annotationsGen.Draw(t, "annotations"); a != nil {
		c = c.WithAnnotations(*a)
	}
	if rapid.Bool().Draw(t, "with meta") {
		c = c.WithMeta(metaGen.Draw(t, "meta"))
	}
	return c
})

// resultGen draws a result, and the name of its definition.
func resultGen(t *rapid.T) (string, result) {
	switch rapid.IntRange(0, 4).Draw(t, "result") {
	case 0:
		r := &wire.CallResult{Content: rapid.SliceOfN(contentGen, 0, 4).Draw(t, "content"), Meta: metaGen.Draw(t, "meta"), IsError: rapid.Bool().Draw(t, "isError")}
		if rapid.Bool().Draw(t, "structured") {
			r.Structured = []byte(`{"a": 1}`)
		}
		return "CallToolResult", call(r)
	case 1:
		r := &wire.PromptResult{Description: textGen.Draw(t, "description"), Messages: []wire.PromptMessage{}, Meta: metaGen.Draw(t, "meta")}
		for range rapid.IntRange(0, 3).Draw(t, "messages") {
			r.Messages = append(r.Messages, wire.PromptMessage{
				Role: wire.Role(rapid.SampledFrom([]byte{0, 0, 0, 1, 1, 1, 2}).Draw(t, "role")), Content: contentGen.Draw(t, "content"),
			})
		}
		return "GetPromptResult", prompt(r)
	case 2:
		r := &wire.ReadResult{Contents: rapid.SliceOfN(contentsGen, 0, 3).Draw(t, "contents"), Meta: metaGen.Draw(t, "meta")}
		return "ReadResourceResult", read(r)
	case 3:
		r := &wire.ResourcePage{Resources: rapid.SliceOfN(resourceGen, 0, 3).Draw(t, "resources"), Meta: metaGen.Draw(t, "meta")}
		if rapid.Bool().Draw(t, "more") {
			cursor := textGen.Draw(t, "cursor")
			r.NextCursor = &cursor
		}
		return "ListResourcesResult", page(r)
	}
	c := &wire.Completion{Values: rapid.SliceOfN(textGen, 0, 3).Draw(t, "values"), HasMore: rapid.Bool().Draw(t, "hasMore")}
	if rapid.Bool().Draw(t, "long") {
		c.Values = append(make([]string, 98), c.Values...)
	}
	if rapid.Bool().Draw(t, "total") {
		total := rapid.IntMin(-1).Draw(t, "total")
		c.Total = &total
	}
	return "CompleteResult", completion(c)
}

// Decisions 14, 52: whatever a check accepts is written, on each revision, as one
// line of strict JSON that follows the schema of that revision.
func TestResultsThatPassAreSound(t *testing.T) {
	t.Parallel()
	schemas := map[wire.Revision]*protocolSchema{}
	for _, p := range []*wire.Projection{&modern, &late, &early} {
		schemas[p.Revision] = loadSchema(t, p.Revision)
	}
	id := idOf(t, `1`)
	passed := map[string]int{}
	var m wire.Message
	rapid.Check(t, func(t *rapid.T) {
		name, r := resultGen(t)
		if r.check() != nil {
			return
		}
		passed[name]++
		for _, p := range []*wire.Projection{&modern, &late, &early} {
			response := r.append(nil, id, p)
			checkLine(t, response)
			if err := m.Scan(response, &wire.DefaultBounds); err != nil {
				t.Fatalf("%.300s: %v", response, err)
			}
			if len(response) < 100_000 { // the large ones are zeros, whose schema is that of the small ones
				schemas[p.Revision].validate(t, name, resultOf(t, response))
			}
		}
	})
	if len(passed) != 5 {
		t.Errorf("results that passed: %v", passed)
	}
}

// RS-05: the bytes and texts of contents come back as they were, but for bytes that
// are no UTF-8.
func TestContentsComeBack(t *testing.T) {
	t.Parallel()
	id := idOf(t, `1`)
	rapid.Check(t, func(t *rapid.T) {
		r := wire.ReadResult{Contents: rapid.SliceOfN(contentsGen, 0, 3).Draw(t, "contents")}
		if wire.CheckReadResult(&r) != nil {
			return
		}
		var got struct {
			Result struct {
				Contents []struct {
					URI, MIMEType string
					Text          *string
					Blob          []byte
				}
			}
		}
		response := wire.AppendReadResult(nil, id, &r, &modern)
		if err := json.Unmarshal(response, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Result.Contents) != len(r.Contents) {
			t.Fatalf("%d parts of %d", len(got.Result.Contents), len(r.Contents))
		}
		for i, want := range r.Contents {
			got := got.Result.Contents[i]
			if got.URI != valid(want.URI) || got.MIMEType != valid(want.MIMEType) || (got.Text == nil) == (want.Blob == nil) {
				t.Fatalf("part %d of %.300s", i, response)
			}
			if got.Text != nil && *got.Text != valid(want.Text) || string(got.Blob) != string(want.Blob) {
				t.Fatalf("part %d of %.300s", i, response)
			}
		}
	})
}

// valid replaces each byte that is no UTF-8.
func valid(s string) string { return string([]rune(s)) }
