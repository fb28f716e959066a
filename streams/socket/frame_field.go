package socket

import (
	"encoding/binary"
	"math/bits"
)

// lines consumes whole, ordinary field lines from b[i:] and returns where they
// end. It is the short way for what feed does byte by byte: anything unusual, cut,
// beyond a limit or near the end of b is left for feed to judge.
func (f *framer) lines(b []byte, i int) int {
	for f.fields < f.limits.Headers {
		// The name: letters and hyphens in words of eight, other token bytes singly.
		j := i
		for {
			if j+8 > len(b) {
				return i
			}
			w := binary.LittleEndian.Uint64(b[j:])
			bad := notName(w)
			if bad == 0 {
				j += 8
				continue
			}
			j += bits.TrailingZeros64(bad) >> 3
			if c := b[j]; c == ':' {
				break
			} else if !token[c] {
				return i
			}
			j++
		}
		var kind fieldKind
		switch j - i {
		case 0:
			return i
		case 6, 14, 17:
			kind = kindOf(b[i:j])
		}
		j++
		switch kind {
		case ordinary:
			for {
				if j+8 > len(b) {
					return i
				}
				bad := notText(binary.LittleEndian.Uint64(b[j:]))
				if bad == 0 {
					j += 8
					continue
				}
				if j += bits.TrailingZeros64(bad) >> 3; b[j] != '\t' {
					break
				}
				j++
			}
		case contentLength:
			if f.hasLength || f.chunked || j+12 > len(b) {
				return i
			}
			if b[j] == ' ' {
				j++
			}
			first, length := j, 0
			for ; j < first+9 && b[j]-'0' <= 9; j++ {
				length = length*10 + int(b[j]-'0')
			}
			if j == first || b[j] != '\r' || b[j+1] != '\n' {
				return i
			}
			if f.headBytes+j+2-i <= f.limits.HeaderBytes {
				f.hasLength, f.length = true, length
			}
		default:
			return i
		}
		if j+1 >= len(b) || b[j] != '\r' || b[j+1] != '\n' {
			return i
		}
		j += 2
		if f.headBytes+j-i > f.limits.HeaderBytes {
			return i
		}
		f.fields++
		f.headBytes += j - i
		i = j
	}
	return i
}

// keepName collects the name of a field that was cut between two pieces.
func (f *framer) keepName(piece []byte) {
	for _, c := range piece {
		if f.nameLen < len(f.name) {
			f.name[f.nameLen] = lower(c)
		}
		f.nameLen++
	}
}

func kindOf(name []byte) fieldKind {
	switch len(name) {
	case 6:
		if equalFold(name, "expect") {
			return expectation
		}
	case 14:
		if equalFold(name, "content-length") {
			return contentLength
		}
	case 17:
		if equalFold(name, "transfer-encoding") {
			return transferEncoding
		}
	}
	return ordinary
}

// special checks that a framing field may appear here: once, and not beside its rival.
func (f *framer) special() bool {
	switch f.kind {
	case contentLength:
		if f.hasLength || f.chunked {
			return false
		}
		f.hasLength = true
	case transferEncoding:
		if f.hasLength || f.chunked || f.v10 {
			return false
		}
		f.chunked = true
	case expectation:
		if f.hasExpect {
			return false
		}
		f.hasExpect = true
		f.continues = true // until the value says otherwise
	}
	return true
}

// specialByte takes one byte of a framing field's value: optional space, the
// value, optional space, CR.
func (f *framer) specialByte(c byte) bool {
	if c == ' ' || c == '\t' {
		if f.part == within {
			if f.kind == expectation && int(f.match) != len(expectContinue) {
				f.continues = false
			}
			f.part = after
		}
		return true
	}
	if c == '\r' {
		f.state = atFieldEnd
		switch f.kind {
		case contentLength:
			return f.part != before
		case transferEncoding:
			return int(f.match) == len(codingChunked)
		default:
			f.continues = f.continues && int(f.match) == len(expectContinue)
			return true
		}
	}
	switch f.kind {
	case contentLength:
		if f.part == after || c < '0' || c > '9' {
			return false
		}
		if f.length <= f.limits.Body { // beyond it the exact value does not matter
			f.length = f.length*10 + int(c-'0')
		}
	case transferEncoding:
		if f.part == after || int(f.match) >= len(codingChunked) || lower(c) != codingChunked[f.match] {
			return false
		}
		f.match++
	default:
		if c < 0x20 || c == 0x7f {
			return false
		}
		if f.part == after || int(f.match) >= len(expectContinue) || lower(c) != expectContinue[f.match] {
			f.continues = false
		} else {
			f.match++
		}
	}
	f.part = within
	return true
}
