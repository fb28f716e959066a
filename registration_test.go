package troupe_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe"
)

// TestRegistrationBounds: each bound of a registration at it and one beyond,
// and the faults that only a second registration makes. // V-57 TL-05 RS-02
// C-07
func TestRegistrationBounds(t *testing.T) {
	t.Parallel()
	none := func(context.Context, troupe.Call, struct{}) (string, error) { return "", nil }
	named := func(name string) troupe.Feature { return troupe.Tool(troupe.ToolInfo{Name: name}, none) }
	prompt := func(name string) troupe.Feature {
		return troupe.Prompt(troupe.PromptInfo{Name: name}, func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error) { return nil, nil })
	}
	resource := func(i troupe.ResourceInfo) troupe.Feature { return troupe.Resource(i, contents) }
	completer := func(prompt, template, argument string) troupe.Feature {
		return troupe.Completer(troupe.CompleterInfo{Prompt: prompt, Template: template, Argument: argument},
			func(context.Context, troupe.Call, troupe.CompletionRequest) (troupe.Completion, error) {
				return troupe.Completion{}, nil
			})
	}
	templates := func(n int) (features []troupe.Feature) {
		for i := range n {
			features = append(features, template(fmt.Sprintf("x://%d/{id}", i), "t"))
		}
		return features
	}
	list := func(features ...troupe.Feature) []troupe.Feature { return features }
	meta := func(n int) troupe.Feature {
		return troupe.Tool(troupe.ToolInfo{Name: "t", Meta: map[string]any{"com.example/x": strings.Repeat("x", n)}}, none)
	}
	schema := troupe.ToolInfo{Name: "t", OutputSchema: []byte(`{"type":"object"}`)}
	low, high := -0.1, 1.1
	for _, c := range []struct {
		name     string
		features []troupe.Feature
		fault    string // "" for none
	}{
		{"a tool's name of 128", list(named(strings.Repeat("n", 128))), ""},
		{"a tool's name of 129", list(named(strings.Repeat("n", 129))), "1 to 128 characters"},
		{"a tool's empty name", list(named("")), "1 to 128 characters"},
		{"each character of a tool's name", list(named("azAZ09_.-")), ""},
		{"a tool's name with a slash", list(named("a/b")), "1 to 128 characters"},
		{"a tool's name with a letter of two bytes", list(named("é")), "1 to 128 characters"},
		{"equal names of different kinds", list(named("same"), prompt("same"), resource(troupe.ResourceInfo{URI: "same", Name: "same"}), template("same/{id}", "same")), ""},
		{"a prompt twice", list(prompt("p"), prompt("p")), `prompt "p": registered twice`},
		{"a prompt with a blank name", list(prompt(" \t\n")), "the name is blank"},
		{"a resource twice", list(resource(troupe.ResourceInfo{URI: "x", Name: "1"}), resource(troupe.ResourceInfo{URI: "x", Name: "2"})), `resource "x": registered twice`},
		{"a template twice", list(template("x/{id}", "1"), template("x/{id}", "2")), `template "x/{id}": registered twice`},
		{"the longest URI", list(resource(troupe.ResourceInfo{URI: strings.Repeat("u", 1_048_576), Name: "n"})), ""},
		{"a longer URI", list(resource(troupe.ResourceInfo{URI: strings.Repeat("u", 1_048_577), Name: "n"})), "longer than 1048576"},
		{"a negative size", list(resource(troupe.ResourceInfo{URI: "x", Name: "n", Size: -1})), "negative CacheTTL or Size"},
		{"a negative time", list(resource(troupe.ResourceInfo{URI: "x", Name: "n", CacheTTL: -1})), "negative CacheTTL or Size"},
		{"a priority below 0", list(resource(troupe.ResourceInfo{URI: "x", Name: "n", Annotations: &troupe.Annotations{Priority: &low}})), "Priority"},
		{"a priority above 1", list(resource(troupe.ResourceInfo{URI: "x", Name: "n", Annotations: &troupe.Annotations{Priority: &high}})), "Priority"},
		{"256 templates", templates(256), ""},
		{"257 templates", templates(257), "at most 256 templates"},
		{"metadata at the bound", list(meta(1_048_576)), ""},
		{"metadata beyond the bound", list(meta(1_048_577)), "Meta"},
		{"an output schema of a text", list(troupe.Tool(schema, none)), "no structured content, so no OutputSchema"},
		{"an output schema of blocks", list(troupe.Tool(schema, func(context.Context, troupe.Call, struct{}) ([]troupe.Content, error) { return nil, nil })), "no structured content, so no OutputSchema"},
		{"an output schema of a result", list(troupe.Tool(schema, func(context.Context, troupe.Call, struct{}) (troupe.ToolResult, error) {
			return troupe.ToolResult{}, nil
		})), ""},
		{"an output schema of anything", list(troupe.Tool(schema, func(context.Context, troupe.Call, struct{}) (any, error) { return nil, nil })), ""},
		{"arguments behind a pointer", list(troupe.Tool(troupe.ToolInfo{Name: "t"}, func(context.Context, troupe.Call, *echoIn) (string, error) { return "", nil })), "use troupe_test.echoIn"},
		{"arguments in a map", list(troupe.Tool(troupe.ToolInfo{Name: "t"}, func(context.Context, troupe.Call, map[string]int) (string, error) { return "", nil })), ""},
		{"a completer of a prompt", list(prompt("p"), completer("p", "", "style")), ""},
		{"a completer before its prompt", list(completer("p", "", "style"), prompt("p")), ""},
		{"a completer of an argument that there is not", list(prompt("p"), completer("p", "", "id")), `prompt "p" has no argument "id"`},
		{"a completer of a template", list(template("x/{id}", "t"), completer("", "x/{id}", "id")), ""},
		{"a completer of a variable that there is not", list(template("x/{id}", "t"), completer("", "x/{id}", "name")), `template "x/{id}" has no variable "name"`},
		{"a completer of a template that there is not", list(template("x/{id}", "t"), completer("", "x/7", "id")), `"x/7" is not registered`},
		{"a completer twice", list(prompt("p"), completer("p", "", "style"), completer("p", "", "style")), "registered twice"},
		{"a completer of each argument", list(prompt("p"), completer("p", "", "style"), completer("p", "", "name")), ""},
		{"a completer of both", list(prompt("p"), template("p", "t"), completer("p", "p", "style")), "exactly one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := troupe.NewServer(troupe.Config{RequestLimiter: troupe.AllowAllRequests(), Endpoints: []troupe.Endpoint{{
				Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern, Features: []troupe.Feature{troupe.For(modern, c.features...)},
			}}})
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%.500v, want %q", err, c.fault)
			}
		})
	}
}

// TestEndpoints: what an endpoint must say of itself, and that several are told
// apart. // T-04 V-02 V-03 P-03
func TestEndpoints(t *testing.T) {
	t.Parallel()
	sound := func(path string) troupe.Endpoint {
		return troupe.Endpoint{Path: path, Info: troupe.Implementation{Name: "at " + path, Version: "1"}, Versions: modern}
	}
	for path, accepted := range map[string]bool{
		"": true, "/a": true, "/a/b": true, "/a/": true, "/~x_-.": true, "/a%20b": true,
		"/": false, "a": false, "/a?b": false, "/a#b": false, "/a b": false, "/é": false, "/a\x7f": false, "/a\n": false,
	} {
		_, err := troupe.NewServer(troupe.Config{Endpoints: []troupe.Endpoint{sound(path)}})
		if (err == nil) != accepted {
			t.Errorf("%q: %v", path, err)
		}
	}
	blank := sound("/x")
	blank.Info.Version = "\t"
	timed := sound("/y")
	timed.CatalogTTL = -1
	_, err := troupe.NewServer(troupe.Config{Endpoints: []troupe.Endpoint{blank, timed, sound("/z"), sound("/z")}})
	for _, part := range []string{"Config.Endpoints[0]: Info", "Config.Endpoints[1]: CatalogTTL", "Config.Endpoints[3]: Path \"/z\" is that of Endpoints[2]"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
	w := start(t, nil, func(c *troupe.Config) { c.Endpoints = []troupe.Endpoint{sound("/one"), sound("/two"), sound("")} })
	for path, name := range map[string]string{"/one": "at /one", "/two": "at /two", "/mcp": "at "} {
		m := request("1", "server/discover", "")
		m.target = path
		checkReply(t, w.ask(t, m), want{status: 200, contains: []string{`{"name":"` + name + `","version":"1"}`}})
	}
	if log := w.log.String(); !strings.Contains(log, "path=/one,/two,/mcp") || !strings.Contains(log, "addr="+w.addr) {
		t.Errorf("the log: %s", log)
	}
}

// TestVersionsByName: the revisions are known by their exact names. // V-01 V-05
func TestVersionsByName(t *testing.T) {
	t.Parallel()
	for _, v := range []troupe.ProtocolVersion{troupe.V20250618, troupe.V20251125, troupe.V20260728} {
		if parsed, err := troupe.ParseProtocolVersion(v.String()); err != nil || parsed != v {
			t.Errorf("%v: %v, %v", v, parsed, err)
		}
	}
	for _, name := range []string{"", "latest", "2025-03-26", "2026-07-28 ", "20260728", "v2026-07-28", "DRAFT-2026"} {
		if v, err := troupe.ParseProtocolVersion(name); err == nil || v != (troupe.ProtocolVersion{}) {
			t.Errorf("%q: %v, %v", name, v, err)
		}
	}
}
