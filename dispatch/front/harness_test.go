package front

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/troupe-mcp/troupe/streams/socket"
)

// patience bounds every wait of the tests.
const patience = 20 * time.Second

// small are limits that messages in a table can reach.
var small = Limits{Target: 64, HeaderBytes: 640, Headers: 12, Body: 128}

// A scribe is a Handler that answers by target and notes whom it served.
type scribe struct {
	mu     sync.Mutex
	served map[string][]string // "METHOD target" by client address
}

func (s *scribe) Serve(x *Exchange) {
	target := string(x.Target())
	s.mu.Lock()
	if s.served == nil {
		s.served = map[string][]string{}
	}
	client := x.Ctx().RemoteAddr().String()
	s.served[client] = append(s.served[client], string(x.Method())+" "+target)
	s.mu.Unlock()
	switch target {
	case "/mcp":
		kind, ok := x.Negotiate()
		switch {
		case ok:
			x.Reply(http.StatusOK, append(fasthttp.AppendUint(append(x.Scratch(), `{"bytes":`...), len(x.Body())), '}'))
		case kind.Status() == http.StatusMethodNotAllowed:
			x.Bodyless(kind.Status(), "POST")
		default:
			x.Bodyless(kind.Status(), "")
		}
	case "/notification", markerTarget:
		x.Bodyless(http.StatusAccepted, "")
	case "/preflight":
		x.Bodyless(http.StatusNoContent, "")
	case "/deadline":
		x.Bodyless(http.StatusGatewayTimeout, "")
	case "/stopping":
		x.CloseAfter()
		x.ReplyStatic(http.StatusServiceUnavailable, []byte(`{"jsonrpc":"2.0"}`))
	case "/silent":
	default:
		x.Bodyless(http.StatusNotFound, "")
	}
}

func (s *scribe) of(client net.Addr) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served[client.String()]
}

// The marker is a request behind a request: it must be answered as itself or
// not at all, and ends its connection.
const (
	markerTarget = "/marker"
	marker       = "POST /marker HTTP/1.1\r\nHost: marker\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)

// A host is a running server.
type host struct {
	*scribe
	mount    mount
	front    *Front
	address  string
	listener *socket.Listener // nil without one
}

type mount int

const (
	onSocket  mount = iota // as it is meant
	onPlain                // our server on a listener of package net
	onForeign              // someone else's server with its own defaults
)

func (m mount) String() string { return [...]string{"socket", "plain", "foreign"}[m] }

func start(t *testing.T, m mount, limits Limits) *host {
	t.Helper()
	h := &host{scribe: &scribe{}, mount: m}
	h.front = New(Config{Handler: h.scribe, Limits: limits, Date: fixedDate})
	h.listen(t, m, socket.Limits{Target: limits.Target, HeaderBytes: limits.HeaderBytes, Headers: limits.Headers, Body: limits.Body})
	return h
}

func (h *host) listen(t *testing.T, m mount, limits socket.Limits) {
	t.Helper()
	server, listener := h.front.Server(), listenTCP(t)
	h.address = listener.Addr().String()
	switch m {
	case onSocket:
		var err error
		h.listener, err = socket.Listen(listener, socket.Config{
			Limits: limits,
			Answer: func(status int) []byte { return EarlyResponse(status, theDate) },
		})
		if err != nil {
			t.Fatal(err)
		}
		listener = h.listener
	case onForeign:
		server = &fasthttp.Server{
			Handler: h.front.Handle, Logger: silence{}, MaxIdleWorkerDuration: 50 * time.Millisecond,
			// fasthttp's own date runs on a goroutine that never ends, which no
			// test may leave behind; its own error handler brings the date back.
			NoDefaultDate: true,
			ErrorHandler: func(ctx *fasthttp.RequestCtx, _ error) {
				ctx.SetStatusCode(http.StatusBadRequest)
				ctx.SetBodyString(foreignText)
			},
		}
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if h.listener != nil {
			_ = h.listener.StopAccepting()
			h.listener.CloseAll()
		}
		if err := server.ShutdownWithContext(ctx); err != nil {
			t.Error(err)
		}
		_ = listener.Close()
		if err := <-done; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}

func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	return conn
}

// exchange sends bytes and returns all that comes back until the server closes.
func exchange(t *testing.T, conn net.Conn, request string) []byte {
	t.Helper()
	write := make(chan struct{})
	go func() {
		defer close(write)
		_, _ = io.WriteString(conn, request) // the server may refuse before it has read all
	}()
	response, err := io.ReadAll(conn)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("read: %v after %q", err, response)
	}
	_ = conn.Close()
	<-write
	return response
}

// foreignText is what the foreign server of the tests answers by itself.
const foreignText = "Error when parsing request"

// A reply is one response as read off a connection.
type reply struct {
	status int
	header http.Header
	body   string
}

// replies reads the responses to requests with the given methods; interim
// responses are left out. It checks what holds for each: one no-store, one
// Date, nothing of the request, and no body or type where there is none to be.
func (h *host) replies(t *testing.T, raw []byte, methods ...string) []reply {
	t.Helper()
	var all []reply
	rest := bufio.NewReader(bytes.NewReader(raw))
	for {
		if _, err := rest.Peek(1); err != nil {
			break
		}
		method := http.MethodPost
		if len(all) < len(methods) {
			method = methods[len(all)]
		}
		response, err := http.ReadResponse(rest, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%v in %q", err, raw)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatalf("%v in %q", err, raw)
		}
		if response.StatusCode == http.StatusContinue {
			continue
		}
		if h.mount == onForeign && string(body) == foreignText && response.Close {
			all = append(all, reply{response.StatusCode, http.Header{"Connection": {"close"}}, ""})
			continue // someone else's server, in its own words
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "Date": string(theDate)} {
			if got := response.Header[name]; len(got) != 1 || got[0] != want {
				t.Errorf("%s is %q in %q", name, got, raw)
			}
		}
		if (len(body) > 0) != (response.Header.Get("Content-Type") == "application/json") || len(response.Header["Content-Type"]) > 1 {
			t.Errorf("body %q as %q", body, response.Header["Content-Type"])
		}
		if strings.Contains(strings.ToLower(string(raw)), "canary") {
			t.Errorf("echo in %q", raw)
		}
		header := response.Header
		if response.Close {
			header.Set("Connection", "close")
		}
		all = append(all, reply{response.StatusCode, header, string(body)})
	}
	return all
}
