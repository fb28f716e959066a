package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

var separatorEscapes = map[string]string{"\u2028": `\u2028`, "\u2029": `\u2029`}

// FuzzCompact compares output with that of encoding/json, with U+2028 and
// U+2029 escaped as well, and text with what encoding/json reads back
// (decision 14).
func FuzzCompact(f *testing.F) {
	f.Add([]byte(toolsCall))
	f.Fuzz(func(t *testing.T, raw []byte) {
		out := wire.AppendCompact(nil, raw)
		if bytes.ContainsAny(out, "\n\r") {
			t.Fatalf("AppendCompact(%q) has more than one line: %q", raw, out)
		}
		text := wire.AppendString(nil, string(raw))
		checkLine(t, text)
		if err := wire.CheckResult(text, &wire.DefaultBounds); err != nil {
			t.Fatalf("AppendString(%q): %v", raw, err)
		}
		// A conversion to runes and back replaces each bad byte, too.
		if back := unescaped(text); back != string([]rune(string(raw))) {
			t.Fatalf("AppendString(%q) is read as %q", raw, back)
		}
		if wire.CheckResult(raw, &wire.DefaultBounds) != nil {
			return
		}
		checkLine(t, out)
		var want bytes.Buffer
		if err := json.Compact(&want, raw); err != nil {
			t.Fatal(err)
		}
		wanted := want.Bytes()
		for separator, escape := range separatorEscapes {
			wanted = bytes.ReplaceAll(wanted, []byte(separator), []byte(escape))
		}
		if !bytes.Equal(out, wanted) {
			t.Fatalf("AppendCompact(%q) = %q, want %q", raw, out, wanted)
		}
		if again := wire.AppendCompact(nil, out); !bytes.Equal(again, out) {
			t.Fatalf("not stable: %q, then %q", out, again)
		}
	})
}

// checkLine: output is one line for JSON and for JavaScript (decision 14).
func checkLine(t interface {
	Helper()
	Fatalf(string, ...any)
}, out []byte,
) {
	t.Helper()
	if bytes.ContainsAny(out, "\n\r\u2028\u2029") {
		t.Fatalf("more than one line: %q", out)
	}
}
