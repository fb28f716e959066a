package socket

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// seeds gives a fuzz target every message of the framing table, alone and in pairs.
func seeds(add func(in []byte)) {
	cases := frameCases()
	for i, c := range cases {
		add([]byte(c.in))
		add([]byte(c.in + cases[(i+7)%len(cases)].in))
	}
	add([]byte(message))
	add([]byte("\r\n" + message + "\r\n" + message))
	add([]byte(get + "Trailer: Host\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
	add([]byte("GET //a HTTP/1.1\r\nHost: [::1\r\n\r\n"))
	add([]byte("CONNECT a:1 HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n"))
}

// refusals are what fasthttp refuses of a head whose framing is sound. It
// answers these with an error and closes.
var refusals = []string{
	"missing required host header", "too many host headers", "invalid request uri", "forbidden trailer", "invalid uri", "in host", "invalid scheme", "invalid port", "invalid host", "invalid url escape", "zone",
}

func aboveFraming(err error) bool {
	for _, text := range refusals {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// parse reads one request the way fasthttp's server does.
func parse(in []byte) (body []byte, left string, err error) {
	r := bufio.NewReaderSize(bytes.NewReader(in), 128<<10)
	var req fasthttp.Request
	req.Header.DisableNormalizing()
	if err = req.ReadLimitBody(r, 1<<20); err == nil && req.MayContinue() {
		err = req.ContinueReadBody(r, 1<<20, false)
	}
	if err != nil {
		return nil, "", err
	}
	rest, _ := io.ReadAll(r)
	return bytes.Clone(req.Body()), string(rest), nil
}

// FuzzFramer: what the framer takes for one request, fasthttp takes for one request with
// the same bytes and the same body as net/http sees, or refuses for what its head
// means. And the verdict does not depend on where the bytes are cut.
func FuzzFramer(f *testing.F) {
	seeds(func(in []byte) { f.Add(in, uint16(3)) })
	small := tableLimits()
	large, _ := Limits{Body: 1 << 20}.withDefaults()
	f.Fuzz(func(t *testing.T, in []byte, cut uint16) {
		for _, limits := range []*Limits{&small, &large} {
			n, verdict := frameAll(limits, in, func(int) int { return len(in) })
			for _, size := range []int{1, int(cut%64) + 1, int(cut) + 1} {
				m, v := frameAll(limits, in, func(at int) int {
					if size == 1 || at > 0 {
						return size
					}
					return int(cut)%len(in) + 1
				})
				if v != verdict || m != n {
					t.Fatalf("in pieces of %d: %d bytes, verdict %d; whole: %d bytes, verdict %d", size, m, v, n, verdict)
				}
			}
			if verdict != feedDone {
				continue
			}
			request := in[:n]
			if skip := (&framer{limits: limits}).skip(request); skip > 0 {
				request = request[skip:]
			}
			body, left, err := parse(append(slices.Clip(request), marker...))
			if err != nil {
				if !aboveFraming(err) {
					t.Fatalf("fasthttp refuses %q: %v", request, err)
				}
				continue
			}
			if left != marker {
				t.Fatalf("fasthttp leaves %q of %q", left, request)
			}
			req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
			if err != nil {
				continue // net/http is stricter about some values
			}
			want, err := io.ReadAll(req.Body)
			if err != nil || !bytes.Equal(body, want) {
				t.Fatalf("body %q, net/http says %q (%v)", body, want, err)
			}
		}
	})
}

// A script is an inner connection that hands out given bytes in pieces.
type script struct {
	in    []byte
	piece int
	out   bytes.Buffer
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.in) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.piece)], s.in)
	s.in = s.in[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error)      { return s.out.Write(p) }
func (s *script) Close() error                     { return nil }
func (s *script) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (s *script) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// FuzzConn: over a whole connection with fasthttp behind it, the handler sees
// exactly the requests that the framer alone finds, in order, up to the first one
// that is refused, and every one has one answer.
func FuzzConn(f *testing.F) {
	seeds(func(in []byte) { f.Add(in, uint16(3), false) })
	limits, _ := Limits{Target: 64, HeaderBytes: 1024, Headers: 12, Body: 2000, BodyBudget: segmentSize}.withDefaults()
	f.Fuzz(func(t *testing.T, in []byte, piece uint16, small bool) {
		var want [][]byte
		for rest := in; len(rest) > 0; {
			n, verdict := frameAll(&limits, rest, func(int) int { return len(rest) })
			if verdict != feedDone {
				break
			}
			request := rest[:n]
			request = request[(&framer{limits: &limits}).skip(request):]
			want = append(want, request)
			rest = rest[n:]
		}

		l := &Listener{limits: limits, answer: defaultAnswer, epoch: time.Now(), watch: peekWatch{}, addresses: map[addressKey]int{}}
		s := &script{in: in, piece: int(piece) + 1}
		c := l.admit(s)
		var got int
		server := &fasthttp.Server{
			Logger: silent{}, ReadBufferSize: 4096, MaxRequestBodySize: 4096, NoDefaultDate: true, DisableHeaderNamesNormalizing: true, DisablePreParseMultipartForm: true,
			Handler: func(ctx *fasthttp.RequestCtx) {
				if got == len(want) {
					t.Fatalf("one request too many: %q", ctx.Request.String())
				}
				body, _, err := parse(want[got])
				if err != nil || !bytes.Equal(body, ctx.PostBody()) {
					t.Fatalf("request %d has the body %q, want %q of %q (%v)", got, ctx.PostBody(), body, want[got], err)
				}
				if method, _, _ := bytes.Cut(want[got], []byte(" ")); !bytes.Equal(method, ctx.Method()) {
					t.Fatalf("request %d has the method %q, want %q", got, ctx.Method(), want[got])
				}
				got++
			},
			ErrorHandler: func(ctx *fasthttp.RequestCtx, err error) {
				if got >= len(want) || !aboveFraming(err) {
					t.Fatalf("fasthttp refuses after %d of %d requests: %v", got, len(want), err)
				}
				ctx.SetStatusCode(400)
			},
		}
		if small {
			server.ReadBufferSize = 1500 // the head fits, the body need not
		}
		_ = server.ServeConn(c)
		if l.Gauges() != (Gauges{}) {
			t.Fatalf("%+v", l.Gauges())
		}
		if n := bytes.Count(s.out.Bytes(), []byte("Content-Length")); n > got+1 {
			t.Fatalf("%d answers to %d requests", n, got)
		}
	})
}
