package troupe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

func contents(context.Context, troupe.Call) (troupe.ResourceContents, error) {
	return troupe.ResourceContents{Text: "x"}, nil
}

// template returns a template that answers with its name and the variable.
func template(uri, name string, alter ...func(*troupe.ResourceInfo)) troupe.Feature {
	info := troupe.ResourceInfo{URI: uri, Name: name}
	for _, a := range alter {
		a(&info)
	}
	return troupe.ResourceTemplate(info, func(_ context.Context, _ troupe.Call, vars struct {
		ID string `json:"id"`
	},
	) (troupe.ResourceContents, error) {
		return troupe.ResourceContents{Text: name + "=" + vars.ID}, nil
	})
}

// TestCatalogOptions: what an endpoint says of its catalogs is in each of
// them. // D-01 D-02 D-04 D-05 D-06 V-58 T-26
func TestCatalogOptions(t *testing.T) {
	t.Parallel()
	yes, hint := true, 1.0
	w := start(t, []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{Name: "tool.a-b_9", Annotations: &troupe.ToolAnnotations{Title: "Hint", DestructiveHint: &yes}},
			func(context.Context, troupe.Call, struct{}) (string, error) { return "", nil }),
		troupe.Prompt(troupe.PromptInfo{Name: "p", Title: "Prompt Title", Meta: map[string]any{"com.example/p": 1}},
			func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error) { return nil, nil }),
		troupe.Resource(troupe.ResourceInfo{
			URI: "mem://r", Name: "r", Title: "Resource Title", Size: 9, Meta: map[string]any{"com.example/r": 1},
			Annotations: &troupe.Annotations{Priority: &hint}, Icons: []troupe.Icon{{Source: "https://example.com/r.png"}},
		}, contents),
		template("mem://t/{id}", "t", func(i *troupe.ResourceInfo) {
			i.Title, i.Description, i.Meta = "Template Title", "Of templates.", map[string]any{"com.example/t": 1}
		}),
	}, func(c *troupe.Config) {
		c.Endpoints[0].Instructions = "Use with care."
		c.Endpoints[0].CatalogTTL, c.Endpoints[0].CatalogScope = 1500*time.Millisecond, troupe.CachePublic
	})
	for method, parts := range map[string][]string{
		"server/discover":          {`"instructions":"Use with care."`},
		"tools/list":               {`"name":"tool.a-b_9"`, `"annotations":{"title":"Hint","destructiveHint":true}`},
		"prompts/list":             {`"title":"Prompt Title"`, `"com.example/p":1`, `"required":true`, `{"name":"style"}`},
		"resources/list":           {`"title":"Resource Title"`, `"size":9`, `"com.example/r":1`, `"priority":1`, `https://example.com/r.png`},
		"resources/templates/list": {`"title":"Template Title"`, `"description":"Of templates."`, `"com.example/t":1`},
	} {
		checkReply(t, w.ask(t, request("1", method, "")), want{
			status: 200, contains: append(parts, `"ttlMs":1500`, `"cacheScope":"public"`, `/serverInfo"`), lacks: []string{"nextCursor", "listChanged", "subscribe"},
		})
	}
}

// TestCapabilitiesOfOne: one registration of a kind is enough for its
// capability and its methods, and brings no other kind's. // D-02 C-02 C-03
// D-03 V-58
func TestCapabilitiesOfOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, capabilities string
		feature            troupe.Feature
		serves             []string
	}{
		{"tool", `{"tools":{}}`, result("t", "", nil), []string{"tools/list"}},
		{"prompt", `{"prompts":{}}`, troupe.Prompt(troupe.PromptInfo{Name: "p"}, func(context.Context, troupe.Call, struct{}) ([]troupe.PromptMessage, error) { return nil, nil }), []string{"prompts/list"}},
		{"resource", `{"resources":{}}`, troupe.Resource(troupe.ResourceInfo{URI: "x://r", Name: "r"}, contents), []string{"resources/list", "resources/templates/list"}},
		{"template", `{"resources":{}}`, template("x://{id}", "t"), []string{"resources/list", "resources/templates/list"}},
		{"list handler", `{"resources":{}}`, troupe.ResourceList(troupe.ListInfo{}, func(context.Context, troupe.Call, troupe.ListRequest) (troupe.ResourcePage, error) {
			return troupe.ResourcePage{}, nil
		}), []string{"resources/list", "resources/templates/list"}},
	} {
		w := start(t, []troupe.Feature{c.feature})
		checkReply(t, w.ask(t, request("1", "server/discover", "")), want{status: 200, contains: []string{`"capabilities":` + c.capabilities}})
		for _, method := range listings[1:] {
			expected := want{status: 404, code: "-32601"}
			if slices.Contains(c.serves, method) {
				expected = want{status: 200}
			}
			checkReply(t, w.ask(t, request("1", method, "")), expected)
		}
		checkReply(t, w.ask(t, completion(`{"type":"ref/prompt","name":"p"}`, `{"name":"n","value":""}`, "")), want{status: 404, code: "-32601"})
	}
}

// TestRouting: which registration a URI reaches: the exact one, else the first
// template that it fits. // RS-01 RS-02 RS-06
func TestRouting(t *testing.T) {
	t.Parallel()
	const longest = 65_535
	w := start(t, []troupe.Feature{
		template("mem://a/{id}", "first"),
		template("mem://{id}/b", "second"),
		template("mem://a/{id}", "exact-text", func(i *troupe.ResourceInfo) { i.URI = "mem://a/x{id}" }),
		template("file.txt?v={id}", "query"),
		template("mem://+({id})", "quoted"),
		troupe.Resource(troupe.ResourceInfo{URI: "mem://a/exact", Name: "e", MIMEType: "text/x-exact"}, contents),
		troupe.Resource(troupe.ResourceInfo{URI: "mem://a/{id}", Name: "literal"}, contents),
		troupe.Resource(troupe.ResourceInfo{URI: "mem://own", Name: "own", MIMEType: "text/x-default"},
			func(context.Context, troupe.Call) ([]troupe.ResourceContents, error) {
				return []troupe.ResourceContents{{URI: "mem://part", MIMEType: "text/x-own", Text: "1"}, {Text: "2"}}, nil
			}),
	})
	padded := func(n int) string { return "mem://a/" + strings.Repeat("y", n-len("mem://a/")) }
	unknown := want{status: 400, code: "-32602"}
	for _, c := range []struct {
		uri  string
		want want
	}{
		{"mem://a/exact", want{status: 200, contains: []string{`"text":"x"`, `"mimeType":"text/x-exact"`}}},
		{"mem://a/exact1", want{status: 200, contains: []string{"first=exact1"}, lacks: []string{"mimeType"}}},
		{"mem://a/b", want{status: 200, contains: []string{"first=b"}}},
		{"mem://c/b", want{status: 200, contains: []string{"second=c"}}},
		{"mem://a/{id}", want{status: 200, contains: []string{`"text":"x"`}}},
		{"mem://a/b/c", unknown},
		{"mem://a/b?c", unknown},
		{"mem://a/b#c", unknown},
		{"mem://a/b%3Fc", want{status: 200, contains: []string{"first=b?c"}}},
		{"mem://a/%zz", unknown},
		{"mem://a/%C3%A9", want{status: 200, contains: []string{"first=é"}}},
		{"Mem://a/b", unknown},
		{" mem://a/b", unknown},
		{"mem://a/", unknown},
		{"mem://c/bb", unknown},
		{"fileXtxt?v=1", unknown},
		{"file.txt?v=1", want{status: 200, contains: []string{"query=1"}}},
		{"file.tx?v=1", unknown},
		{"mem://+(1)", want{status: 200, contains: []string{"quoted=1"}}},
		{"mem://++1", unknown},
		{"", unknown},
		{"mem://own", want{status: 200, contains: []string{`{"uri":"mem://part","mimeType":"text/x-own","text":"1"},{"uri":"mem://own","mimeType":"text/x-default","text":"2"}`}}},
	} {
		t.Run(c.uri, func(t *testing.T) {
			m := read(c.uri).with("Mcp-Name", mirror(c.uri))
			checkReply(t, w.ask(t, m), c.want)
		})
	}
	// A URI beyond the header bounds cannot be mirrored; so this asks templates
	// that have no limit of their own but that one.
	roomy := start(t, []troupe.Feature{template("mem://a/{id}", "t")}, func(c *troupe.Config) { c.Limits.HeaderBytes = 1 << 20 })
	checkReply(t, roomy.ask(t, read(padded(longest))), want{status: 200, contains: []string{"t=yyy"}})
	checkReply(t, roomy.ask(t, read(padded(longest+1))), unknown)
	// What is unknown is named up to 8,192 bytes (decision 67).
	for n, named := range map[int]bool{8192: true, 8193: false} {
		uri := "mem://z/" + strings.Repeat("y", n-len("mem://z/"))
		if r := roomy.ask(t, read(uri)); r.status != 400 || strings.Contains(r.body, uri) != named {
			t.Errorf("a URI of %d bytes: status %d, body of %d bytes", n, r.status, len(r.body))
		}
	}
}

// mirror returns a URI as Mcp-Name may carry it.
func mirror(uri string) string {
	if strings.Trim(uri, " ") == uri && strings.Trim(uri, "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") == "" {
		return uri
	}
	text, err := json.Marshal([]byte(uri)) // base64
	if err != nil {
		panic(err)
	}
	return "=?base64?" + strings.Trim(string(text), `"`) + "?="
}

// TestRequirements: each kind of registration names what its client must be
// able to do, and each capability counts as its revision says. // ER-13 P-18
// V-50 NO-04
func TestRequirements(t *testing.T) {
	t.Parallel()
	needs := func(c troupe.ClientCapabilities) func(*troupe.ResourceInfo) {
		return func(i *troupe.ResourceInfo) { i.Requires = c }
	}
	everything := troupe.ClientCapabilities{
		ElicitationForm: true, ElicitationURL: true, Sampling: true, Roots: true, Extensions: []string{"com.example/a", "com.example/b"},
	}
	tool := func(name string, c troupe.ClientCapabilities) troupe.Feature {
		return result(name, "ran", nil, func(i *troupe.ToolInfo) { i.Requires = c })
	}
	w := start(t, []troupe.Feature{
		tool("all", everything), tool("form", troupe.ClientCapabilities{ElicitationForm: true}),
		tool("url", troupe.ClientCapabilities{ElicitationURL: true}), tool("roots", troupe.ClientCapabilities{Roots: true}),
		troupe.Prompt(troupe.PromptInfo{Name: "prompt", Requires: troupe.ClientCapabilities{Roots: true}},
			func(context.Context, troupe.Call, struct{}) ([]troupe.PromptMessage, error) {
				return []troupe.PromptMessage{troupe.UserMessage(troupe.Text("ran"))}, nil
			}),
		troupe.Resource(troupe.ResourceInfo{URI: "x://r", Name: "r", Requires: troupe.ClientCapabilities{Sampling: true}}, contents),
		template("x://t/{id}", "t", needs(troupe.ClientCapabilities{ElicitationForm: true, Extensions: []string{"com.example/a"}})),
	})
	missing := func(text string) want {
		return want{status: 400, code: "-32021", contains: []string{`"data":{"requiredCapabilities":` + text + `}`}}
	}
	fine := want{status: 200}
	for _, c := range []struct {
		message  message
		declares string
		want     want
	}{
		{toolCall("1", "all", ""), `{}`, missing(`{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},"extensions":{"com.example/a":{},"com.example/b":{}}}`)},
		{toolCall("1", "all", ""), `{"sampling":{},"elicitation":{"form":{},"url":{}},"extensions":{"com.example/b":{}}}`, missing(`{"roots":{},"extensions":{"com.example/a":{}}}`)},
		{toolCall("1", "all", ""), `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},"extensions":{"com.example/b":{},"com.example/a":{"x":1}}}`, fine},
		{toolCall("1", "form", ""), `{}`, missing(`{"elicitation":{"form":{}}}`)},
		{toolCall("1", "form", ""), `{"elicitation":{}}`, fine},
		{toolCall("1", "form", ""), `{"elicitation":{"form":{}}}`, fine},
		{toolCall("1", "form", ""), `{"elicitation":{"url":{}}}`, missing(`{"elicitation":{"form":{}}}`)},
		{toolCall("1", "url", ""), `{"elicitation":{}}`, missing(`{"elicitation":{"url":{}}}`)},
		{toolCall("1", "url", ""), `{"elicitation":{"url":{}}}`, fine},
		{toolCall("1", "roots", ""), `{"sampling":{}}`, missing(`{"roots":{}}`)},
		{toolCall("1", "roots", ""), `{"roots":{"listChanged":true}}`, fine},
		{prompt("prompt", ""), `{}`, missing(`{"roots":{}}`)},
		{prompt("prompt", ""), `{"roots":{}}`, fine},
		{read("x://r"), `{}`, missing(`{"sampling":{}}`)},
		{read("x://r"), `{"sampling":{}}`, fine},
		{read("x://t/1"), `{}`, missing(`{"elicitation":{"form":{}},"extensions":{"com.example/a":{}}}`)},
		{read("x://t/1"), `{"elicitation":{},"extensions":{"com.example/a":{}}}`, fine},
		{read("x://nope"), `{}`, want{status: 400, code: "-32602"}},
	} {
		m := c.message.replace(`/clientCapabilities":{}`, `/clientCapabilities":`+c.declares)
		checkReply(t, w.ask(t, m), c.want)
		if c.want.code == "-32021" { // the shape of a retry is looked at before
			retry := m.replace(`"params":{`, `"params":{"inputResponses":[],`)
			checkReply(t, w.ask(t, retry), want{status: 400, code: "-32602"})
		}
	}
}

// TestCompletions: what a completer is told, and what of its answer is sent.
// // C-01 C-07 C-08 C-09 C-10 C-11 C-17 P-13
func TestCompletions(t *testing.T) {
	t.Parallel()
	told := make(chan troupe.CompletionRequest, 1)
	answers := make(chan troupe.Completion, 1)
	complete := func(_ context.Context, _ troupe.Call, r troupe.CompletionRequest) (troupe.Completion, error) {
		told <- r
		return <-answers, nil
	}
	w := start(t, append(library()[:0:0],
		troupe.Prompt(troupe.PromptInfo{Name: "same"}, func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error) { return nil, nil }),
		template("same/{id}", "t"),
		troupe.Completer(troupe.CompleterInfo{Prompt: "same", Argument: "style"}, complete),
	), allowAll)
	ref := `{"type":"ref/prompt","name":"same"}`
	style := func(value string) string { return fmt.Sprintf(`{"name":"style","value":%q}`, value) }
	hundred := make([]string, 100)
	for i := range hundred {
		hundred[i] = fmt.Sprint("v", i)
	}
	for _, c := range []struct {
		name   string
		answer troupe.Completion
		want   want
	}{
		{"nothing", troupe.Completion{}, want{status: 200, contains: []string{`"completion":{"values":[]`}, lacks: []string{"total", `"hasMore":true`}}},
		{"more", troupe.Completion{Values: []string{"a"}, HasMore: true}, want{status: 200, contains: []string{`"values":["a"]`, `"hasMore":true`}, lacks: []string{"total"}}},
		{"total", troupe.Completion{Values: []string{"a"}, Total: 12}, want{status: 200, contains: []string{`"total":12`}}},
		{"a negative total is unknown", troupe.Completion{Values: []string{"a"}, Total: -1}, want{status: 200, lacks: []string{"total"}}},
		{"a hundred", troupe.Completion{Values: hundred}, want{status: 200, contains: []string{`"v99"]`}, lacks: []string{`"hasMore":true`}}},
		{"and one", troupe.Completion{Values: append(slices.Clone(hundred), "v100")}, want{status: 200, contains: []string{`"v99"]`, `"hasMore":true`}, lacks: []string{"v100"}}},
	} {
		answers <- c.answer
		checkReply(t, w.ask(t, completion(ref, style(c.name), `,"context":{"arguments":{"name":"Änn","x":""}}`)), c.want)
		if r := <-told; r.Value != c.name || len(r.Arguments) != 2 || r.Arguments["name"] != "Änn" {
			t.Errorf("%s: told %+v", c.name, r)
		}
	}
	ran := want{status: 200, contains: []string{"ran"}}
	bad := want{status: 400, code: "-32602", lacks: []string{"planted"}}
	for _, c := range []struct {
		name, ref, argument, rest string
		want                      want
	}{
		{"context without arguments", ref, style(""), `,"context":{}`, ran},
		{"context with other members", ref, style(""), `,"context":{"x":1,"arguments":{}}`, ran},
		{"other members", `{"type":"ref/prompt","name":"same","title":"x","uri":1}`, `{"name":"style","value":"","x":1}`, `,"x":1`, ran},
		{"context is an array", ref, style(""), `,"context":[]`, bad},
		{"context is null", ref, style(""), `,"context":null`, bad},
		{"context's arguments are an array", ref, style(""), `,"context":{"arguments":["a"]}`, bad},
		{"one of two context arguments is no string", ref, style(""), `,"context":{"arguments":{"a":1,"b":"c"}}`, bad},
		{"value is missing", ref, `{"name":"style"}`, "", bad},
		{"value is no string", ref, `{"name":"style","value":1}`, "", bad},
		{"name of the argument is missing", ref, `{"value":""}`, "", bad},
		{"name of the argument is no string", ref, `{"name":["style"],"value":""}`, "", bad},
		{"argument is an array", ref, `["style"]`, "", bad},
		{"ref is a string", `"ref/prompt"`, style(""), "", bad},
		{"ref without type", `{"name":"same"}`, style(""), "", bad},
		{"ref without name", `{"type":"ref/prompt","uri":"same"}`, style(""), "", bad},
		{"ref with a name that is no string", `{"type":"ref/prompt","name":1}`, style(""), "", bad},
		{"ref without uri", `{"type":"ref/resource","name":"same/{id}"}`, `{"name":"id","value":""}`, "", bad},
		{"a prompt's name as a template", `{"type":"ref/resource","uri":"same"}`, style(""), "", bad},
		{"a template's text as a prompt", `{"type":"ref/prompt","name":"same/{id}"}`, `{"name":"id","value":""}`, "", bad},
		{"an argument of the template, of the prompt", ref, `{"name":"id","value":""}`, "", bad},
		{"an argument of the prompt, of the template", `{"type":"ref/resource","uri":"same/{id}"}`, style(""), "", bad},
		{"type in other letters", `{"type":"ref/Prompt","name":"same"}`, style(""), "", bad},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want.code == "" {
				answers <- troupe.Completion{Values: []string{"ran"}}
			}
			checkReply(t, w.ask(t, completion(c.ref, c.argument, c.rest)), c.want)
			if c.want.code == "" {
				if r := <-told; r.Value != "" {
					t.Errorf("told %+v", r)
				}
			}
		})
	}
	if len(told) > 0 {
		t.Error("a completer ran for a refused request")
	}
}

// TestListPages: what a list handler is asked and what it may answer. // D-05
// D-10 RS-09 RS-10 RS-11 RS-12 RS-17
func TestListPages(t *testing.T) {
	t.Parallel()
	asked := make(chan troupe.ListRequest, 1)
	page := make(chan troupe.ResourcePage, 1)
	w := start(t, []troupe.Feature{troupe.ResourceList(troupe.ListInfo{}, func(_ context.Context, _ troupe.Call, r troupe.ListRequest) (troupe.ResourcePage, error) {
		asked <- r
		return <-page, nil
	})})
	one := []troupe.ListedResource{{URI: "x://listed", Name: "listed"}}
	longest := strings.Repeat("c", 4096)
	internal := want{status: 200, code: "-32603"}
	for _, c := range []struct {
		name, params string
		asked        troupe.ListRequest
		page         troupe.ResourcePage
		want         want
	}{
		{"first", "", troupe.ListRequest{First: true}, troupe.ResourcePage{Resources: one}, want{status: 200, contains: []string{"x://listed", `"ttlMs":0`, `"cacheScope":"private"`}, lacks: []string{"nextCursor"}}},
		{"Next without More", "", troupe.ListRequest{First: true}, troupe.ResourcePage{Next: "n"}, want{status: 200, contains: []string{`"resources":[]`}, lacks: []string{"nextCursor"}}},
		{"More with an empty Next", `"cursor":""`, troupe.ListRequest{}, troupe.ResourcePage{More: true}, want{status: 200, contains: []string{`"nextCursor":""`}}},
		{"cache", `"cursor":"a"`, troupe.ListRequest{Cursor: "a"}, troupe.ResourcePage{CacheTTL: 2 * time.Second, CacheScope: troupe.CachePublic}, want{status: 200, contains: []string{`"ttlMs":2000`, `"cacheScope":"public"`}}},
		{"negative time", "", troupe.ListRequest{First: true}, troupe.ResourcePage{CacheTTL: -1}, internal},
		{"longest cursor", `"cursor":"` + longest + `"`, troupe.ListRequest{Cursor: longest}, troupe.ResourcePage{More: true, Next: longest}, want{status: 200, contains: []string{longest}}},
		{"a longer Next", "", troupe.ListRequest{First: true}, troupe.ResourcePage{More: true, Next: longest + "c"}, internal},
		{"a resource without name", "", troupe.ListRequest{First: true}, troupe.ResourcePage{Resources: []troupe.ListedResource{{URI: "x://y"}}}, internal},
	} {
		page <- c.page
		checkReply(t, w.ask(t, request("1", "resources/list", c.params)), c.want)
		if r := <-asked; r != c.asked {
			t.Errorf("%s: asked %+v", c.name, r)
		}
	}
	for _, cursor := range []string{`null`, `7`, `["a"]`, `"` + longest + `c"`} {
		checkReply(t, w.ask(t, request("1", "resources/list", `"cursor":`+cursor)), want{status: 400, code: "-32602"})
	}
	if len(asked) > 0 {
		t.Error("the handler was asked for a refused request")
	}
	// Being listed is no permission: nothing is registered under the URI.
	checkReply(t, w.ask(t, read("x://listed")), want{status: 400, code: "-32602"})
}
