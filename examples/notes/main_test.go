package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestNotes writes, finds, reads, lists, completes and forgets a note, as a
// client would.
func TestNotes(t *testing.T) {
	server, err := newServer("127.0.0.1:0", notebook{newStore()})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	for _, step := range []struct {
		method, name, params string
		status               int
		want                 string
	}{
		{"tools/call", "write_note", `"name":"write_note","arguments":{"title":"to do","text":"buy milk"}`, 200, "Written."},
		{"tools/call", "write_note", `"name":"write_note","arguments":{"title":"","text":"x"}`, 200, `"isError":true`},
		{"tools/call", "search_notes", `"name":"search_notes","arguments":{"text":"milk"}`, 200, `"structuredContent":{"titles":["to do"]}`},
		{"tools/call", "search_notes", `"name":"search_notes","arguments":{"text":"gin"}`, 200, `"structuredContent":{"titles":[]}`},
		{"resources/list", "", ``, 200, `"uri":"note:///to%20do"`},
		{"resources/list", "", `"cursor":"x"`, 400, "-32602"},
		{"resources/templates/list", "", ``, 200, `"uriTemplate":"note:///{title}"`},
		{"resources/read", "note:///to%20do", `"uri":"note:///to%20do"`, 200, `"text":"buy milk"`},
		{"resources/read", "note:///nope", `"uri":"note:///nope"`, 400, `"data":{"uri":"note:///nope"}`},
		{"prompts/get", "summarize", `"name":"summarize","arguments":{"title":"to do"}`, 200, "buy milk"},
		{"prompts/get", "summarize", `"name":"summarize","arguments":{"title":"nope"}`, 400, `"code":1,`},
		{"prompts/get", "summarize", `"name":"summarize"`, 400, "-32602"},
		{"completion/complete", "", `"ref":{"type":"ref/prompt","name":"summarize"},"argument":{"name":"title","value":"to"}`, 200, `"values":["to do"]`},
		{"completion/complete", "", `"ref":{"type":"ref/resource","uri":"note:///{title}"},"argument":{"name":"title","value":"z"}`, 200, `"values":[]`},
		{"tools/call", "forget_note", `"name":"forget_note","arguments":{"title":"to do"}`, 200, "Forgotten."},
		{"tools/call", "forget_note", `"name":"forget_note","arguments":{"title":"to do"}`, 200, "no note"},
	} {
		if step.params != "" {
			step.params += ","
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, step.method, step.params)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+server.Addr().String()+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		headers := map[string]string{
			"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": step.method, "Mcp-Name": step.name,
		}
		for name, value := range headers {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != step.status || !strings.Contains(string(text), step.want) {
			t.Errorf("%s %s: status %d: %s, want %d with %s", step.method, step.params, response.StatusCode, text, step.status, step.want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
