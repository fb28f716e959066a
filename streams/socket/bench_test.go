package socket

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// message is a request of about 600 bytes as an MCP client sends it.
var message = func() string {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	head := "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: node\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n" +
		"Authorization: Bearer " + strings.Repeat("t", 80) + "\r\nAccept-Encoding: gzip, deflate, br\r\nAccept-Language: en\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	return head + body
}()

// memory is an inner connection that costs nothing.
type memory struct {
	net.Conn
	in []byte
}

func (m *memory) Read(p []byte) (int, error)      { return copy(p, m.in), nil }
func (m *memory) Write(p []byte) (int, error)     { return len(p), nil }
func (m *memory) Close() error                    { return nil }
func (m *memory) RemoteAddr() net.Addr            { return &net.TCPAddr{} }
func (m *memory) SetReadDeadline(time.Time) error { return nil }

func BenchmarkFramer(b *testing.B) {
	limits, _ := Limits{}.withDefaults()
	f := framer{limits: &limits}
	in := []byte(message)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		f.reset()
		if n, v := f.feed(in); n != len(in) || v != feedDone {
			b.Fatal(n, v)
		}
	}
}

type nobody struct{}

func (*nobody) Gone()         {}
func (*nobody) Settled(error) {}

func bare(t testing.TB) *Listener {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(inner, Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// One request and its answer over an inner connection that costs nothing.
func BenchmarkConn(b *testing.B) {
	for _, bench := range []struct {
		name   string
		attach bool
	}{{"plain", false}, {"exchange", true}} {
		b.Run(bench.name, func(b *testing.B) {
			c := bare(b).admit(&memory{in: []byte(message)})
			p := make([]byte, 80<<10)
			answer := make([]byte, 300)
			x := &nobody{}
			b.ReportAllocs()
			for b.Loop() {
				if n, err := c.Read(p); n != len(message) || err != nil {
					b.Fatal(n, err)
				}
				if bench.attach {
					c.Attach(x)
					c.Claim(x)
				}
				if _, err := c.Write(answer); err != nil {
					b.Fatal(err)
				}
			}
			_ = c.Close()
		})
	}
}

// The same over loopback, with the bare connection to compare with.
func BenchmarkLoopback(b *testing.B) {
	for _, name := range []string{"bare", "socket"} {
		b.Run(name, func(b *testing.B) {
			l := bare(b)
			client, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			accepted, err := l.Accept()
			if err != nil {
				b.Fatal(err)
			}
			server := accepted
			if name == "bare" {
				server = accepted.(*Conn).inner
			}
			p, q, in, answer := make([]byte, 80<<10), make([]byte, 1000), []byte(message), make([]byte, 300)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = client.Write(in)
				if n, err := server.Read(p); n != len(in) || err != nil {
					b.Fatal(n, err)
				}
				if _, err := server.Write(answer); err != nil {
					b.Fatal(err)
				}
				_, _ = client.Read(q)
			}
			_, _ = client.Close(), accepted.Close()
		})
	}
}
