package wire_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

const maxBinary = 786_432

// A result is one of the results with blocks, resources or values in it.
type result struct {
	check  func() error
	append func(dst []byte, id wire.ID, p *wire.Projection) []byte
}

func call(r *wire.CallResult) result {
	return result{
		func() error { return wire.CheckCallResult(r, &wire.DefaultBounds) },
		func(dst []byte, id wire.ID, p *wire.Projection) []byte { return wire.AppendCallResult(dst, id, r, p) },
	}
}

func blocks(c ...wire.Content) result { return call(&wire.CallResult{Content: c}) }

func prompt(r *wire.PromptResult) result {
	return result{
		func() error { return wire.CheckPromptResult(r) },
		func(dst []byte, id wire.ID, p *wire.Projection) []byte { return wire.AppendPromptResult(dst, id, r, p) },
	}
}

func messages(m ...wire.PromptMessage) result { return prompt(&wire.PromptResult{Messages: m}) }

func read(r *wire.ReadResult) result {
	return result{
		func() error { return wire.CheckReadResult(r) },
		func(dst []byte, id wire.ID, p *wire.Projection) []byte { return wire.AppendReadResult(dst, id, r, p) },
	}
}

func contents(c ...wire.ResourceContents) result { return read(&wire.ReadResult{Contents: c}) }

func page(r *wire.ResourcePage) result {
	return result{
		func() error { return wire.CheckResourcePage(r) },
		func(dst []byte, id wire.ID, p *wire.Projection) []byte { return wire.AppendResourcePage(dst, id, r, p) },
	}
}

func resources(r ...wire.Resource) result { return page(&wire.ResourcePage{Resources: r}) }

func completion(c *wire.Completion) result {
	return result{
		func() error { return wire.CheckCompletion(c) },
		func(dst []byte, id wire.ID, p *wire.Projection) []byte { return wire.AppendCompletion(dst, id, c, p) },
	}
}

// A bound has a result at it, and one beyond it.
type bound struct {
	name       string
	at, beyond result
}

func checkBounds(t *testing.T, cases []bound) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := c.at.check(); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			if out := c.at.append(nil, idOf(t, `1`), &modern); len(out) > maxDocument+256 {
				t.Errorf("a response of %d bytes", len(out))
			}
			if err := c.beyond.check(); err == nil {
				t.Error("beyond the bound: no error")
			} else if len(err.Error()) > 100 {
				t.Errorf("the error quotes the result: %v", err)
			}
		})
	}
}

// Decision 52, soklet-notes section 2: what each part of a result may be, at the
// bound and one beyond it.
func TestResultBounds(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return strings.Repeat("x", n) }
	binary := func(n int) []byte { return make([]byte, n) }
	annotated := func(priority float64) result {
		return blocks(wire.TextContent("").WithAnnotations(wire.Annotations{Priority: &priority}))
	}
	icon := func(i wire.Icon) result {
		return resources(wire.Resource{URI: "u", Name: "n", Icons: []wire.Icon{i}})
	}
	sized := func(n int64) result { return resources(wire.Resource{URI: "u", Name: "n", Size: &n}) }
	cursor := func(s string) result { return page(&wire.ResourcePage{NextCursor: &s}) }
	total := func(n int) result { return completion(&wire.Completion{Total: &n}) }
	embedded := func(c wire.ResourceContents) result { return blocks(wire.EmbeddedResource(c)) }
	link := func(r wire.Resource) result { return blocks(wire.ResourceLink(r)) }
	checkBounds(t, []bound{
		{"image", blocks(wire.ImageContent(binary(maxBinary), "m")), blocks(wire.ImageContent(binary(maxBinary+1), "m"))},
		{"audio", blocks(wire.AudioContent(binary(maxBinary), "m")), blocks(wire.AudioContent(binary(maxBinary+1), "m"))},
		{"embedded blob", embedded(wire.ResourceContents{URI: "u", Blob: binary(maxBinary)}), embedded(wire.ResourceContents{URI: "u", Blob: binary(maxBinary + 1)})},
		{"blob", contents(wire.ResourceContents{URI: "u", Blob: binary(maxBinary)}), contents(wire.ResourceContents{URI: "u", Blob: binary(maxBinary + 1)})},
		{
			"image of a prompt", messages(wire.PromptMessage{Content: wire.ImageContent(binary(maxBinary), "m")}),
			messages(wire.PromptMessage{Content: wire.ImageContent(binary(maxBinary+1), "m")}),
		},
		{"text of contents", contents(wire.ResourceContents{URI: "u", Text: text(mebi)}), contents(wire.ResourceContents{URI: "u", Text: text(mebi + 1)})},
		{"URI", contents(wire.ResourceContents{URI: text(mebi)}), contents(wire.ResourceContents{URI: text(mebi + 1)})},
		{"annotated text", blocks(wire.TextContent(text(mebi)).WithMeta([]byte(`{}`))), blocks(wire.TextContent(text(mebi + 1)).WithMeta([]byte(`{}`)))},
		{
			"text of a prompt", messages(wire.PromptMessage{Content: wire.TextContent(text(mebi))}),
			messages(wire.PromptMessage{Content: wire.TextContent(text(mebi + 1))}),
		},
		{
			"description of a prompt", prompt(&wire.PromptResult{Description: text(mebi), Messages: []wire.PromptMessage{}}),
			prompt(&wire.PromptResult{Description: text(mebi + 1), Messages: []wire.PromptMessage{}}),
		},
		{"description", link(wire.Resource{URI: "u", Name: "n", Description: text(mebi)}), link(wire.Resource{URI: "u", Name: "n", Description: text(mebi + 1)})},
		{"value", completion(&wire.Completion{Values: []string{text(mebi)}}), completion(&wire.Completion{Values: []string{text(mebi + 1)}})},
		{
			"value that is not sent", completion(&wire.Completion{Values: append(make([]string, 100), text(mebi+1))}),
			completion(&wire.Completion{Values: append(make([]string, 99), text(mebi+1))}),
		},
		{"total", total(0), total(-1)},
		{"size", sized(0), sized(-1)},
		{"cursor", cursor(text(4096)), cursor(text(4097))},
		{"lowest priority", annotated(0), annotated(math.Nextafter(0, -1))},
		{"highest priority", annotated(1), annotated(math.Nextafter(1, 2))},
		{"priority is a number", annotated(math.SmallestNonzeroFloat64), annotated(math.NaN())},
		{"priority is finite", annotated(0.5), annotated(math.Inf(1))},
		{
			"audience", blocks(wire.TextContent("").WithAnnotations(noted)),
			blocks(wire.TextContent("").WithAnnotations(wire.Annotations{Audience: []wire.Role{wire.RoleAssistant + 1}})),
		},
		{"role", messages(wire.PromptMessage{Role: wire.RoleAssistant}), messages(wire.PromptMessage{Role: wire.RoleAssistant + 1})},
		{"nil messages (PR-08)", messages([]wire.PromptMessage{}...), prompt(&wire.PromptResult{})},
		{"light", icon(wire.Icon{Source: "s", Theme: "light"}), icon(wire.Icon{Source: "s", Theme: "Light"})},
		{"source of an icon", icon(wire.Icon{Source: "s"}), icon(wire.Icon{MIMEType: "m"})},
		{"media type of an image", blocks(wire.ImageContent(nil, "m")), blocks(wire.ImageContent(nil, ""))},
		{"media type of audio", blocks(wire.AudioContent(nil, "m")), blocks(wire.AudioContent(nil, ""))},
		{"URI of contents", contents(wire.ResourceContents{URI: "u"}), contents(wire.ResourceContents{})},
		{"URI of embedded contents", embedded(wire.ResourceContents{URI: "u"}), embedded(wire.ResourceContents{Text: "a"})},
		{"URI of a link", link(wire.Resource{URI: "u", Name: "n"}), link(wire.Resource{Name: "n"})},
		{"name of a resource", resources(wire.Resource{URI: "u", Name: "n"}), resources(wire.Resource{URI: "u"})},
	})
}

// Spec section 5: wherever there is metadata of the application's, it is one
// object with valid keys, strict, within the bounds.
func TestMetadataOfParts(t *testing.T) {
	t.Parallel()
	places := map[string]func(meta []byte) result{
		"block":             func(m []byte) result { return blocks(wire.TextContent("").WithMeta(m)) },
		"image":             func(m []byte) result { return blocks(wire.ImageContent(nil, "m").WithMeta(m)) },
		"embedded contents": func(m []byte) result { return blocks(wire.EmbeddedResource(wire.ResourceContents{URI: "u", Meta: m})) },
		"link":              func(m []byte) result { return blocks(wire.ResourceLink(wire.Resource{URI: "u", Name: "n", Meta: m})) },
		"message":           func(m []byte) result { return messages(wire.PromptMessage{Content: wire.TextContent("").WithMeta(m)}) },
		"prompt":            func(m []byte) result { return prompt(&wire.PromptResult{Messages: []wire.PromptMessage{}, Meta: m}) },
		"contents":          func(m []byte) result { return contents(wire.ResourceContents{URI: "u", Meta: m}) },
		"read":              func(m []byte) result { return read(&wire.ReadResult{Meta: m}) },
		"resource":          func(m []byte) result { return resources(wire.Resource{URI: "u", Name: "n", Meta: m}) },
		"page":              func(m []byte) result { return page(&wire.ResourcePage{Meta: m}) },
	}
	for name, place := range places {
		for _, meta := range []string{``, `{}`, ` {"com.example/a":[{"b c":1}]} `} {
			if err := place([]byte(meta)).check(); err != nil {
				t.Errorf("%s: %s: %v", name, meta, err)
			}
		}
		for _, meta := range []string{` `, `[]`, `null`, `{"a b":1}`, `{"a":1,"a":2}`, `{"a":1}{}`, `{"a":1,}`, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"a":1e10001}`} {
			if place([]byte(meta)).check() == nil {
				t.Errorf("%s: %s passed", name, meta)
			}
		}
	}
}

// Decision 52: the values and keys of all parts are counted together.
func TestResultNodes(t *testing.T) {
	t.Parallel()
	const most = 100_000
	plain := wire.TextContent("")
	array := func(n int) []byte { return []byte("[" + strings.Repeat("1,", n-2) + "1]") }
	object := func(n int) []byte { return []byte(`{"a":` + string(array(n-2)) + `}`) }
	repeat := func(n int, c wire.Content) []wire.Content {
		all := make([]wire.Content, n)
		for i := range all {
			all[i] = c
		}
		return all
	}
	values := make([]wire.ResourceContents, most/5)
	listed := make([]wire.Resource, most/5)
	said := make([]wire.PromptMessage, most/9+1)
	for i := range values {
		values[i].URI = "u"
		listed[i].URI, listed[i].Name = "u", "n"
	}
	more := func(c wire.Content) []wire.Content { return append(repeat(most/5-1, plain), c) }
	audience := func(n int) wire.Content {
		return plain.WithAnnotations(wire.Annotations{Audience: make([]wire.Role, n)}) // 9 nodes without the roles
	}
	sizes := func(n int) []wire.Resource { // 11 nodes without the sizes
		return []wire.Resource{{URI: "u", Name: "n", Icons: []wire.Icon{{Source: "s", Sizes: make([]string, n)}}}}
	}
	checkBounds(t, []bound{
		{"text and structured content", call(&wire.CallResult{Content: repeat(10, plain), Structured: array(most - 50)}), call(&wire.CallResult{Content: repeat(10, plain), Structured: array(most - 49)})},
		{"structured content and metadata", call(&wire.CallResult{Structured: array(most - 4), Meta: []byte(`{"a":1}`)}), call(&wire.CallResult{Structured: array(most - 3), Meta: []byte(`{"a":1}`)})},
		{"metadata of a block", blocks(plain.WithMeta(object(most - 6))), blocks(plain.WithMeta(object(most - 5)))},
		{"annotated text", blocks(repeat(most/5, plain)...), blocks(more(plain.WithAnnotations(wire.Annotations{}))...)},
		{"audience", blocks(audience(most - 9)), blocks(audience(most - 8))},
		{"images", blocks(repeat(most/7, wire.ImageContent(nil, "m"))...), blocks(repeat(most/7+1, wire.ImageContent(nil, "m"))...)},
		{"embedded", blocks(repeat(most/9, wire.EmbeddedResource(values[0]))...), blocks(repeat(most/9+1, wire.EmbeddedResource(values[0]))...)},
		{"links", blocks(repeat(most/7, wire.ResourceLink(listed[0]))...), blocks(repeat(most/7+1, wire.ResourceLink(listed[0]))...)},
		{"messages", messages(said[:most/9]...), messages(said...)},
		{"contents", contents(values...), contents(append(values[1:], wire.ResourceContents{URI: "u", MIMEType: "m"})...)},
		{"resources", resources(listed...), resources(append(listed[1:], wire.Resource{URI: "u", Name: "n", Title: "t"})...)},
		{"sizes of an icon", resources(sizes(most - 12)...), resources(sizes(most - 11)...)},
	})
}

// Decision 52: the JSON of all parts together is at most 4 MiB, escapes and base64
// counted as they are written.
func TestResultSize(t *testing.T) {
	t.Parallel()
	// A part of each kind around three texts of 1 MiB, with a fourth of n bytes.
	full := strings.Repeat("x", mebi)
	kinds := map[string]func(fourth string) result{
		"texts": func(s string) result {
			return blocks(wire.TextContent(full), wire.TextContent(full), wire.TextContent(full), wire.TextContent(s))
		},
		"annotated texts": func(s string) result {
			c := wire.TextContent(full).WithAnnotations(noted)
			return blocks(c, c, c, wire.TextContent(s).WithAnnotations(noted))
		},
		"images": func(s string) result {
			c := wire.ImageContent(make([]byte, maxBinary), "m")
			return blocks(c, c, c, wire.TextContent(s))
		},
		"embedded": func(s string) result {
			c := wire.EmbeddedResource(wire.ResourceContents{URI: "u", Blob: make([]byte, maxBinary), MIMEType: "m"})
			return blocks(c, c, c, wire.EmbeddedResource(wire.ResourceContents{URI: "u", Text: s}))
		},
		"links": func(s string) result {
			r := readme
			r.Description = full
			c := wire.ResourceLink(r)
			return blocks(c, c, c, wire.ResourceLink(wire.Resource{URI: "u", Name: s}))
		},
		"messages": func(s string) result {
			m := wire.PromptMessage{Role: wire.RoleAssistant, Content: wire.TextContent(full)}
			return messages(m, m, m, wire.PromptMessage{Content: wire.TextContent(s)})
		},
		"contents": func(s string) result {
			return contents(wire.ResourceContents{URI: full, MIMEType: full, Text: full}, wire.ResourceContents{URI: "u", Text: s})
		},
		"resources": func(s string) result {
			return resources(wire.Resource{URI: full, Name: full, Title: full, Icons: icons, Annotations: &noted, Size: &size}, wire.Resource{URI: "u", Name: s})
		},
		"values": func(s string) result { return completion(&wire.Completion{Values: []string{full, full, full, s}}) },
		"separators in metadata": func(s string) result { // twice as long when escaped
			meta := []byte(`{"a":"` + strings.Repeat("\u2028", mebi/6) + `","b":"` + strings.Repeat("\u2029", mebi/6) + `"}`)
			m := wire.PromptMessage{Content: wire.TextContent(full)}
			return prompt(&wire.PromptResult{Messages: []wire.PromptMessage{m, {Content: wire.TextContent(s)}}, Meta: meta})
		},
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The longest fourth text that passes makes a response of about 4 MiB.
			low, high := 1, mebi+1
			if err := kind("x").check(); err != nil {
				t.Fatal(err)
			}
			for high-low > 1 {
				if n := (low + high) / 2; kind(full[:min(n, mebi)]).check() == nil && n <= mebi {
					low = n
				} else {
					high = n
				}
			}
			out := kind(full[:low]).append(nil, idOf(t, `1`), &modern)
			if len(out) > maxDocument+256 || low < mebi && len(out) < maxDocument-256 {
				t.Errorf("a response of %d bytes at the bound", len(out))
			}
			// What is escaped counts as it is written.
			if escaped := strings.Repeat("\n", low/2-100) + "\u2028\xff"; low > 1000 && kind(escaped).check() != nil {
				t.Error("escapes counted too much")
			}
			if escaped := strings.Repeat("\n", low/2+100); low < mebi && kind(escaped).check() == nil {
				t.Error("escapes not counted")
			}
		})
	}
}

// Decision 52: characters that need care count as they are written.
func TestCharactersAreCounted(t *testing.T) {
	t.Parallel()
	const separators = (maxDocument - 2) / 6 // between quotes
	structured := func(n int) result {
		return call(&wire.CallResult{Structured: []byte(`"` + strings.Repeat("\u2028", n) + `"`)})
	}
	replaced := wire.TextContent(strings.Repeat("\ufffd", mebi/2))
	pairs := strings.Repeat("\U00010000", mebi/2)
	checkBounds(t, []bound{
		{"separators in structured content", structured(separators), structured(separators + 1)},
		{"replacement characters", blocks(replaced, replaced), blocks(replaced, replaced, replaced)},
		{"the first pair", blocks(wire.TextContent(pairs)), blocks(wire.TextContent(pairs + "x"))},
	})
}

// What is too large is refused at once: neither is anything encoded for it, nor
// do the blocks behind it matter.
func TestLargeResultsCostNothing(t *testing.T) {
	large := wire.CallResult{Content: make([]wire.Content, 64)}
	for i := range large.Content {
		large.Content[i] = wire.ImageContent(make([]byte, maxBinary), "m")
	}
	if n := testing.AllocsPerRun(10, func() {
		if wire.CheckCallResult(&large, &wire.DefaultBounds) == nil {
			t.Error("64 MiB passed")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Bounds other than the default hold for a call's result.
func TestCheckCallResultOwnBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bounds     wire.Bounds
		at, beyond wire.Content
	}{
		{wire.Bounds{Depth: 8, Nodes: 100, String: 8}, wire.TextContent("12345678"), wire.TextContent("123456789")},
		{wire.Bounds{Depth: 8, Nodes: 100, String: 8}, wire.ImageContent(make([]byte, 6), "m"), wire.ImageContent(make([]byte, 7), "m")},
		{wire.Bounds{Depth: 8, Nodes: 7, String: 8}, wire.ImageContent(nil, "m"), wire.TextContent("").WithMeta([]byte(`{"a":1}`))},
		{wire.Bounds{Depth: 2, Nodes: 100, String: 8}, wire.TextContent("").WithMeta([]byte(`{"a":[]}`)), wire.TextContent("").WithMeta([]byte(`{"a":[[]]}`))},
	} {
		at, beyond := wire.CallResult{Content: []wire.Content{c.at}}, wire.CallResult{Content: []wire.Content{c.beyond}}
		if err := wire.CheckCallResult(&at, &c.bounds); err != nil {
			t.Errorf("%+v: %v", c.bounds, err)
		}
		if wire.CheckCallResult(&beyond, &c.bounds) == nil {
			t.Errorf("%+v: passed", c.bounds)
		}
	}
}

// CheckResponse bounds what has been encoded.
func TestCheckResponse(t *testing.T) {
	t.Parallel()
	response := contents(wire.ResourceContents{URI: "u", Text: "a"}).append(nil, idOf(t, `1`), &modern)
	if err := wire.CheckResponse(response, &wire.DefaultBounds); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]byte{nil, response[1:], bytes.Repeat([]byte(" "), maxDocument+1), fmt.Appendf(nil, "%s{}", response)} {
		if wire.CheckResponse(bad, &wire.DefaultBounds) == nil {
			t.Errorf("%.20q passed", bad)
		}
	}
}
