package troupe_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fasthttp/fasthttputil"

	"github.com/troupe-mcp/troupe"
)

// TestOwnListener: an ordinary HTTP server in the process and this one know
// nothing of each other. // T-01
func TestOwnListener(t *testing.T) {
	t.Parallel()
	routes := http.NewServeMux()
	routes.HandleFunc("/ordinary", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	ordinary := httptest.NewServer(routes)
	defer ordinary.Close()
	ordinary.Config.SetKeepAlivesEnabled(false)
	w := start(t, nil)
	discover := request("1", "server/discover", "")
	route := discover
	route.target = "/ordinary"
	for _, c := range []struct {
		name, addr string
		message    message
		status     int
	}{
		{"its own route on the ordinary server", ordinary.Listener.Addr().String(), route, http.StatusTeapot},
		{"the MCP path on the ordinary server", ordinary.Listener.Addr().String(), discover, 404},
		{"an ordinary route on the MCP server", w.addr, route, 404},
		{"the MCP path on the MCP server", w.addr, discover, 200},
	} {
		client := dial(t, c.addr)
		client.send(t, c.message.raw(c.addr))
		if r := client.read(t, "POST"); r.status != c.status {
			t.Errorf("%s: status %d, want %d", c.name, r.status, c.status)
		}
		_ = client.Close()
	}
}

// TestDefaultAddress: without an address the server binds to loopback. // T-02
func TestDefaultAddress(t *testing.T) {
	t.Parallel()
	server, err := troupe.NewServer(troupe.Config{Endpoints: []troupe.Endpoint{{
		Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if server.Addr() != nil {
		t.Errorf("an address before Listen: %v", server.Addr())
	}
	const want = "127.0.0.1:8080"
	if err := server.Listen(); err != nil {
		// Somebody else has the port; which one was wanted is in the error.
		if !strings.Contains(err.Error(), want) {
			t.Errorf("Listen: %v", err)
		}
	} else if got := server.Addr().String(); got != want {
		t.Errorf("bound to %s, want %s", got, want)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestUsedOnce: a server that has been shut down opens and starts nothing.
func TestUsedOnce(t *testing.T) {
	t.Parallel()
	server, err := troupe.NewServer(troupe.Config{Addr: "127.0.0.1:0", Endpoints: []troupe.Endpoint{{
		Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{"Listen": server.Listen(), "Start": server.Start(), "Run": server.Run(t.Context())} {
		if err == nil || !strings.Contains(err.Error(), "used before") {
			t.Errorf("%s after Shutdown: %v", name, err)
		}
	}
	if server.Addr() != nil {
		t.Errorf("an address: %v", server.Addr())
	}
}

// TestNoTLS: the listener speaks no TLS. A handshake fails, is answered by
// nothing that looks like TLS, and costs nobody else anything. // NO-15
func TestNoTLS(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	raw := dial(t, w.addr)
	seen := &tap{Conn: raw.Conn}
	shake := tls.Client(seen, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12})
	if err := shake.HandshakeContext(t.Context()); err == nil {
		t.Error("a TLS handshake succeeds")
	}
	_ = raw.SetReadDeadline(time.Now().Add(patience))
	raw.closed(t)
	if got := seen.String(); got != "" && !strings.HasPrefix(got, "HTTP/1.1 400 ") {
		t.Errorf("answered %q", got)
	}
	checkReply(t, w.ask(t, request("1", "server/discover", "")), want{status: 200})
}

// A tap keeps what is read from a connection.
type tap struct {
	net.Conn
	b bytes.Buffer
}

func (c *tap) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.b.Write(p[:n])
	return n, err
}

func (c *tap) String() string { return c.b.String() }

// TestEqualIDs: what two clients call their requests is their own affair: equal
// ids, as text or as numbers, are in flight at once and each gets its own
// result. // T-30
func TestEqualIDs(t *testing.T) {
	t.Parallel()
	const calls = 6
	for _, id := range []string{`1`, `"1"`, `"same"`} {
		entered, release := make(chan struct{}, calls), make(chan struct{})
		w := start(t, []troupe.Feature{troupe.Tool(troupe.ToolInfo{Name: "wait"},
			func(_ context.Context, _ troupe.Call, in echoIn) (string, error) {
				entered <- struct{}{}
				<-release
				return in.Message, nil
			})}, func(c *troupe.Config) { c.Limits.Slots = calls })
		var clients []*client
		for i := range calls {
			c := dial(t, w.addr)
			c.send(t, toolCall(id, "wait", `{"message":"for `+string(rune('a'+i))+`"}`).raw(w.addr))
			clients = append(clients, c)
		}
		for range calls {
			<-entered
		}
		close(release)
		for i, c := range clients {
			checkReply(t, c.read(t, "POST"), want{status: 200, contains: []string{`"id":` + id + `,`, `"text":"for ` + string(rune('a'+i)) + `"`}})
		}
	}
}

// TestHandlerWithoutSocket: Server.Handler serves on any fasthttp server, here
// one without sockets, and each request is counted once. // OB-01
func TestHandlerWithoutSocket(t *testing.T) {
	t.Parallel()
	var handled atomic.Int64
	server, err := troupe.NewServer(troupe.Config{Logger: slog.New(slog.DiscardHandler), Endpoints: []troupe.Endpoint{{
		Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
		Features: []troupe.Feature{troupe.For(modern, tools(&handled)...)},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Errorf("started twice: %v", err)
	}
	foreign := &fasthttp.Server{Handler: server.Handler(), NoDefaultDate: true, MaxIdleWorkerDuration: 10 * time.Millisecond}
	listener := fasthttputil.NewInmemoryListener()
	served := make(chan error, 1)
	go func() { served <- foreign.Serve(listener) }()
	conn, err := listener.Dial()
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	c := newReader(conn)
	for _, m := range []struct {
		message message
		want    want
	}{
		{toolCall("1", "echo", `{"message":"no socket"}`), want{status: 200, contains: []string{"no socket"}}},
		{toolCall("2", "fail", `{"kind":"panic"}`), want{status: 200, code: "-32603", contains: []string{`"id":2`}}},
		{toolCall("3", "nope", ``), want{status: 400, code: "-32602"}},
		{request("4", "server/discover", ""), want{status: 200, contains: []string{`"id":4`}}},
	} {
		c.send(t, m.message.raw("in.memory"))
		checkReply(t, c.read(t, "POST"), m.want)
	}
	_ = conn.Close()
	eventually(t, "every request has ended", func() bool { return server.Gauges().Active == 0 })
	for outcome, n := range map[troupe.Outcome]int64{
		troupe.OutcomeComplete: 2, troupe.OutcomeInternalError: 1, troupe.OutcomeProtocolError: 1,
	} {
		if got := server.Ended(outcome); got != n {
			t.Errorf("%v: %d, want %d", outcome, got, n)
		}
	}
	if err := foreign.Shutdown(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
