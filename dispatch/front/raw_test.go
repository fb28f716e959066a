package front

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const (
	jsonFields = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
	post       = "POST /mcp HTTP/1.1\r\nHost: h\r\n"
	smuggled   = "GET /smuggled HTTP/1.1\r\nHost: s\r\n\r\n"
)

// A message is raw bytes and what has to come of them. A marker request is sent
// right behind: answered as itself on a connection that stays open, and not
// seen by anybody on one that closes.
type message struct {
	name, raw string
	// want has the statuses of the answers, then "open" or "close".
	want string
	// plain is want where our server runs without a socket.Listener, and
	// foreign where Handle is in someone else's; each where it differs, "-"
	// where the message is not for that mount.
	plain, foreign string
	// partial messages are unfinished: no marker is sent, but the end.
	partial bool
}

func fields(n int) string { return strings.Repeat("X: y\r\n", n) }

var messages = []message{
	// What is served.
	{name: "T-14 length", raw: post + jsonFields + "Content-Length: 2\r\n\r\n{}", want: "200 open"},
	{name: "T-14 chunked", raw: post + jsonFields + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", want: "200 open"},
	{name: "T-14 chunked in capitals", raw: post + jsonFields + "TRANSFER-ENCODING: Chunked\r\n\r\n0\r\n\r\n", want: "200 open"},
	{name: "T-14 no body", raw: post + jsonFields + "\r\n", want: "200 open"},
	{name: "T-14 empty body", raw: post + jsonFields + "Content-Length: 0\r\n\r\n", want: "200 open"},
	{name: "names in capitals", raw: "POST /mcp HTTP/1.1\r\nHOST: h\r\n" + strings.ToUpper("content-type") + ": application/json\r\nCONTENT-LENGTH: 2\r\n\r\n{}", want: "200 open"},
	{name: "tabs around values", raw: "POST /mcp HTTP/1.1\r\nHost:\th\t\r\nContent-Type:application/json\t \r\nContent-Length: \t2\t\r\n\r\n{}", want: "200 open"},
	{name: "empty line before", raw: "\r\n" + post + jsonFields + "Content-Length: 2\r\n\r\n{}", want: "200 open"},
	{name: "a request as a body", raw: post + jsonFields + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(smuggled)) + smuggled, want: "200 open"},
	{name: "a request in a chunk", raw: post + jsonFields + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(smuggled)) + smuggled + "\r\n0\r\n\r\n", want: "200 open"},
	{name: "T-49 pipelined", raw: strings.Repeat(post+jsonFields+"Content-Length: 2\r\n\r\n{}", 3), want: "200 200 200 open"},
	{name: "T-48 refusals keep the connection", raw: post + "\r\n" + "POST /none HTTP/1.1\r\nHost: h\r\n\r\n" + "GET /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "415 404 405 open"},
	{name: "Connection: close", raw: post + jsonFields + "Connection: close\r\n\r\n", want: "200 close"},
	{name: "HTTP/1.0", raw: "POST /mcp HTTP/1.0\r\nHost: h\r\n" + jsonFields + "Content-Length: 2\r\n\r\n{}", want: "200 close"},
	{name: "HTTP/1.0 keep-alive", raw: "POST /mcp HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n" + jsonFields + "Content-Length: 2\r\n\r\n{}", want: "200 open"},
	{name: "upgrade is not offered", raw: post + jsonFields + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n", want: "200 open"},

	// Targets (decision 64) and routing by the target as sent (T-05).
	{name: "T-05 slash behind", raw: "POST /mcp/ HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "T-05 case", raw: "POST /MCP HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "T-05 query", raw: "POST /mcp?a=b HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "T-05 dots", raw: "POST /x/../mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "T-05 escape", raw: "POST /%6dcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "T-05 two slashes", raw: "POST //mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "absolute-form", raw: "POST http://h/mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "authority-form", raw: "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "asterisk-form", raw: "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "fragment", raw: "POST /mcp#a HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "relative", raw: "POST mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "non-ASCII target", raw: "POST /mc\xc3\xb6 HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "NUL in the target", raw: "POST /mcp\x00 HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "bad escape", raw: "POST /mcp%zz HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "backslash", raw: "POST /\\mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "no target", raw: "POST HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "two spaces", raw: "POST  /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "space in the target", raw: "POST /m cp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},

	// Versions and methods.
	{name: "HTTP/1.2", raw: "POST /mcp HTTP/1.2\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "HTTP/2.0", raw: "POST /mcp HTTP/2.0\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "HTTP/0.9", raw: "GET /mcp\r\n\r\n", want: "400 close"},
	{name: "lower-case version", raw: "POST /mcp http/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "version with space", raw: "POST /mcp HTTP/1.1 \r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "HTTP/2 preface", raw: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", want: "400 close"},
	{name: "TLS", raw: "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", want: "400 close", plain: "-", foreign: "-", partial: true},
	{name: "T-20 noise", raw: "\x00\x01\x02\r\n\r\n", want: "400 close"},
	{name: "T-20 no method", raw: " /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "odd method", raw: "P(ST /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "400 close"},
	{name: "T-07 PUT", raw: "PUT /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-07 PATCH", raw: "PATCH /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-07 HEAD", raw: "HEAD /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-07 lower case", raw: "post /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-07 CONNECT with a path", raw: "CONNECT /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-07 TRACE", raw: "TRACE /mcp HTTP/1.1\r\nHost: h\r\nX: canary\r\n\r\n", want: "405 open"},
	{name: "T-08 OPTIONS with a message", raw: "OPTIONS /mcp HTTP/1.1\r\nHost: h\r\n" + jsonFields + "Content-Length: 2\r\n\r\n{}", want: "405 close"},
	{name: "T-09 GET", raw: "GET /mcp HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\n", want: "405 open"},
	{name: "T-09 GET with a body", raw: "GET /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}", want: "405 close"},
	{name: "T-10 DELETE", raw: "DELETE /mcp HTTP/1.1\r\nHost: h\r\n\r\n", want: "405 open"},
	{name: "T-10 DELETE with chunks", raw: "DELETE /mcp HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", want: "405 close"},

	// Framing conflicts.
	{name: "both framings", raw: post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled, want: "400 close"},
	{name: "both framings, the other way round", raw: post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled, want: "400 close"},
	{name: "two lengths", raw: post + "Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + smuggled, want: "400 close"},
	{name: "two equal lengths", raw: post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", want: "400 close"},
	{name: "list of lengths", raw: post + "Content-Length: 2, 2\r\n\r\n{}", want: "400 close"},
	{name: "signed length", raw: post + "Content-Length: +2\r\n\r\n{}", want: "400 close"},
	{name: "negative length", raw: post + "Content-Length: -1\r\n\r\n{}", want: "400 close"},
	{name: "hexadecimal length", raw: post + "Content-Length: 0x2\r\n\r\n{}", want: "400 close"},
	{name: "empty length", raw: post + "Content-Length:\r\n\r\n{}", want: "400 close"},
	{name: "two codings", raw: post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", want: "400 close"},
	{name: "list of codings", raw: post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", want: "400 close"},
	{name: "identity coding", raw: post + "Transfer-Encoding: identity\r\n\r\n" + smuggled, want: "400 close"},
	{name: "unknown coding", raw: post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", want: "400 close"},
	{name: "coding in HTTP/1.0", raw: "POST /mcp HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", want: "400 close"},
	{name: "space before the colon", raw: post + "Content-Length : 44\r\n\r\n" + smuggled, want: "400 close"},
	{name: "folding", raw: post + "X: a\r\n b\r\n\r\n", want: "400 close"},
	{name: "folded coding", raw: post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + smuggled, want: "400 close"},
	{name: "fold in front", raw: "POST /mcp HTTP/1.1\r\n Host: h\r\n\r\n", want: "400 close"},
	{name: "bare LF in the request line", raw: "POST /mcp HTTP/1.1\nHost: h\r\n\r\n", want: "400 close", plain: "415 open", foreign: "415 open"},
	{name: "bare LF behind a field", raw: post + "X: y\nContent-Length: 44\r\n\r\n" + smuggled, want: "400 close"},
	{name: "bare LF everywhere", raw: "POST /mcp HTTP/1.1\nHost: h\n\n", want: "400 close", plain: "-", foreign: "-", partial: true},
	{name: "bare CR in a value", raw: post + "X: a\rContent-Length: 44\r\n\r\n" + smuggled, want: "400 close"},
	{name: "NUL in a value", raw: post + "X: a\x00b\r\n\r\n", want: "400 close"},
	{name: "NUL in a name", raw: post + "X\x00: a\r\n\r\n", want: "400 close"},
	{name: "space in a name", raw: post + "X Y: a\r\n\r\n", want: "400 close"},
	{name: "no colon", raw: post + "X\r\n\r\n", want: "400 close"},
	{name: "no name", raw: post + ": x\r\n\r\n", want: "400 close"},
	{name: "signed chunk size", raw: post + "Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n", want: "400 close"},
	{name: "chunk size that is none", raw: post + "Transfer-Encoding: chunked\r\n\r\nxy\r\n{}\r\n0\r\n\r\n", want: "400 close"},
	{name: "chunk size beyond counting", raw: post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n", want: "413 close", plain: "400 close", foreign: "400 close"},
	{name: "chunk longer than its size", raw: post + "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n", want: "400 close"},
	{name: "chunk without CR", raw: post + "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n", want: "400 close"},
	{name: "chunk extension", raw: post + jsonFields + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n", want: "200 open"},
	{name: "trailer", raw: post + jsonFields + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n", want: "400 close", plain: "200 open", foreign: "200 open"},

	// Fields that may occur once.
	{name: "no Host", raw: "POST /mcp HTTP/1.1\r\n\r\n", want: "400 close"},
	{name: "empty Host", raw: "POST /mcp HTTP/1.1\r\nHost:\r\n\r\n", want: "400 close"},
	{name: "no Host in HTTP/1.0", raw: "POST /mcp HTTP/1.0\r\n" + jsonFields + "\r\n", want: "400 close"},
	{name: "two Hosts", raw: post + "Host: h\r\n\r\n", want: "400 close"},
	{name: "two Content-Types", raw: post + jsonFields + "content-type: application/json\r\n\r\n", want: "400 close"},
	{name: "two Authorizations", raw: post + "Authorization: Bearer canary\r\nauthorization: Bearer canary\r\n\r\n", want: "400 close"},
	{name: "two Origins", raw: post + "Origin: http://canary\r\nOrigin: http://canary\r\n\r\n", want: "400 close"},
	{name: "two methods asked for", raw: post + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Method: GET\r\n\r\n", want: "400 close"},
	{name: "repeated Mcp fields are no fault of the head", raw: post + jsonFields + "Mcp-Method: a\r\nMcp-Method: b\r\nMCP-Protocol-Version: c\r\nMCP-Protocol-Version: d\r\n\r\n", want: "200 open"},

	// Expectations.
	{name: "unknown Expect", raw: post + jsonFields + "Expect: canary\r\nContent-Length: 2\r\n\r\n{}", want: "417 close"},
	{name: "unknown Expect in HTTP/1.0", raw: "POST /mcp HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\nExpect: canary\r\n" + jsonFields + "\r\n", want: "417 close"},
	{name: "two Expects", raw: post + "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n", want: "400 close"},
	{name: "Expect of a refused head", raw: post + "Origin: a\r\nOrigin: b\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", want: "400 close"},
	{name: "Expect with the body", raw: post + jsonFields + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", want: "200 open"},
	{name: "Expect in capitals", raw: post + jsonFields + "EXPECT: 100-CONTINUE\r\nContent-Length: 2\r\n\r\n{}", want: "200 open"},

	// Group 4.
	{name: "T-12 no Content-Type", raw: post + "Content-Length: 2\r\n\r\n{}", want: "415 open"},
	{name: "T-12 text", raw: post + "Content-Type: text/plain\r\n\r\n", want: "415 open"},
	{name: "T-46 charset", raw: post + "Content-Type: application/json; charset=utf-8\r\n\r\n", want: "200 open"},
	{name: "T-46 other charset", raw: post + "Content-Type: application/json; charset=latin1\r\n\r\n", want: "415 open"},
	{name: "T-13 no Accept", raw: post + "Content-Type: application/json\r\n\r\n", want: "200 open"},
	{name: "T-13 json only", raw: post + "Content-Type: application/json\r\nAccept: application/json\r\n\r\n", want: "406 open"},
	{name: "T-13 on two lines", raw: post + "Content-Type: application/json\r\nAccept: application/json\r\nAccept: text/event-stream\r\n\r\n", want: "200 open"},
	{name: "T-13 excluded on another line", raw: post + jsonFields + "Accept: text/event-stream;q=0\r\n\r\n", want: "406 open"},
	{name: "T-15 identity", raw: post + jsonFields + "Content-Encoding: identity\r\nContent-Encoding: identity, identity\r\n\r\n", want: "200 open"},
	{name: "T-16 gzip", raw: post + jsonFields + "Content-Encoding: gzip\r\n\r\n", want: "415 open"},
	{name: "T-16 gzip on another line", raw: post + jsonFields + "Content-Encoding: identity\r\nContent-Encoding: br\r\n\r\n", want: "415 open"},
	{name: "T-18 bad Accept and gzip", raw: post + "Content-Type: application/json\r\nAccept: text/html\r\nContent-Encoding: gzip\r\n\r\n", want: "406 open"},
	{name: "order of group 4", raw: "PUT /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nAccept: text/html\r\nContent-Encoding: gzip\r\n\r\n", want: "405 open"},
	{name: "T-27 T-28 ignored fields", raw: post + jsonFields + "Last-Event-ID: canary\r\nMCP-Session-Id: canary\r\n\r\n", want: "200 open"},

	// Limits, at them and one beyond (T-35 to T-37, decisions 8, 81).
	{name: "target at its limit", raw: "POST /" + strings.Repeat("a", small.Target-1) + " HTTP/1.1\r\nHost: h\r\n\r\n", want: "404 open"},
	{name: "target beyond its limit", raw: "POST /" + strings.Repeat("a", small.Target) + " HTTP/1.1\r\nHost: h\r\n\r\n", want: "414 close"},
	{name: "T-35 fields at their limit", raw: post + jsonFields + fields(small.Headers-3) + "\r\n", want: "200 open"},
	{name: "T-35 a field beyond", raw: post + jsonFields + fields(small.Headers-2) + "\r\n", want: "431 close"},
	{name: "T-36 header section at its limit", raw: post + longField(small.HeaderBytes-len("Host: h\r\n")) + "\r\n", want: "415 open"},
	{name: "T-36 a byte beyond", raw: post + longField(small.HeaderBytes-len("Host: h\r\n")+1) + "\r\n", want: "431 close"},
	{name: "T-36 far beyond", raw: post + longField(1<<20) + "\r\n", want: "431 close", foreign: "-"},
	{name: "T-37 body at its limit", raw: post + jsonFields + fmt.Sprintf("Content-Length: %d\r\n\r\n", small.Body) + strings.Repeat(" ", small.Body), want: "200 open"},
	{name: "T-37 a byte beyond", raw: post + jsonFields + fmt.Sprintf("Content-Length: %d\r\n\r\n", small.Body+1) + strings.Repeat(" ", small.Body+1), want: "413 close"},
	{name: "T-37 before it arrives", raw: post + jsonFields + "Content-Length: 1000000\r\n\r\n", want: "413 close", foreign: "-", partial: true},
	{name: "T-37 before it is invited", raw: post + jsonFields + "Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n", want: "413 close", foreign: "-", partial: true},
	{name: "T-37 length beyond counting", raw: post + jsonFields + "Content-Length: 99999999999999999999999\r\n\r\n", want: "413 close", plain: "400 close", foreign: "400 close"},
	{name: "T-37 chunks at the limit", raw: post + jsonFields + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10\r\n0123456789abcdef\r\n", small.Body/16) + "0\r\n\r\n", want: "200 open"},
	{name: "T-37 chunks beyond", raw: post + jsonFields + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10\r\n0123456789abcdef\r\n", small.Body/16) + "1\r\n0\r\n0\r\n\r\n", want: "413 close"},
}

// longField is a field line of n bytes.
func longField(n int) string { return "X: " + strings.Repeat("y", n-len("X: \r\n")) + "\r\n" }

// Each message is answered as its row says, on each mount; and no byte of any
// becomes part of another request (decisions 2, 64; T-19, T-20, T-47 to T-49).
func TestRawMessages(t *testing.T) {
	t.Parallel()
	for _, m := range []mount{onSocket, onPlain, onForeign} {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			h := start(t, m, small)
			for _, message := range messages {
				want := message.want
				switch {
				case m == onPlain && message.plain != "":
					want = message.plain
				case m == onForeign && message.foreign != "":
					want = message.foreign
				}
				if want != "-" {
					t.Run(message.name, func(t *testing.T) { h.play(t, message, want) })
				}
			}
		})
	}
}

func (h *host) play(t *testing.T, message message, want string) {
	conn := dial(t, h.address)
	raw := message.raw
	if !message.partial {
		raw += marker
	}
	response := exchange(t, conn, raw)
	words := strings.Fields(want)
	statuses, open := words[:len(words)-1], words[len(words)-1] == "open"
	method, _, _ := strings.Cut(strings.TrimLeft(message.raw, "\r\n"), " ")
	var got []string
	all := h.replies(t, response, method)
	for i, r := range all {
		if i == len(statuses) && r.status == http.StatusAccepted {
			break // the marker's
		}
		got = append(got, fmt.Sprint(r.status))
		if last := i == len(statuses)-1; !open && last != (r.header.Get("Connection") == "close") {
			t.Errorf("answer %d has Connection %q", i, r.header["Connection"])
		}
	}
	if !slices.Equal(got, statuses) || open != (len(all) > len(statuses)) {
		t.Errorf("got %q, %d answers, want %s", got, len(all), want)
	}
	served := h.of(conn.LocalAddr())
	if slices.ContainsFunc(served, func(s string) bool { return strings.Contains(s, "smuggled") }) {
		t.Errorf("served %q", served)
	}
	if slices.Contains(served, "POST "+markerTarget) != open {
		t.Errorf("served %q on a connection that stays open: %v", served, open)
	}
}
