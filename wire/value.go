package wire

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// A Span is a half-open range of a document's bytes. The zero Span is empty.
type Span struct{ Start, End int32 }

// Of returns the bytes of the span, as a view.
func (s Span) Of(doc []byte) []byte { return doc[s.Start:s.End:s.End] }

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. Absent is that of a member that is not there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Value is a JSON value in a document that has been scanned.
type Value struct {
	Span    Span // of a string: with its quotes
	Kind    Kind
	Escaped bool // a string with a backslash in it
}

// Text returns the text of a string: a view of the document when nothing in
// it is escaped, else a new slice. Other kinds have no text.
func (v Value) Text(doc []byte) []byte {
	if v.Kind != String {
		return nil
	}
	inner := doc[v.Span.Start+1 : v.Span.End-1]
	if !v.Escaped {
		return slices.Clip(inner)
	}
	return appendUnescaped(make([]byte, 0, len(inner)), inner)
}

// Is reports whether the value is a string with exactly that text. It does not
// allocate.
func (v Value) Is(doc []byte, s string) bool {
	if v.Escaped {
		return v.unescapesTo(doc, s)
	}
	return v.Kind == String && string(doc[v.Span.Start+1:v.Span.End-1]) == s
}

func (v Value) unescapesTo(doc []byte, s string) bool {
	inner := doc[v.Span.Start+1 : v.Span.End-1]
	var room [utf8.UTFMax]byte
	for len(inner) > 0 {
		n, text := nextText(inner, &room)
		if len(s) < len(text) || s[:len(text)] != string(text) {
			return false
		}
		inner, s = inner[n:], s[len(text):]
	}
	return s == ""
}

// nextText returns what the first character or plain run of a valid string's
// inside stands for, and how many bytes it takes.
func nextText(inner []byte, room *[utf8.UTFMax]byte) (n int, text []byte) {
	if inner[0] != '\\' {
		if n = bytes.IndexByte(inner, '\\'); n < 0 {
			n = len(inner)
		}
		return n, inner[:n]
	}
	switch c := inner[1]; c {
	case 'u':
		r, n := rune(hex4(inner[2:])), 6
		if r >= 0xD800 && r < 0xDC00 {
			r = 0x10000 + (r-0xD800)<<10 + rune(hex4(inner[8:])) - 0xDC00
			n = 12
		}
		return n, utf8.AppendRune(room[:0], r)
	case 'b':
		room[0] = '\b'
	case 'f':
		room[0] = '\f'
	case 'n':
		room[0] = '\n'
	case 'r':
		room[0] = '\r'
	case 't':
		room[0] = '\t'
	default:
		room[0] = c
	}
	return 2, room[:1]
}

func appendUnescaped(dst, inner []byte) []byte {
	var room [utf8.UTFMax]byte
	for len(inner) > 0 {
		n, text := nextText(inner, &room)
		dst, inner = append(dst, text...), inner[n:]
	}
	return dst
}

// Members walks the members of an object in a document that has been scanned,
// until yield returns false. Other kinds have no members.
func Members(doc []byte, object Value, yield func(key, value Value) bool) {
	if object.Kind != Object {
		return
	}
	i := skipSpace(doc, int(object.Span.Start)+1)
	for doc[i] != '}' {
		key, after := valueAt(doc, i)
		i = skipSpace(doc, skipSpace(doc, after)+1) // the colon
		value, after := valueAt(doc, i)
		if !yield(key, value) {
			return
		}
		i = skipSpace(doc, after)
		if doc[i] == ',' {
			i = skipSpace(doc, i+1)
		}
	}
}

func skipSpace(doc []byte, i int) int {
	for doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t' {
		i++
	}
	return i
}

// valueAt returns the value that begins at i in a document that has been
// scanned, and where it ends.
func valueAt(doc []byte, i int) (Value, int) {
	start := i
	v := Value{Kind: kindOf(doc[i])}
	switch v.Kind {
	case String:
		i, v.Escaped = stringEnd(doc, i)
	case Object, Array:
		for depth := 0; ; {
			switch doc[i] {
			case '"':
				i, _ = stringEnd(doc, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			i++
			if depth == 0 {
				break
			}
		}
	default:
		for i < len(doc) && !endsScalar(doc[i]) {
			i++
		}
	}
	v.Span = Span{int32(start), int32(i)}
	return v, i
}

// stringEnd returns where a string ends whose quote is at i.
func stringEnd(doc []byte, i int) (end int, escaped bool) {
	i++
	for {
		if len(doc)-i >= 8 {
			w := binary.LittleEndian.Uint64(doc[i:])
			quote, slash := w^ones*'"', w^ones*'\\'
			m := ((quote-ones)&^quote | (slash-ones)&^slash) & highs // its lowest mark is exact
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		switch doc[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			i++
		}
		i++
	}
}

func endsScalar(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

func kindOf(c byte) Kind {
	switch c {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		return Number
	}
}
