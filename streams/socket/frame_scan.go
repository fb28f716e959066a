package socket

import (
	"encoding/binary"
	"math/bits"
)

// token marks the bytes of an RFC 9110 token.
var token = func() (table [256]bool) {
	for c := '0'; c <= '9'; c++ {
		table[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = true, true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		table[c] = true
	}
	return table
}()

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// notText marks, in the high bit, the bytes of w that may not be in a field value:
// control bytes (a tab among them) and DEL. Only the lowest mark is exact.
func notText(w uint64) uint64 {
	del := w ^ 0x7f*ones
	return ((w-0x20*ones)&^w | (del-ones)&^del) & highs
}

// notName marks, in the high bit, the bytes of w that are neither letters nor hyphens.
func notName(w uint64) uint64 {
	low := w &^ highs
	folded := low | 0x20*ones
	letter := (folded + (0x80-'a')*ones) &^ (folded + (0x80-'z'-1)*ones)
	return ((low^'-'*ones+0x7f*ones)&^letter | w) & highs
}

// scanText returns the index of the first byte of b that may not be in a field
// value (a control byte other than a tab, or DEL), or len(b).
func scanText(b []byte) int {
	i := 0
	for i+8 <= len(b) {
		bad := notText(binary.LittleEndian.Uint64(b[i:]))
		if bad == 0 {
			i += 8
			continue
		}
		if i += bits.TrailingZeros64(bad) >> 3; b[i] != '\t' {
			return i
		}
		i++
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < 0x20 && c != '\t' || c == 0x7f {
			return i
		}
	}
	return i
}

// scanToken returns the index of the first byte of b that is not in a token, or len(b).
func scanToken(b []byte) int {
	for i, c := range b {
		if !token[c] {
			return i
		}
	}
	return len(b)
}

// scanTarget returns the index of the first byte of b outside 0x21 to 0x7e, or len(b).
func scanTarget(b []byte) int {
	for i, c := range b {
		if c-0x21 > 0x7e-0x21 {
			return i
		}
	}
	return len(b)
}

// lower returns the lower case of an ASCII letter and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// equalFold reports whether b is name, whose letters are lower case.
func equalFold(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if lower(c) != name[i] {
			return false
		}
	}
	return true
}
