package wire_test

import (
	"strings"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/wire"
)

const readmeJSON = `{"uri":"file:///README.md","name":"README.md","title":"Docs","description":"says \"a\"","mimeType":"text/markdown","size":2048,` +
	notedJSON + `,` + iconsJSON + `,` + metaJSON + `}`

// RS-11, RS-14, D-11, D-20, spec sections 8 and 9.5: resources/list on the three
// revisions, byte for byte; the page of a handler is the same in a response.
func TestAppendResourceList(t *testing.T) {
	t.Parallel()
	resources := []wire.Resource{{URI: "z", Name: "z"}, readme}
	cursor, empty := "eyJ\"\u2028", ""
	const listed = `"resources":[{"uri":"z","name":"z"},` + readmeJSON + `]`
	early18 := strings.Replace(listed, iconsJSON+",", "", 1)
	pages := []struct {
		name string
		page wire.ResourcePage
		p    *wire.Projection
		want string
	}{
		{
			"2026-07-28",
			wire.ResourcePage{Resources: resources, TTL: 5 * time.Minute, Scope: wire.CachePublic},
			&modern,
			`{"resultType":"complete",` + listed + `,"ttlMs":300000,"cacheScope":"public","_meta":{` + serverInfo + `}}`,
		},
		{
			"a cursor",
			wire.ResourcePage{Resources: resources, NextCursor: &cursor, Meta: []byte(`{"a": 1}`)},
			&modern,
			`{"resultType":"complete",` + listed + `,"nextCursor":"eyJ\"\u2028","ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `,"a":1}}`,
		},
		{
			"an empty cursor is one",
			wire.ResourcePage{NextCursor: &empty, TTL: -time.Hour},
			&modern,
			`{"resultType":"complete","resources":[],"nextCursor":"","ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
		{
			"2025-11-25",
			wire.ResourcePage{Resources: resources, NextCursor: &cursor, TTL: time.Hour, Scope: wire.CachePublic},
			&late,
			`{` + listed + `,"nextCursor":"eyJ\"\u2028"}`,
		},
		{"2025-06-18", wire.ResourcePage{Resources: resources, Meta: []byte(`{"a": 1}`)}, &early, `{` + early18 + `,"_meta":{"a":1}}`},
		{"none", wire.ResourcePage{}, &early, `{"resources":[]}`},
	}
	for _, c := range pages {
		if err := wire.CheckResourcePage(&c.page); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		checkCatalog(t, []golden{
			{c.name, wire.AppendResourceList([]byte("x"), &c.page, c.p), c.want},
			{c.name + ", response", wire.AppendResourcePage([]byte("x"), idOf(t, `"p"`), &c.page, c.p), `{"jsonrpc":"2.0","id":"p","result":` + c.want + `}`},
		})
	}
}

// RS-02, D-06, spec section 9.5: resources/templates/list on the three revisions,
// byte for byte.
func TestAppendTemplateList(t *testing.T) {
	t.Parallel()
	templates := []wire.ResourceTemplate{
		{URITemplate: "mem://{id}", Name: "z"},
		{
			URITemplate: "file:///{path}", Name: "files", Title: "F", Description: "D", MIMEType: "application/octet-stream",
			Annotations: &noted, Icons: icons, Meta: []byte("{ \"com.example/a\" : [ 1.0 ] }"),
		},
	}
	const listed = `"resourceTemplates":[{"uriTemplate":"mem://{id}","name":"z"},` +
		`{"uriTemplate":"file:///{path}","name":"files","title":"F","description":"D","mimeType":"application/octet-stream",` + notedJSON + `,` + iconsJSON + `,` + metaJSON + `}]`
	checkCatalog(t, []golden{
		{
			"2026-07-28", wire.AppendTemplateList([]byte("x"), templates, time.Hour, wire.CachePublic, &modern),
			`{"resultType":"complete",` + listed + `,"ttlMs":3600000,"cacheScope":"public","_meta":{` + serverInfo + `}}`,
		},
		{"2025-11-25", wire.AppendTemplateList([]byte("x"), templates, time.Hour, wire.CachePublic, &late), `{` + listed + `}`},
		{"2025-06-18", wire.AppendTemplateList([]byte("x"), templates, time.Hour, wire.CachePublic, &early), `{` + strings.Replace(listed, iconsJSON+",", "", 1) + `}`},
		{
			"none", wire.AppendTemplateList([]byte("x"), nil, 0, wire.CachePrivate, &modern),
			`{"resultType":"complete","resourceTemplates":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}`,
		},
	})
}

// RS-05, RS-14, spec section 9.5: resources/read on the three revisions, byte for
// byte.
func TestAppendReadResult(t *testing.T) {
	t.Parallel()
	r := wire.ReadResult{
		Contents: []wire.ResourceContents{
			{URI: "mem://1", MIMEType: "text/markdown", Text: "# Hello\u2028"},
			{URI: "mem://2", Blob: []byte{0, 1, 2, 255}, Meta: []byte("{ \"com.example/a\" : [ 1.0 ] }")},
		},
		TTL: time.Minute, Scope: wire.CachePublic, Meta: []byte(`{"a": 1}`),
	}
	const (
		head     = `{"jsonrpc":"2.0","id":8,"result":{`
		contents = `"contents":[{"uri":"mem://1","mimeType":"text/markdown","text":"# Hello\u2028"},{"uri":"mem://2","blob":"AAEC/w==",` + metaJSON + `}]`
	)
	if err := wire.CheckReadResult(&r); err != nil {
		t.Error(err)
	}
	id := idOf(t, `8`)
	checkCatalog(t, []golden{
		{
			"2026-07-28", wire.AppendReadResult([]byte("x"), id, &r, &modern),
			head + `"resultType":"complete",` + contents + `,"ttlMs":60000,"cacheScope":"public","_meta":{` + serverInfo + `,"a":1}}}`,
		},
		{"2025-11-25", wire.AppendReadResult([]byte("x"), id, &r, &late), head + contents + `,"_meta":{"a":1}}}`},
		{"2025-06-18", wire.AppendReadResult([]byte("x"), id, &r, &early), head + contents + `,"_meta":{"a":1}}}`},
		{
			"nothing", wire.AppendReadResult([]byte("x"), id, &wire.ReadResult{}, &modern),
			head + `"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"private","_meta":{` + serverInfo + `}}}`,
		},
	})
}

// Decision 67, RS-06: the URI of an unknown resource, up to 8,192 bytes.
func TestResourceNotFoundData(t *testing.T) {
	t.Parallel()
	const most = 8192
	long := strings.Repeat("x", most)
	for uri, want := range map[string]string{
		"file:///none.md": `{"uri":"file:///none.md"}`, "a\"\u2028": `{"uri":"a\"\u2028"}`, "": `{"uri":""}`,
		long: `{"uri":"` + long + `"}`, long + "x": "",
	} {
		got := wire.ResourceNotFoundData(uri)
		if string(got) != want || want == "" && got != nil {
			t.Errorf("%.20q: %.40s", uri, got)
		}
	}
}
