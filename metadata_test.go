package troupe_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/troupe-mcp/troupe"
)

// TestMetadata: each member of _meta that the revision defines has its type,
// and only that. // P-12 V-10 V-50 V-52 V-54 V-56 V-63 V-64 OB-10
func TestMetadata(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	const (
		version      = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
		client       = `"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"1"}`
		capabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	)
	sound := request("1", "server/discover", "")
	declares := func(text string) message {
		return sound.replace(capabilities, `"io.modelcontextprotocol/clientCapabilities":`+text)
	}
	says := func(text string) message { return sound.replace(client, `"io.modelcontextprotocol/clientInfo":`+text) }
	holds := func(member string) message { return sound.replace(client, client+","+member) }
	level := func(text string) message { return holds(`"io.modelcontextprotocol/logLevel":` + text) }
	cases := []struct {
		name    string
		message message
		sound   bool
	}{
		{"nothing but what is required", sound.replace(client+",", ""), true},
		{"no version", sound.replace(version+",", ""), false},
		{"version null", sound.replace(version, `"io.modelcontextprotocol/protocolVersion":null`), false},
		{"_meta is an array", sound.saying(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":[]}}`), false},

		{"client with every member", says(`{"name":"n","version":"v","title":"t","websiteUrl":"https://x.example","icons":[]}`), true},
		{"client without name", says(`{"version":"1"}`), false},
		{"client without version", says(`{"name":"n"}`), false},
		{"client with a name that is no string", says(`{"name":1,"version":"1"}`), false},
		{"client with a version that is no string", says(`{"name":"n","version":null}`), false},
		{"client is a string", says(`"n 1"`), false},
		{"client is an array", says(`["name","version"]`), false},
		{"client is null", says(`null`), false},

		{"capabilities null", declares(`null`), false},
		{"capabilities are an array", declares(`[]`), false},
		{"capability that nobody knows", declares(`{"telepathy":7}`), true},
		{"elicitation with both modes", declares(`{"elicitation":{"form":{},"url":{}}}`), true},
		{"elicitation with a mode that nobody knows", declares(`{"elicitation":{"mime":{}}}`), true},
		{"elicitation true", declares(`{"elicitation":true}`), false},
		{"elicitation with an ill-typed mode", declares(`{"elicitation":{"form":true}}`), false},
		{"sampling", declares(`{"sampling":{"tools":{}}}`), true},
		{"sampling with an ill-typed member", declares(`{"sampling":{"tools":1}}`), false},
		{"sampling null", declares(`{"sampling":null}`), false},
		{"roots", declares(`{"roots":{"listChanged":true}}`), true},
		{"roots true", declares(`{"roots":true}`), false},
		{"experimental", declares(`{"experimental":{"x":{"y":1}}}`), true},
		{"experimental array", declares(`{"experimental":[]}`), false},
		{"experimental with an ill-typed member", declares(`{"experimental":{"x":1}}`), false},
		{"a fault before what is sound", declares(`{"sampling":1,"roots":{},"zzz":{}}`), false},
		{"a fault after what is sound", declares(`{"aaa":{},"roots":{},"sampling":1}`), false},
		{"extensions", declares(`{"extensions":{"com.example/a":{},"com.example/b":{"deep":[1]}}}`), true},
		{"extensions null", declares(`{"extensions":null}`), false},
		{"one extension of two without a prefix", declares(`{"extensions":{"com.example/a":{},"b":{}}}`), false},
		{"one extension of two with ill-typed settings", declares(`{"extensions":{"com.example/a":[],"com.example/b":{}}}`), false},

		{"progress token, text", holds(`"progressToken":"p"`), true},
		{"progress token, integer", holds(`"progressToken":-7`), true},
		{"progress token, fraction", holds(`"progressToken":0.5`), false},
		{"progress token null", holds(`"progressToken":null`), false},
		{"progress token, object", holds(`"progressToken":{}`), false},
		{"level that is none", level(`"verbose"`), false},
		{"level in capitals", level(`"DEBUG"`), false},
		{"level that is no string", level(`3`), false},
		{"trace context", holds(`"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=b","baggage":"c=d"`), true},
		{"trace context that is no W3C text", holds(`"traceparent":"planted plain","tracestate":"","baggage":"=;="`), true},
		{"traceparent that is no string", holds(`"traceparent":{}`), false},
		{"tracestate that is no string", holds(`"tracestate":["a=b"]`), false},
		{"baggage that is no string", holds(`"baggage":1`), false},
		{"a key of the application's", holds(`"com.example/anything":[1,{"a":null}]`), true},
		{"a key without prefix", holds(`"plain":1`), true},
		{"a key with a space", holds(`"not plain":1`), false},
		{"a fault before the end", holds(`"not plain":1,"plain":2`), false},
	}
	for _, name := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
		cases = append(cases, struct {
			name    string
			message message
			sound   bool
		}{"level " + name, level(`"` + name + `"`), true})
	}
	for _, c := range cases {
		expected := want{status: 400, code: "-32602", contains: []string{`"id":1`}, lacks: []string{"plain", "telepathy", "data"}}
		if c.sound {
			expected = want{status: 200, lacks: []string{"plain", "telepathy"}}
		}
		t.Run(c.name, func(t *testing.T) { checkReply(t, w.ask(t, c.message), expected) })
	}
}

// TestInitializeDiagnostic: which answers name the revisions that are served:
// only those to a classified initialize and to an unserved version, and they
// reflect nothing but the id and the version. // V-20 V-21 V-22 V-23 ER-17
func TestInitializeDiagnostic(t *testing.T) {
	t.Parallel()
	var handled atomic.Int64
	w := start(t, tools(&handled))
	const marker = "planted-marker"
	modern := request(`"id-7"`, "initialize", `"protocolVersion":"2025-06-18","clientInfo":{"name":"`+marker+`","version":"1"}`).
		plus("X-Marker: "+marker).replace(`"_meta":{`, `"_meta":{"com.example/x":"`+marker+`",`)
	old := modern.without("MCP-Protocol-Version").without("Mcp-Method")
	supported := `"supported":["2026-07-28"]`
	unserved := func(requested string) want {
		return want{status: 400, code: "-32022", contains: []string{`"id":"id-7"`, supported, `"requested":"` + requested + `"`}, lacks: []string{marker}}
	}
	none := func(status int, code string) want {
		return want{status: status, code: code, empty: code == "", lacks: []string{"supported", marker}}
	}
	for _, c := range []struct {
		name    string
		message message
		want    want
	}{
		{"framed as modern in full", modern, want{status: 404, code: "-32601", contains: []string{`"id":"id-7"`, supported}, lacks: []string{"requested", marker}}},
		{"old", old, unserved("2025-06-18")},
		{"the version of the header goes before that of the parameters", old.plus("MCP-Protocol-Version: 2025-11-25"), unserved("2025-11-25")},
		{"modern without Mcp-Method", modern.without("Mcp-Method"), unserved("2026-07-28")},
		{"modern with another Mcp-Method", modern.with("Mcp-Method", "tools/list"), unserved("2026-07-28")},
		{"modern with Mcp-Method twice", modern.plus("Mcp-Method: initialize"), unserved("2026-07-28")},
		{"modern without version in _meta", modern.replace(`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, ""), unserved("2026-07-28")},
		{"modern with another version in _meta", modern.replace(`protocolVersion":"2026-07-28"`, `protocolVersion":"2025-11-25"`), unserved("2026-07-28")},
		{"a version that is no string", old.replace(`"protocolVersion":"2025-06-18"`, `"protocolVersion":{"`+marker+`":1}`), unserved("")},
		{"a version that is longer than 64", old.replace("2025-06-18", strings.Repeat("1", 65)), unserved("")},
		{"a version with other characters", old.replace("2025-06-18", "<"+marker+">"), unserved("")},
		{"a header with other characters", old.plus("MCP-Protocol-Version: <" + marker + ">"), unserved("")},
		{"no parameters at all", old.saying(`{"jsonrpc":"2.0","id":"id-7","method":"initialize"}`), unserved("")},
		{"no usable id", old.replace(`"id":"id-7"`, `"id":{"`+marker+`":1}`), none(400, "-32600")},

		{"before JSON: media type", modern.with("Content-Type", "text/plain"), none(415, "")},
		{"before JSON: Accept", modern.with("Accept", "text/html"), none(406, "")},
		{"before JSON: path", func() message { m := modern; m.target = "/" + marker; return m }(), none(404, "")},
		{"no JSON", old.saying(old.body[:len(old.body)-1]), none(400, "-32700")},
		{"no method", old.replace(`"method":"initialize",`, ""), none(400, "-32600")},
		{"a method that is no string", old.replace(`"method":"initialize"`, `"method":["initialize"]`), none(400, "-32600")},
		{"a method in other letters", modern.replace(`"method":"initialize"`, `"method":"Initialize"`).with("Mcp-Method", "Initialize"), none(404, "-32601")},
		{"another method without version", old.replace(`"method":"initialize"`, `"method":"tools/list"`), none(400, "-32020")},
		{"another method", modern.replace(`"method":"initialize"`, `"method":"`+marker+`"`).with("Mcp-Method", marker), none(404, "-32601")},
		{"in a batch", old.saying("[" + old.body + "]"), none(400, "-32600")},
		{"another method of an unserved version", old.replace(`"method":"initialize"`, `"method":"tools/list"`).plus("MCP-Protocol-Version: 2024-11-05"), none(400, "-32020")},
		{
			"and with its Mcp-Method", old.replace(`"method":"initialize"`, `"method":"tools/list"`).plus("MCP-Protocol-Version: 2024-11-05").plus("Mcp-Method: tools/list"),
			unserved("2024-11-05"),
		},
	} {
		t.Run(c.name, func(t *testing.T) { checkReply(t, w.ask(t, c.message), c.want) })
	}
	if log := w.log.String(); strings.Contains(log, marker) {
		t.Errorf("a client's value is in the log: %s", log)
	}
}

// TestMirrors: what mirrors the message is there once and agrees, or is not
// looked at. // V-11 V-12 V-15 V-16 T-07 T-09 T-10
func TestMirrors(t *testing.T) {
	t.Parallel()
	var handled atomic.Int64
	w := start(t, append(tools(&handled), library()...), func(c *troupe.Config) { c.RequestLimiter = troupe.AllowAllRequests() })
	echo := toolCall("1", "echo", `{"message":"hi"}`)
	mismatch := want{status: 400, code: "-32020", lacks: []string{"data"}}
	for _, c := range []struct {
		name    string
		message message
		want    want
	}{
		{"Mcp-Name twice, equal", echo.plus("Mcp-Name: echo"), mismatch},
		{"Mcp-Name twice, the first right", echo.plus("Mcp-Name: sum"), mismatch},
		{"Mcp-Name empty", echo.with("Mcp-Name", ""), mismatch},
		{"Mcp-Method empty", echo.with("Mcp-Method", ""), mismatch},
		{"Mcp-Method in other letters", echo.with("Mcp-Method", "TOOLS/call"), mismatch},
		{"Mcp-Method in sentinel form", echo.with("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?="), mismatch},
		{"Mcp-Name twice on a read", read("mem://one").plus("Mcp-Name: mem://one"), mismatch},
		{"no Mcp-Name on a read", read("mem://one").without("Mcp-Name"), mismatch},
		{"Mcp-Name of a name that is no string", echo.replace(`"name":"echo"`, `"name":["echo"]`), want{status: 400, code: "-32602"}},
		{"Mcp-Name on a list", request("1", "prompts/list", "").plus("Mcp-Name: greet"), mismatch},
		{"Mcp-Name, empty, on a list", request("1", "prompts/list", "").plus("Mcp-Name:"), mismatch},
		{"GET names what is allowed", message{verb: "GET", target: "/mcp"}, want{status: 405, empty: true}},
		{"PATCH names what is allowed", message{verb: "PATCH", target: "/mcp", body: "{}"}, want{status: 405, empty: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := w.ask(t, c.message)
			checkReply(t, r, c.want)
			if allow := r.header.Values("Allow"); (c.want.status == 405) != (len(allow) == 1 && allow[0] == "POST") {
				t.Errorf("Allow %q", allow)
			}
		})
	}
}

// TestNotificationRules: each rule of a notification, one request each; none is
// answered with a body. // P-29 P-30 P-31 P-32 P-35 P-40 P-53 CX-01
func TestNotificationRules(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	sound := request("1", "notifications/cancelled", `"requestId":1`)
	sound = sound.saying(strings.Replace(sound.body, `"id":1,`, "", 1))
	foo := sound.replace("notifications/cancelled", "notifications/foo")
	for _, c := range []struct {
		name    string
		message message
		status  int
	}{
		{"sound", sound, 202},
		{"with another Mcp-Method", sound.with("Mcp-Method", "tools/call"), 202},
		{"with Mcp-Name", sound.plus("Mcp-Name: x"), 202},
		{"cancelled: version in _meta is not looked at", sound.replace("protocolVersion\":\"2026-07-28", "protocolVersion\":\"2025-11-25"), 202},
		{"cancelled: keys are not looked at", sound.replace(`"_meta":{`, `"_meta":{"bad key!":1,`), 202},
		{"cancelled: params are missing", sound.saying(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`), 202},
		{"no version", sound.without("MCP-Protocol-Version"), 400},
		{"a known version that is not served", sound.with("MCP-Protocol-Version", "2025-11-25"), 400},
		{"another known version that is not served", sound.with("MCP-Protocol-Version", "2025-06-18"), 400},
		{"NO-19 a version that is not known", sound.with("MCP-Protocol-Version", "2025-03-26"), 400},
		{"a malformed version", sound.with("MCP-Protocol-Version", "2026-07-28 "+"x"), 400},
		{"another method", foo, 400},
		{"a method of requests", sound.replace("notifications/cancelled", "tools/list"), 400},
		{"initialize", sound.replace("notifications/cancelled", "initialize"), 400},
		{"another method, with bad metadata", foo.replace(`"_meta":{`, `"_meta":{"bad key!":1,`), 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkReply(t, w.ask(t, c.message), want{status: c.status, empty: true})
		})
	}
}
