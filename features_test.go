package troupe_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

type greetArgs struct {
	Name  string  `json:"name" jsonschema:"whom to greet"`
	Style *string `json:"style,omitempty"`
}

type itemVars struct {
	Shelf string `json:"shelf"`
	ID    string `json:"id"`
}

// library offers one of everything.
func library() []troupe.Feature {
	priority := 0.5
	read := func(_ context.Context, _ troupe.Call, vars itemVars) ([]troupe.ResourceContents, error) {
		switch vars.ID {
		case "nope":
			return nil, troupe.ErrNotFound
		case "fail":
			return nil, errors.New("secret-marker")
		case "rpc":
			return nil, &troupe.Error{Code: 77, Message: "authored"}
		case "nil":
			return nil, nil
		case "panic":
			panic("secret-marker")
		}
		return []troupe.ResourceContents{{Text: vars.Shelf + "|" + vars.ID}}, nil
	}
	return []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{
			Name: "blocks", Title: "Blocks", Description: "Every kind of content.", Meta: map[string]any{"com.example/x": 1},
			Icons: []troupe.Icon{{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48"}}},
		}, func(context.Context, troupe.Call, struct{}) ([]troupe.Content, error) {
			return []troupe.Content{
				troupe.Text("a\u2028b").WithAnnotations(troupe.Annotations{Audience: []troupe.Role{troupe.RoleUser}, Priority: &priority}),
				troupe.Image([]byte{1, 2, 3}, "image/png"), troupe.Audio([]byte{4, 5}, "audio/wav"),
				troupe.Embedded(troupe.ResourceContents{URI: "x://e", MIMEType: "text/plain", Text: "e"}),
				troupe.Link(troupe.ListedResource{URI: "x://l", Name: "l"}),
			}, nil
		}),
		troupe.Tool(troupe.ToolInfo{Name: "sampler", Description: "Needs much.", Requires: troupe.ClientCapabilities{
			Sampling: true, ElicitationURL: true, Extensions: []string{"com.example/x"},
		}}, func(context.Context, troupe.Call, struct{}) (string, error) { return "ran", nil }),
		troupe.Tool(troupe.ToolInfo{Name: "nested", Description: "A nested input."},
			func(_ context.Context, _ troupe.Call, in nestedIn) (nestedOut, error) {
				return nestedOut{Big: in.Big, Lines: in.Order.Lines}, nil
			}),
		troupe.Prompt(troupe.PromptInfo{Name: "greet", Description: "Greets."},
			func(_ context.Context, _ troupe.Call, args greetArgs) ([]troupe.PromptMessage, error) {
				switch args.Name {
				case "nil":
					return nil, nil
				case "fail":
					return nil, errors.New("secret-marker")
				}
				return []troupe.PromptMessage{troupe.UserMessage(troupe.Text("Hello " + args.Name)), troupe.AssistantMessage(troupe.Text("Hi"))}, nil
			}),
		troupe.Resource(troupe.ResourceInfo{
			URI: "mem://one", Name: "one", Description: "The one.", MIMEType: "text/plain", Size: 3,
			CacheTTL: 5 * time.Second, CacheScope: troupe.CachePublic,
		}, func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
			return troupe.ResourceContents{Text: "one"}, nil
		}),
		troupe.Resource(troupe.ResourceInfo{URI: "mem://blob", Name: "blob", MIMEType: "application/octet-stream"},
			func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{Blob: []byte{0, 1, 2}}, nil
			}),
		troupe.ResourceTemplate(troupe.ResourceInfo{URI: "mem://shelf/{shelf}/item-{id}", Name: "item", MIMEType: "text/plain"}, read),
		troupe.Completer(troupe.CompleterInfo{Prompt: "greet", Argument: "name"},
			func(_ context.Context, call troupe.Call, request troupe.CompletionRequest) (troupe.Completion, error) {
				var values []string
				for i := range 150 {
					values = append(values, fmt.Sprint(request.Value, i, request.Arguments["style"]))
				}
				return troupe.Completion{Values: values, Total: 150}, nil
			}),
		troupe.Completer(troupe.CompleterInfo{Template: "mem://shelf/{shelf}/item-{id}", Argument: "id"},
			func(context.Context, troupe.Call, troupe.CompletionRequest) (troupe.Completion, error) {
				return troupe.Completion{}, errors.New("secret-marker")
			}),
	}
}

type nestedIn struct {
	Big   uint64 `json:"big"`
	Order struct {
		Lines []struct {
			Text  string  `json:"text"`
			Count *int    `json:"count,omitempty"`
			Price float64 `json:"price,omitempty"`
		} `json:"lines"`
	} `json:"order"`
}

type nestedOut struct {
	Big   uint64 `json:"big"`
	Lines any    `json:"lines"`
}

func read(uri string) message {
	return request("1", "resources/read", fmt.Sprintf(`"uri":%q`, uri), "Mcp-Name: "+uri)
}

func prompt(name, arguments string) message {
	params := fmt.Sprintf(`"name":%q`, name)
	if arguments != "" {
		params += `,"arguments":` + arguments
	}
	return request("1", "prompts/get", params, "Mcp-Name: "+name)
}

func completion(ref, argument, rest string) message {
	return request("1", "completion/complete", fmt.Sprintf(`"ref":%s,"argument":%s%s`, ref, argument, rest))
}

// TestFeatures sends one message to each operation and checks the answer.
func TestFeatures(t *testing.T) {
	t.Parallel()
	w := start(t, library(), func(c *troupe.Config) { c.RequestLimiter = troupe.AllowAllRequests() })
	const item = "mem://shelf/a%20b/item-"
	greetRef, itemRef := `{"type":"ref/prompt","name":"greet"}`, `{"type":"ref/resource","uri":"mem://shelf/{shelf}/item-{id}"}`
	sampler := toolCall("1", "sampler", "")
	for _, c := range []struct {
		name    string
		message message
		want    want
	}{
		{
			"V-58 D-02 C-02 discovery derives from registrations", request("1", "server/discover", ""),
			want{status: 200, contains: []string{`"capabilities":{`, `"tools":{}`, `"prompts":{}`, `"resources":{}`, `"completions":{}`}},
		},
		{"TL-01 every kind of content", toolCall("1", "blocks", ""), want{status: 200, contains: []string{
			`{"type":"text","text":"a\u2028b","annotations":{"audience":["user"],"priority":0.5}}`,
			`{"type":"image","data":"AQID","mimeType":"image/png"}`, `{"type":"audio","data":"BAU=","mimeType":"audio/wav"}`,
			`{"type":"resource","resource":{"uri":"x://e","mimeType":"text/plain","text":"e"}}`, `"type":"resource_link"`, `"uri":"x://l"`,
		}}},
		{"TL-01 a tool's icons, title and metadata", request("1", "tools/list", ""), want{status: 200, contains: []string{
			`"title":"Blocks"`, `"icons":[{"src":"https://example.com/i.png","mimeType":"image/png","sizes":["48x48"]}]`, `"_meta":{"com.example/x":1}`,
		}}},
		{
			"TL-04 nested input, exact integers", toolCall("1", "nested", `{"big":18446744073709551615,"order":{"lines":[{"text":"x","count":2}]}}`),
			want{status: 200, contains: []string{`"big":18446744073709551615`, `"text":"x"`}},
		},
		{
			"TL-04 nested violation", toolCall("1", "nested", `{"big":1,"order":{"lines":[{"text":"x"},{"text":5}]}}`),
			want{status: 200, contains: []string{`"isError":true`, `/order/lines/1/text`}},
		},
		{"ER-13 P-18 V-34 missing capabilities are named", sampler, want{
			status: 400, code: "-32021",
			contains: []string{`"data":{"requiredCapabilities":{"elicitation":{"url":{}},"sampling":{},"extensions":{"com.example/x":{}}}}`},
		}},
		{
			"ER-13 only what is missing", sampler.replace(`Capabilities":{}`, `Capabilities":{"sampling":{},"elicitation":{},"extensions":{"com.example/x":{}}}`),
			want{status: 400, code: "-32021", contains: []string{`"requiredCapabilities":{"elicitation":{"url":{}}}`}},
		},
		{
			"V-50 all are there", sampler.replace(`Capabilities":{}`, `Capabilities":{"sampling":{},"elicitation":{"url":{}},"extensions":{"com.example/x":{}}}`),
			want{status: 200, contains: []string{"ran"}},
		},
		{"P-18 request state is a string", toolCall("1", "blocks", "").replace(`"name":"blocks"`, `"name":"blocks","requestState":1`), want{status: 400, code: "-32602"}},
		{"NO-08 a task member has no effect", toolCall("1", "blocks", "").replace(`"name":"blocks"`, `"name":"blocks","task":{"ttl":1}`), want{status: 200, lacks: []string{`"task"`}}},

		{"D-04 PR-01 PR-12 prompts/list", request("1", "prompts/list", ""), want{status: 200, contains: []string{
			`"prompts":[{"name":"greet","description":"Greets.","arguments":[{"name":"name","description":"whom to greet","required":true},{"name":"style"`, `"ttlMs":0`, `"cacheScope":"private"`,
		}, lacks: []string{"nextCursor"}}},
		{"PR-01 prompts/get", prompt("greet", `{"name":"Ann"}`), want{status: 200, contains: []string{
			`"description":"Greets."`, `"messages":[{"role":"user","content":{"type":"text","text":"Hello Ann"}},{"role":"assistant"`,
		}, lacks: []string{"ttlMs"}}},
		{"PR-02 V-12 no Mcp-Name", prompt("greet", `{"name":"Ann"}`).without("Mcp-Name"), want{status: 400, code: "-32020"}},
		{"PR-04 unknown prompt", prompt("nope", `{}`), want{status: 400, code: "-32602", lacks: []string{"nope"}}},
		{"P-22 a required argument is missing", prompt("greet", ``), want{status: 400, code: "-32602"}},
		{"P-22 an unknown argument", prompt("greet", `{"name":"a","x":"y"}`), want{status: 400, code: "-32602"}},
		{"P-13 arguments are strings", prompt("greet", `{"name":1}`), want{status: 400, code: "-32602"}},
		{"PR-08 no messages", prompt("greet", `{"name":"nil"}`), want{status: 200, code: "-32603"}},
		{"ER-16 a failing prompt", prompt("greet", `{"name":"fail"}`), want{status: 200, code: "-32603", lacks: []string{"secret"}}},

		{"D-05 resources/list", request("1", "resources/list", ""), want{status: 200, contains: []string{
			`"resources":[{"uri":"mem://one","name":"one"`, `"mimeType":"text/plain"`, `"size":3`, `"ttlMs"`,
		}, lacks: []string{"nextCursor"}}},
		{"D-06 RS-02 resources/templates/list", request("1", "resources/templates/list", ""), want{status: 200, contains: []string{
			`"resourceTemplates":[{"uriTemplate":"mem://shelf/{shelf}/item-{id}"`,
		}}},
		{"D-12 a cursor", request("1", "resources/list", `"cursor":""`), want{status: 400, code: "-32602"}},
		{"RS-01 RS-14 T-26 exact resource with its cache", read("mem://one"), want{status: 200, contains: []string{
			`"contents":[{"uri":"mem://one","mimeType":"text/plain","text":"one"}]`, `"ttlMs":5000`, `"cacheScope":"public"`,
		}}},
		{"RS-01 blob", read("mem://blob"), want{status: 200, contains: []string{`"mimeType":"application/octet-stream","blob":"AAEC"`}}},
		{"RS-01 template, decoded once", read(item + "%2541"), want{status: 200, contains: []string{`"text":"a b|%41"`, `"uri":"mem://shelf/a%20b/item-%2541"`}}},
		{"RS-03 V-12 other Mcp-Name", read("mem://one").with("Mcp-Name", "mem://two"), want{status: 400, code: "-32020"}},
		{"RS-06 unknown resource (decision 67)", read("mem://nope"), want{status: 400, code: "-32602", contains: []string{`"data":{"uri":"mem://nope"}`}}},
		{"RS-06 a variable does not span a slash", read("mem://shelf/a/b/item-1"), want{status: 400, code: "-32602"}},
		{"RS-06 nor an escaped one", read("mem://shelf/a%2Fb/item-1"), want{status: 400, code: "-32602"}},
		{"RS-06 nor is it empty", read("mem://shelf//item-1"), want{status: 400, code: "-32602"}},
		{"RS-06 nor invalid UTF-8", read("mem://shelf/%ff/item-1"), want{status: 400, code: "-32602"}},
		{"RS-06 the handler knows it not", read(item + "nope"), want{status: 400, code: "-32602", contains: []string{`item-nope"}`}}},
		{"ER-07 a handler's own error", read(item + "rpc"), want{status: 400, code: "77"}},
		{"ER-16 a failing read", read(item + "fail"), want{status: 200, code: "-32603", lacks: []string{"secret"}}},
		{"ER-16 no contents", read(item + "nil"), want{status: 200, code: "-32603"}},
		{"ER-16 a panicking read", read(item + "panic"), want{status: 200, code: "-32603", lacks: []string{"secret"}}},
		{"P-13 uri is a string", request("1", "resources/read", `"uri":1`, "Mcp-Name: x"), want{status: 400, code: "-32602"}},

		{
			"C-01 C-17 V-15 the first hundred (decision 62)", completion(greetRef, `{"name":"name","value":"v"}`, `,"context":{"arguments":{"style":"s"}}`),
			want{status: 200, contains: []string{`"completion":{"values":["v0s","v1s"`, `"v99s"]`, `"total":150`, `"hasMore":true`}, lacks: []string{"v100s", "ttlMs"}},
		},
		{"C-07 no completer for a declared argument", completion(greetRef, `{"name":"style","value":""}`, ""), want{status: 200, contains: []string{`"values":[]`}}},
		{"C-07 no completer for a declared variable", completion(itemRef, `{"name":"shelf","value":""}`, ""), want{status: 200, contains: []string{`"values":[]`}}},
		{"C-08 unknown prompt", completion(`{"type":"ref/prompt","name":"x"}`, `{"name":"name","value":""}`, ""), want{status: 400, code: "-32602"}},
		{"C-09 unknown template", completion(`{"type":"ref/resource","uri":"x"}`, `{"name":"id","value":""}`, ""), want{status: 400, code: "-32602"}},
		{"C-10 undeclared argument", completion(greetRef, `{"name":"x","value":""}`, ""), want{status: 400, code: "-32602"}},
		{"C-11 an expanded URI", completion(`{"type":"ref/resource","uri":"mem://shelf/a/item-1"}`, `{"name":"id","value":""}`, ""), want{status: 400, code: "-32602"}},
		{"P-13 ref of another type", completion(`{"type":"ref/tool","name":"greet"}`, `{"name":"name","value":""}`, ""), want{status: 400, code: "-32602"}},
		{"P-13 no argument", request("1", "completion/complete", `"ref":`+greetRef), want{status: 400, code: "-32602"}},
		{"P-13 context of another type", completion(greetRef, `{"name":"name","value":""}`, `,"context":{"arguments":{"a":1}}`), want{status: 400, code: "-32602"}},
		{"V-15 decision 3 Mcp-Name on completion", completion(greetRef, `{"name":"name","value":""}`, "").plus("Mcp-Name: greet"), want{status: 400, code: "-32020"}},
		{"ER-16 a failing completer", completion(itemRef, `{"name":"id","value":""}`, ""), want{status: 200, code: "-32603", lacks: []string{"secret"}}},
	} {
		t.Run(c.name, func(t *testing.T) { checkReply(t, w.ask(t, c.message), c.want) })
	}
}

// TestAbsentFeatures: what an endpoint does not offer is an unknown method and
// is not advertised. // D-03 C-03 V-65 NO-06 NO-07 NO-18
func TestAbsentFeatures(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	checkReply(t, w.ask(t, request("1", "server/discover", "")), want{status: 200, contains: []string{`"capabilities":{}`}})
	for _, method := range []string{
		"tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read",
		"completion/complete", "subscriptions/listen", "skills/list", "tasks/get", "tasks/list", "tasks/result", "resources/subscribe",
		"logging/setLevel", "ping",
	} {
		checkReply(t, w.ask(t, request("1", method, "")), want{status: 404, code: "-32601"})
	}
}

// TestCustomList: a list handler owns its cursors. // D-10 D-20 RS-09 RS-10
// RS-11 RS-12
func TestCustomList(t *testing.T) {
	t.Parallel()
	w := start(t, []troupe.Feature{
		troupe.Resource(troupe.ResourceInfo{URI: "mem://hidden", Name: "hidden"},
			func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{Text: "x"}, nil
			}),
		troupe.ResourceList(troupe.ListInfo{}, func(_ context.Context, _ troupe.Call, request troupe.ListRequest) (troupe.ResourcePage, error) {
			switch {
			case request.First:
				return troupe.ResourcePage{Resources: []troupe.ListedResource{{URI: "a://1", Name: "1"}}, More: true, CacheTTL: time.Second}, nil
			case request.Cursor == "":
				return troupe.ResourcePage{More: true, Next: "ü\u2028"}, nil
			case request.Cursor == "ü\u2028":
				return troupe.ResourcePage{Resources: []troupe.ListedResource{{URI: "a://2", Name: "2"}}}, nil
			}
			return troupe.ResourcePage{}, fmt.Errorf("wrapped: %w", troupe.ErrInvalidCursor)
		}),
	})
	for _, c := range []struct {
		params string
		want   want
	}{
		{``, want{status: 200, contains: []string{`"resources":[{"uri":"a://1","name":"1"}]`, `"nextCursor":""`, `"ttlMs":1000`}, lacks: []string{"hidden"}}},
		{`"cursor":""`, want{status: 200, contains: []string{`"resources":[]`, `"nextCursor":"ü\u2028"`}}},
		{`"cursor":"ü\u2028"`, want{status: 200, contains: []string{"a://2"}, lacks: []string{"nextCursor"}}},
		{`"cursor":"x"`, want{status: 400, code: "-32602", lacks: []string{"data"}}},
		{`"cursor":1`, want{status: 400, code: "-32602"}},
		{`"cursor":"` + strings.Repeat("x", 4097) + `"`, want{status: 400, code: "-32602"}},
	} {
		checkReply(t, w.ask(t, request("1", "resources/list", c.params)), c.want)
	}
	checkReply(t, w.ask(t, read("mem://hidden")), want{status: 200})
}
