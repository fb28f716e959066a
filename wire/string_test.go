package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Decision 14: what is escaped, and that nothing else is.
func TestAppendString(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": `""`, "plain": `"plain"`, "12345678": `"12345678"`, "a longer plain text, of several words": `"a longer plain text, of several words"`,
		`"\`: `"\"\\"`, "/": `"/"`, "<a href='x'>&": `"<a href='x'>&"`, "\b\f\n\r\t": `"\b\f\n\r\t"`, "\x00\x01\x1f": `"\u0000\u0001\u001f"`, "\x7f": "\"\x7f\"",
		"seven..\n": `"seven..\n"`, "eight...\n": `"eight...\n"`, "nine....\"x": `"nine....\"x"`,
		"é世😀": `"é世😀"`, "a\u2028b\u2029c": `"a\u2028b\u2029c"`, "\u2027\u202a": "\"\u2027\u202a\"", "\ufffd": "\"\ufffd\"", "\ufeff": "\"\ufeff\"",
		"\xff": `"\ufffd"`, "a\x80\x80b": `"a\ufffd\ufffdb"`, "\xed\xa0\x80": `"\ufffd\ufffd\ufffd"`, "\xe2\x80": `"\ufffd\ufffd"`, "\xc0\xaf": `"\ufffd\ufffd"`,
	} {
		if got := string(wire.AppendString([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q: %s, want %s", text, got[1:], want)
		}
	}
}

// Decision 14: one line, separators escaped, numbers untouched.
func TestAppendCompact(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		``: ``, `{}`: `{}`, " [ 1 ,\r\n\t2 ] ": `[1,2]`, `{ "a b" : "c  d" }`: `{"a b":"c  d"}`,
		`[1.0, 1e2, -0, 12345678901234567890123, 0.10]`: `[1.0,1e2,-0,12345678901234567890123,0.10]`,
		`[ true , false , null ]`:                       `[true,false,null]`,
		`"\" \\ \u2028"`:                                `"\" \\ \u2028"`, `["\\", " x "]`: `["\\"," x "]`, `{"\"" : 1}`: `{"\"":1}`,
		"\"\u2028 \u2029\"": `"\u2028 \u2029"`, "{\"\u2028\" : \"é世😀\u2030\"}": "{\"\\u2028\":\"é世😀\u2030\"}",
		`"<>&"`: `"<>&"`, "\n\"" + strings.Repeat("plain ", 20) + "\"\n": `"` + strings.Repeat("plain ", 20) + `"`,
	} {
		if got := string(wire.AppendCompact([]byte("x"), []byte(raw))); got != "x"+want {
			t.Errorf("%q: %s, want %s", raw, got[1:], want)
		}
	}
}

// What is no JSON becomes one line as well: nothing splits an event stream.
func TestAppendCompactOfGarbage(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"\"a\nb": `"a\nb`, "\"\\": `"\`, "\"\\\n\"": `"\\n"`, "\"\x00": `"\u0000`, "x\ny": "xy",
	} {
		got := string(wire.AppendCompact(nil, []byte(raw)))
		if strings.ContainsAny(got, "\r\n") || got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}
