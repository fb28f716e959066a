package wire_test

import (
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/wire"
)

var (
	calc   = wire.Implementation{Name: "calc", Version: "1.4.0"}
	modern = wire.Projection{Revision: wire.V20260728, ServerInfo: wire.AppendImplementation(nil, &calc)}
	late   = wire.Projection{Revision: wire.V20251125, ServerInfo: modern.ServerInfo}
	early  = wire.Projection{Revision: wire.V20250618, ServerInfo: modern.ServerInfo}
)

const serverInfo = `"io.modelcontextprotocol/serverInfo":{"name":"calc","version":"1.4.0"}`

func text(s string) (r wire.CallResult) {
	r.Content = []wire.Content{wire.TextContent(s)}
	return r
}

// Decisions 14 and 17, spec section 9.3, TL-20: results of tools/call, byte for
// byte.
func TestAppendCallResult(t *testing.T) {
	t.Parallel()
	full := text("3")
	full.Structured, full.IsError, full.Meta = []byte("{ \"sum\": 3.0 }"), true, []byte("{ \"com.example/a\": [ 1 ] }")
	structured := func(raw string) (r wire.CallResult) { r.Structured = []byte(raw); return r }
	meta := func(raw string) (r wire.CallResult) { r.Meta = []byte(raw); return r }
	two := wire.CallResult{Content: []wire.Content{wire.TextContent("a\u2028"), wire.TextContent("")}}
	const head, end = `{"jsonrpc":"2.0","id":"a","result":`, `}`
	cases := []struct {
		name       string
		result     wire.CallResult
		projection *wire.Projection
		want       string
	}{
		{"nothing but the required", wire.CallResult{}, &modern, `{"resultType":"complete","content":[],"_meta":{` + serverInfo + `}}`},
		{"nothing, 2025-11-25", wire.CallResult{}, &late, `{"content":[]}`},
		{"nothing, 2025-06-18", wire.CallResult{}, &early, `{"content":[]}`},
		{"text", text("hello"), &modern, `{"resultType":"complete","content":[{"type":"text","text":"hello"}],"_meta":{` + serverInfo + `}}`},
		{"two texts", two, &late, `{"content":[{"type":"text","text":"a\u2028"},{"type":"text","text":""}]}`},
		{"everything", full, &modern, `{"resultType":"complete","content":[{"type":"text","text":"3"}],"structuredContent":{"sum":3.0},"isError":true,"_meta":{` + serverInfo + `,"com.example/a":[1]}}`},
		{"everything, 2025-11-25", full, &late, `{"content":[{"type":"text","text":"3"}],"structuredContent":{"sum":3.0},"isError":true,"_meta":{"com.example/a":[1]}}`},
		{"null is not absent", structured(`null`), &late, `{"content":[],"structuredContent":null}`},
		{"a structured array", structured("[1,\n 9007199254740993 ]"), &late, `{"content":[],"structuredContent":[1,9007199254740993]}`},
		{"separators in structured content", structured("[\"\u2028\"]"), &late, `{"content":[],"structuredContent":["\u2028"]}`},
		{"empty _meta", meta(`{}`), &modern, `{"resultType":"complete","content":[],"_meta":{` + serverInfo + `}}`},
		{
			"the application does not rename the server", meta(`{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"evil"},"b":"x y"}`), &modern,
			`{"resultType":"complete","content":[],"_meta":{` + serverInfo + `,"a":1,"b":"x y"}}`,
		},
		{"not with escapes either", meta(`{"io.modelcontextprotocol\/server\u0049nfo":1}`), &modern, `{"resultType":"complete","content":[],"_meta":{` + serverInfo + `}}`},
		{"_meta with spaces around it", meta("\n { \"a\" : 1 } \n"), &modern, `{"resultType":"complete","content":[],"_meta":{` + serverInfo + `,"a":1}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := wire.CheckCallResult(&c.result, &wire.DefaultBounds); err != nil {
				t.Fatal(err)
			}
			if got, want := string(wire.AppendCallResult([]byte("x"), idOf(t, `"a"`), &c.result, c.projection)), "x"+head+c.want+end; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// SetText is one text block, and replaces what was there.
func TestSetText(t *testing.T) {
	t.Parallel()
	r := wire.CallResult{Content: []wire.Content{wire.TextContent("a"), wire.TextContent("b")}}
	r.SetText("c")
	if len(r.Content) != 1 || r.Content[0].Text() != "c" {
		t.Errorf("content %v", r.Content)
	}
	r.SetText("d")
	if len(r.Content) != 1 || r.Content[0].Text() != "d" {
		t.Errorf("content %v", r.Content)
	}
}

func TestAppendResult(t *testing.T) {
	t.Parallel()
	if got := string(wire.AppendResult(nil, idOf(t, `7`), []byte(`{"a":1}`))); got != `{"jsonrpc":"2.0","id":7,"result":{"a":1}}` {
		t.Error(got)
	}
}

// Spec sections 8, 9.1 and 9.2, decisions 4, 15 to 17: catalogs, byte for byte.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	schema := []byte("{\n  \"type\": \"object\"\n}")
	tools := []wire.Tool{
		{Name: "z", InputSchema: schema},
		{Name: "a", Title: "A", Description: "says \"a\"", InputSchema: schema, OutputSchema: []byte(`{"minimum":1.0}`), Annotations: &wire.ToolAnnotations{
			Title: "T", ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no,
		}},
		{Name: "b", InputSchema: schema, Annotations: &wire.ToolAnnotations{}},
		{Name: "c", InputSchema: schema, Annotations: &wire.ToolAnnotations{OpenWorldHint: &no}},
	}
	const listed = `"tools":[{"name":"z","inputSchema":{"type":"object"}},` +
		`{"name":"a","title":"A","description":"says \"a\"","inputSchema":{"type":"object"},"outputSchema":{"minimum":1.0},` +
		`"annotations":{"title":"T","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},` +
		`{"name":"b","inputSchema":{"type":"object"},"annotations":{}},` +
		`{"name":"c","inputSchema":{"type":"object"},"annotations":{"openWorldHint":false}}]`
	served := wire.RevisionSet(0).With(wire.V20250618).With(wire.V20260728)
	cases := []struct{ name, got, want string }{
		{
			"tools", string(wire.AppendToolList(nil, tools, 5*time.Minute, wire.CachePublic, &modern)),
			`{"resultType":"complete",` + listed + `,"ttlMs":300000,"cacheScope":"public","_meta":{` + serverInfo + `}}`,
		},
		{
			"no tools", string(wire.AppendToolList(nil, nil, 0, wire.CachePrivate, &modern)),
			`{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
		{"tools, 2025-11-25", string(wire.AppendToolList(nil, tools, 5*time.Minute, wire.CachePublic, &late)), `{` + listed + `}`},
		{
			"less than a millisecond", string(wire.AppendToolList(nil, nil, time.Millisecond-1, wire.CachePrivate, &modern)),
			`{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
		{
			"negative", string(wire.AppendToolList(nil, nil, -time.Hour, wire.CachePrivate, &modern)),
			`{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
		{
			"discover", string(wire.AppendDiscover(nil, served, wire.Capabilities{Tools: true}, "Use \"sum\".", time.Hour, wire.CachePublic, &modern)),
			`{"resultType":"complete","supportedVersions":["2026-07-28","2025-06-18"],"capabilities":{"tools":{}},"instructions":"Use \"sum\".","ttlMs":3600000,"cacheScope":"public","_meta":{` + serverInfo + `}}`,
		},
		{
			"discover without anything", string(wire.AppendDiscover(nil, served, wire.Capabilities{}, "", 0, wire.CachePrivate, &modern)),
			`{"resultType":"complete","supportedVersions":["2026-07-28","2025-06-18"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
		{
			"implementation", string(wire.AppendImplementation(nil, &wire.Implementation{Name: "n\n", Version: "1", Title: "T", Description: "D", WebsiteURL: "https://example.com/?a=1&b"})),
			`{"name":"n\n","version":"1","title":"T","description":"D","websiteUrl":"https://example.com/?a=1&b"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.got != c.want {
				t.Errorf("got  %s\nwant %s", c.got, c.want)
			}
			if err := wire.CheckResult([]byte(c.got), &wire.DefaultBounds); err != nil {
				t.Error(err)
			}
		})
	}
	if wire.CachePrivate.String() != "private" || wire.CachePublic.String() != "public" || wire.CacheScope(0) != wire.CachePrivate {
		t.Error("scopes")
	}
}
