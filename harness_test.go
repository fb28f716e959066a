package troupe_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/troupe-mcp/troupe"
)

func TestMain(m *testing.M) {
	// The handlers that some tests leave blocked are released before they end,
	// so there is nothing to ignore.
	goleak.VerifyTestMain(m)
}

// patience is how long a test waits for what should happen at once.
const patience = 20 * time.Second

var modern = []troupe.ProtocolVersion{troupe.V20260728}

// A world is a running server and what it said.
type world struct {
	*troupe.Server
	addr     string
	log      *lines
	observed *recorder
	stop     func() error // ends the server, waits, returns Run's error
}

// start runs a server with these tools; alter may change its configuration.
func start(t *testing.T, features []troupe.Feature, alter ...func(*troupe.Config)) *world {
	t.Helper()
	w := &world{log: &lines{}, observed: newRecorder()}
	config := troupe.Config{
		Addr: "127.0.0.1:0",
		Endpoints: []troupe.Endpoint{{
			Path: "/mcp", Info: troupe.Implementation{Name: "test", Version: "1"}, Versions: modern,
			Features: []troupe.Feature{troupe.For(modern, features...)},
		}},
		Observer: w.observed,
		Logger:   slog.New(slog.NewTextHandler(w.log, nil)),
	}
	for _, a := range alter {
		a(&config)
	}
	server, err := troupe.NewServer(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	w.Server, w.addr = server, server.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	var once sync.Once
	var result error
	w.stop = func() error {
		once.Do(func() {
			cancel()
			select {
			case result = <-ended:
			case <-time.After(patience):
				result = errors.New("the server did not stop")
			}
		})
		return result
	}
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return w
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A recorder is an observer that remembers.
type recorder struct {
	mu     sync.Mutex
	events []troupe.Event
	more   chan struct{} // holds a token after each event
}

func newRecorder() *recorder { return &recorder{more: make(chan struct{}, 1)} }

func (r *recorder) Observe(e troupe.Event) {
	r.mu.Lock()
	r.events = append(r.events, e)
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// outcomes waits until n requests have ended and returns how.
func (r *recorder) outcomes(t *testing.T, n int) []troupe.Outcome {
	t.Helper()
	deadline := time.After(patience)
	for {
		var found []troupe.Outcome
		r.mu.Lock()
		for _, e := range r.events {
			if e.Kind == troupe.RequestEnded {
				found = append(found, e.Outcome)
			}
		}
		r.mu.Unlock()
		if len(found) >= n {
			return found
		}
		select {
		case <-r.more:
		case <-deadline:
			t.Fatalf("outcomes after %v: %v, want %d", patience, found, n)
		}
	}
}

// eventually polls a condition that other goroutines bring about.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// A message is a request under construction: a sound one, altered by tests.
type message struct {
	verb, target string
	headers      []string // "Name: value"; Host and Content-Length are added where missing
	body         string
}

// request returns a sound request of a method with further params.
func request(id, method, params string, headers ...string) message {
	if params != "" {
		params += ","
	}
	return message{
		verb: "POST", target: "/mcp",
		headers: append([]string{
			"Content-Type: application/json", "Accept: application/json, text/event-stream",
			"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method,
		}, headers...),
		body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s%s}}`, id, method, params, meta),
	}
}

// toolCall returns a sound tools/call.
func toolCall(id, name, arguments string) message {
	params := fmt.Sprintf(`"name":%q`, name)
	if arguments != "" {
		params += `,"arguments":` + arguments
	}
	return request(id, "tools/call", params, "Mcp-Name: "+name)
}

// with returns the message with a header replaced, or added.
func (m message) with(name, value string) message {
	return m.without(name).plus(name + ": " + value)
}

// plus returns the message with one more header line.
func (m message) plus(line string) message {
	m.headers = append(append([]string{}, m.headers...), line)
	return m
}

// without returns the message without a header.
func (m message) without(name string) message {
	var kept []string
	for _, h := range m.headers {
		if n, _, _ := strings.Cut(h, ":"); !strings.EqualFold(n, name) {
			kept = append(kept, h)
		}
	}
	m.headers = kept
	return m
}

// saying returns the message with another body.
func (m message) saying(body string) message {
	m.body = body
	return m
}

// replace returns the message with part of its body replaced.
func (m message) replace(old, new string) message {
	if !strings.Contains(m.body, old) {
		panic("harness: the body lacks " + old)
	}
	m.body = strings.ReplaceAll(m.body, old, new)
	return m
}

func (m message) raw(addr string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", m.verb, m.target)
	host, length := true, true
	for _, h := range m.headers {
		name, _, _ := strings.Cut(h, ":")
		host = host && !strings.EqualFold(name, "Host")
		length = length && !strings.EqualFold(name, "Content-Length") && !strings.EqualFold(name, "Transfer-Encoding")
		b.WriteString(h + "\r\n")
	}
	if host {
		b.WriteString("Host: " + addr + "\r\n")
	}
	if length && (m.body != "" || m.verb == "POST") {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(m.body))
	}
	return b.String() + "\r\n" + m.body
}

// A client is one connection.
type client struct {
	net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &client{conn, bufio.NewReader(conn)}
}

func (c *client) send(t *testing.T, raw string) {
	t.Helper()
	if _, err := io.WriteString(c.Conn, raw); err != nil {
		t.Fatal(err)
	}
}

// A reply is a response with its body read.
type reply struct {
	status int
	header http.Header
	body   string
	close  bool
}

func (c *client) read(t *testing.T, verb string) reply {
	t.Helper()
	r, err := c.tryRead(verb)
	if err != nil {
		t.Fatalf("read response: %v", err)
	}
	return r
}

func (c *client) tryRead(verb string) (reply, error) {
	response, err := http.ReadResponse(c.r, &http.Request{Method: verb})
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header, string(body), response.Close}, err
}

// ask sends one message on a connection of its own.
func (w *world) ask(t *testing.T, m message) reply {
	t.Helper()
	c := dial(t, w.addr)
	defer c.Close()
	c.send(t, m.raw(w.addr))
	return c.read(t, m.verb)
}

// closed reads until the server closes and returns what came.
func (c *client) closed(t *testing.T) string {
	t.Helper()
	rest, err := io.ReadAll(c.r)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the server did not close the connection")
	}
	return string(rest)
}

func newReader(conn net.Conn) *client { return &client{conn, bufio.NewReader(conn)} }
