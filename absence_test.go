package troupe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe"
)

// TestFrames: whatever a client says it can do and whatever it asks, the server
// answers with responses: no frame is a request, none has both method and id,
// each has one of result and error. // T-32 NO-05 NO-17 ER-20 T-42
func TestFrames(t *testing.T) {
	t.Parallel()
	w := start(t, library(), allowAll)
	able := `/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{"listChanged":true},"extensions":{"com.example/x":{}}}`
	messages := []message{
		request("1", "server/discover", ""), request("1", "tools/list", ""), request("1", "prompts/list", ""), request("1", "resources/list", ""),
		request("1", "resources/templates/list", ""), toolCall("1", "blocks", ""), toolCall("1", "sampler", ""), toolCall("1", "nested", `{}`),
		toolCall("1", "nope", ""), prompt("greet", `{"name":"Ann"}`), prompt("greet", `{"name":"nil"}`), read("mem://one"), read("mem://nope"),
		read("mem://shelf/a/item-panic"), read("mem://shelf/a/item-rpc"),
		completion(`{"type":"ref/prompt","name":"greet"}`, `{"name":"name","value":""}`, ""),
		request("1", "initialize", ""), request("1", "roots/list", ""), request("1", "sampling/createMessage", ""), request("1", "elicitation/create", ""),
		request("1", "logging/setLevel", `"level":"debug"`), request("1", "resources/subscribe", `"uri":"mem://one"`), request("1", "ping", ""),
		request("1", "subscriptions/listen", ""), request("1", "tasks/list", ""), request("1", "notifications/roots/list_changed", ""),
	}
	ids := []string{`0`, `-1`, `9223372036854775807`, `-9223372036854775808`, `""`, `"id"`, `"\u00e9\"\\"`, `"` + strings.Repeat("i", 256) + `"`}
	for _, m := range messages {
		for i, id := range ids {
			each := m.replace(`"id":1,`, `"id":`+id+`,`)
			if i%2 == 1 {
				each = each.replace(`/clientCapabilities":{}`, able)
			}
			r := w.ask(t, each)
			var frame struct {
				Version string           `json:"jsonrpc"`
				ID      json.RawMessage  `json:"id"`
				Method  *json.RawMessage `json:"method"`
				Params  *json.RawMessage `json:"params"`
				Result  *json.RawMessage `json:"result"`
				Error   *json.RawMessage `json:"error"`
			}
			decoder := json.NewDecoder(strings.NewReader(r.body))
			if err := decoder.Decode(&frame); err != nil || decoder.More() {
				t.Fatalf("%s: not one frame (%v): %s", each.body, err, r.body)
			}
			if frame.Version != "2.0" || frame.Method != nil || frame.Params != nil || (frame.Result == nil) == (frame.Error == nil) || string(frame.ID) != id {
				t.Errorf("%s: answered by %s", each.body, r.body)
			}
			if strings.Contains(r.body, "sampling/createMessage") || strings.Contains(r.body, "roots/list") || strings.Contains(r.body, "elicitation/create") {
				t.Errorf("%s: an embedded request: %s", each.body, r.body)
			}
		}
	}
	// Ids that are none are not reflected, nor is anything near them.
	for _, id := range []string{`null`, `true`, `1.5`, `1e400`, `9223372036854775808`, `["hostile"]`, `{"hostile":1}`, `"` + strings.Repeat("h", 257) + `"`, `"\ud800"`} {
		for _, m := range []message{request("1", "tools/list", ""), toolCall("1", "nope", "")} {
			r := w.ask(t, m.replace(`"id":1,`, `"id":`+id+`,`))
			checkReply(t, r, want{status: 400, code: map[bool]string{true: "-32700", false: "-32600"}[id == `"\ud800"`], lacks: []string{`"id"`, "hostile", "hhhh"}})
		}
	}
}

// TestNoTasks: a task member augments nothing. // NO-08 NO-09
func TestNoTasks(t *testing.T) {
	t.Parallel()
	w := start(t, library(), allowAll)
	for _, m := range []message{
		toolCall("1", "blocks", ""), prompt("greet", `{"name":"Ann"}`), read("mem://one"),
		completion(`{"type":"ref/prompt","name":"greet"}`, `{"name":"name","value":""}`, ""),
		request("1", "tools/list", ""), request("1", "server/discover", ""),
	} {
		plain, augmented := w.ask(t, m), w.ask(t, m.replace(`"params":{`, `"params":{"task":{"ttl":60000},`))
		checkReply(t, plain, want{status: 200, lacks: []string{`"task`}})
		if plain.body != augmented.body {
			t.Errorf("%s\nanswered by\n%s\nwith a task by\n%s", m.body, plain.body, augmented.body)
		}
	}
}

// TestClosedResults: what a result may hold is a closed set: applications have
// _meta and no other member of their own. // NO-12 TL-36
func TestClosedResults(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"resultType": true, "_meta": true, "content": true, "structuredContent": true, "isError": true, "messages": true, "description": true,
		"contents": true, "completion": true, "ttlMs": true, "cacheScope": true, "tools": true, "prompts": true, "resources": true,
		"resourceTemplates": true, "supportedVersions": true, "capabilities": true, "instructions": true,
	}
	w := start(t, append(library(), result("meta", troupe.ToolResult{Content: said, Meta: map[string]any{"com.example/own": 1, "resultType": "mine"}}, nil)), allowAll)
	for _, m := range []message{
		toolCall("1", "blocks", ""), toolCall("1", "meta", ""), toolCall("1", "nested", `{}`), prompt("greet", `{"name":"Ann"}`), read("mem://one"),
		completion(`{"type":"ref/prompt","name":"greet"}`, `{"name":"name","value":""}`, ""), request("1", "server/discover", ""),
		request("1", "tools/list", ""), request("1", "prompts/list", ""), request("1", "resources/list", ""), request("1", "resources/templates/list", ""),
	} {
		r := w.ask(t, m)
		var frame struct{ Result map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(r.body), &frame); err != nil || len(frame.Result) == 0 {
			t.Fatalf("%v: %s", err, r.body)
		}
		for name := range frame.Result {
			if !known[name] {
				t.Errorf("a member %q: %s", name, r.body)
			}
		}
		if string(frame.Result["resultType"]) != `"complete"` {
			t.Errorf("resultType %s", frame.Result["resultType"])
		}
	}
}

// TestNoFiles: no URI reaches the file system, whatever is registered.
// // RS-13 NO-13
func TestNoFiles(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 64)
	w := start(t, []troupe.Feature{
		troupe.ResourceTemplate(troupe.ResourceInfo{URI: "file:///docs/{name}", Name: "docs"},
			func(_ context.Context, _ troupe.Call, vars struct {
				Name string `json:"name"`
			},
			) (troupe.ResourceContents, error) {
				asked <- vars.Name
				return troupe.ResourceContents{}, troupe.ErrNotFound
			}),
	})
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{
		"file:///etc/hostname", "file:///docs/../etc/hostname", "file:///docs/..%2F..%2Fetc%2Fhostname", "file:///docs/%2e%2e/x", "/etc/hostname", "go.mod",
		"file://" + here + "/go.mod", "file:///docs/go.mod", "file:///docs/..",
	} {
		checkReply(t, w.ask(t, read(uri)), want{status: 400, code: "-32602", contains: []string{`"data":{"uri":`}, lacks: []string{"module ", "localhost"}})
	}
	for len(asked) > 0 {
		if name := <-asked; strings.Contains(name, "/") {
			t.Errorf("a handler was asked for %q", name)
		}
	}
}

// TestNoOtherService: the listener serves MCP at its paths and nothing else: no
// authorization server, no pages. // NO-14 T-05
func TestNoOtherService(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	for _, path := range []string{
		"/", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/mcp", "/authorize",
		"/token", "/register", "/introspect", "/jwks.json", "/login", "/sse", "/messages", "/metrics", "/healthz", "/debug/pprof/", "/favicon.ico", "/mcp/tools",
	} {
		for _, verb := range []string{"GET", "POST", "OPTIONS"} {
			r := w.ask(t, message{verb: verb, target: path})
			checkReply(t, r, want{status: 404, empty: true})
			if r.header.Get("WWW-Authenticate") != "" || r.header.Get("Location") != "" {
				t.Errorf("%s %s: %v", verb, path, r.header)
			}
		}
	}
}

// TestNoSuchAPI: what the contract leaves out is not in the public API, and no
// floor speaks over standard input. // NO-01 NO-11 NO-12 NO-13 NO-14 NO-15
// TL-41 RS-13
func TestNoSuchAPI(t *testing.T) {
	t.Parallel()
	names := exported(t, ".")
	if len(names) < 100 {
		t.Fatalf("only %d exported names: %v", len(names), names)
	}
	for _, c := range []struct{ what, pattern string }{
		{"stdio", `(?i)stdio|stdin|stdout|transport$`},
		{"registrations that change", `(?i)(add|remove|delete|replace|update|unregister|set)(tool|prompt)|(tools|prompts)(changed|listchanged)|(notify|publish|touch)(tool|prompt)`},
		{"result extensions", `(?i)resultextension|registerresult|extendresult`},
		{"files as resources", `(?i)file(resource|server|system)|serve(dir|file)|directory`},
		{"an authorization server", `(?i)oauth|oidc|issuer|identityprovider|tokenendpoint`},
		{"TLS", `(?i)tls|certificate|^cert|keyfile`},
	} {
		pattern := regexp.MustCompile(c.pattern)
		for _, name := range names {
			if pattern.MatchString(name[strings.LastIndex(name, ".")+1:]) {
				t.Errorf("%s: %s is exported", c.what, name)
			}
		}
	}
	standard := regexp.MustCompile(`\bos\.(Stdin|Stdout)\b`)
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == "cmd" || path == "examples" || path == "bench" || path == "contrib" || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir // programs
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if standard.Match(text) {
				t.Errorf("%s uses standard input or output", path)
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// exported returns the exported names of a directory's package: functions,
// types, their methods and fields.
func exported(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	note := func(prefix string, ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, prefix+id.Name)
			}
		}
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				note("", d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						note("", s.Names...)
					case *ast.TypeSpec:
						note("", s.Name)
						if fields, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() {
							for _, f := range fields.Fields.List {
								note(s.Name.Name+".", f.Names...)
							}
						}
					}
				}
			}
		}
	}
	return names
}

// TestHandlerShapes: a handler is one synchronous function of a context and
// returns a value of its kind: a completer has nothing but texts to return.
// // TL-38 C-13 NO-09
func TestHandlerShapes(t *testing.T) {
	t.Parallel()
	var (
		_ func(troupe.ToolInfo, func(context.Context, troupe.Call, echoIn) (sumOut, error)) troupe.Feature                                   = troupe.Tool[echoIn, sumOut]
		_ func(troupe.PromptInfo, func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error)) troupe.Feature              = troupe.Prompt[greetArgs]
		_ func(troupe.CompleterInfo, func(context.Context, troupe.Call, troupe.CompletionRequest) (troupe.Completion, error)) troupe.Feature = troupe.Completer
		_ func(troupe.ResourceInfo, func(context.Context, troupe.Call) (troupe.ResourceContents, error)) troupe.Feature                      = troupe.Resource[troupe.ResourceContents]
	)
	for f := range reflect.TypeFor[troupe.Completion]().Fields() {
		if text := fmt.Sprint(f.Name, " ", f.Type); text != "Values []string" && text != "Total int" && text != "HasMore bool" {
			t.Errorf("a completer returns %s", text)
		}
	}
	// The result is there when the function has returned, and not before.
	b := newBlocker(t)
	w := start(t, b.tools())
	c := dial(t, w.addr)
	c.send(t, toolCall("1", "stuck", "").raw(w.addr))
	<-b.started
	if g := w.Gauges(); g.Running != 1 || g.Active != 1 || w.Ended(troupe.OutcomeComplete) != 0 {
		t.Errorf("while the handler runs: %+v", g)
	}
	if n := c.r.Buffered(); n > 0 {
		t.Errorf("%d bytes before the handler returned", n)
	}
	b.free()
	checkReply(t, c.read(t, "POST"), want{status: 200, contains: []string{"late"}})
}
