package wire_test

import (
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/wire"
)

// PR-01, PR-12, spec sections 8 and 9.4, decisions 15 to 17: prompts/list on the
// three revisions, byte for byte.
func TestAppendPromptList(t *testing.T) {
	t.Parallel()
	prompts := []wire.Prompt{
		{Name: "z"},
		{
			Name: "a", Title: "A", Description: "says \"a\"\u2028", Icons: icons, Meta: []byte("{ \"com.example/a\" : [ 1.0 ] }"),
			Arguments: []wire.PromptArgument{{Name: "x"}, {Name: "code", Title: "Code", Description: "to review", Required: true}},
		},
	}
	const head = `"prompts":[{"name":"z"},{"name":"a","title":"A","description":"says \"a\"\u2028",` +
		`"arguments":[{"name":"x"},{"name":"code","title":"Code","description":"to review","required":true}],`
	checkCatalog(t, []golden{
		{
			"2026-07-28", wire.AppendPromptList([]byte("x"), prompts, 10*time.Minute, wire.CachePublic, &modern),
			`{"resultType":"complete",` + head + iconsJSON + `,` + metaJSON + `}],"ttlMs":600000,"cacheScope":"public","_meta":{` + serverInfo + `}}`,
		},
		{"2025-11-25", wire.AppendPromptList([]byte("x"), prompts, time.Hour, wire.CachePublic, &late), `{` + head + iconsJSON + `,` + metaJSON + `}]}`},
		{"2025-06-18 has no icons", wire.AppendPromptList([]byte("x"), prompts, time.Hour, wire.CachePublic, &early), `{` + head + metaJSON + `}]}`},
		{
			"none", wire.AppendPromptList([]byte("x"), nil, 0, wire.CachePrivate, &modern),
			`{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
	})
}

// A golden is what was appended to "x".
type golden struct {
	name string
	got  []byte
	want string
}

func checkCatalog(t *testing.T, cases []golden) {
	t.Helper()
	for _, c := range cases {
		if got := string(c.got); got != "x"+c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.name, got[1:], c.want)
		}
		checkLine(t, c.got)
		if err := wire.CheckResult(c.got[1:], &wire.DefaultBounds); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// PR-01, PR-05, PR-08, spec section 9.4: prompts/get on the three revisions,
// byte for byte. It has no cache fields.
func TestAppendPromptResult(t *testing.T) {
	t.Parallel()
	r := wire.PromptResult{
		Description: "Code \"review\"", Meta: []byte(`{"a": 1}`),
		Messages: []wire.PromptMessage{
			{Content: wire.TextContent("Review: x=1")},
			{Role: wire.RoleAssistant, Content: wire.ResourceLink(wire.Resource{URI: "u", Name: "n", Icons: icons})},
		},
	}
	none := wire.PromptResult{Messages: []wire.PromptMessage{}}
	const (
		head = `{"jsonrpc":"2.0","id":5,"result":{`
		body = `"description":"Code \"review\"","messages":[{"role":"user","content":{"type":"text","text":"Review: x=1"}},` +
			`{"role":"assistant","content":{"type":"resource_link","uri":"u","name":"n"`
	)
	for _, result := range []*wire.PromptResult{&r, &none} {
		if err := wire.CheckPromptResult(result); err != nil {
			t.Error(err)
		}
	}
	id := idOf(t, `5`)
	checkCatalog(t, []golden{
		{
			"2026-07-28", wire.AppendPromptResult([]byte("x"), id, &r, &modern),
			head + `"resultType":"complete",` + body + `,` + iconsJSON + `}}],"_meta":{` + serverInfo + `,"a":1}}}`,
		},
		{"2025-11-25", wire.AppendPromptResult([]byte("x"), id, &r, &late), head + body + `,` + iconsJSON + `}}],"_meta":{"a":1}}}`},
		{"2025-06-18", wire.AppendPromptResult([]byte("x"), id, &r, &early), head + body + `}}],"_meta":{"a":1}}}`},
		{
			"no messages", wire.AppendPromptResult([]byte("x"), id, &none, &modern),
			head + `"resultType":"complete","messages":[],"_meta":{` + serverInfo + `}}}`,
		},
		{"nil is no null", wire.AppendPromptResult([]byte("x"), id, &wire.PromptResult{}, &late), head + `"messages":[]}}`},
	})
}
