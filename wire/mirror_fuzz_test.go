package wire_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/troupe-mcp/troupe/wire"
)

// FuzzMirror decodes values as spec section 3.2 writes it down, and sends
// texts to and fro (decision 13).
func FuzzMirror(f *testing.F) {
	for _, v := range []string{
		"", "us-west1", "=?base64?SGVsbG8sIOS4lueVjA==?=", "=?base64?IHBhZGRlZCA=?=", "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "SGVsbG8=", "=?base64?SGVsbG8=",
		"=?BASE64?SGVsbG8=?=", "=?base64??=", "=?base64?=", "=?base64?/w==?=", "=?base64?SGVsbG9=?=", "a\tb", "caf\u00e9", "a\x00b", " padded ",
	} {
		f.Add([]byte(v))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		text, ok := wire.DecodeMirror(value)
		want, wantOK := mirrorTwin(string(value))
		if ok != wantOK || string(text) != want {
			t.Fatalf("DecodeMirror(%q) = %q, %v; the twin says %q, %v", value, text, ok, want, wantOK)
		}
		if ok && !utf8.Valid(text) {
			t.Fatal("decoded to what is not UTF-8")
		}
		if !utf8.Valid(value) {
			return
		}
		encoded := wire.EncodeMirror(string(value))
		if strings.TrimSpace(encoded) != encoded && encoded != "" {
			t.Fatalf("EncodeMirror(%q) = %q would be trimmed", value, encoded)
		}
		if back, ok := wire.DecodeMirror([]byte(encoded)); !ok || !bytes.Equal(back, value) {
			t.Fatalf("%q came back as %q, %v", value, back, ok)
		}
	})
}

// mirrorTwin is the pseudocode of spec section 3.2.
func mirrorTwin(v string) (string, bool) {
	for i := range len(v) {
		if v[i] != 0x09 && (v[i] < 0x20 || v[i] > 0x7E) {
			return "", false
		}
	}
	if len(v) < 11 || v[:9] != "=?base64?" || v[len(v)-2:] != "?=" {
		return v, true
	}
	p := v[9 : len(v)-2]
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	if len(p)%4 != 0 || strings.Trim(strings.TrimRight(p, "="), alphabet) != "" || len(p)-len(strings.TrimRight(p, "=")) > 2 {
		return "", false
	}
	decoded, err := base64.StdEncoding.DecodeString(p)
	// What encodes differently had bits set behind its last byte.
	if err != nil || base64.StdEncoding.EncodeToString(decoded) != p || !utf8.Valid(decoded) {
		return "", false
	}
	return string(decoded), true
}
