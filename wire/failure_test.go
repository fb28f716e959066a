package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// failureRows are the whole table of failures, written down a second
// time: by requirement, not by the code's order.
var failureRows = []struct {
	name       string
	kind       wire.FailureKind
	status     int
	status2025 int
	code       int // 0: no body
	message    string
	close      bool
}{
	// Decisions 2 and 64: before there is JSON-RPC.
	{"raw head", wire.BadHead, 400, 400, 0, "", true},
	{"path", wire.NotFound, 404, 404, 0, "", false},
	{"method", wire.MethodNotAllowed, 405, 405, 0, "", false},
	{"Accept", wire.NotAcceptable, 406, 406, 0, "", false},
	{"read timeout", wire.ReadTimeout, 408, 408, 0, "", true},
	{"body", wire.BodyTooLarge, 413, 413, 0, "", true},
	{"target", wire.TargetTooLong, 414, 414, 0, "", true},
	{"media type", wire.UnsupportedMedia, 415, 415, 0, "", false},
	{"Expect", wire.ExpectationFailed, 417, 417, 0, "", true},
	{"Host", wire.Misdirected, 421, 421, 0, "", false},
	{"Origin", wire.Forbidden, 403, 403, 0, "", false},
	{"headers", wire.HeadersTooLarge, 431, 431, 0, "", true},
	{"connections", wire.ConnectionLimit, 503, 503, 0, "", true},
	{"body budget", wire.BodyBudget, 503, 503, 0, "", true},
	{"hooks (decision 70)", wire.HooksBusy, 503, 503, 0, "", false},

	{"ER-01", wire.ParseError, 400, 400, -32700, "Parse error", false},
	{"ER-02", wire.InvalidRequest, 400, 400, -32600, "Invalid Request", false},
	{"ER-03", wire.RateLimited, 429, 429, -31999, "Rate limit exceeded", false},
	{"ER-04", wire.UnknownMirror, 400, 400, -31998, "Unknown mirrored header", false},
	{"ER-05", wire.Capacity, 503, 503, -32603, "Server is at capacity", false},
	{"ER-06", wire.PolicyDeadline, 504, 504, -32603, "Internal error", false},
	{"ER-07", wire.ApplicationError, 400, 200, 0, "", false}, // its code is the application's
	{"ER-08", wire.QueuedDeadline, 503, 503, -32603, "Server is at capacity", false},
	{"ER-09 ER-16", wire.ExecutionFailed, 200, 200, -32603, "Internal error", false},
	{"ER-10", wire.FrameworkDeadline, 504, 504, 0, "", false},
	{"ER-11 ER-21", wire.HeaderMismatch, 400, 400, -32020, "Header mismatch", false},
	{"ER-12", wire.UnsupportedVersion, 400, 400, -32022, "Unsupported protocol version", false},
	{"ER-13", wire.MissingCapability, 400, 200, -32021, "Missing required client capability", false},
	{"ER-14", wire.InvalidParams, 400, 200, -32602, "Invalid params", false},
	{"ER-14 target", wire.UnknownTarget, 400, 200, -32602, "Unknown target", false},
	{"ER-15", wire.ProtectorUnavailable, 503, 503, -32603, "Internal error", false},
	{"ER-17", wire.PolicyFailed, 500, 500, -32603, "Internal error", false},
	{"ER-18", wire.MethodNotFound, 404, 200, -32601, "Method not found", false},
	{"decision 65", wire.Stopping, 503, 503, -32603, "Server is stopping", true},
}

// ER-01 to ER-18, ER-23, decisions 2, 64, 65: one row per condition.
func TestFailureTable(t *testing.T) {
	t.Parallel()
	seen := map[wire.FailureKind]bool{wire.NoFailure: true}
	for _, c := range failureRows {
		seen[c.kind] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := c.kind
			if k.Status() != c.status || k.Status2025() != c.status2025 || k.Code() != c.code || k.Message() != c.message || k.Close() != c.close {
				t.Errorf("%d/%d %d %q close %v, want %d/%d %d %q close %v", k.Status(), k.Status2025(), k.Code(), k.Message(), k.Close(),
					c.status, c.status2025, c.code, c.message, c.close)
			}
			if bodyless := c.code == 0 && k != wire.ApplicationError; k.Bodyless() != bodyless {
				t.Errorf("Bodyless %v", k.Bodyless())
			}
			if k.Bodyless() {
				return
			}
			body := wire.AppendError(nil, wire.ID{}, &wire.Failure{Kind: k, Code: 7, Message: "authored"})
			var envelope struct {
				JSONRPC string
				ID      json.RawMessage
				Error   struct {
					Code    int
					Message string
					Data    json.RawMessage
				}
			}
			if err := json.Unmarshal(body, &envelope); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			code, message := c.code, c.message
			if k == wire.ApplicationError {
				code, message = 7, "authored"
			}
			if envelope.JSONRPC != "2.0" || envelope.ID != nil || envelope.Error.Code != code || envelope.Error.Message != message || envelope.Error.Data != nil {
				t.Errorf("body %s", body)
			}
		})
	}
	if len(seen) != int(wire.Stopping)+1 {
		t.Errorf("%d rows for %d conditions", len(seen), wire.Stopping+1)
	}
}

// T-42, decision 33: the id keeps type and spelling, or is left out.
func TestAppendError(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		id      string // spelled as in a request; "" for none
		failure wire.Failure
		want    string
	}{
		{"no id", ``, wire.Failure{Kind: wire.ParseError}, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`},
		{"integer", `12`, wire.Failure{Kind: wire.HeaderMismatch}, `{"jsonrpc":"2.0","id":12,"error":{"code":-32020,"message":"Header mismatch"}}`},
		{"string of digits", `"12"`, wire.Failure{Kind: wire.MethodNotFound}, `{"jsonrpc":"2.0","id":"12","error":{"code":-32601,"message":"Method not found"}}`},
		{"odd spelling", `"\u0041\/"`, wire.Failure{Kind: wire.MethodNotFound}, `{"jsonrpc":"2.0","id":"\u0041\/","error":{"code":-32601,"message":"Method not found"}}`},
		{
			"data", `-7`,
			wire.Failure{Kind: wire.UnsupportedVersion, Data: []byte(`{"supported":["2026-07-28"],"requested":"x"}`)},
			`{"jsonrpc":"2.0","id":-7,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"x"}}}`,
		},
		{
			"data on several lines", `0`,
			wire.Failure{Kind: wire.InvalidParams, Data: []byte("{\n \"a b\": 1.0\n}")},
			`{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"Invalid params","data":{"a b":1.0}}}`,
		},
		{"empty data", `0`, wire.Failure{Kind: wire.InvalidParams, Data: []byte{}}, `{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"Invalid params"}}`},
		{
			"authored", `1`,
			wire.Failure{Kind: wire.ApplicationError, Code: 42, Message: "no \"x\"\u2028\n", Data: []byte(`null`)},
			`{"jsonrpc":"2.0","id":1,"error":{"code":42,"message":"no \"x\"\u2028\n","data":null}}`,
		},
		{
			"a code and message of another kind are not sent", `1`,
			wire.Failure{Kind: wire.ExecutionFailed, Code: 42, Message: "secret"},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := string(wire.AppendError([]byte("x"), idOf(t, c.id), &c.failure)); got != "x"+c.want {
				t.Errorf("got  %s\nwant x%s", got, c.want)
			}
		})
	}
}

// idOf reads an id from a request that has it.
func idOf(t testing.TB, spelling string) wire.ID {
	t.Helper()
	if spelling == "" {
		return wire.ID{}
	}
	var m wire.Message
	if err := m.Scan([]byte(`{"jsonrpc":"2.0","method":"m","id":`+spelling+`}`), &wire.DefaultBounds); err != nil || m.Classify() != wire.Request {
		t.Fatalf("id %s: %v", spelling, err)
	}
	return m.ID()
}

// Spec section 4: codes that applications may not author.
func TestReservedCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{
		-32769: false, -32768: true, -32700: true, -32603: true, -32602: true, -32601: true, -32600: true, -32099: true,
		-32042: true, -32022: true, -32021: true, -32020: true, -32002: true, -32000: true, -31999: true, -31998: true, -31997: false,
		0: false, 1: false, 400: false, -1: false,
	} {
		if got := wire.ReservedCode(code); got != want {
			t.Errorf("ReservedCode(%d) = %v", code, got)
		}
	}
}
