package troupe_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/troupe-mcp/troupe"
)

type echoIn struct {
	Message string `json:"message"`
}

type sumIn struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

type sumOut struct {
	Sum int64 `json:"sum"`
}

type failIn struct {
	Kind string `json:"kind"`
}

// tools are what most tests call; handled counts handlers that ran.
func tools(handled *atomic.Int64) []troupe.Feature {
	return []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{Name: "echo", Description: "Sends the message back."},
			func(_ context.Context, _ troupe.Call, in echoIn) (string, error) {
				handled.Add(1)
				return in.Message, nil
			}),
		troupe.Tool(troupe.ToolInfo{Name: "sum", Description: "Adds."},
			func(_ context.Context, _ troupe.Call, in sumIn) (sumOut, error) {
				handled.Add(1)
				return sumOut{in.A + in.B}, nil
			}),
		troupe.Tool(troupe.ToolInfo{Name: "fail", Description: "Fails.", OutputSchema: []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)},
			func(_ context.Context, _ troupe.Call, in failIn) (*troupe.ToolResult, error) {
				handled.Add(1)
				switch in.Kind {
				case "tool-error":
					return nil, troupe.ToolError("no such city")
				case "panic":
					panic("secret-marker")
				case "goexit":
					runtime.Goexit()
				case "rpc":
					return nil, &troupe.Error{Code: 1234, Message: "authored", Data: map[string]int{"n": 7}}
				case "reserved":
					return nil, &troupe.Error{Code: -32602, Message: "authored"}
				case "bad-output":
					return &troupe.ToolResult{Structured: map[string]string{"ok": "secret-marker"}}, nil
				case "text":
					return &troupe.ToolResult{Content: []troupe.Content{troupe.Text("no structure")}}, nil
				case "nil":
					return nil, nil
				}
				return nil, errors.New("secret-marker")
			}),
	}
}

// want is what an answer must be.
type want struct {
	status   int
	code     string   // of a JSON-RPC error; "" for none
	contains []string // in the body
	lacks    []string
	handled  int64
	empty    bool
}

// TestRequests sends one message each and checks the whole path of it.
func TestRequests(t *testing.T) {
	t.Parallel()
	echo := toolCall("1", "echo", `{"message":"hi"}`)
	discover := request(`"d-1"`, "server/discover", "")
	cases := []struct {
		name    string // with the requirements it stands for
		message message
		want    want
	}{
		{
			"D-01 V-09 P-01 discovery needs no handshake", discover,
			want{status: 200, contains: []string{`"id":"d-1"`, `"supportedVersions":["2026-07-28"]`, `"resultType":"complete"`, `"tools":{}`, `"ttlMs":0`, `"cacheScope":"private"`, `"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1"}`}},
		},
		{
			"D-11 TL-01 list in order of registration, one page", request("2", "tools/list", ""),
			want{status: 200, contains: []string{`"tools":[{"name":"echo"`, `"ttlMs"`, `"cacheScope"`, `"additionalProperties":false`}, lacks: []string{"nextCursor"}},
		},
		{
			"TL-01 T-33 call", echo,
			want{status: 200, contains: []string{`{"jsonrpc":"2.0","id":1,"result":{`, `"content":[{"type":"text","text":"hi"}]`, `"resultType":"complete"`}, lacks: []string{"isError", "structuredContent", "ttlMs"}, handled: 1},
		},
		{
			"TL-26 structured content and its text", toolCall("1", "sum", `{"a":9223372036854775806,"b":1}`),
			want{status: 200, contains: []string{`"structuredContent":{"sum":9223372036854775807}`, `"text":"{\"sum\":9223372036854775807}"`}, handled: 1},
		},
		{
			"T-42 ids keep type and spelling", toolCall(`"7\u0041"`, "echo", `{"message":"hi"}`),
			want{status: 200, contains: []string{`"id":"7\u0041"`}, handled: 1},
		},

		{"P-03 T-05 unknown path", func() message { m := echo; m.target = "/mcp/"; return m }(), want{status: 404, empty: true}},
		{"T-05 query", func() message { m := echo; m.target = "/mcp?a=b"; return m }(), want{status: 404, empty: true}},
		{"T-05 case", func() message { m := echo; m.target = "/MCP"; return m }(), want{status: 404, empty: true}},
		{"T-09 GET", message{verb: "GET", target: "/mcp"}, want{status: 405, empty: true}},
		{"T-10 DELETE", message{verb: "DELETE", target: "/mcp"}, want{status: 405, empty: true}},
		{"T-07 PUT", func() message { m := echo; m.verb = "PUT"; return m }(), want{status: 405, empty: true}},
		{"T-08 OPTIONS carries no message", func() message { m := echo; m.verb = "OPTIONS"; return m }(), want{status: 405, empty: true}},
		{"T-12 media type", echo.with("Content-Type", "text/plain"), want{status: 415, empty: true}},
		{"T-46 charset", echo.with("Content-Type", "application/json; charset=latin1"), want{status: 415, empty: true}},
		{"T-46 utf-8", echo.with("Content-Type", `Application/JSON; Charset="UTF-8"`), want{status: 200, handled: 1}},
		{"T-13 Accept JSON only", echo.with("Accept", "application/json"), want{status: 406, empty: true}},
		{"T-13 Accept anything", echo.with("Accept", "*/*"), want{status: 200, handled: 1}},
		{"T-13 no Accept", echo.without("Accept"), want{status: 200, handled: 1}},
		{"T-13 q=0", echo.with("Accept", "application/json, text/event-stream;q=0"), want{status: 406, empty: true}},
		{"T-16 gzip NO-25", echo.plus("Content-Encoding: gzip"), want{status: 415, empty: true}},
		{"T-15 identity", echo.plus("Content-Encoding: identity, identity"), want{status: 200, handled: 1}},
		{"P-05 T-18 Accept before coding", echo.with("Accept", "text/html").plus("Content-Encoding: br"), want{status: 406, empty: true}},
		{"T-27 T-28 stale session and event id are ignored", echo.plus("Mcp-Session-Id: stale-marker").plus("Last-Event-ID: 42"), want{status: 200, lacks: []string{"stale-marker"}, handled: 1}},

		{"P-06 ER-01 T-40 bad JSON", echo.without("Mcp-Method").saying("{"), want{status: 400, code: "-32700", lacks: []string{`"id"`}}},
		{"T-40 duplicate key", echo.replace(`"id":1`, `"id":1,"id":2`), want{status: 400, code: "-32700"}},
		{"T-40 trailing data", echo.saying(echo.body + ","), want{status: 400, code: "-32700"}},
		{"P-07 ER-02 wrong jsonrpc", echo.replace(`"2.0"`, `"1.0"`).without("Mcp-Method"), want{status: 400, code: "-32600", contains: []string{`"id":1`}}},
		{"T-41 batch", echo.saying("[" + echo.body + "]"), want{status: 400, code: "-32600", lacks: []string{`"id"`}}},
		{"T-42 null id", echo.replace(`"id":1`, `"id":null`), want{status: 400, code: "-32600", lacks: []string{`"id"`}}},
		{"T-42 fractional id", echo.replace(`"id":1`, `"id":1.5`), want{status: 400, code: "-32600", lacks: []string{`"id"`}}},

		{"V-11 ER-11 ER-21 no Mcp-Method", echo.without("Mcp-Method"), want{status: 400, code: "-32020", contains: []string{`"Header mismatch"`, `"id":1`}, lacks: []string{"data"}}},
		{"V-11 V-14 other Mcp-Method", echo.with("Mcp-Method", "tools/list"), want{status: 400, code: "-32020"}},
		{"V-11 twice Mcp-Method", echo.plus("Mcp-Method: tools/call"), want{status: 400, code: "-32020"}},
		{"V-12 no Mcp-Name", echo.without("Mcp-Name"), want{status: 400, code: "-32020"}},
		{"V-12 other Mcp-Name", echo.with("Mcp-Name", "sum"), want{status: 400, code: "-32020"}},
		{"V-12 Mcp-Name in sentinel form", echo.with("Mcp-Name", "=?base64?ZWNobw==?="), want{status: 200, handled: 1}},
		{"V-12 Mcp-Name in broken sentinel form", echo.with("Mcp-Name", "=?base64?ZWNobw=?="), want{status: 400, code: "-32020"}},
		{"V-12 Mcp-Name where nothing is named (decision 3)", discover.plus("Mcp-Name: x"), want{status: 400, code: "-32020"}},
		{"ER-18 Mcp-Name of an unknown method is not looked at (decision 35)", request("1", "x/y", "").plus("Mcp-Name: x"), want{status: 404, code: "-32601"}},
		{"V-40 no version header", echo.without("MCP-Protocol-Version"), want{status: 400, code: "-32020"}},
		{"V-40 version header twice", echo.plus("MCP-Protocol-Version: 2026-07-28"), want{status: 400, code: "-32020"}},
		{"V-40 malformed version header", echo.with("MCP-Protocol-Version", "2026 07 28"), want{status: 400, code: "-32020"}},
		{
			"V-18 V-19 ER-12 unsupported version", discover.with("MCP-Protocol-Version", "2099-01-01").replace("2026-07-28", "2099-01-01"),
			want{status: 400, code: "-32022", contains: []string{`"supported":["2026-07-28"]`, `"requested":"2099-01-01"`}},
		},
		{"P-08 V-59 mirrors before selector", echo.with("MCP-Protocol-Version", "2099-01-01").without("Mcp-Method"), want{status: 400, code: "-32020"}},
		{"V-26 NO-19 a known revision that is not served", echo.with("MCP-Protocol-Version", "2025-11-25").without("Mcp-Method"), want{status: 400, code: "-32022", contains: []string{`"requested":"2025-11-25"`}}},
		{"P-10 selector before metadata", discover.with("MCP-Protocol-Version", "2099-01-01").saying(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`), want{status: 400, code: "-32022"}},
		{"V-64 no params", discover.saying(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`), want{status: 400, code: "-32602", contains: []string{`"id":1`}}},
		{"V-64 V-10 no _meta", discover.saying(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`), want{status: 400, code: "-32602"}},
		{"V-64 no capabilities", discover.replace(`,"io.modelcontextprotocol/clientCapabilities":{}`, ""), want{status: 400, code: "-32602"}},
		{"V-64 ill-typed version", discover.replace(`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/protocolVersion":1`), want{status: 400, code: "-32602"}},
		{"V-56 ill-typed client", discover.replace(`"version":"1"`, `"version":3`), want{status: 400, code: "-32602"}},
		{"V-55 blank client", discover.replace(`"name":"probe","version":"1"`, `"name":"","version":" "`), want{status: 200}},
		{"V-63 bad key", discover.replace(`"_meta":{`, `"_meta":{"bad key!":1,`), want{status: 400, code: "-32602"}},
		{"V-52 extensions container", discover.replace(`Capabilities":{}`, `Capabilities":{"extensions":[]}`), want{status: 400, code: "-32602"}},
		{"V-53 extension identifier", discover.replace(`Capabilities":{}`, `Capabilities":{"extensions":{"noslash":{}}}`), want{status: 400, code: "-32602"}},
		{"V-54 extension settings", discover.replace(`Capabilities":{}`, `Capabilities":{"extensions":{"com.example/x":5}}`), want{status: 400, code: "-32602"}},
		{"V-51 unknown extension", discover.replace(`Capabilities":{}`, `Capabilities":{"extensions":{"com.example/x":{"a":1}}}`), want{status: 200, lacks: []string{"com.example"}}},
		{"V-54 ill-typed capability (decision 80)", discover.replace(`Capabilities":{}`, `Capabilities":{"sampling":true}`), want{status: 400, code: "-32602"}},
		{"P-12 ill-typed progress token", discover.replace(`"_meta":{`, `"_meta":{"progressToken":1.5,`), want{status: 400, code: "-32602"}},
		{"V-17 P-54 header and _meta disagree", discover.replace(`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/protocolVersion":"2025-11-25"`), want{status: 400, code: "-32020"}},
		{"P-54 metadata before agreement", discover.replace(`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/protocolVersion":"2025-11-25","bad key!":1`), want{status: 400, code: "-32602"}},
		{"P-13 name is missing", request("1", "tools/call", "", "Mcp-Name: echo"), want{status: 400, code: "-32602"}},
		{"P-13 arguments are no object", toolCall("1", "echo", `[]`), want{status: 400, code: "-32602"}},
		{"D-12 a cursor", request("1", "tools/list", `"cursor":"x"`), want{status: 400, code: "-32602"}},
		{"ER-18 V-65 NO-06 unknown method", request("601", "logging/setLevel", ""), want{status: 404, code: "-32601", contains: []string{`"id":601`}}},
		{"V-65 ping is gone", request("77", "ping", ""), want{status: 404, code: "-32601"}},
		{"TL-02 P-15 unknown tool", toolCall("1", "no_such_tool", `{}`), want{status: 400, code: "-32602", lacks: []string{"no_such_tool"}}},

		{"V-20 NO-16 initialize, framed as modern", request("1", "initialize", ""), want{status: 404, code: "-32601", contains: []string{`"data":{"supported":["2026-07-28"]}`}}},
		{
			"V-21 NO-16 initialize of old",
			message{
				verb: "POST", target: "/mcp", headers: []string{"Content-Type: application/json", "Accept: application/json, text/event-stream"},
				body: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			},
			want{status: 400, code: "-32022", contains: []string{`"supported":["2026-07-28"]`, `"requested":"2025-06-18"`, `"id":0`}},
		},

		{"TL-04 P-22 missing argument", toolCall("1", "echo", `{}`), want{status: 200, contains: []string{`"isError":true`, "message"}}},
		{"TL-04 no arguments", toolCall("1", "echo", ``), want{status: 200, contains: []string{`"isError":true`}}},
		{"TL-04 unknown argument (decision 77)", toolCall("1", "echo", `{"message":"a","planted-marker":1}`), want{status: 200, contains: []string{`"isError":true`}, lacks: []string{"planted-marker"}}},
		{"TL-04 other case", toolCall("1", "echo", `{"MESSAGE":"planted-marker"}`), want{status: 200, contains: []string{`"isError":true`}, lacks: []string{"planted-marker"}}},
		{"TL-04 ill-typed argument", toolCall("1", "sum", `{"a":"planted-marker","b":1}`), want{status: 200, contains: []string{`"isError":true`, `/a`}, lacks: []string{"planted-marker"}}},
		{"TL-04 integral number (decision 38)", toolCall("1", "sum", `{"a":1.0,"b":1e2}`), want{status: 200, contains: []string{`"structuredContent":{"sum":101}`}, handled: 1}},
		{"TL-04 beyond int64", toolCall("1", "sum", `{"a":9223372036854775808,"b":1}`), want{status: 200, contains: []string{`"isError":true`}}},

		{"TL-21 tool error", toolCall("1", "fail", `{"kind":"tool-error"}`), want{status: 200, contains: []string{`"isError":true`, `no such city`}, handled: 1}},
		{"TL-22 ER-07 authored error", toolCall("1", "fail", `{"kind":"rpc"}`), want{status: 400, code: "1234", contains: []string{`"authored"`, `"data":{"n":7}`}, handled: 1}},
		{"TL-24 ER-16 ER-19 plain error", toolCall("1", "fail", `{"kind":"error"}`), want{status: 200, code: "-32603", lacks: []string{"secret"}, handled: 1}},
		{"TL-24 reserved code", toolCall("1", "fail", `{"kind":"reserved"}`), want{status: 200, code: "-32603", lacks: []string{"authored"}, handled: 1}},
		{"TL-24 panic", toolCall("1", "fail", `{"kind":"panic"}`), want{status: 200, code: "-32603", lacks: []string{"secret"}, handled: 1}},
		{"TL-24 Goexit", toolCall("1", "fail", `{"kind":"goexit"}`), want{status: 200, code: "-32603", handled: 1}},
		{"TL-25 output breaks its schema", toolCall("1", "fail", `{"kind":"bad-output"}`), want{status: 200, code: "-32603", lacks: []string{"secret"}, handled: 1}},
		{"TL-25 no structured content, though there is an output schema", toolCall("1", "fail", `{"kind":"text"}`), want{status: 200, code: "-32603", lacks: []string{"no structure"}, handled: 1}},
		{"P-18 request state within its bound", toolCall("1", "echo", `{"message":"hi"}`).replace(`"name":"echo"`, `"name":"echo","requestState":"`+strings.Repeat("s", 65_536)+`"`), want{status: 200, handled: 1}},
		{"P-18 request state one beyond", toolCall("1", "echo", `{"message":"hi"}`).replace(`"name":"echo"`, `"name":"echo","requestState":"`+strings.Repeat("s", 65_537)+`"`), want{status: 400, code: "-32602"}},
		{"TL-25 no result", toolCall("1", "fail", `{"kind":"nil"}`), want{status: 200, code: "-32603", handled: 1}},

		{"V-16 CX-01 cancelled (decision 26)", echo.without("Mcp-Method").without("Mcp-Name").saying(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`), want{status: 202, empty: true}},
		{"P-35 cancelled with garbage", echo.saying(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[],"_meta":7}}`), want{status: 202, empty: true}},
		{"P-32 P-40 other notification", echo.saying(`{"jsonrpc":"2.0","method":"notifications/foo"}`), want{status: 400, empty: true}},
		{"P-55 NO-04 initialized", echo.saying(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), want{status: 400, empty: true}},
		{"P-29 notification with two selectors", echo.plus("MCP-Protocol-Version: 2026-07-28").saying(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`), want{status: 400, empty: true}},
		{"P-30 notification with another selector", echo.with("MCP-Protocol-Version", "1999-01-01").saying(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`), want{status: 400, empty: true}},
		{"P-31 notification with bad metadata", echo.saying(`{"jsonrpc":"2.0","method":"notifications/foo","params":{"_meta":{"bad key!":1}}}`), want{status: 400, empty: true}},
	}
	for _, fastLane := range []bool{true, false} {
		lane := map[bool]string{true: "fast lane", false: "slot workers"}[fastLane]
		t.Run(lane, func(t *testing.T) {
			t.Parallel()
			var handled atomic.Int64
			w := start(t, tools(&handled), func(config *troupe.Config) { config.DisableFastLane = !fastLane })
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					before := handled.Load()
					checkReply(t, w.ask(t, c.message), c.want)
					if got := handled.Load() - before; got != c.want.handled {
						t.Errorf("handlers run: %d, want %d", got, c.want.handled)
					}
				})
			}
			if log := w.log.String(); strings.Contains(log, "planted-marker") {
				t.Errorf("a client's value is in the log: %s", log)
			}
		})
	}
}

// checkReply compares an answer with what it must be. // T-19 T-21 T-23 OB-15
func checkReply(t *testing.T, r reply, want want) {
	t.Helper()
	if r.status != want.status {
		t.Errorf("status %d, want %d; body %s", r.status, want.status, r.body)
	}
	if got := r.header["Cache-Control"]; len(got) != 1 || got[0] != "no-store" {
		t.Errorf("Cache-Control %q, want exactly one no-store", got)
	}
	if want.empty && (r.body != "" || r.header.Get("Content-Type") != "") {
		t.Errorf("body %q, Content-Type %q, want neither", r.body, r.header.Get("Content-Type"))
	}
	if !want.empty && r.header.Get("Content-Type") != "application/json" {
		t.Errorf("Content-Type %q", r.header.Get("Content-Type"))
	}
	code := ""
	if _, after, ok := strings.Cut(r.body, `"code":`); ok && strings.Contains(r.body, `"error":`) {
		code = strings.TrimRight(after[:strings.IndexAny(after, ",}")], " ")
	}
	if code != want.code {
		t.Errorf("code %q, want %q; body %s", code, want.code, r.body)
	}
	for _, part := range want.contains {
		if !strings.Contains(r.body, part) {
			t.Errorf("body lacks %s: %s", part, r.body)
		}
	}
	for _, part := range want.lacks {
		if strings.Contains(r.body, part) {
			t.Errorf("body has %s: %s", part, r.body)
		}
	}
	for name := range r.header {
		if strings.EqualFold(name, "Mcp-Session-Id") || strings.EqualFold(name, "Last-Event-Id") {
			t.Errorf("header %s is sent", name)
		}
	}
}
