package front

// permission collects what the ranges of Accept fields say about the two media
// types that answers have (RFC 9110 section 12.5.1). A bit says that a range of
// that reach permits the type, or, with q=0, excludes it; the ranges may come
// in any order and number.
type permission uint16

const (
	jsonExact permission = 1 << iota
	jsonExactNot
	streamExact
	streamExactNot
	jsonType // application/*
	jsonTypeNot
	streamType // text/*
	streamTypeNot
	anyType // */*
	anyTypeNot
)

// both reports whether application/json and text/event-stream are permitted.
func (p permission) both() bool {
	return p.permits(jsonExact, jsonType) && p.permits(streamExact, streamType)
}

// permits asks the most specific range that has anything to say. Where equally
// specific ones contradict each other, q=0 excludes (T-13).
func (p permission) permits(exact, kind permission) bool {
	for _, bit := range [...]permission{exact, kind, anyType} {
		if p&(bit<<1) != 0 {
			return false
		}
		if p&bit != 0 {
			return true
		}
	}
	return false
}

// accept adds the ranges of one Accept field line. Elements that are malformed
// permit nothing.
func (p permission) accept(line []byte) permission {
	for len(line) > 0 {
		var element []byte
		element, line = cutElement(line)
		p |= rangeBits(element)
	}
	return p
}

// rangeBits reads one media range with its weight.
func rangeBits(element []byte) permission {
	essence, params := cutParams(element)
	var bit permission
	switch {
	case equalToken(essence, "application/json"):
		bit = jsonExact
	case equalToken(essence, "text/event-stream"):
		bit = streamExact
	case equalToken(essence, "application/*"):
		bit = jsonType
	case equalToken(essence, "text/*"):
		bit = streamType
	case equalToken(essence, "*/*"):
		bit = anyType
	default:
		return 0
	}
	qualified, excluded := false, false
	for len(params) > 0 {
		name, value, rest, ok := nextParam(params)
		if !ok {
			return 0
		}
		params = rest
		if name == nil {
			continue
		}
		if !equalToken(name, "q") {
			qualified = true
			continue
		}
		if excluded, ok = zeroWeight(value); !ok {
			return 0
		}
		break // what follows the weight is no parameter of the range
	}
	switch {
	case !excluded:
		return bit // a range for some parameter is an answer's type all the same
	case qualified:
		return 0 // excludes a variant that is not on offer
	}
	return bit << 1
}

// zeroWeight reads a qvalue (RFC 9110 section 12.4.2).
func zeroWeight(q []byte) (zero, ok bool) {
	if len(q) == 0 || len(q) > 5 || q[0] != '0' && q[0] != '1' || len(q) > 1 && q[1] != '.' {
		return false, false
	}
	zero = q[0] == '0'
	for _, c := range q[min(len(q), 2):] {
		if c < '0' || c > '9' || q[0] == '1' && c != '0' {
			return false, false
		}
		zero = zero && c == '0'
	}
	return zero, true
}

// jsonContent reports whether a Content-Type is application/json, with no
// parameter but a charset of utf-8 (T-12, T-46).
func jsonContent(value []byte) bool {
	essence, params := cutParams(value)
	if !equalToken(essence, "application/json") {
		return false
	}
	seen := false
	for len(params) > 0 {
		name, value, rest, ok := nextParam(params)
		if !ok {
			return false
		}
		params = rest
		if name == nil {
			continue
		}
		if seen || !equalToken(name, "charset") || !equalToken(unquote(value), "utf-8") {
			return false
		}
		seen = true
	}
	return true
}

// identityCoding reports whether a Content-Encoding line lists no coding but
// identity (T-14 to T-16).
func identityCoding(line []byte) bool {
	for len(line) > 0 {
		var element []byte
		element, line = cutElement(line)
		if len(element) > 0 && !equalToken(element, "identity") {
			return false
		}
	}
	return true
}

// cutElement cuts the first element off a comma-separated list. Commas inside
// quoted strings do not separate.
func cutElement(list []byte) (element, rest []byte) {
	quoted := false
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c == ',':
			return trim(list[:i]), list[i+1:]
		}
	}
	return trim(list), nil
}

// cutParams cuts a media type or range from its parameters, which begin at the
// semicolon.
func cutParams(element []byte) (essence, params []byte) {
	for i, c := range element {
		if c == ';' {
			return trim(element[:i]), element[i:]
		}
	}
	return element, nil
}

// nextParam reads one parameter, from its semicolon to the next one or the end
// (RFC 9110 section 5.6.6). A semicolon with nothing behind it has a nil name.
func nextParam(params []byte) (name, value, rest []byte, ok bool) {
	b := trim(params[1:])
	if len(b) == 0 || b[0] == ';' {
		return nil, nil, b, true
	}
	n := tokenLen(b)
	if n == 0 || n == len(b) || b[n] != '=' {
		return nil, nil, nil, false
	}
	name, b = b[:n], b[n+1:]
	if n = paramLen(b); n == 0 {
		return nil, nil, nil, false
	}
	value, rest = b[:n], trim(b[n:])
	return name, value, rest, len(rest) == 0 || rest[0] == ';'
}

// paramLen is the length of the token or quoted string that b begins with; 0
// when it begins with neither.
func paramLen(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return tokenLen(b)
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return 0
}

// unquote takes the quotes off a quoted string. One with escapes keeps them: no
// value that is compared here needs any.
func unquote(value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}
