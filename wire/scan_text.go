package wire

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// odd marks, by their highest bits, the bytes of a word that are not printable
// ASCII, or are a quote or a backslash. Only its lowest mark is exact: borrows
// may mark bytes above it. XOR with 2 takes the quote next to the controls.
func odd(w uint64) uint64 {
	return (((w ^ ones*2) - ones*0x21) | ((w ^ ones*'\\') - ones) | w) & highs
}

// plain returns how many bytes at the front of b are printable ASCII (or DEL)
// without quote and backslash.
func plain(b []byte) int {
	n := 0
	for len(b)-n >= 8 {
		if m := odd(binary.LittleEndian.Uint64(b[n:])); m != 0 {
			return n + bits.TrailingZeros64(m)>>3
		}
		n += 8
	}
	for n < len(b) {
		if c := b[n]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			break
		}
		n++
	}
	return n
}

// text scans a string whose quote is at i; escaped says that there is a
// backslash in it.
func (s *scanner) text(i int) (end int, escaped bool) {
	doc, start := s.doc, i
	for i++; len(doc)-i >= 8; i += 8 {
		m := odd(binary.LittleEndian.Uint64(doc[i:]))
		if m == 0 {
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if i < len(doc) && doc[i] == '"' && i-start-1 <= s.bounds.String {
			return i + 1, false
		}
		break
	}
	return s.oddText(start, i)
}

// oddText scans the rest, from i on, of a string that starts at start.
func (s *scanner) oddText(start, i int) (end int, escaped bool) {
	doc := s.doc
	less := 0 // bytes so far that are not UTF-16 units of their own
	for i < len(doc) {
		switch c := doc[i]; {
		case c >= 0x80:
			n, units := sequence(doc[i:])
			if n == 0 {
				return s.fail(i, ruleUTF8), false
			}
			i, less = i+n, less+n-units
		case c == '"':
			if i-start-1-less > s.bounds.String {
				return s.fail(start, ruleString), false
			}
			return i + 1, escaped
		case c == '\\':
			n, units := s.escape(i)
			if n == 0 {
				return -1, false
			}
			escaped = true
			i, less = i+n, less+n-units
		case c < 0x20:
			return s.fail(i, ruleControl), false
		default:
			i += plain(doc[i:])
		}
	}
	return s.fail(i, ruleEnd), false
}

// sequence returns how many bytes the UTF-8 sequence of a character beyond
// ASCII has, 0 for none that is valid, and how many UTF-16 units it makes.
func sequence(b []byte) (n, units int) {
	low, high := byte(0x80), byte(0xBF) // of the second byte
	switch c := b[0]; {
	case c < 0xC2 || c > 0xF4:
		return 0, 0
	case c < 0xE0:
		n, units = 2, 1
	case c < 0xF0:
		n, units = 3, 1
		switch c {
		case 0xE0:
			low = 0xA0 // overlong below
		case 0xED:
			high = 0x9F // surrogates above
		}
	default:
		n, units = 4, 2
		switch c {
		case 0xF0:
			low = 0x90 // overlong below
		case 0xF4:
			high = 0x8F // beyond U+10FFFF above
		}
	}
	if len(b) < n || b[1] < low || b[1] > high ||
		n > 2 && b[2]&0xC0 != 0x80 || n > 3 && b[3]&0xC0 != 0x80 {
		return 0, 0
	}
	return n, units
}

// escape checks the escape at i and returns its length in bytes, 0 when it is
// none, and in UTF-16 units.
func (s *scanner) escape(i int) (n, units int) {
	rest := s.doc[i:]
	if len(rest) < 2 {
		s.fail(i, ruleEnd)
		return 0, 0
	}
	switch rest[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, 1
	case 'u':
	default:
		s.fail(i, ruleEscape)
		return 0, 0
	}
	u := hex4(rest[2:])
	switch {
	case u < 0:
		s.fail(i, ruleEscape)
		return 0, 0
	case u < 0xD800 || u >= 0xE000:
		return 6, 1
	}
	if u < 0xDC00 && len(rest) >= 12 && rest[6] == '\\' && rest[7] == 'u' {
		if low := hex4(rest[8:]); low >= 0xDC00 && low < 0xE000 {
			return 12, 2
		}
	}
	s.fail(i, ruleSurrogate)
	return 0, 0
}

// hex4 reads four hexadecimal digits; -1 if they are not.
func hex4(b []byte) int {
	if len(b) < 4 {
		return -1
	}
	n := 0
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | int(c-'A'+10)
		default:
			return -1
		}
	}
	return n
}
