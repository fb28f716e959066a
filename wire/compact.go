package wire

import "bytes"

// AppendCompact appends valid JSON on one line: whitespace between tokens is
// dropped, U+2028 and U+2029 are escaped, everything else, numbers included,
// stays as it is (decision 14). Of text that is not valid JSON it keeps the
// promise of one line, and no other.
func AppendCompact(dst, raw []byte) []byte {
	for {
		quote := bytes.IndexByte(raw, '"')
		if quote < 0 {
			return appendTokens(dst, raw)
		}
		dst = append(appendTokens(dst, raw[:quote]), '"')
		n := 0
		dst, n = appendInner(dst, raw[quote+1:])
		raw = raw[quote+1+n:]
	}
}

// appendTokens appends what lies between strings.
func appendTokens(dst, raw []byte) []byte {
	kept := 0
	for i, c := range raw {
		if c > ' ' {
			continue
		}
		dst = append(dst, raw[kept:i]...)
		kept = i + 1
	}
	return append(dst, raw[kept:]...)
}

// appendInner appends the inside of a string, up to and with its closing
// quote, and returns how many bytes that was.
func appendInner(dst, raw []byte) ([]byte, int) {
	kept, i := 0, 0
	for i < len(raw) {
		switch c := raw[i]; {
		case c == '"':
			return append(dst, raw[kept:i+1]...), i + 1
		case c == '\\':
			if i++; i < len(raw) && raw[i] >= ' ' {
				i++
			}
		case c < ' ':
			dst = appendEscape(append(dst, raw[kept:i]...), c)
			i++
			kept = i
		case separates(raw[i:]):
			dst = appendSeparator(append(dst, raw[kept:i]...), raw[i+2])
			i += 3
			kept = i
		case c >= 0x80:
			i++
		default:
			i += plain(raw[i:])
		}
	}
	return append(dst, raw[kept:]...), len(raw)
}

// appendLineSafe appends JSON text with U+2028 and U+2029 escaped.
func appendLineSafe(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, 0xE2)
		switch {
		case i < 0:
			return append(dst, raw...)
		case separates(raw[i:]):
			dst = appendSeparator(append(dst, raw[:i]...), raw[i+2])
			raw = raw[i+3:]
		default:
			dst = append(dst, raw[:i+1]...)
			raw = raw[i+1:]
		}
	}
}

// separates reports whether bytes begin with U+2028 or U+2029, which end a
// line for JavaScript.
func separates(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xE2 && b[1] == 0x80 && b[2]|1 == 0xA9
}

// appendSeparator appends the escape of the separator with that last byte.
func appendSeparator(dst []byte, last byte) []byte {
	return append(append(dst, `\u202`...), last-0xA8+'8')
}
