package wire

import "unicode/utf8"

// maxIDBytes bounds the text of a string id (decision 38).
const maxIDBytes = 256

// An ID is a request's id: a string, or an integer that fits int64, kept in
// the spelling it came in (decision 12). The zero ID is none. It is a view of
// the document it was read from.
type ID struct{ raw []byte }

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return len(id.raw) == 0 }

// IsString reports whether the id is a string.
func (id ID) IsString() bool { return len(id.raw) > 0 && id.raw[0] == '"' }

// Raw returns the id as it was spelled, as a view.
func (id ID) Raw() []byte { return id.raw }

// Clone returns an id that no longer refers to the document.
func (id ID) Clone() ID { return ID{append([]byte(nil), id.raw...)} }

// AppendID appends the id in its own spelling, but for U+2028 and U+2029,
// which are escaped (decision 38).
func AppendID(dst []byte, id ID) []byte { return appendLineSafe(dst, id.raw) }

// parseID reads an id from a value of a scanned document.
func parseID(doc []byte, v Value) (ID, bool) {
	switch v.Kind {
	case String:
		if textLength(doc, v) > maxIDBytes {
			return ID{}, false
		}
	case Number:
		if !IsInteger(doc, v) {
			return ID{}, false
		}
	default:
		return ID{}, false
	}
	return ID{v.Span.Of(doc)}, true
}

// textLength returns how many UTF-8 bytes a string's text has.
func textLength(doc []byte, v Value) int {
	inner := doc[v.Span.Start+1 : v.Span.End-1]
	if !v.Escaped {
		return len(inner)
	}
	var room [utf8.UTFMax]byte
	length := 0
	for len(inner) > 0 {
		n, text := nextText(inner, &room)
		inner, length = inner[n:], length+len(text)
	}
	return length
}

// IsInteger reports whether a value is an integer literal that fits int64: no
// fraction, no exponent.
func IsInteger(doc []byte, v Value) bool {
	if v.Kind != Number {
		return false
	}
	digits, limit := v.Span.Of(doc), "9223372036854775807"
	if digits[0] == '-' {
		digits, limit = digits[1:], "9223372036854775808"
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) < len(limit) || len(digits) == len(limit) && string(digits) <= limit
}
