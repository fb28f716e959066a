package socket

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// patience bounds every wait of a test.
const patience = 10 * time.Second

// A world is a listener on loopback with a fasthttp server on it.
type world struct {
	*Listener
	t      testing.TB
	server *fasthttp.Server
	clock  *clock
	counts *counts
	served chan error
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

type counts struct {
	accepted, rejected atomic.Int64
	mu                 sync.Mutex
	failures           map[Reason]int
}

func (c *counts) ConnectionAccepted() { c.accepted.Add(1) }
func (c *counts) ConnectionRejected() { c.rejected.Add(1) }
func (c *counts) TransportFailure(r Reason) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures[r]++
}

func (c *counts) failed(r Reason) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures[r]
}

// echo answers with what the server understood: method, target, body.
func echo(ctx *fasthttp.RequestCtx) {
	fmt.Fprintf(ctx, "%s %s %q", ctx.Method(), ctx.RequestURI(), ctx.PostBody())
}

type option func(*Config, *fasthttp.Server)

func withLimits(l Limits) option {
	return func(cfg *Config, _ *fasthttp.Server) { cfg.Limits = l }
}

func withBuffer(n int) option {
	return func(_ *Config, s *fasthttp.Server) { s.ReadBufferSize = n }
}

func setup(t testing.TB, handler fasthttp.RequestHandler, options ...option) *world {
	t.Helper()
	return setupWatch(t, handler, newWatch, options...)
}

func setupWatch(t testing.TB, handler fasthttp.RequestHandler, watch func(func(index, generation uint32)) (watch, error), options ...option) *world {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t:      t,
		clock:  &clock{now: time.Unix(1_700_000_000, 0)},
		counts: &counts{failures: map[Reason]int{}},
		served: make(chan error, 1),
	}
	w.server = &fasthttp.Server{
		Handler:                       handler,
		ReadBufferSize:                80 << 10,
		MaxRequestBodySize:            8 << 20,
		NoDefaultDate:                 true,
		NoDefaultServerHeader:         true,
		DisableHeaderNamesNormalizing: true,
		DisablePreParseMultipartForm:  true,
		SecureErrorLogMessage:         true,
		KeepHijackedConns:             true,
		MaxIdleWorkerDuration:         50 * time.Millisecond,
		Logger:                        silent{},
		ErrorHandler: func(ctx *fasthttp.RequestCtx, err error) {
			ctx.SetStatusCode(http.StatusBadRequest)
			ctx.Response.Header.Set("X-Fasthttp", "error")
		},
	}
	cfg := Config{Events: w.counts, Now: w.clock.Now}
	for _, o := range options {
		o(&cfg, w.server)
	}
	if w.Listener, err = listen(inner, cfg, watch); err != nil {
		t.Fatal(err)
	}
	go func() { w.served <- w.server.Serve(w.Listener) }()
	t.Cleanup(w.end)
	return w
}

func (w *world) end() {
	_ = w.StopAccepting()
	w.CloseAll()
	if err := <-w.served; err != nil {
		w.t.Errorf("Serve: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.server.ShutdownWithContext(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		w.t.Errorf("Shutdown: %v", err)
	}
	if err := w.Close(); err != nil {
		w.t.Errorf("Close: %v", err)
	}
	// The server counts a connection as done a moment before it closes it.
	until(w.t, "gauges are zero", func() bool { return w.Gauges() == Gauges{} })
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// A client is one raw connection.
type client struct {
	*net.TCPConn
	t testing.TB
	r *bufio.Reader
}

func (w *world) dial() *client {
	w.t.Helper()
	c, err := net.Dial("tcp", w.Addr().String())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return &client{c.(*net.TCPConn), w.t, bufio.NewReader(c)}
}

func (c *client) send(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.TCPConn, s); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// answer reads one response and returns its status and body.
func (c *client) answer() (int, string) {
	c.t.Helper()
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		c.t.Fatalf("answer: %v", err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatalf("answer body: %v", err)
	}
	return resp.StatusCode, string(body)
}

// rest reads to the end of the connection. A reset counts as an end.
func (c *client) rest() string {
	c.t.Helper()
	var all bytes.Buffer
	if _, err := all.ReadFrom(c.r); err != nil {
		if t := net.Error(nil); errors.As(err, &t) && t.Timeout() {
			c.t.Fatalf("connection still open after %q", all.String())
		}
	}
	return all.String()
}

// until waits for a condition that some other goroutine brings about.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline.C:
			t.Fatalf("timed out: %s", what)
		case <-tick.C:
		}
	}
}

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }
