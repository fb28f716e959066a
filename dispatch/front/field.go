package front

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// nextLine cuts one field line off a header section. The line that ends the
// section has a nil name.
func nextLine(section []byte) (name, value, rest []byte, ok bool) {
	if len(section) < 2 {
		return nil, nil, nil, false
	}
	if section[0] == '\r' {
		return nil, nil, section[2:], section[1] == '\n'
	}
	colon := tokenLen(section)
	if colon == 0 || colon == len(section) || section[colon] != ':' {
		return nil, nil, nil, false
	}
	value = section[colon+1:]
	value = value[:valueLen(value)]
	rest = section[colon+1+len(value):]
	if len(rest) < 2 || rest[0] != '\r' || rest[1] != '\n' {
		return nil, nil, nil, false
	}
	return section[:colon], trim(value), rest[2:], true
}

// tokenLen is the length of the token that b begins with.
func tokenLen(b []byte) int {
	for i, c := range b {
		if !tokenByte[c] {
			return i
		}
	}
	return len(b)
}

// fieldsOf walks the field lines of a header section up to the first bad one.
func fieldsOf(section []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for len(section) > 0 {
			name, value, rest, ok := nextLine(section)
			if !ok || name == nil || !yield(name, value) {
				return
			}
			section = rest
		}
	}
}

// equalFold compares a token with a lower-case name of letters and hyphens.
func equalFold(token []byte, lower string) bool {
	if len(token) != len(lower) {
		return false
	}
	for i, c := range token {
		// Among the bytes of a token only a letter's other case maps onto it.
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}

// equalToken compares two texts without regard to ASCII case.
func equalToken[T ~string | ~[]byte](a []byte, b T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if lower(c) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// trim takes optional whitespace (RFC 9110 section 5.6.3) off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// printable reports whether a field value has no control byte but tab
// (RFC 9110 section 5.5).
func printable(value []byte) bool { return valueLen(value) == len(value) }

// valueLen is the length of what b begins with that can be in a field value:
// up to the first control byte that is no tab. It looks at eight bytes at a
// time.
func valueLen(b []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		x := w ^ 0x7f*ones
		// The high bit of each byte that is below 0x20, or 0x7f. A subtraction
		// that borrows can mark bytes behind the first marked one by mistake.
		if marks := ((w-0x20*ones)&^w | (x-ones)&^x) & high; marks != 0 {
			i += bits.TrailingZeros64(marks) / 8
			break
		}
	}
	for i < len(b) && (b[i] >= 0x20 && b[i] != 0x7f || b[i] == '\t') {
		i++
	}
	return i
}

// tokenByte holds the bytes of a token (RFC 9110 section 5.6.2).
var tokenByte = byteSet("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

func byteSet(members string) (set [256]bool) {
	for i := range len(members) {
		set[members[i]] = true
	}
	return set
}
