package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
	"pgregory.net/rapid"
)

// nodesOf counts values and keys.
func nodesOf(value any) int {
	n := 1
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			n += 1 + nodesOf(member)
		}
	case []any:
		for _, item := range value {
			n += nodesOf(item)
		}
	}
	return n
}

// Decision 52: a block is as many nodes as its JSON has; with one less it is
// refused.
func TestBlocksAreCounted(t *testing.T) {
	t.Parallel()
	id := idOf(t, `1`)
	rapid.Check(t, func(t *rapid.T) {
		r := wire.CallResult{Content: rapid.SliceOfN(contentGen, 1, 3).Draw(t, "content")}
		if wire.CheckCallResult(&r, &wire.DefaultBounds) != nil {
			return
		}
		var response struct {
			Result struct{ Content []any }
		}
		if err := json.Unmarshal(wire.AppendCallResult(nil, id, &r, &modern), &response); err != nil {
			t.Fatal(err)
		}
		bounds := wire.DefaultBounds
		bounds.Nodes = nodesOf(response.Result.Content) - 1 // without the array
		if err := wire.CheckCallResult(&r, &bounds); err != nil {
			t.Fatalf("%d nodes: %v", bounds.Nodes, err)
		}
		bounds.Nodes--
		if wire.CheckCallResult(&r, &bounds) == nil {
			t.Fatalf("passed with %d nodes", bounds.Nodes)
		}
	})
}

// Decision 52: each member takes as many bytes as are written, or a few more.
func TestMembersAreCounted(t *testing.T) {
	t.Parallel()
	const most = 400 // bytes that are counted too much or too little
	s := strings.Repeat("x", 1000)
	meta := []byte(`{"a":"` + s + `"}`)
	many := make([]wire.Role, 200)
	for i := range many {
		many[i] = wire.RoleAssistant
	}
	annotations := wire.Annotations{LastModified: s, Audience: many, Priority: &half}
	bitmap := wire.Icon{Source: s, MIMEType: s, Sizes: []string{s, s}, Theme: "light"}
	resource := wire.Resource{URI: s, Name: s, Title: s, Description: s, MIMEType: s, Annotations: &annotations, Icons: []wire.Icon{bitmap, bitmap}, Meta: meta}
	part := wire.ResourceContents{URI: s, MIMEType: s, Text: s, Meta: meta}
	blob := wire.ResourceContents{URI: s, MIMEType: s, Blob: []byte(s), Meta: meta}
	full := strings.Repeat("x", mebi)
	padded := func(c wire.Content, pad string) result {
		plain := wire.TextContent(full)
		return blocks(c, plain, plain, plain, wire.TextContent(pad))
	}
	said := func(r wire.PromptResult, pad string) result {
		m := wire.PromptMessage{Content: wire.TextContent(full)}
		r.Messages = append(r.Messages, m, m, m, wire.PromptMessage{Content: wire.TextContent(pad)})
		return prompt(&r)
	}
	cursor := strings.Repeat("x", 4000)
	cases := map[string]func(pad string) result{
		"text": func(pad string) result {
			return padded(wire.TextContent(s).WithAnnotations(annotations).WithMeta(meta), pad)
		},
		"image": func(pad string) result {
			return padded(wire.ImageContent([]byte(s), s).WithAnnotations(annotations).WithMeta(meta), pad)
		},
		"embedded": func(pad string) result {
			return padded(wire.EmbeddedResource(part).WithAnnotations(annotations).WithMeta(meta), pad)
		},
		"blob": func(pad string) result { return padded(wire.EmbeddedResource(blob), pad) },
		"link": func(pad string) result { return padded(wire.ResourceLink(resource), pad) },
		"message": func(pad string) result {
			return said(wire.PromptResult{Messages: []wire.PromptMessage{{Role: wire.RoleAssistant, Content: wire.ResourceLink(resource)}}}, pad)
		},
		"prompt": func(pad string) result { return said(wire.PromptResult{Description: s, Meta: meta}, pad) },
		"contents": func(pad string) result {
			return read(&wire.ReadResult{Contents: []wire.ResourceContents{part, blob, {URI: full, MIMEType: full, Text: full}, {URI: "u", Text: pad}}, Meta: meta})
		},
		"page": func(pad string) result {
			r := wire.Resource{URI: full, Name: full, Title: full}
			return page(&wire.ResourcePage{Resources: []wire.Resource{resource, r, {URI: "u", Name: "n", Description: pad}}, NextCursor: &cursor, Meta: meta})
		},
		"call": func(pad string) result {
			plain := wire.TextContent(full)
			return call(&wire.CallResult{Content: []wire.Content{plain, plain, plain, wire.TextContent(pad)}, Structured: meta, Meta: meta})
		},
	}
	for name, padded := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			without := len(padded("").append(nil, idOf(t, `1`), &modern))
			pad := maxDocument - without
			if pad > mebi || pad < mebi/2 {
				t.Fatalf("%d bytes to fill", pad)
			}
			if err := padded(full[:pad-most]).check(); err != nil {
				t.Errorf("%d bytes below the bound: %v", most, err)
			}
			if padded(full[:pad+most]).check() == nil {
				t.Errorf("passed %d bytes above the bound", most)
			}
		})
	}
}

// Decision 52: every text is bounded, wherever it is.
func TestEveryTextIsBounded(t *testing.T) {
	t.Parallel()
	link := func(change func(r *wire.Resource, s string)) func(s string) result {
		return func(s string) result {
			r := wire.Resource{URI: "u", Name: "n"}
			change(&r, s)
			return blocks(wire.ResourceLink(r))
		}
	}
	icon := func(change func(i *wire.Icon, s string)) func(s string) result {
		return link(func(r *wire.Resource, s string) {
			second := wire.Icon{Source: "s"}
			change(&second, s)
			r.Icons = []wire.Icon{{Source: "s"}, second}
		})
	}
	for name, make := range map[string]func(s string) result{
		"uri":          link(func(r *wire.Resource, s string) { r.URI = s }),
		"name":         link(func(r *wire.Resource, s string) { r.Name = s }),
		"title":        link(func(r *wire.Resource, s string) { r.Title = s }),
		"description":  link(func(r *wire.Resource, s string) { r.Description = s }),
		"mimeType":     link(func(r *wire.Resource, s string) { r.MIMEType = s }),
		"lastModified": link(func(r *wire.Resource, s string) { r.Annotations = &wire.Annotations{LastModified: s} }),
		"icon source":  icon(func(i *wire.Icon, s string) { i.Source = s }),
		"icon type":    icon(func(i *wire.Icon, s string) { i.MIMEType = s }),
		"icon size":    icon(func(i *wire.Icon, s string) { i.Sizes = []string{"any", s} }),
		"image type":   func(s string) result { return blocks(wire.Content{}, wire.ImageContent(nil, s)) },
		"metadata":     func(s string) result { return blocks(wire.TextContent("").WithMeta([]byte(`{"a":"` + s + `"}`))) },
		"second block": func(s string) result { return blocks(wire.Content{}, wire.TextContent(s)) },
		"second message": func(s string) result {
			return messages(wire.PromptMessage{}, wire.PromptMessage{Content: wire.TextContent(s)})
		},
		"second part": func(s string) result {
			return contents(wire.ResourceContents{URI: "u"}, wire.ResourceContents{URI: "u", MIMEType: s})
		},
		"second resource": func(s string) result {
			return resources(wire.Resource{URI: "u", Name: "n"}, wire.Resource{URI: "u", Name: s})
		},
		"second value": func(s string) result { return completion(&wire.Completion{Values: []string{"", s}}) },
	} {
		s := string(bytes.Repeat([]byte("x"), mebi))
		if err := make(s).check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if make(s+"x").check() == nil {
			t.Errorf("%s: one more passed", name)
		}
	}
}
