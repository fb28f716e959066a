package dispatch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// A draft is a request before it is written down.
type draft struct {
	verb, target string
	headers      []string
	fields       map[string]string // MCP and media fields, by name
	version      string            // in _meta
	capabilities bool
	jsonrpc      string
	name         string
	arguments    string
	cut          bool         // the body ends early
	deny         map[int]bool // groups that a hook denies
	notification bool
}

func newDraft() *draft {
	return &draft{
		verb: "POST", target: "/mcp", version: "2026-07-28", capabilities: true, jsonrpc: "2.0", name: "tool",
		arguments: `{"message":"x"}`, deny: map[int]bool{},
		fields: map[string]string{
			"Content-Type": "application/json", "Accept": "*/*", "MCP-Protocol-Version": "2026-07-28",
			"Mcp-Method": "tools/call", "Mcp-Name": "tool",
		},
	}
}

func (d *draft) raw() string {
	capabilities := ""
	if d.capabilities {
		capabilities = `,"io.modelcontextprotocol/clientCapabilities":{}`
	}
	id, method := `"id":1,`, "tools/call"
	if d.notification {
		id, method = "", "notifications/cancelled"
	}
	body := fmt.Sprintf(`{"jsonrpc":%q,%s"method":%q,"params":{"name":%q,"arguments":%s,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":%q%s}}}`, d.jsonrpc, id, method, d.name, d.arguments, d.version, capabilities)
	if d.cut {
		body = body[:len(body)-1]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: h\r\n", d.verb, d.target)
	for name, value := range d.fields {
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
	}
	for _, h := range d.headers {
		b.WriteString(h + "\r\n")
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.String()
}

// A violator breaks one group's rule.
type violator struct {
	group  int
	name   string
	touch  string // what it changes; two that change the same thing cannot be combined
	breaks func(*draft)
	status int
	code   string // "" for a bodyless answer
}

func denies(group, status int, code string) violator {
	return violator{
		group, "denied", fmt.Sprint("hook ", group), func(d *draft) { d.deny[group] = true }, status, code,
	}
}

var violators = []violator{
	{1, "too many headers", "count", func(d *draft) {
		for i := range 101 {
			d.headers = append(d.headers, fmt.Sprintf("X-%d: y", i))
		}
	}, 431, ""},
	{2, "path", "target", func(d *draft) { d.target = "/other" }, 404, ""},
	denies(3, 403, ""),
	{4, "method", "verb", func(d *draft) { d.verb = "PUT" }, 405, ""},
	{4, "media type", "Content-Type", func(d *draft) { d.fields["Content-Type"] = "text/plain" }, 415, ""},
	{4, "accept", "Accept", func(d *draft) { d.fields["Accept"] = "text/html" }, 406, ""},
	{4, "coding", "coding", func(d *draft) { d.fields["Content-Encoding"] = "gzip" }, 415, ""},
	{5, "cut", "cut", func(d *draft) { d.cut = true }, 400, "-32700"},
	{6, "jsonrpc", "jsonrpc", func(d *draft) { d.jsonrpc = "1.0" }, 400, "-32600"},
	{7, "method mirror", "Mcp-Method", func(d *draft) { d.fields["Mcp-Method"] = "tools/list" }, 400, "-32020"},
	{7, "name mirror", "Mcp-Name", func(d *draft) { d.fields["Mcp-Name"] = "wrong" }, 400, "-32020"},
	{8, "selector", "version", func(d *draft) { d.fields["MCP-Protocol-Version"] = "2099-01-01" }, 400, "-32022"},
	{9, "capabilities", "capabilities", func(d *draft) { d.capabilities = false }, 400, "-32602"},
	{9, "agreement", "meta version", func(d *draft) { d.version = "2025-11-25" }, 400, "-32020"},
	{10, "arguments", "arguments", func(d *draft) { d.arguments = "[]" }, 400, "-32602"},
	denies(11, 500, "-32603"),
	{11, "target", "Mcp-Name", func(d *draft) { d.name, d.fields["Mcp-Name"] = "nope", "nope" }, 400, "-32602"},
	denies(12, 503, "-32603"),
	denies(13, 200, "-32603"),
	{14, "schema", "arguments", func(d *draft) { d.arguments = "{}" }, 200, "isError"},
	denies(15, 200, "-32603"),
	denies(16, 200, "-32603"),
	denies(17, 200, "-32603"),
}

var denials = map[int]wire.FailureKind{
	3: wire.Forbidden, 11: wire.PolicyFailed, 12: wire.Capacity, 13: wire.ExecutionFailed, 15: wire.ExecutionFailed,
	16: wire.ExecutionFailed, 17: wire.ExecutionFailed,
}

// TestPairs sends, for each pair of groups that can be violated together, a
// request that violates both: the earlier one answers, and nothing later is
// entered. // P-01 P-02 P-03 P-04 P-05 P-06 P-07 P-08 P-10 P-12 P-13 P-14 P-20
// P-21 P-22 P-23 P-24 P-25 P-44 P-52 P-53 P-54
func TestPairs(t *testing.T) {
	t.Parallel()
	var draftOf *draft
	f := open(t, nil)
	entered := 0
	f.pipeline.probe = func(number int, _ string) *wire.Failure {
		f.mu.Lock()
		defer f.mu.Unlock()
		entered = number
		if draftOf.deny[number] {
			return &wire.Failure{Kind: denials[number]}
		}
		return nil
	}
	pairs := 0
	for i, first := range violators {
		for _, second := range violators[i:] {
			if first.touch == second.touch && first.name != second.name {
				continue
			}
			if second.group >= 15 && first.group == 14 {
				continue // arguments that break the schema skip the handler and end in a result
			}
			pairs++
			d := newDraft()
			second.breaks(d)
			first.breaks(d)
			f.mu.Lock()
			draftOf, entered = d, 0
			f.mu.Unlock()
			before := f.handled.Load()
			status, body := f.ask(t, d.raw())
			name := fmt.Sprintf("%d %s, %d %s", first.group, first.name, second.group, second.name)
			if status != first.status || (first.code == "") != (body == "") || !strings.Contains(body, first.code) {
				t.Errorf("%s: status %d, body %q, want %d %s", name, status, body, first.status, first.code)
			}
			f.mu.Lock()
			last := entered
			f.mu.Unlock()
			if last > first.group && first.group != 14 {
				t.Errorf("%s: group %d was entered", name, last)
			}
			if ran := f.handled.Load() > before; ran != (first.group > 15) {
				t.Errorf("%s: the handler ran: %v", name, ran)
			}
		}
	}
	if pairs < 150 {
		t.Errorf("only %d pairs", pairs)
	}
}

// TestNotificationPairs is the same for a notification, whose every failure has
// no body. // P-28 P-30 P-31 P-40
func TestNotificationPairs(t *testing.T) {
	t.Parallel()
	var draftOf *draft
	f := open(t, nil)
	f.pipeline.probe = func(number int, name string) *wire.Failure {
		f.mu.Lock()
		defer f.mu.Unlock()
		if draftOf.deny[number] && name == "admission" {
			return &wire.Failure{Kind: wire.PolicyFailed}
		}
		return nil
	}
	rows := append([]violator(nil), violators[:9]...) // groups 1 to 6, the hook of group 3 apart
	rows = append(rows[:2], rows[3:]...)
	rows = append(rows,
		violator{group: 7, name: "selector", touch: "version", breaks: func(d *draft) { d.fields["MCP-Protocol-Version"] = "1999-01-01" }, status: 400},
		violator{group: 8, name: "admission", touch: "hook", breaks: func(d *draft) { d.deny[4] = true }, status: 500},
	)
	for i, first := range rows {
		for _, second := range rows[i:] {
			d := newDraft()
			d.notification = true
			second.breaks(d)
			first.breaks(d)
			f.mu.Lock()
			draftOf = d
			f.mu.Unlock()
			status, body := f.ask(t, d.raw())
			if status != first.status || body != "" && first.group > 6 {
				t.Errorf("%s, %s: status %d, body %q, want %d", first.name, second.name, status, body, first.status)
			}
		}
	}
}
