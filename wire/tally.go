package wire

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	// maxDocument bounds a result's JSON, in bytes (soklet-notes section 2).
	maxDocument = 4 << 20
	// maxBinary bounds an image, audio or a blob, in raw bytes; the base64 of
	// so many is as long as a string may be (soklet-notes section 2).
	maxBinary = 786_432
)

// Why a result is not sent (decision 52).
var (
	errLongText  = errors.New("result: a text is longer than the bound")
	errNodes     = errors.New("result: too many values")
	errLarge     = errors.New("result: larger than 4 MiB")
	errBinary    = errors.New("result: an image, audio or blob of more than 786,432 bytes")
	errMetaShape = errors.New("result: _meta is not an object with valid keys")
	errPriority  = errors.New("result: a priority is not within 0 and 1")
	errRole      = errors.New("result: unknown role")
	errTheme     = errors.New("result: the theme of an icon is neither light nor dark")
	errNegative  = errors.New("result: a size or total is negative")
	errMessages  = errors.New("result: a prompt without messages")
	errCursor    = errors.New("result: nextCursor is longer than 4,096 bytes")
)

// A tally goes over the parts of a result, checks each, and counts the values
// and the bytes of the JSON that they become. What surrounds them, which is
// short, is not counted.
//
// Counting bytes takes a look at each character, so the first pass counts as
// if each were escaped. A second pass counts closely, and nothing else, if that
// was too much: for t.pass() { … } makes the passes.
type tally struct {
	bounds *Bounds
	passes int
	nodes  int // that may still come
	bytes  int // that may still come; may be negative
	err    error
}

// pass reports whether there is to be another pass, and begins it.
func (t *tally) pass() bool {
	switch {
	case t.err != nil, t.passes > 0 && t.bytes >= 0:
		return false
	case t.passes == 2:
		t.err = errLarge
		return false
	}
	t.passes++
	t.nodes, t.bytes = t.bounds.Nodes, maxDocument
	return true
}

func (t *tally) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// add counts values and keys, and bytes.
func (t *tally) add(nodes, bytes int) {
	t.bytes -= bytes
	if t.nodes -= nodes; t.nodes < 0 {
		t.fail(errNodes)
	}
}

// text checks and counts what is between the quotes of a string.
func (t *tally) text(s string) {
	if len(s) > t.bounds.String && utf16Length(s) > t.bounds.String {
		t.fail(errLongText)
	}
	if t.passes == 1 {
		t.bytes -= len(s) * longestEscape
	} else {
		t.bytes -= encodedLength(s)
	}
}

// member is a member of that name with a text.
func (t *tally) member(name, s string) {
	t.add(2, len(name)+len(`,"":""`))
	t.text(s)
}

// optional is a member that is left out when its text is empty.
func (t *tally) optional(name, s string) {
	if s != "" {
		t.member(name, s)
	}
}

// needed is a member whose text must not be empty.
func (t *tally) needed(name, s string) {
	if s == "" && t.err == nil {
		t.err = fmt.Errorf("result: %s is empty", name)
	}
	t.member(name, s)
}

// binary is a member in base64.
func (t *tally) binary(name string, data []byte) {
	if len(data) > maxBinary {
		t.fail(errBinary)
		return
	}
	n := base64.StdEncoding.EncodedLen(len(data))
	if n > t.bounds.String {
		t.fail(errLongText)
	}
	t.add(2, len(name)+len(`,"":""`)+n)
}

// document is the value of a member, a JSON text of the application's; an empty
// one is left out with its member.
func (t *tally) document(raw []byte) {
	if len(raw) == 0 || t.err != nil {
		return
	}
	t.bytes -= len(raw)
	if t.passes == 2 {
		t.bytes -= escapedSeparator * (bytes.Count(raw, []byte("\u2028")) + bytes.Count(raw, []byte("\u2029")))
		return
	}
	t.bytes -= len(raw) // as if it were all separators
	t.nodes, t.err = checkDocument(raw, t.bounds, t.nodes)
}

// escapedSeparator is how much longer U+2028 becomes when it is escaped.
const escapedSeparator = len(`\u2028`) - len("\u2028")

// meta is the member _meta.
func (t *tally) meta(raw []byte) {
	if len(raw) == 0 {
		return
	}
	t.add(1, len(`,"_meta":`))
	t.document(raw)
	if t.passes == 1 && t.err == nil && !validMeta(raw) {
		t.err = errMetaShape
	}
}

func validMeta(meta []byte) bool {
	object := rootOf(meta)
	ok := object.Kind == Object
	Members(meta, object, func(key, _ Value) bool {
		ok = ValidMetaKey(key.Text(meta))
		return ok
	})
	return ok
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}

const longestEscape = 6 // of a byte

// encodedLength returns how many bytes AppendString makes of a text, without
// its quotes.
func encodedLength(s string) int {
	n := 0
	for len(s) > 0 {
		plain := plainString(s)
		if n, s = n+plain, s[plain:]; s == "" {
			break
		}
		if s[0] < utf8.RuneSelf {
			var room [longestEscape]byte
			n, s = n+len(appendEscape(room[:0], s[0])), s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			n += longestEscape
		} else {
			n += size
		}
		s = s[size:]
	}
	return n
}
