package wire

import (
	"bytes"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Controls, quotes, backslashes,
// U+2028 and U+2029 are escaped (decision 14); what is not UTF-8 becomes
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		n := plainString(s)
		dst, s = append(dst, s[:n]...), s[n:]
		if s == "" {
			break
		}
		c := s[0]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			s = s[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, `\ufffd`...)
		case r == '\u2028':
			dst = append(dst, `\u2028`...)
		case r == '\u2029':
			dst = append(dst, `\u2029`...)
		default:
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return append(dst, '"')
}

// plainString is plain for strings.
func plainString(s string) int { return plain(viewBytes(s)) }

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendCompact appends valid JSON on one line: whitespace between tokens is
// dropped, U+2028 and U+2029 are escaped, everything else, numbers included,
// stays as it is (decision 14).
func AppendCompact(dst, raw []byte) []byte {
	for len(raw) > 0 {
		quote := bytes.IndexByte(raw, '"')
		if quote < 0 {
			quote = len(raw)
		}
		dst = appendTokens(dst, raw[:quote])
		if raw = raw[quote:]; len(raw) == 0 {
			break
		}
		end := 1
		for end < len(raw) {
			end += plain(raw[end:])
			if end >= len(raw) || raw[end] == '"' {
				break
			}
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(raw))
		dst = appendLineSafe(dst, raw[:end])
		raw = raw[end:]
	}
	return dst
}

func appendTokens(dst, raw []byte) []byte {
	for _, c := range raw {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendLineSafe appends JSON text with U+2028 and U+2029 escaped.
func appendLineSafe(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, 0xE2)
		if i < 0 {
			return append(dst, raw...)
		}
		if i+2 < len(raw) && raw[i+1] == 0x80 && (raw[i+2] == 0xA8 || raw[i+2] == 0xA9) {
			dst = append(dst, raw[:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, raw[i+2]-0xA8+'8')
			raw = raw[i+3:]
			continue
		}
		dst = append(dst, raw[:i+1]...)
		raw = raw[i+1:]
	}
}
