package wire_test

import (
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Decision 13, spec section 3.2: plain values are themselves, the sentinel form
// is decoded once and strictly.
func TestDecodeMirror(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value, text string
		ok                bool
	}{
		{"plain", "us-west1", "us-west1", true},
		{"empty", "", "", true},
		{"spaces and tabs inside", "a b\tc", "a b\tc", true},
		{"all of printable ASCII", ` !"#$%&'()*+,-./09:;<=>?@AZ[\]^_az{|}~`, ` !"#$%&'()*+,-./09:;<=>?@AZ[\]^_az{|}~`, true},
		{"Unicode", "=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界", true},
		{"padded text", "=?base64?IHBhZGRlZCA=?=", " padded ", true},
		{"two lines", "=?base64?bGluZTEKbGluZTI=?=", "line1\nline2", true},
		{"a sentinel inside is not decoded again", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?=", true},
		{"empty text", "=?base64??=", "", true},
		{"missing prefix is literal", "SGVsbG8=", "SGVsbG8=", true},
		{"missing suffix is literal", "=?base64?SGVsbG8=", "=?base64?SGVsbG8=", true},
		{"upper-case marker is literal", "=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", true},
		{"prefix and suffix overlap", "=?base64?=", "=?base64?=", true},
		{"bad padding", "=?base64?SGVsbG8?=", "", false},
		{"too much padding", "=?base64?SGVsbG8==?=", "", false},
		{"foreign characters", "=?base64?SGVs!!!bG8=?=", "", false},
		{"URL alphabet", "=?base64?_-_-?=", "", false},
		{"space inside", "=?base64?SGVs bG8=?=", "", false},
		{"tab inside", "=?base64?SGVs\tbG8=?=", "", false},
		{"newline inside", "=?base64?SGVs\nbG8=?=", "", false},
		{"bits behind the end", "=?base64?SGVsbG9=?=", "", false},
		{"padding in the middle", "=?base64?SGU=SGU=?=", "", false},
		{"not UTF-8", "=?base64?/w==?=", "", false},
		{"encoded surrogate", "=?base64?7aCA?=", "", false},
		{"raw UTF-8", "caf\u00e9", "", false},
		{"raw Latin-1", "caf\xe9", "", false},
		{"NUL", "a\x00", "", false},
		{"newline", "a\nb", "", false},
		{"DEL", "a\x7f", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, ok := wire.DecodeMirror([]byte(c.value))
			if string(text) != c.text || ok != c.ok {
				t.Errorf("%q, %v; want %q, %v", text, ok, c.text, c.ok)
			}
		})
	}
}

// A value is encoded only where it must be.
func TestEncodeMirror(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"us-west1": "us-west1", "": "", "a b": "a b", "Hello, 世界": "=?base64?SGVsbG8sIOS4lueVjA==?=",
		" padded ": "=?base64?IHBhZGRlZCA=?=", "line1\nline2": "=?base64?bGluZTEKbGluZTI=?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "tail\t": "=?base64?dGFpbAk=?=", "\x7f": "=?base64?fw==?=",
	} {
		if got := wire.EncodeMirror(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
