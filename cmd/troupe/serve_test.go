package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// get asks the admin listener on a connection of its own.
func get(t *testing.T, url string, alter ...func(*http.Request)) (status int, header http.Header, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Close = true
	for _, a := range alter {
		a(request)
	}
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(b)
}

// call posts a modern request and returns its status and body.
func call(t *testing.T, url, method, name, params string) (int, string) {
	t.Helper()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		params += ","
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`
	status, _, answer := get(t, url, func(r *http.Request) {
		r.Method = http.MethodPost
		r.Body = io.NopCloser(strings.NewReader(body))
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	})
	return status, answer
}

// The settings reach the server: path, catalogue, body limit, slots and
// deadline show from outside.
func TestServe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		catalog string
		first   string
		full    bool
	}{
		{"full", "test_simple_text", true},
		{"bench", "echo", false},
	} {
		for _, lane := range []string{"on", "off"} {
			t.Run(c.catalog+" with fast lane "+lane, func(t *testing.T) {
				t.Parallel()
				p := serveInProcess(t, "--catalog", c.catalog, "--fast-lane", lane, "--path", "/a/b", "--max-body", "1000", "--deadline", "300ms")
				line := p.line(t, "msg=listening")
				url := "http://" + addr(line) + "/a/b"
				if !strings.HasSuffix(line, "path=/a/b") {
					t.Errorf("listening line: %s", line)
				}
				var list struct {
					Result struct {
						Tools []struct{ Name, Description string }
					}
				}
				status, body := call(t, url, "tools/list", "", "")
				if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 {
					t.Fatalf("tools/list: %d %s: %v", status, body, err)
				}
				tools := list.Result.Tools
				if len(tools) < 53 || tools[0].Name != c.first {
					t.Errorf("tools/list: %d tools", len(tools))
				}
				if got := strings.Contains(body, `"whoami"`); got != c.full {
					t.Errorf("whoami listed: %t", got)
				}
				if status, body = call(t, url, "tools/call", "sum", `"name":"sum","arguments":{"a":2,"b":40}`); status != 200 || !strings.Contains(body, `"structuredContent":{"sum":42}`) {
					t.Errorf("sum: %d %s", status, body)
				}
				if status, body = call(t, url, "tools/call", "slow", `"name":"slow","arguments":{"ms":60000}`); status != 200 || !strings.Contains(body, "-32603") {
					t.Errorf("slow: %d %s", status, body)
				}
				if status, body = call(t, url, "tools/call", "echo", `"name":"echo","arguments":{"message":"`+strings.Repeat("x", 1000)+`"}`); status != 413 || body != "" {
					t.Errorf("echo beyond the body limit: %d %s", status, body)
				}
				if status, _ = call(t, strings.TrimSuffix(url, "/b"), "tools/list", "", ""); status != 404 {
					t.Errorf("other path: %d", status)
				}
				if status := p.end(t); status != exitOK {
					t.Errorf("exit status %d", status)
				}
			})
		}
	}
}

// The admin listener is up when the server says that it listens.
func TestAdmin(t *testing.T) {
	t.Parallel()
	p := serveInProcess(t, "--admin", "127.0.0.1:0")
	admin := "http://" + addr(p.line(t, "msg=admin"))
	server := "http://" + addr(p.line(t, "msg=listening")) + "/mcp"
	cases := []struct {
		name, path, host string
		status           int
		contentType      string
		body             string
	}{
		{"alive", "/healthz", "", 200, "text/plain; charset=utf-8", "ok\n"},
		{"ready", "/readyz", "", 200, "text/plain; charset=utf-8", "ready\n"},
		{"unknown", "/other", "", 404, "text/plain; charset=utf-8", "404 page not found\n"},
		{"by name", "/healthz", "localhost:9", 200, "text/plain; charset=utf-8", "ok\n"},
		{"IPv6", "/healthz", "[::1]", 200, "text/plain; charset=utf-8", "ok\n"},
		{"from a web page", "/healthz", "attacker.example:9090", 421, "", ""},
		{"profiles", "/debug/pprof/goroutine?debug=1", "", 200, "text/plain; charset=utf-8", ""},
	}
	for _, c := range cases {
		status, header, body := get(t, admin+c.path, func(r *http.Request) { r.Host = c.host })
		if status != c.status || header.Get("Content-Type") != c.contentType || c.body != "" && body != c.body {
			t.Errorf("%s: %d %q %q", c.name, status, header.Get("Content-Type"), body)
		}
		if header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: may be cached", c.name)
		}
	}
	status, _, _ := get(t, admin+"/healthz", func(r *http.Request) { r.Method = http.MethodPost })
	if status != 405 {
		t.Errorf("POST: %d", status)
	}
	if status, body := call(t, server, "tools/call", "echo", `"name":"echo","arguments":{"message":"x"}`); status != 200 {
		t.Fatalf("echo: %d %s", status, body)
	}
	if status, body := call(t, server, "tools/call", "nobody", `"name":"nobody"`); status != 400 {
		t.Fatalf("unknown tool: %d %s", status, body)
	}
	var before, after stats
	readJSON(t, admin+"/stats", &before)
	readJSON(t, admin+"/stats?gc=1", &after)
	if after.NumGC < before.NumGC+2 {
		t.Errorf("gc=1: %d collections, then %d", before.NumGC, after.NumGC)
	}
	for name, value := range map[string]float64{
		"goroutines": float64(after.Goroutines), "mallocs": float64(after.Mallocs), "total_alloc": float64(after.TotalAlloc),
		"heap_inuse": float64(after.HeapInuse), "heap_alloc": float64(after.HeapAlloc), "stack_inuse": float64(after.StackInuse), "gc_cpu_seconds": after.GCCPU,
	} {
		if value <= 0 {
			t.Errorf("%s: %v", name, value)
		}
	}
	deadline := time.Now().Add(patience)
	for after.Requests["complete"] < 1 || after.Requests["protocol_error"] < 1 { // an answer is settled once it has left
		if time.Now().After(deadline) {
			t.Fatalf("requests: %v", after.Requests)
		}
		readJSON(t, admin+"/stats", &after)
	}
	if len(after.Requests) != 11 || after.Active != 0 || after.Queued != 0 || after.Running != 0 || after.Zombies != 0 {
		t.Errorf("stats: %+v", after)
	}
	if status := p.end(t); status != exitOK {
		t.Errorf("exit status %d", status)
	}
}

func readJSON(t *testing.T, url string, into any) {
	t.Helper()
	status, header, body := get(t, url)
	if status != 200 || header.Get("Content-Type") != "application/json" {
		t.Fatalf("%s: %d %s", url, status, body)
	}
	if err := json.Unmarshal([]byte(body), into); err != nil {
		t.Fatal(err)
	}
}

// While calls finish, the process is alive and not ready; what was running is
// answered.
func TestReadinessWhileStopping(t *testing.T) {
	t.Parallel()
	p := serveInProcess(t, "--admin", "127.0.0.1:0", "--slots", "1")
	admin := "http://" + addr(p.line(t, "msg=admin"))
	server := "http://" + addr(p.line(t, "msg=listening")) + "/mcp"
	answered := make(chan string, 1)
	go func() {
		_, body := call(t, server, "tools/call", "stubborn", `"name":"stubborn","arguments":{"ms":2000}`)
		answered <- body
	}()
	waitFor(t, "a running call", func() bool {
		var s stats
		readJSON(t, admin+"/stats", &s)
		return s.Running == 1
	})
	p.stop()
	waitFor(t, "not ready", func() bool {
		status, _, body := get(t, admin+"/readyz")
		return status == 503 && body == "stopping\n"
	})
	if status, _, _ := get(t, admin+"/healthz"); status != 200 {
		t.Errorf("healthz while stopping: %d", status)
	}
	if status := p.end(t); status != exitOK {
		t.Errorf("exit status %d", status)
	}
	if body := <-answered; !strings.Contains(body, "slept") {
		t.Errorf("the running call was answered %s", body)
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// The log has the chosen form and level.
func TestLog(t *testing.T) {
	t.Parallel()
	t.Run("json", func(t *testing.T) {
		t.Parallel()
		p := serveInProcess(t, "--log-format", "json")
		var line struct{ Level, Msg, Addr, Path string }
		if err := json.Unmarshal([]byte(p.line(t, `"listening"`)), &line); err != nil {
			t.Fatal(err)
		}
		if line.Level != "INFO" || line.Addr == "" || line.Path != "/mcp" {
			t.Errorf("%+v", line)
		}
		p.end(t)
	})
	t.Run("only errors", func(t *testing.T) {
		t.Parallel()
		p := serveInProcess(t, "--log-level", "error")
		if status := p.end(t); status != exitOK || p.String() != "" {
			t.Errorf("exit status %d, logged %q", status, p)
		}
	})
}
