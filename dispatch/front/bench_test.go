package front

import (
	"bufio"
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// The request of the benchmarks: what a client of the 2026-07-28 revision sends.
var typicalBody = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)

var typicalHead = "POST /mcp HTTP/1.1\r\n" +
	"Host: 127.0.0.1:8080\r\n" +
	"User-Agent: client/1.0 (linux; amd64) node/24.1.0\r\n" +
	"Content-Type: application/json\r\n" +
	"Accept: application/json, text/event-stream\r\n" +
	"MCP-Protocol-Version: 2026-07-28\r\n" +
	"Mcp-Method: tools/call\r\n" +
	"Mcp-Name: echo\r\n" +
	"Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSIsImF1ZCI6Im1jcCJ9.MEUCIQDf\r\n" +
	"Accept-Encoding: gzip, deflate\r\n"

// loop is a connection that plays one request for ever, n times, and drops what
// is written.
type loop struct {
	request []byte
	n       int
}

func (l *loop) Read(b []byte) (int, error) {
	if l.n == 0 {
		return 0, net.ErrClosed
	}
	l.n--
	return copy(b, l.request), nil
}

func (l *loop) Write(b []byte) (int, error)      { return len(b), nil }
func (l *loop) Close() error                     { return nil }
func (l *loop) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (l *loop) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (l *loop) SetDeadline(time.Time) error      { return nil }
func (l *loop) SetReadDeadline(time.Time) error  { return nil }
func (l *loop) SetWriteDeadline(time.Time) error { return nil }

func typicalRequest() []byte {
	return append(fasthttp.AppendUint([]byte(typicalHead+"Content-Length: "), len(typicalBody)),
		append([]byte("\r\n\r\n"), typicalBody...)...)
}

// replier answers everything that passes group 4 with the same bytes.
type replier struct{ body []byte }

func (r *replier) Serve(x *Exchange) {
	if _, ok := x.Negotiate(); !ok {
		x.Bodyless(406, "")
		return
	}
	x.Reply(200, append(x.Scratch(), r.body...))
}

var typicalAnswer = bytes.Repeat([]byte("0123456789"), 30)

func BenchmarkServe(b *testing.B) {
	answer := func(ctx *fasthttp.RequestCtx) {
		ctx.SetContentType("application/json")
		ctx.SetBody(typicalAnswer)
	}
	configured := New(Config{Handler: &replier{typicalAnswer}, Date: fixedDate}).Server()
	configured.Handler = answer
	for _, bench := range []struct {
		name   string
		server *fasthttp.Server
	}{
		{"server=bare", &fasthttp.Server{
			Handler: answer, NoDefaultDate: true, NoDefaultServerHeader: true, NoDefaultContentType: true,
			DisableHeaderNamesNormalizing: true, DisablePreParseMultipartForm: true,
		}},
		{"server=configured", configured}, // as front has it, but for the handler
		{"server=front", New(Config{Handler: &replier{typicalAnswer}, Date: fixedDate}).Server()},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			conn := &loop{typicalRequest(), b.N}
			b.ResetTimer()
			if err := bench.server.ServeConn(conn); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func parsed(tb testing.TB, request []byte) *fasthttp.RequestCtx {
	tb.Helper()
	ctx := new(fasthttp.RequestCtx)
	ctx.Init2(&loop{}, silence{}, false)
	ctx.Request.Header.DisableNormalizing()
	if err := ctx.Request.Read(bufio.NewReaderSize(bytes.NewReader(request), 1<<17)); err != nil {
		tb.Fatal(err)
	}
	return ctx
}

func BenchmarkScan(b *testing.B) {
	ctx := parsed(b, typicalRequest())
	section := ctx.Request.Header.RawHeaders()
	b.ReportAllocs()
	var h Head
	for b.Loop() {
		h = Head{}
		if !h.scan(section) {
			b.Fatal("refused")
		}
	}
}

func BenchmarkHandle(b *testing.B) {
	ctx := parsed(b, typicalRequest())
	front := New(Config{Handler: &replier{typicalAnswer}, Date: fixedDate})
	b.ReportAllocs()
	for b.Loop() {
		front.serve(ctx, true)
	}
}

func BenchmarkStartResponse(b *testing.B) {
	ctx := parsed(b, typicalRequest())
	front := New(Config{Handler: &replier{typicalAnswer}, Date: fixedDate})
	b.ReportAllocs()
	for b.Loop() {
		front.startResponse(ctx, true, 200, true)
	}
}

func fixedDate() []byte { return theDate }

var theDate = []byte("Fri, 09 Oct 2026 12:00:00 GMT")
