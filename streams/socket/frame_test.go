package socket

import (
	"fmt"
	"strings"
	"testing"
)

// exact limits of the framing table: small enough to write cases at them and one beyond.
func tableLimits() Limits {
	l, err := Limits{Target: 16, HeaderBytes: 256, Headers: 6, Body: 32}.withDefaults()
	if err != nil {
		panic(err)
	}
	return l
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n"

// A frameCase is one raw message and the verdict on it: 1 for a whole request,
// 0 for an unfinished one, else the status of the fault.
type frameCase struct {
	name, in string
	want     int
}

func field(n int) string { // a field line of exactly n bytes
	return "X: " + strings.Repeat("v", n-5) + "\r\n"
}

// T-35, T-36, T-37, decision 64: what is a request and what is refused how.
func frameCases() []frameCase {
	return []frameCase{
		// Request lines.
		{"get", get + "\r\n", 1},
		{"post without a body", "POST /mcp HTTP/1.1\r\nHost: a\r\n\r\n", 1},
		{"http/1.0", "GET / HTTP/1.0\r\n\r\n", 1},
		{"no fields", "GET / HTTP/1.1\r\n\r\n", 1},
		{"odd but legal method", "M-SEARCH* / HTTP/1.1\r\n\r\n", 1},
		{"lower case method", "get / HTTP/1.1\r\n\r\n", 1},
		{"method of 32", strings.Repeat("M", 32) + " / HTTP/1.1\r\n\r\n", 1},
		{"method of 33", strings.Repeat("M", 33) + " / HTTP/1.1\r\n\r\n", 400},
		{"method with a bad byte", "GE(T / HTTP/1.1\r\n\r\n", 400},
		{"no method", " / HTTP/1.1\r\n\r\n", 400},
		{"no target", "GET  HTTP/1.1\r\n\r\n", 400},
		{"two spaces", "GET  / HTTP/1.1\r\n\r\n", 400},
		{"space in the target", "GET /a b HTTP/1.1\r\n\r\n", 400},
		{"tab for a space", "GET\t/ HTTP/1.1\r\n\r\n", 400},
		{"tab before the version", "GET /\tHTTP/1.1\r\n\r\n", 400},
		{"raw utf-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\n\r\n", 400},
		{"nul in the target", "GET /\x00 HTTP/1.1\r\n\r\n", 400},
		{"del in the target", "GET /\x7f HTTP/1.1\r\n\r\n", 400},
		{"asterisk target", "OPTIONS * HTTP/1.1\r\n\r\n", 1},
		{"target at the limit", "GET /" + strings.Repeat("a", 15) + " HTTP/1.1\r\n\r\n", 1},
		{"target one beyond", "GET /" + strings.Repeat("a", 16) + " HTTP/1.1\r\n\r\n", 414},
		{"http/0.9", "GET /\r\n", 400},
		{"http/1.2", "GET / HTTP/1.2\r\n\r\n", 400},
		{"http/2.0", "GET / HTTP/2.0\r\n\r\n", 400},
		{"http/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
		{"http/1.10", "GET / HTTP/1.10\r\n\r\n", 400},
		{"http/01.1", "GET / HTTP/01.1\r\n\r\n", 400},
		{"lower case version", "GET / http/1.1\r\n\r\n", 400},
		{"space after the version", "GET / HTTP/1.1 \r\n\r\n", 400},
		{"bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400},
		{"bare CR after the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", 400},
		{"tls client hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400},
		{"leading LF", "\n" + get + "\r\n", 400},
		{"leading space", " " + get + "\r\n", 400},
		{"nul", "\x00", 400},
		{"json", `{"jsonrpc":"2.0"}`, 400},
		{"proxy protocol", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n" + get + "\r\n", 400},

		// Field lines.
		{"folding with a space", get + "X: a\r\n b\r\n\r\n", 400},
		{"folding with a tab", get + "X: a\r\n\tb\r\n\r\n", 400},
		{"folding at the start", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
		{"space before the colon", get + "X : a\r\n\r\n", 400},
		{"tab before the colon", get + "X\t: a\r\n\r\n", 400},
		{"space in a name", get + "X Y: a\r\n\r\n", 400},
		{"empty name", get + ": a\r\n\r\n", 400},
		{"no colon", get + "X\r\n\r\n", 400},
		{"bad byte in a name", get + "X\x80: a\r\n\r\n", 400},
		{"parenthesis in a name", get + "X(: a\r\n\r\n", 400},
		{"underscore, digit and dot in a name", get + "x_1.y-longer-name: a\r\n\r\n", 1},
		{"empty value", get + "X:\r\n\r\n", 1},
		{"blank value", get + "X: \t \r\n\r\n", 1},
		{"tab within a value", get + "X: a\tb\tcccccccccccccccc\r\n\r\n", 1},
		{"obs-text in a value", get + "X: \xe9\xff\r\n\r\n", 1},
		{"nul in a value", get + "X: a\x00b\r\n\r\n", 400},
		{"escape in a value", get + "X: a\x1bb0123456789\r\n\r\n", 400},
		{"del in a value", get + "X: a\x7fb0123456789\r\n\r\n", 400},
		{"bare CR in a value", get + "X: a\rb0123456789\r\n\r\n", 400},
		{"bare LF ends a value", get + "X: a\nY: b0123456789\r\n\r\n", 400},
		{"CR CR LF", get + "X: a\r\r\n\r\n", 400},
		{"bare LF ends the head", get + "\n", 400},
		{"CR without LF at the end", get + "\rX", 400},
		{"fields at the limit", get + strings.Repeat("X: a\r\n", 5) + "\r\n", 1},
		{"fields one beyond", get + strings.Repeat("X: a\r\n", 6) + "\r\n", 431},
		{"bytes at the limit", get + field(256-9) + "\r\n", 1},
		{"bytes one beyond", get + field(256-8) + "\r\n", 431},
		{"bytes at the limit in the name", get + strings.Repeat("n", 256-14) + ": a\r\n\r\n", 1},
		{"bytes far beyond in the name", get + strings.Repeat("n", 300), 431},
		{"bytes far beyond in the value", get + "X: " + strings.Repeat("v", 300), 431},
		{"bytes beyond within Content-Length", get + "Content-Length: " + strings.Repeat("0", 300), 431},
		{"bytes at the limit with Content-Length", get + field(256-9-19) + "Content-Length: 1\r\n\r\nx", 1},
		{"bytes one beyond with Content-Length", get + field(256-9-18) + "Content-Length: 1\r\n\r\nx", 431},

		// Content-Length.
		{"body", get + "Content-Length: 3\r\n\r\nabc", 1},
		{"body without a space", get + "content-length:3\r\n\r\nabc", 1},
		{"body with blanks around", get + "CONTENT-LENGTH: \t3 \t\r\n\r\nabc", 1},
		{"body of nothing", get + "Content-Length: 0\r\n\r\n", 1},
		{"leading zeros", get + "Content-Length: 0000000000000000000003\r\n\r\nabc", 1},
		{"body not all there", get + "Content-Length: 3\r\n\r\nab", 0},
		{"body at the limit", get + "Content-Length: 32\r\n\r\n" + strings.Repeat("b", 32), 1},
		{"body one beyond, not sent", get + "Content-Length: 33\r\n\r\n", 413},
		{"body far beyond", get + "Content-Length: 99999999999999999999999999\r\n\r\n", 413},
		{"body beyond with expectation", get + "Content-Length: 33\r\nExpect: 100-continue\r\n\r\n", 413},
		{"length plus", get + "Content-Length: +3\r\n\r\nabc", 400},
		{"length minus", get + "Content-Length: -3\r\n\r\nabc", 400},
		{"length hexadecimal", get + "Content-Length: 0x3\r\n\r\nabc", 400},
		{"length fraction", get + "Content-Length: 3.0\r\n\r\nabc", 400},
		{"length list", get + "Content-Length: 3, 3\r\n\r\nabc", 400},
		{"length with a space inside", get + "Content-Length: 1 2\r\n\r\nabc", 400},
		{"length empty", get + "Content-Length:\r\n\r\n", 400},
		{"length blank", get + "Content-Length: \r\n\r\n", 400},
		{"length with a control byte", get + "Content-Length: 3\x0b\r\n\r\nabc", 400},
		{"length with bare LF", get + "Content-Length: 3\nX: yyyyyyyyyy\r\n\r\nabc", 400},
		{"length twice, equal", get + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400},
		{"length twice, different", get + "Content-Length: 3\r\ncontent-length: 4\r\n\r\nabc", 400},
		{"length on http/1.0", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", 1},

		// Transfer-Encoding.
		{"chunked", get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 1},
		{"chunked in capitals", get + "transfer-encoding:CHUNKED \r\n\r\n3\r\nabc\r\n0\r\n\r\n", 1},
		{"chunked, nothing", get + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1},
		{"chunks", get + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n1f\r\n" + strings.Repeat("b", 31) + "\r\n0\r\n\r\n", 1},
		{"chunk sizes with zeros", get + "Transfer-Encoding: chunked\r\n\r\n000000000000003\r\nabc\r\n000\r\n\r\n", 1},
		{"chunk size too long", get + "Transfer-Encoding: chunked\r\n\r\n0000000000000003\r\nabc\r\n0\r\n\r\n", 400},
		{"chunks one beyond", get + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n20\r\n", 413},
		{"chunk far beyond", get + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n", 413},
		{"chunk size overflow", get + "Transfer-Encoding: chunked\r\n\r\n10000000000000003\r\nabc\r\n0\r\n\r\n", 413},
		{"chunk size empty", get + "Transfer-Encoding: chunked\r\n\r\n\r\n", 400},
		{"chunk size plus", get + "Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n", 400},
		{"chunk size minus", get + "Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n", 400},
		{"chunk size 0x", get + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n", 400},
		{"chunk size with a space before", get + "Transfer-Encoding: chunked\r\n\r\n 3\r\nabc\r\n0\r\n\r\n", 400},
		{"chunk size with a space after", get + "Transfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n", 400},
		{"chunk size with bare LF", get + "Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n", 400},
		{"chunk data without CRLF", get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400},
		{"chunk data with bare LF", get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n", 400},
		{"chunk data with CR only", get + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\rX0\r\n\r\n", 400},
		{"chunk extension", get + "Transfer-Encoding: chunked\r\n\r\n3;a=b;c=\"d e\"\r\nabc\r\n0;x\r\n\r\n", 1},
		{"chunk extensions at the limit", get + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("e", 1000) + "\r\na\r\n0;" + strings.Repeat("e", 24) + "\r\n\r\n", 1},
		{"chunk extensions one beyond", get + "Transfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("e", 1000) + "\r\na\r\n0;" + strings.Repeat("e", 25) + "\r\n\r\n", 400},
		{"chunk extension with a control byte", get + "Transfer-Encoding: chunked\r\n\r\n3;a\x01b\r\nabc\r\n0\r\n\r\n", 400},
		{"chunk extension with bare LF", get + "Transfer-Encoding: chunked\r\n\r\n3;a\nabc\r\n0\r\n\r\n", 400},
		{"chunk extension with bare CR", get + "Transfer-Encoding: chunked\r\n\r\n3;a\rb\r\nabc\r\n0\r\n\r\n", 400},
		{"trailer", get + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: a\r\n\r\n", 400},
		{"no last CRLF", get + "Transfer-Encoding: chunked\r\n\r\n0\r\n", 0},
		{"bare LF at the end", get + "Transfer-Encoding: chunked\r\n\r\n0\r\n\n", 400},
		{"coding unknown", get + "Transfer-Encoding: gzip\r\n\r\n", 400},
		{"coding identity", get + "Transfer-Encoding: identity\r\n\r\n", 400},
		{"codings", get + "Transfer-Encoding: gzip, chunked\r\n\r\n", 400},
		{"chunked twice in one", get + "Transfer-Encoding: chunked, chunked\r\n\r\n", 400},
		{"chunked twice", get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
		{"chunked and more", get + "Transfer-Encoding: chunkedx\r\n\r\n", 400},
		{"chunked cut", get + "Transfer-Encoding: chunke\r\n\r\n", 400},
		{"chunked with a parameter", get + "Transfer-Encoding: chunked;q=1\r\n\r\n", 400},
		{"chunked with a control byte", get + "Transfer-Encoding: \x0bchunked\r\n\r\n", 400},
		{"coding empty", get + "Transfer-Encoding:\r\n\r\n", 400},
		{"chunked on http/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"length, then chunked", get + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"chunked, then length", get + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400},
		{"chunked with a space before the colon", get + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},

		// Expect.
		{"expectation", get + "Content-Length: 3\r\nExpect: 100-Continue\r\n\r\nabc", 1},
		{"expectation without a body", get + "expect: 100-continue\r\n\r\n", 1},
		{"unknown expectation", get + "Expect: 200-ok\r\n\r\n", 417},
		{"longer expectation", get + "Expect: 100-continued\r\n\r\n", 417},
		{"cut expectation", get + "Expect: 100-continu\r\n\r\n", 417},
		{"expectation with a word after", get + "Expect: 100-continue x\r\n\r\n", 417},
		{"expectation with a space inside", get + "Expect: 100- continue\r\n\r\n", 417},
		{"empty expectation", get + "Expect:\r\n\r\n", 417},
		{"expectation twice", get + "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n", 400},
		{"expectation with a control byte", get + "Expect: 100\x01\r\n\r\n", 400},
		{"unknown expectation on http/1.0", "GET / HTTP/1.0\r\nExpect: x\r\n\r\n", 1},

		// Unfinished.
		{"half a method", "PO", 0},
		{"half a head", get, 0},
		{"CR at the end", get + "\r", 0},
		{"half a chunk", get + "Transfer-Encoding: chunked\r\n\r\n3\r\nab", 0},
	}
}

// frameAll feeds in pieces of the given sizes (the last one repeats).
func frameAll(limits *Limits, in []byte, cut func(int) int) (consumed, verdict int) {
	f := framer{limits: limits}
	for consumed < len(in) {
		piece := in[consumed:min(len(in), consumed+max(1, cut(consumed)))]
		if skipped := f.skip(piece); skipped > 0 {
			consumed += skipped
			continue
		}
		n, v := f.feed(piece)
		consumed += n
		if v != feedMore {
			return consumed, v
		}
		if n != len(piece) {
			return consumed, -1
		}
	}
	return consumed, feedMore
}

func TestFraming(t *testing.T) {
	t.Parallel()
	limits := tableLimits()
	for _, test := range frameCases() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := []byte(test.in)
			whole := func(int) int { return len(in) }
			n, got := frameAll(&limits, in, whole)
			if got != test.want {
				t.Fatalf("verdict %d, want %d (after %q)", got, test.want, in[:n])
			}
			if got == feedDone && n != len(in) {
				t.Fatalf("request ends after %q of %q", in[:n], in)
			}
			// A request followed by another one ends where it ended alone.
			if got == feedDone {
				if m, v := frameAll(&limits, append(in[:n:n], get...), func(int) int { return 1 << 20 }); m != n || v != got {
					t.Errorf("followed by another: %d %d, want %d %d", m, v, n, got)
				}
			}
			// Wherever the bytes are cut, the verdict is the same.
			if m, v := frameAll(&limits, in, func(int) int { return 1 }); v != got || got < 400 && m != n {
				t.Errorf("byte by byte: %d %d, want %d %d", m, v, n, got)
			}
			for cut := 1; cut < len(in); cut++ {
				m, v := frameAll(&limits, in, func(at int) int {
					if at < cut {
						return cut - at
					}
					return len(in)
				})
				if v != got || m != n {
					t.Fatalf("cut at %d: %d %d, want %d %d", cut, m, v, n, got)
				}
			}
		})
	}
}

// One empty line before a request line is dropped, a second one is not.
func TestEmptyLineBeforeRequest(t *testing.T) {
	t.Parallel()
	limits := tableLimits()
	for _, test := range []struct {
		in   string
		want int
	}{
		{"\r\n" + get + "\r\n", 1},
		{"\r\n\r\n" + get + "\r\n", 400},
		{"\r" + get + "\r\n", 400},
		{"\r\n\n" + get + "\r\n", 400},
		{"\r\n", 0},
		{"\r", 0},
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			t.Run(fmt.Sprintf("%q by %d", test.in, size), func(t *testing.T) {
				t.Parallel()
				if _, got := frameAll(&limits, []byte(test.in), func(int) int { return size }); got != test.want {
					t.Errorf("verdict %d, want %d", got, test.want)
				}
			})
		}
	}
}

func TestFramerAllocatesNothing(t *testing.T) {
	limits, _ := Limits{}.withDefaults()
	f := framer{limits: &limits}
	in := []byte(message)
	if n := testing.AllocsPerRun(100, func() { f.reset(); f.feed(in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The fast scans agree with the tables, at every offset in a word.
func TestScans(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 19 {
			text := []byte(strings.Repeat("x", 19))
			text[at] = byte(c)
			want := 19
			if c < 0x20 && c != '\t' || c == 0x7f {
				want = at
			}
			if got := scanText(text); got != want {
				t.Fatalf("scanText(%q) = %d, want %d", text, got, want)
			}
			name := notName(uint64(c)<<(8*(at%8)) | ones*'A'&^(0xff<<(8*(at%8))))
			letter := c == '-' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
			if (name == 0) != letter {
				t.Fatalf("notName marks %q: %x", byte(c), name)
			}
		}
	}
}
