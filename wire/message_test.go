package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// envelopes are strict JSON; id is what an answer must carry, "" for none.
var envelopes = []struct {
	name, doc string
	kind      wire.MessageKind
	id        string
}{
	{"request", `{"jsonrpc":"2.0","id":1,"method":"m"}`, wire.Request, `1`},
	{"request with params", `{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`, wire.Request, `1`},
	{"members in another order", `{"params":{"a":1},"method":"m","id":"x","jsonrpc":"2.0"}`, wire.Request, `"x"`},
	{"other members are ignored", `{"jsonrpc":"2.0","id":1,"method":"m","meta":[],"Result":1}`, wire.Request, `1`},
	{"escaped keys and values", `{"\u006asonrpc":"2\u002e0","\u0069d":7,"m\u0065thod":"m"}`, wire.Request, `7`},
	{"whitespace", " { \"jsonrpc\" : \"2.0\" , \"id\" : 1 , \"method\" : \"m\" } ", wire.Request, `1`},
	{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, wire.Request, `1`},
	{"notification", `{"jsonrpc":"2.0","method":"m"}`, wire.Notification, ``},
	{"notification with params", `{"jsonrpc":"2.0","method":"m","params":{}}`, wire.Notification, ``},

	{"T-42 string id", `{"jsonrpc":"2.0","id":"7","method":"m"}`, wire.Request, `"7"`},
	{"T-42 empty string id", `{"jsonrpc":"2.0","id":"","method":"m"}`, wire.Request, `""`},
	{"T-42 zero", `{"jsonrpc":"2.0","id":0,"method":"m"}`, wire.Request, `0`},
	{"T-42 minus zero keeps its spelling", `{"jsonrpc":"2.0","id":-0,"method":"m"}`, wire.Request, `-0`},
	{"T-42 escaped spelling", `{"jsonrpc":"2.0","id":"\u0041\/","method":"m"}`, wire.Request, `"\u0041\/"`},
	{"T-42 largest integer", `{"jsonrpc":"2.0","id":9223372036854775807,"method":"m"}`, wire.Request, `9223372036854775807`},
	{"T-42 smallest integer", `{"jsonrpc":"2.0","id":-9223372036854775808,"method":"m"}`, wire.Request, `-9223372036854775808`},
	{"T-42 beyond int64", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"m"}`, wire.Invalid, ``},
	{"T-42 below int64", `{"jsonrpc":"2.0","id":-9223372036854775809,"method":"m"}`, wire.Invalid, ``},
	{"T-42 far beyond int64", `{"jsonrpc":"2.0","id":10000000000000000000,"method":"m"}`, wire.Invalid, ``},
	{"T-42 fraction", `{"jsonrpc":"2.0","id":1.5,"method":"m"}`, wire.Invalid, ``},
	{"T-42 integral fraction", `{"jsonrpc":"2.0","id":1.0,"method":"m"}`, wire.Invalid, ``},
	{"T-42 exponent", `{"jsonrpc":"2.0","id":1e2,"method":"m"}`, wire.Invalid, ``},
	{"T-42 bool", `{"jsonrpc":"2.0","id":true,"method":"m"}`, wire.Invalid, ``},
	{"T-42 object", `{"jsonrpc":"2.0","id":{},"method":"m"}`, wire.Invalid, ``},
	{"T-42 array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, wire.Invalid, ``},
	{"T-42 null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, wire.Invalid, ``},
	{"T-42 256 bytes", `{"jsonrpc":"2.0","id":"` + strings.Repeat("é", 128) + `","method":"m"}`, wire.Request, `"` + strings.Repeat("é", 128) + `"`},
	{"T-42 257 bytes", `{"jsonrpc":"2.0","id":"` + strings.Repeat("é", 128) + `x","method":"m"}`, wire.Invalid, ``},
	{"T-42 256 bytes, escaped", `{"jsonrpc":"2.0","id":"` + strings.Repeat(`\ud83d\ude00`, 64) + `","method":"m"}`, wire.Request, `"` + strings.Repeat(`\ud83d\ude00`, 64) + `"`},
	{"T-42 257 bytes, escaped", `{"jsonrpc":"2.0","id":"` + strings.Repeat(`\ud83d\ude00`, 64) + `\u0041","method":"m"}`, wire.Invalid, ``},

	{"T-41 batch", `[{"jsonrpc":"2.0","id":1,"method":"m"}]`, wire.Invalid, ``},
	{"T-41 empty batch", `[]`, wire.Invalid, ``},
	{"T-41 batch of an empty object", `[{}]`, wire.Invalid, ``},
	{"ER-02 empty object", `{}`, wire.Invalid, ``},
	{"ER-02 string", `"{}"`, wire.Invalid, ``},
	{"ER-02 number", `1`, wire.Invalid, ``},
	{"ER-02 null", `null`, wire.Invalid, ``},
	{"ER-02 true", `true`, wire.Invalid, ``},
	{"ER-02 no jsonrpc", `{"id":1,"method":"m"}`, wire.Invalid, `1`},
	{"ER-02 jsonrpc 1.0", `{"jsonrpc":"1.0","id":1,"method":"m"}`, wire.Invalid, `1`},
	{"ER-02 jsonrpc is a number", `{"jsonrpc":2.0,"id":1,"method":"m"}`, wire.Invalid, `1`},
	{"ER-02 jsonrpc is longer", `{"jsonrpc":"2.0.0","id":1,"method":"m"}`, wire.Invalid, `1`},
	{"ER-02 JSONRPC", `{"JSONRPC":"2.0","id":1,"method":"m"}`, wire.Invalid, `1`},
	{"ER-02 no method", `{"jsonrpc":"2.0","id":1}`, wire.Invalid, `1`},
	{"ER-02 method is a number", `{"jsonrpc":"2.0","id":1,"method":1}`, wire.Invalid, `1`},
	{"ER-02 method is null", `{"jsonrpc":"2.0","id":1,"method":null}`, wire.Invalid, `1`},
	{"ER-02 method in a notification is an array", `{"jsonrpc":"2.0","method":[]}`, wire.Invalid, ``},
	{"ER-02 params are an array", `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, wire.Invalid, `1`},
	{"ER-02 params are null", `{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, wire.Invalid, `1`},
	{"ER-02 params are a string", `{"jsonrpc":"2.0","method":"m","params":"{}"}`, wire.Invalid, ``},
	{"ER-02 result response", `{"jsonrpc":"2.0","id":1,"result":{}}`, wire.Invalid, `1`},
	{"ER-02 error response", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, wire.Invalid, `1`},
	{"ER-02 request and response at once", `{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`, wire.Invalid, `1`},
	{"ER-02 request and error response at once", `{"jsonrpc":"2.0","id":1,"method":"m","error":{}}`, wire.Invalid, `1`},
	{"ER-02 error response with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`, wire.Invalid, ``},
}

// T-41 T-42 ER-02, decisions 12 and 33: what is a request, what a notification,
// and which id is kept.
func TestClassify(t *testing.T) {
	t.Parallel()
	for _, c := range envelopes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m wire.Message
			if err := m.Scan([]byte(c.doc), &wire.DefaultBounds); err != nil {
				t.Fatal(err)
			}
			if got := m.Classify(); got != c.kind {
				t.Errorf("kind %v, want %v", got, c.kind)
			}
			if got := string(m.ID().Raw()); got != c.id || m.ID().IsZero() != (c.id == "") {
				t.Errorf("id %s, want %s", got, c.id)
			}
			if got := m.ID().IsString(); got != strings.HasPrefix(c.id, `"`) {
				t.Errorf("IsString %v", got)
			}
			compareMembers(t, &m, []byte(c.doc))
		})
	}
}

// The members of params and of _meta are found after unescaping, whether or
// not they fit the fixed room, and only one level deep.
func TestMembersOfParams(t *testing.T) {
	t.Parallel()
	for _, extra := range []int{0, 13, 14, 15, 16, 40} {
		t.Run(fmt.Sprint(extra, " more"), func(t *testing.T) {
			t.Parallel()
			filler := strings.TrimPrefix(strings.TrimSuffix(members("f", extra), "}"), "{")
			if filler != "" {
				filler += ","
			}
			doc := []byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + filler + `"na\u006de":"ec\u0068o","nested":{"hidden":1,"params":{"name":2}},` +
				`"_met\u0061":{` + filler + `"a/b":[1],"c":{"_meta":{"deep":1}}}},"other":{"params":{"x":1}}}`)
			var m wire.Message
			if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
				t.Fatal(err)
			}
			compareMembers(t, &m, doc)
			if !m.Param("name").Is(doc, "echo") || string(m.Param("name").Text(doc)) != "echo" {
				t.Errorf("name %s", m.Param("name").Span.Of(doc))
			}
			for _, absent := range []string{"hidden", "params", "deep", "x", "a/b", ""} {
				if m.Param(absent).Kind != wire.Absent {
					t.Errorf("params has %q", absent)
				}
			}
			for _, absent := range []string{"name", "deep", "hidden", "_meta"} {
				if m.Meta(absent).Kind != wire.Absent {
					t.Errorf("_meta has %q", absent)
				}
			}
			if got := string(m.Meta("a/b").Span.Of(doc)); got != "[1]" || m.Param("_meta").Kind != wire.Object {
				t.Errorf("a/b = %s", got)
			}
		})
	}
}

// A Message that is used again remembers nothing, and none of its questions
// panic before the first Scan.
func TestMessageIsForgetful(t *testing.T) {
	t.Parallel()
	var m wire.Message
	ask := func() {
		if m.Classify() != wire.Invalid || !m.ID().IsZero() || m.Method().Kind != wire.Absent || m.Params().Kind != wire.Absent ||
			m.Param("a").Kind != wire.Absent || m.Meta("a").Kind != wire.Absent {
			t.Error("a message out of nothing")
		}
	}
	ask()
	for _, next := range []string{`{}`, `[]`, `{"a"`, `{"params":5,"id":{}}`[:12], `"x"`} {
		if err := m.Scan([]byte(toolsCall), &wire.DefaultBounds); err != nil || m.Classify() != wire.Request {
			t.Fatal(err)
		}
		_ = m.Scan([]byte(next), &wire.DefaultBounds)
		ask()
	}
	if err := m.Scan([]byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":7}}`), &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	if m.Param("_meta").Kind != wire.Number || m.Meta("x").Kind != wire.Absent {
		t.Error("_meta that is no object")
	}
}

// Members stops when it is told to.
func TestMembersStops(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"a":1,"b":2}`)
	seen := 0
	wire.Members(doc, wire.Value{Kind: wire.Object, Span: wire.Span{End: int32(len(doc))}}, func(key, value wire.Value) bool {
		seen++
		return false
	})
	wire.Members(doc, wire.Value{Kind: wire.Array}, func(key, value wire.Value) bool { seen++; return true })
	if seen != 1 {
		t.Errorf("%d members seen, want 1", seen)
	}
}
