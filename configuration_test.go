package troupe_test

import (
	"context"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe"
)

// TestConfigurationFaults: NewServer reports every fault at once, with its
// path. // T-03 T-04 V-02 V-03 V-04 V-05 V-08 V-57 C-04 D-05 EX-21 TL-05 TL-06
// NO-02 NO-03 RS-09
func TestConfigurationFaults(t *testing.T) {
	t.Parallel()
	text := func(context.Context, troupe.Call, struct{}) (string, error) { return "", nil }
	contents := func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
		return troupe.ResourceContents{}, nil
	}
	list := func(context.Context, troupe.Call, troupe.ListRequest) (troupe.ResourcePage, error) {
		return troupe.ResourcePage{}, nil
	}
	complete := func(context.Context, troupe.Call, troupe.CompletionRequest) (troupe.Completion, error) {
		return troupe.Completion{}, nil
	}
	info := troupe.Implementation{Name: "n", Version: "1"}
	endpoint := func(features ...troupe.Feature) troupe.Config {
		return troupe.Config{Endpoints: []troupe.Endpoint{{Info: info, Versions: modern, Features: features}}}
	}
	with := func(alter func(*troupe.Config)) troupe.Config {
		c := endpoint()
		alter(&c)
		return c
	}
	for _, c := range []struct {
		name   string
		config troupe.Config
		want   []string
	}{
		{"nothing", troupe.Config{}, []string{"Config.Endpoints: empty"}},
		{"root path", with(func(c *troupe.Config) { c.Endpoints[0].Path = "/" }), []string{"Config.Endpoints[0]: Path \"/\""}},
		{"blank info", with(func(c *troupe.Config) { c.Endpoints[0].Info.Name = " " }), []string{"Name and Version must not be blank"}},
		{"no versions", with(func(c *troupe.Config) { c.Endpoints[0].Versions = nil }), []string{"Versions: names no protocol version"}},
		{"zero version", with(func(c *troupe.Config) { c.Endpoints[0].Versions = make([]troupe.ProtocolVersion, 1) }), []string{"zero ProtocolVersion"}},
		{"unserved version", with(func(c *troupe.Config) { c.Endpoints[0].Versions = []troupe.ProtocolVersion{troupe.V20251125} }), []string{"2025-11-25 is not served by this release"}},
		{"same path", with(func(c *troupe.Config) { c.Endpoints = append(c.Endpoints, c.Endpoints[0]) }), []string{"Config.Endpoints[1]: Path \"/mcp\""}},
		{"not loopback", with(func(c *troupe.Config) { c.Addr = "0.0.0.0:80" }), []string{"not a loopback address"}},
		{
			"limits", with(func(c *troupe.Config) { c.Limits = troupe.Limits{Slots: -1, Queue: -1, Deadline: -1, Body: 17 << 20} }),
			[]string{"Config.Limits.Slots", "Config.Limits.Queue", "Config.Limits.Deadline", "Config.Limits.Body"},
		},
		{"feature without version", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t"}, text)), []string{`Config.Endpoints[0].Features[0]: tool "t": names no protocol version`}},
		{"version that the endpoint lacks", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t", Versions: []troupe.ProtocolVersion{troupe.V20250618}}, text)), []string{"2025-06-18 is not one of the endpoint's"}},
		{"nil feature", endpoint(nil), []string{"Features[0]: nil feature"}},
		{
			"names", endpoint(troupe.For(modern,
				troupe.Tool(troupe.ToolInfo{Name: "bad name"}, text), troupe.Tool(troupe.ToolInfo{Name: "t"}, text), troupe.Tool(troupe.ToolInfo{Name: "t"}, text))),
			[]string{`Features[0].Features[0]: tool "bad name"`, `Features[0].Features[2]: tool "t": registered twice, first as Config.Endpoints[0].Features[0].Features[1]`},
		},
		{"input that is no object", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t", Versions: modern},
			func(context.Context, troupe.Call, int) (string, error) { return "", nil })), []string{"int cannot be a JSON object"}},
		{"keyword outside Profile 1", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t", Versions: modern, InputSchema: []byte(`{"type":"object","oneOf":[]}`)}, text)), []string{"oneOf"}},
		{"remote reference", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t", Versions: modern, InputSchema: []byte(`{"type":"object","properties":{"a":{"$ref":"https://example.com/x"}}}`)}, text)), []string{"input schema"}},
		{"reference cycle", endpoint(troupe.Tool(troupe.ToolInfo{Name: "t", Versions: modern, InputSchema: []byte(`{"type":"object","$ref":"#"}`)}, text)), []string{"input schema"}},
		{"prompt arguments", endpoint(troupe.Prompt(troupe.PromptInfo{Name: "p", Versions: modern},
			func(context.Context, troupe.Call, struct {
				N int `json:"n"`
			},
			) ([]troupe.PromptMessage, error) {
				return nil, nil
			})), []string{`field "n" is not a string`}},
		{"template", endpoint(troupe.For(modern,
			troupe.ResourceTemplate(troupe.ResourceInfo{URI: "a://{+x}", Name: "n"}, func(context.Context, troupe.Call, struct{}) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{}, nil
			}),
			troupe.ResourceTemplate(troupe.ResourceInfo{URI: "a://{x}{y}", Name: "n"}, func(context.Context, troupe.Call, struct{}) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{}, nil
			}),
			troupe.ResourceTemplate(troupe.ResourceInfo{URI: "a://{x}", Name: "n"}, func(context.Context, troupe.Call, itemVars) (troupe.ResourceContents, error) {
				return troupe.ResourceContents{}, nil
			}))), []string{`"a://{+x}": only simple`, `"a://{x}{y}": only simple`, `has the fields ["id" "shelf"], the template the variables ["x"]`}},
		{"resource", endpoint(troupe.Resource(troupe.ResourceInfo{Versions: modern}, contents)), []string{"the URI is blank", "the name is blank"}},
		{"two lists", endpoint(troupe.For(modern, troupe.ResourceList(troupe.ListInfo{}, list), troupe.ResourceList(troupe.ListInfo{}, list))), []string{"resource list: registered twice"}},
		{
			"completers", endpoint(troupe.For(modern, troupe.Completer(troupe.CompleterInfo{Prompt: "x", Argument: "a"}, complete), troupe.Completer(troupe.CompleterInfo{}, complete))),
			[]string{`"x" is not registered`, "exactly one of Prompt and Template"},
		},
		{"nil handler", endpoint(troupe.Tool[struct{}, string](troupe.ToolInfo{Name: "t", Versions: modern}, nil)), []string{"nil handler"}},
		{"metadata and extensions", endpoint(troupe.Tool(troupe.ToolInfo{
			Name: "t", Versions: modern, Meta: map[string]any{"bad key!": 1},
			Requires: troupe.ClientCapabilities{Extensions: []string{"x"}},
		}, text)), []string{`"bad key!" is no key of _meta`, `"x" is no identifier`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := troupe.NewServer(c.config)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error lacks %q:\n%v", part, err)
				}
			}
		})
	}
	needsLimiter := endpoint(troupe.For(modern,
		troupe.Prompt(troupe.PromptInfo{Name: "greet"}, func(context.Context, troupe.Call, greetArgs) ([]troupe.PromptMessage, error) { return nil, nil }),
		troupe.Completer(troupe.CompleterInfo{Prompt: "greet", Argument: "name"}, complete)))
	if _, err := troupe.NewServer(needsLimiter); err == nil || !strings.Contains(err.Error(), "completers need Config.RequestLimiter") {
		t.Errorf("without limiter: %v", err)
	}
}
