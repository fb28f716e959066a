package wire_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/troupe-mcp/troupe/wire"
)

// A protocolSchema holds the definitions of a revision. They are closed, so
// that a member which the revision does not have is an error.
type protocolSchema struct {
	compiler *jsonschema.Compiler
	prefix   string
}

func loadSchema(t *testing.T, revision wire.Revision) *protocolSchema {
	t.Helper()
	text, err := os.ReadFile("testdata/schema/" + revision.String() + ".json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	root := doc.(map[string]any)
	s := &protocolSchema{jsonschema.NewCompiler(), "mcp:" + revision.String() + "#/$defs/"}
	if _, ok := root["$defs"]; !ok {
		s.prefix = "mcp:" + revision.String() + "#/definitions/"
	}
	closeObjects(root, "")
	s.compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := s.compiler.AddResource("mcp:"+revision.String(), root); err != nil {
		t.Fatal(err)
	}
	return s
}

// closeObjects forbids members that a definition does not list, but in
// metadata, which is open. Formats, which are the application's, do not count.
func closeObjects(schema any, name string) {
	switch schema := schema.(type) {
	case map[string]any:
		if _, ok := schema["format"].(string); ok {
			delete(schema, "format")
		}
		if _, ok := schema["properties"].(map[string]any); ok && !strings.Contains(strings.ToLower(name), "meta") {
			if _, ok := schema["additionalProperties"]; !ok {
				schema["additionalProperties"] = false
			}
		}
		for key, value := range schema {
			closeObjects(value, key)
		}
	case []any:
		for _, item := range schema {
			closeObjects(item, name)
		}
	}
}

func (s *protocolSchema) validate(t interface {
	Helper()
	Fatalf(string, ...any)
}, name string, instance []byte,
) {
	t.Helper()
	compiled, err := s.compiler.Compile(s.prefix + name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		t.Fatalf("%s: %v", instance, err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Fatalf("%s: %#v", instance, err)
	}
}

// resultOf cuts the result out of a response.
func resultOf(t interface {
	Helper()
	Fatalf(string, ...any)
}, response []byte,
) []byte {
	t.Helper()
	_, result, found := bytes.Cut(response, []byte(`,"result":`))
	if !found {
		t.Fatalf("no result in %s", response)
	}
	return result[:len(result)-1]
}

// Spec section 14, RS-05, PR-05, TL-44: what the encoders write is what the
// schema of the revision defines, and has no member that it does not.
func TestResultsFollowTheSchema(t *testing.T) {
	t.Parallel()
	half, yes := 0.5, true
	cursor, total := "c", 3
	contents := []wire.ResourceContents{
		{URI: "u:1", MIMEType: "text/plain", Text: "a", Meta: []byte(`{"a":1}`)},
		{URI: "u:2", MIMEType: "image/png", Blob: []byte{1}, Meta: []byte(`{"a":1}`)},
		{URI: "u:3"},
	}
	annotations := wire.Annotations{Audience: []wire.Role{wire.RoleUser, wire.RoleAssistant}, Priority: &half, LastModified: "2026-01-12T15:00:58Z"}
	content := []wire.Content{
		{},
		wire.TextContent("a").WithAnnotations(annotations).WithMeta([]byte(`{"a":1}`)),
		wire.ImageContent([]byte{1}, "image/png").WithAnnotations(annotations), wire.AudioContent(nil, "audio/wav").WithMeta([]byte(`{}`)),
		wire.EmbeddedResource(contents[0]), wire.EmbeddedResource(contents[1]).WithAnnotations(annotations).WithMeta([]byte(`{"a":1}`)),
		wire.ResourceLink(readme), wire.ResourceLink(wire.Resource{URI: "u:1", Name: "n"}).WithAnnotations(wire.Annotations{}),
	}
	call := wire.CallResult{Content: content, Structured: []byte(`{"a":1}`), IsError: true, Meta: []byte(`{"a":1}`)}
	prompt := wire.PromptResult{Description: "d", Meta: []byte(`{"a":1}`)}
	for _, c := range content {
		prompt.Messages = append(prompt.Messages, wire.PromptMessage{Content: c}, wire.PromptMessage{Role: wire.RoleAssistant, Content: c})
	}
	tools := []wire.Tool{{Name: "a", InputSchema: []byte(`{"type":"object"}`)}, {
		Name: "b", Title: "B", Description: "d", InputSchema: []byte(`{"type":"object"}`), OutputSchema: []byte(`{"type":"object"}`),
		Annotations: &wire.ToolAnnotations{Title: "t", ReadOnlyHint: &yes, DestructiveHint: &yes, IdempotentHint: &yes, OpenWorldHint: &yes},
		Icons:       icons, Meta: []byte(`{"a":1}`),
	}}
	prompts := []wire.Prompt{{Name: "a"}, {
		Name: "b", Title: "B", Description: "d", Icons: icons, Meta: []byte(`{"a":1}`),
		Arguments: []wire.PromptArgument{{Name: "x"}, {Name: "y", Title: "Y", Description: "d", Required: true}},
	}}
	templates := []wire.ResourceTemplate{{URITemplate: "u:{a}", Name: "n"}, {
		URITemplate: "v:{a}", Name: "n", Title: "t", Description: "d", MIMEType: "m", Annotations: &annotations, Icons: icons, Meta: []byte(`{"a":1}`),
	}}
	page := wire.ResourcePage{Resources: []wire.Resource{{URI: "u:1", Name: "n"}, readme}, NextCursor: &cursor, Meta: []byte(`{"a":1}`)}
	read := wire.ReadResult{Contents: contents, Meta: []byte(`{"a":1}`)}
	completion := wire.Completion{Values: make([]string, 101), Total: &total, HasMore: true}
	offered := wire.Capabilities{Tools: true, Prompts: true, Resources: true, Completions: true}
	id := idOf(t, `1`)
	for _, p := range []*wire.Projection{&modern, &late, &early} {
		t.Run(p.Revision.String(), func(t *testing.T) {
			t.Parallel()
			s := loadSchema(t, p.Revision)
			s.validate(t, "CallToolResult", resultOf(t, wire.AppendCallResult(nil, id, &call, p)))
			s.validate(t, "CallToolResult", resultOf(t, wire.AppendCallResult(nil, id, &wire.CallResult{}, p)))
			s.validate(t, "GetPromptResult", resultOf(t, wire.AppendPromptResult(nil, id, &prompt, p)))
			s.validate(t, "GetPromptResult", resultOf(t, wire.AppendPromptResult(nil, id, &wire.PromptResult{}, p)))
			s.validate(t, "ReadResourceResult", resultOf(t, wire.AppendReadResult(nil, id, &read, p)))
			s.validate(t, "ReadResourceResult", resultOf(t, wire.AppendReadResult(nil, id, &wire.ReadResult{}, p)))
			s.validate(t, "ListResourcesResult", resultOf(t, wire.AppendResourcePage(nil, id, &page, p)))
			s.validate(t, "ListResourcesResult", wire.AppendResourceList(nil, &wire.ResourcePage{}, p))
			s.validate(t, "ListResourceTemplatesResult", wire.AppendTemplateList(nil, templates, 1, wire.CachePublic, p))
			s.validate(t, "ListResourceTemplatesResult", wire.AppendTemplateList(nil, nil, -1, wire.CachePrivate, p))
			s.validate(t, "ListPromptsResult", wire.AppendPromptList(nil, prompts, 1, wire.CachePublic, p))
			s.validate(t, "ListPromptsResult", wire.AppendPromptList(nil, nil, -1, wire.CachePrivate, p))
			s.validate(t, "ListToolsResult", wire.AppendToolList(nil, tools, 1, wire.CachePublic, p))
			s.validate(t, "ListToolsResult", wire.AppendToolList(nil, nil, -1, wire.CachePrivate, p))
			s.validate(t, "CompleteResult", resultOf(t, wire.AppendCompletion(nil, id, &completion, p)))
			s.validate(t, "CompleteResult", resultOf(t, wire.AppendCompletion(nil, id, &wire.Completion{}, p)))
			switch p.Revision {
			case wire.V20260728:
				served := wire.RevisionSet(0).With(p.Revision)
				s.validate(t, "DiscoverResult", wire.AppendDiscover(nil, served, offered, "Use it.", 1, wire.CachePublic, p))
				s.validate(t, "DiscoverResult", wire.AppendDiscover(nil, 0, wire.Capabilities{}, "", 0, wire.CachePrivate, p))
				fallthrough
			case wire.V20251125:
				all := wire.Implementation{Name: "n", Version: "1", Title: "t", Description: "d", WebsiteURL: "https://example.com", Icons: icons}
				s.validate(t, "Implementation", wire.AppendImplementation(nil, &all))
			case wire.V20250618:
				s.validate(t, "Implementation", wire.AppendImplementation(nil, &calc))
			}
		})
	}
}
