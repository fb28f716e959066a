package troupe_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// listings are the requests whose answers show what is registered.
var listings = []string{"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"}

// catalog returns all that a server lists.
func (w *world) catalog(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, method := range listings {
		r := w.ask(t, request("1", method, ""))
		if r.status != 200 {
			t.Fatalf("%s: status %d: %s", method, r.status, r.body)
		}
		b.WriteString(r.body + "\n")
	}
	return b.String()
}

// TestImmutable: what a caller does to its slices, maps and pointers once the
// server is built changes nothing. // T-06 TL-41 NO-11
func TestImmutable(t *testing.T) {
	t.Parallel()
	yes := true
	priority := 0.25
	annotations := &troupe.ToolAnnotations{Title: "before", ReadOnlyHint: &yes}
	hints := &troupe.Annotations{Audience: []troupe.Role{troupe.RoleUser}, Priority: &priority}
	icons := []troupe.Icon{{Source: "https://example.com/before.png", Sizes: []string{"16x16"}}}
	meta := map[string]any{"com.example/list": []any{"before"}}
	schema := []byte(`{"type":"object","properties":{"message":{"type":"string","enum":["before"]}},"required":["message"],"additionalProperties":false}`)
	output := []byte(`{"type":"object","properties":{"word":{"type":"string","const":"before"}},"required":["word"]}`)
	extensions := []string{"com.example/before"}
	versions := []troupe.ProtocolVersion{troupe.V20260728}
	features := []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{
			Name: "first", Annotations: annotations, Icons: icons, Meta: meta, InputSchema: schema, OutputSchema: output, Versions: versions,
		}, func(_ context.Context, _ troupe.Call, in echoIn) (map[string]string, error) {
			return map[string]string{"word": in.Message}, nil
		}),
		troupe.Tool(troupe.ToolInfo{Name: "second", Requires: troupe.ClientCapabilities{Extensions: extensions}, Versions: versions},
			func(context.Context, troupe.Call, struct{}) (string, error) { return "ran", nil }),
		troupe.Prompt(troupe.PromptInfo{Name: "prompt", Icons: icons, Meta: meta, Versions: versions},
			func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error) { return nil, nil }),
		troupe.Resource(troupe.ResourceInfo{URI: "mem://one", Name: "one", Size: 7, Annotations: hints, Icons: icons, Meta: meta, Versions: versions},
			func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{Text: "x"}, nil
			}),
		troupe.ResourceTemplate(troupe.ResourceInfo{URI: "mem://{id}/x", Name: "t", Annotations: hints, Meta: meta, Versions: versions},
			func(context.Context, troupe.Call, struct {
				ID string `json:"id"`
			},
			) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{Text: "x"}, nil
			}),
	}
	endpoints := []troupe.Endpoint{{
		Path: "/mcp", Info: troupe.Implementation{Name: "before", Version: "1", Icons: icons}, Versions: versions, Instructions: "before", Features: features,
	}}
	w := start(t, nil, func(c *troupe.Config) { c.Endpoints = endpoints })
	catalog := w.catalog(t)
	behaves := func() {
		t.Helper()
		checkReply(t, w.ask(t, toolCall("1", "first", `{"message":"before"}`)), want{status: 200, contains: []string{`"word":"before"`}, lacks: []string{"isError"}})
		checkReply(t, w.ask(t, toolCall("1", "first", `{"message":"beforE"}`)), want{status: 200, contains: []string{`"isError":true`}})
		checkReply(t, w.ask(t, toolCall("1", "second", "")), want{status: 400, code: "-32021", contains: []string{"com.example/before"}})
	}
	behaves()

	*annotations = troupe.ToolAnnotations{Title: "later"}
	yes, priority = false, 0.75
	*hints = troupe.Annotations{}
	icons[0].Source, icons[0].Sizes[0] = "https://example.com/later.png", "32x32"
	meta["com.example/list"].([]any)[0], meta["com.example/more"] = "later", true
	for _, text := range [][]byte{schema, output} {
		copy(text, strings.ReplaceAll(string(text), "before", "beforE"))
	}
	extensions[0], versions[0] = "com.example/later", troupe.V20250618
	features[0], features[1] = features[1], nil
	endpoints[0].Path, endpoints[0].Info.Name, endpoints[0].Instructions, endpoints[0].Features = "/later", "later", "later", nil

	if got := w.catalog(t); got != catalog {
		t.Errorf("the lists have changed from\n%s\nto\n%s", catalog, got)
	}
	behaves()
	if strings.Contains(catalog, "listChanged") {
		t.Errorf("changes of lists are advertised: %s", catalog)
	}
}

// TestTwoStyles: an endpoint declared by types is the endpoint declared by
// hand. // V-62
func TestTwoStyles(t *testing.T) {
	t.Parallel()
	declarative := start(t, []troupe.Feature{troupe.Tool(troupe.ToolInfo{Name: "sum", Description: "Adds."},
		func(_ context.Context, _ troupe.Call, in sumIn) (sumOut, error) { return sumOut{in.A + in.B}, nil })})
	text := declarative.ask(t, request("1", "tools/list", "")).body
	schemaAfter := func(name string) []byte {
		_, rest, _ := strings.Cut(text, `"`+name+`":`)
		depth := 0
		for i, c := range rest {
			switch c {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return []byte(rest[:i+1])
				}
			}
		}
		t.Fatalf("no %s in %s", name, text)
		return nil
	}
	programmatic := start(t, nil, func(c *troupe.Config) {
		c.Endpoints[0].Features = []troupe.Feature{troupe.Tool(troupe.ToolInfo{
			Name: "sum", Description: "Adds.", Versions: modern, InputSchema: schemaAfter("inputSchema"), OutputSchema: schemaAfter("outputSchema"),
		}, func(_ context.Context, _ troupe.Call, in map[string]int64) (*troupe.ToolResult, error) {
			return &troupe.ToolResult{Structured: map[string]int64{"sum": in["a"] + in["b"]}}, nil
		})}
	})
	for _, m := range []message{
		request("1", "server/discover", ""), request("1", "tools/list", ""), toolCall("1", "sum", `{"a":2,"b":3}`),
		toolCall("1", "sum", `{"a":2}`), toolCall("1", "sum", `{"a":2,"b":"x"}`), toolCall("1", "sum", `{"a":2,"b":3,"c":4}`),
	} {
		if a, b := declarative.ask(t, m), programmatic.ask(t, m); a.status != b.status || a.body != b.body {
			t.Errorf("%s\nby types:\n%d %s\nby hand:\n%d %s", m.body, a.status, a.body, b.status, b.body)
		}
	}
}

// TestVersionsOfFeatures: a feature's own revisions go before those of For, and
// one that selects the request's revision is listed and runs. With one revision
// served there is none to be left out of. // V-04 V-07
func TestVersionsOfFeatures(t *testing.T) {
	t.Parallel()
	tool := func(name string, versions ...troupe.ProtocolVersion) troupe.Feature {
		return troupe.Tool(troupe.ToolInfo{Name: name, Versions: versions},
			func(_ context.Context, call troupe.Call, _ struct{}) (string, error) {
				return call.Version().String(), nil
			})
	}
	old := []troupe.ProtocolVersion{troupe.V20250618}
	w := start(t, nil, func(c *troupe.Config) {
		c.Endpoints[0].Features = []troupe.Feature{
			tool("own", troupe.V20260728),
			troupe.For(old, tool("own-in-group", troupe.V20260728), troupe.For(modern, tool("inner")), troupe.For(nil, tool("own-in-two-groups", troupe.V20260728))),
			troupe.For(modern, troupe.For(nil, tool("outer"))),
		}
	})
	list := w.ask(t, request("1", "tools/list", "")).body
	for _, name := range []string{"own", "own-in-group", "inner", "own-in-two-groups", "outer"} {
		if !strings.Contains(list, `"name":"`+name+`"`) {
			t.Errorf("%s is not listed: %s", name, list)
		}
		checkReply(t, w.ask(t, toolCall("1", name, "")), want{status: 200, contains: []string{`"text":"2026-07-28"`}})
	}
	for _, c := range []struct {
		feature troupe.Feature
		want    string
	}{
		{troupe.For(old, tool("t")), "2025-06-18 is not one of the endpoint's"},
		{troupe.For(modern, tool("t", troupe.V20251125)), "2025-11-25 is not one of the endpoint's"},
		{troupe.For(modern, troupe.For(old, tool("t"))), "2025-06-18 is not one of the endpoint's"},
		{tool("t", troupe.V20260728, troupe.V20251125), "2025-11-25 is not one of the endpoint's"},
	} {
		_, err := troupe.NewServer(troupe.Config{Endpoints: []troupe.Endpoint{{
			Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern, Features: []troupe.Feature{c.feature},
		}}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestCallOutlivesRequest: what a handler was told of its request stays as it
// was when the answer, the connection and the server are gone and the memory of
// the request serves others. // T-50
func TestCallOutlivesRequest(t *testing.T) {
	t.Parallel()
	for _, fastLane := range []bool{true, false} {
		t.Run(fmt.Sprint("fast lane ", fastLane), func(t *testing.T) {
			t.Parallel()
			kept := make(chan troupe.Call, 2)
			w := start(t, []troupe.Feature{
				troupe.Tool(troupe.ToolInfo{Name: "keep"}, func(_ context.Context, call troupe.Call, _ echoIn) (string, error) {
					kept <- call
					return "", nil
				}),
				troupe.Tool(troupe.ToolInfo{Name: "other"}, func(_ context.Context, _ troupe.Call, in echoIn) (string, error) { return in.Message, nil }),
			}, func(c *troupe.Config) { c.DisableFastLane = !fastLane })
			client := `/clientInfo":{"name":"probe","version":"1"}`
			named := `/clientInfo":{"name":"ké\u0065per","title":"The Keeper","version":"2","websiteUrl":"https://keep.example","x":{"name":"inner"}}`
			for _, size := range []int{1, 20_000} { // within the record's own room, and beyond it
				w.ask(t, toolCall("1", "keep", fmt.Sprintf(`{"message":%q}`, strings.Repeat("k", size))).replace(client, named))
			}
			calls := []troupe.Call{<-kept, <-kept}
			check := func() {
				for _, call := range calls {
					if got := fmt.Sprint(call.Endpoint(), call.Version(), call.Method(), call.Name(), call.Client()); got !=
						fmt.Sprint("/mcp", troupe.V20260728, "tools/call", "keep", troupe.Implementation{
							Name: "kéeper", Title: "The Keeper", Version: "2", WebsiteURL: "https://keep.example",
						}) {
						t.Errorf("the call says %s", got)
					}
				}
			}
			check()
			var readers, writers sync.WaitGroup
			done := make(chan struct{})
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						check()
					}
				}
			})
			for range 2 {
				c := dial(t, w.addr)
				writers.Go(func() {
					for range 50 {
						if _, err := c.Write([]byte(toolCall("2", "other", fmt.Sprintf(`{"message":%q}`, strings.Repeat("o", 20_000))).raw(w.addr))); err != nil {
							t.Error(err)
							return
						}
						if r, err := c.tryRead("POST"); err != nil || r.status != 200 {
							t.Error(r.status, err)
							return
						}
					}
				})
			}
			writers.Wait()
			close(done)
			readers.Wait()
			if err := w.stop(); err != nil {
				t.Error(err)
			}
			check()
		})
	}
}

// TestSharedFeatures: one list of features makes several servers, also while
// one of them serves.
func TestSharedFeatures(t *testing.T) {
	t.Parallel()
	features := library()
	limited := func(c *troupe.Config) { c.RequestLimiter = troupe.AllowAllRequests() }
	w := start(t, features, limited)
	c := dial(t, w.addr)
	var building sync.WaitGroup
	building.Go(func() {
		for range 5 {
			if _, err := troupe.NewServer(troupe.Config{
				RequestLimiter: troupe.AllowAllRequests(),
				Endpoints: []troupe.Endpoint{{
					Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern, Features: []troupe.Feature{troupe.For(modern, features...)},
				}},
			}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 20 {
		for _, m := range []message{
			toolCall("1", "blocks", ""), prompt("greet", `{"name":"Ann"}`), read("mem://one"), read("mem://shelf/a/item-1"),
			completion(`{"type":"ref/prompt","name":"greet"}`, `{"name":"name","value":"v"}`, ""),
		} {
			c.send(t, m.raw(w.addr))
			checkReply(t, c.read(t, m.verb), want{status: 200})
		}
	}
	building.Wait()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Error(err)
	}
}

// TestHandlersKeepTheirValues: what a handler returns stays its own; nothing is
// filled in there that another request would get. // RS-01 EX-09
func TestHandlersKeepTheirValues(t *testing.T) {
	t.Parallel()
	contents := []troupe.ResourceContents{{Text: "shared"}}
	result := &troupe.ToolResult{Structured: map[string]int{"n": 1}}
	w := start(t, []troupe.Feature{
		troupe.ResourceTemplate(troupe.ResourceInfo{URI: "mem://{id}", Name: "t", MIMEType: "text/plain"},
			func(context.Context, troupe.Call, struct {
				ID string `json:"id"`
			},
			) ([]troupe.ResourceContents, error) {
				return contents, nil
			}),
		troupe.Tool(troupe.ToolInfo{Name: "t"}, func(context.Context, troupe.Call, struct{}) (*troupe.ToolResult, error) { return result, nil }),
	})
	for _, uri := range []string{"mem://a", "mem://b"} {
		checkReply(t, w.ask(t, read(uri)), want{status: 200, contains: []string{`"contents":[{"uri":"` + uri + `","mimeType":"text/plain","text":"shared"}]`}})
		checkReply(t, w.ask(t, toolCall("1", "t", "")), want{status: 200, contains: []string{`"text":"{\"n\":1}"`}})
	}
	if c := contents[0]; c.URI != "" || c.MIMEType != "" || result.Content != nil {
		t.Errorf("the handler's values have become %+v, %+v", c, result)
	}
}
