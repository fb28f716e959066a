package schema

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// The walkers below move over JSON text that a strict scanner has accepted.
// On anything else they stop at the end of the text or report false; they
// never read past it.

// space returns the position of the first byte at or after pos that is no
// white space.
func space(doc []byte, pos int) int {
	for pos < len(doc) {
		switch doc[pos] {
		case ' ', '\t', '\n', '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// stringEnd takes the position of an opening quote and returns the position
// after the closing one, and whether a backslash stands between.
func stringEnd(doc []byte, pos int) (end int, escaped, ok bool) {
	i := pos + 1
	for short := i + 32; i < len(doc) && i < short; i++ {
		switch doc[i] {
		case '"':
			return i + 1, escaped, true
		case '\\':
			escaped = true
			i++
		}
	}
	// The next quote is searched for again only once it has been passed, so that
	// text which is full of escapes is gone over once.
	quote := -1
	for i < len(doc) {
		if quote < i {
			n := bytes.IndexByte(doc[i:], '"')
			if n < 0 {
				return len(doc), escaped, false
			}
			quote = i + n
		}
		slash := bytes.IndexByte(doc[i:quote], '\\')
		if slash < 0 {
			return quote + 1, escaped, true
		}
		escaped = true
		i += slash + 2
	}
	return len(doc), escaped, false
}

// numberEnd returns the position after the number literal at pos, and whether
// it is plain: digits, perhaps after a minus.
func numberEnd(doc []byte, pos int) (end int, plain bool) {
	if pos < len(doc) && doc[pos] == '-' {
		pos++
	}
	for pos < len(doc) && doc[pos]-'0' <= 9 {
		pos++
	}
	if pos == len(doc) {
		return pos, true
	}
	if c := doc[pos]; c != '.' && c|0x20 != 'e' {
		return pos, true
	}
	for pos < len(doc) {
		switch c := doc[pos]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			pos++
		default:
			return pos, false
		}
	}
	return pos, false
}

// skip returns the position after the value at pos.
func skip(doc []byte, pos int) (end int, ok bool) {
	depth := 0
	for pos < len(doc) {
		switch c := doc[pos]; c {
		case '"':
			end, _, ok := stringEnd(doc, pos)
			if !ok {
				return end, false
			}
			pos = end
		case '{', '[':
			depth++
			pos++
			continue
		case '}', ']':
			depth--
			pos++
			if depth < 0 {
				return pos, false
			}
		case ' ', '\t', '\n', '\r', ',', ':':
			if depth == 0 {
				return pos, false
			}
			pos++
			continue
		case 't', 'n':
			pos += 4
		case 'f':
			pos += 5
		default:
			end, _ := numberEnd(doc, pos)
			if end == pos {
				return pos, false
			}
			pos = end
		}
		if pos > len(doc) {
			return len(doc), false
		}
		if depth == 0 {
			return pos, true
		}
	}
	return len(doc), false
}

// unescape appends what the text between the quotes of a JSON string stands
// for. It reports false on an escape that is malformed or half a surrogate
// pair; what is appended then is of no use.
func unescape(dst, text []byte) ([]byte, bool) {
	for {
		slash := bytes.IndexByte(text, '\\')
		if slash < 0 {
			return append(dst, text...), true
		}
		dst = append(dst, text[:slash]...)
		if slash+1 >= len(text) {
			return dst, false
		}
		c := text[slash+1]
		text = text[slash+2:]
		switch c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := hex4(text)
			if !ok {
				return dst, false
			}
			text = text[4:]
			if utf16.IsSurrogate(r) {
				if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
					return dst, false
				}
				low, ok := hex4(text[2:])
				if !ok {
					return dst, false
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					return dst, false
				}
				text = text[6:]
			}
			dst = utf8.AppendRune(dst, r)
		default:
			return dst, false
		}
	}
}

func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	r := rune(0)
	for _, c := range text[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// A member is what next found: the key between its quotes and where its
// value starts.
type member struct {
	key     []byte
	escaped bool
	value   int
}

// next reads one member of an object. pos stands after '{' or after the value
// before. done means that the object has ended, at end.
func next(doc []byte, pos int, first bool) (m member, end int, done, ok bool) {
	pos = space(doc, pos)
	if pos < len(doc) && doc[pos] == '}' {
		return m, pos + 1, true, true
	}
	if !first {
		if pos >= len(doc) || doc[pos] != ',' {
			return m, pos, true, false
		}
		pos = space(doc, pos+1)
	}
	if pos >= len(doc) || doc[pos] != '"' {
		return m, pos, true, false
	}
	end, m.escaped, ok = stringEnd(doc, pos)
	if !ok {
		return m, end, true, false
	}
	m.key = doc[pos+1 : end-1]
	pos = space(doc, end)
	if pos >= len(doc) || doc[pos] != ':' {
		return m, pos, true, false
	}
	m.value = space(doc, pos+1)
	return m, m.value, false, m.value < len(doc)
}

// element moves to the next element of an array, as next does in an object.
func element(doc []byte, pos int, first bool) (value int, done, ok bool) {
	pos = space(doc, pos)
	if pos < len(doc) && doc[pos] == ']' {
		return pos + 1, true, true
	}
	if !first {
		if pos >= len(doc) || doc[pos] != ',' {
			return pos, true, false
		}
		pos = space(doc, pos+1)
	}
	return pos, false, pos < len(doc)
}
