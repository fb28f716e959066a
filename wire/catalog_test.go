package wire_test

import (
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Spec section 14, L-068: icons and metadata of tools, and icons of
// implementations; 2025-06-18 has no icons.
func TestToolIcons(t *testing.T) {
	t.Parallel()
	yes := true
	tools := []wire.Tool{{
		Name: "a", InputSchema: []byte(`{"type":"object"}`), Annotations: &wire.ToolAnnotations{ReadOnlyHint: &yes},
		Icons: icons, Meta: []byte("{ \"com.example/a\" : [ 1.0 ] }"),
	}}
	const head = `{"tools":[{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},`
	checkCatalog(t, []golden{
		{"2025-11-25", wire.AppendToolList([]byte("x"), tools, 0, wire.CachePrivate, &late), head + iconsJSON + `,` + metaJSON + `}]}`},
		{"2025-06-18", wire.AppendToolList([]byte("x"), tools, 0, wire.CachePrivate, &early), head + metaJSON + `}]}`},
		{
			"implementation", wire.AppendImplementation([]byte("x"), &wire.Implementation{Name: "n", Version: "1", WebsiteURL: "https://example.com", Icons: icons}),
			`{"name":"n","version":"1","websiteUrl":"https://example.com",` + iconsJSON + `}`,
		},
	})
}

// V-58, D-02, C-02, spec sections 6 and 9.1: each capability that is offered, and
// no other, in the order of the spec.
func TestDiscoverCapabilities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		capabilities wire.Capabilities
		want         string
	}{
		{wire.Capabilities{}, `{}`},
		{wire.Capabilities{Tools: true}, `{"tools":{}}`},
		{wire.Capabilities{Prompts: true}, `{"prompts":{}}`},
		{wire.Capabilities{Resources: true}, `{"resources":{}}`},
		{wire.Capabilities{Completions: true}, `{"completions":{}}`},
		{wire.Capabilities{Tools: true, Completions: true}, `{"tools":{},"completions":{}}`},
		{wire.Capabilities{Tools: true, Prompts: true, Resources: true, Completions: true}, `{"tools":{},"prompts":{},"resources":{},"completions":{}}`},
	} {
		served := wire.RevisionSet(0).With(wire.V20260728)
		checkCatalog(t, []golden{{
			c.want, wire.AppendDiscover([]byte("x"), served, c.capabilities, "", 0, wire.CachePrivate, &modern),
			`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + c.want + `,"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		}})
	}
}

// ER-13, spec section 4: what a client must be able to do.
func TestMissingCapabilityData(t *testing.T) {
	t.Parallel()
	failure := wire.Failure{Kind: wire.MissingCapability, Data: wire.MissingCapabilityData([]byte(`{"elicitation":{"form":{}}}`))}
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"Missing required client capability","data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}}`
	if got := string(wire.AppendError(nil, idOf(t, `1`), &failure)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
