package troupe

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/streams/socket"
)

// An endless is a connection whose peer sends the same request n times and
// reads nothing.
type endless struct {
	request []byte
	left    int
	done    chan struct{}
}

func (c *endless) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	c.left--
	return copy(p, c.request), nil
}

func (c *endless) Write(p []byte) (int, error) { return len(p), nil }
func (c *endless) Close() error                { return nil }
func (c *endless) LocalAddr() net.Addr         { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (c *endless) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
func (c *endless) SetDeadline(time.Time) error      { return nil }
func (c *endless) SetReadDeadline(time.Time) error  { return nil }
func (c *endless) SetWriteDeadline(time.Time) error { return nil }

// one is a listener with one connection.
type one struct {
	conn net.Conn
	end  chan struct{}
}

func (l *one) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.end
	return nil, errors.New("closed")
}

func (l *one) Close() error   { return nil }
func (l *one) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

type benchEcho struct {
	Message string `json:"message"`
}

type benchSum struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

type benchTotal struct {
	Sum int64 `json:"sum"`
}

func benchServer(tb testing.TB, slotWorkers bool) *Server {
	versions := []ProtocolVersion{V20260728}
	server, err := NewServer(Config{
		DisableFastLane: slotWorkers, Logger: slog.New(slog.DiscardHandler),
		Endpoints: []Endpoint{{
			Path: "/mcp", Info: Implementation{Name: "bench", Version: "1"}, Versions: versions,
			Features: []Feature{For(versions,
				Tool(ToolInfo{Name: "echo"}, func(_ context.Context, _ Call, in benchEcho) (string, error) { return in.Message, nil }),
				Tool(ToolInfo{Name: "sum"}, func(_ context.Context, _ Call, in benchSum) (benchTotal, error) { return benchTotal{in.A + in.B}, nil }),
			)},
		}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	if err := server.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return server
}

// serveMany serves the same request n times on one connection without a
// network.
func serveMany(tb testing.TB, server *Server, request string, n int) {
	listener, err := socket.Listen(&one{conn: &endless{request: []byte(request), left: n}, end: make(chan struct{})}, socket.Config{
		Answer: func(status int) []byte { return front.EarlyResponse(status, nil) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	if err := server.front.Server().ServeConn(conn); err != nil {
		tb.Error(err)
	}
	_ = conn.Close()
	if err := listener.Close(); err != nil {
		tb.Error(err)
	}
}

func benchRequest(method, name, params string) string {
	body := `{"jsonrpc":"2.0","id":1234567,"method":"` + method + `","params":{` + params +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"loadgen","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	mirror := ""
	if name != "" {
		mirror = "Mcp-Name: " + name + "\r\n"
	}
	return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n" + mirror + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

var benchRequests = []struct{ name, request string }{
	{"echo", benchRequest("tools/call", "echo", `"name":"echo","arguments":{"message":"msg-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnop"},`)},
	{"sum", benchRequest("tools/call", "sum", `"name":"sum","arguments":{"a":1234,"b":5678},`)},
	{"list", benchRequest("tools/list", "", "")},
}

// BenchmarkRequest is the server's own cost of a request, from the connection
// wrapper to the answer's bytes, without the kernel.
func BenchmarkRequest(b *testing.B) {
	for _, slotWorkers := range []bool{false, true} {
		lane := "lane=fast"
		if slotWorkers {
			lane = "lane=worker"
		}
		for _, r := range benchRequests {
			b.Run("call="+r.name+"/"+lane, func(b *testing.B) {
				server := benchServer(b, slotWorkers)
				serveMany(b, server, r.request, 1000)
				b.ReportAllocs()
				b.ResetTimer()
				serveMany(b, server, r.request, b.N)
			})
		}
	}
}
