package front

// scan reads a header section: field lines ended by CRLF, closed by an empty
// line. It reports whether the section is well formed: no folding, no bare CR
// or LF, names that are tokens with the colon right behind them, and values
// without control bytes other than tab. h must be zero.
//
// Every request pays for this. Names that matter are told apart by comparing
// words, and only other names are looked at byte by byte.
func (h *Head) scan(section []byte) bool {
	if len(section) == 0 {
		return true
	}
	b := section
	for len(b) >= 2 {
		if b[0] == '\r' {
			return b[1] == '\n' && len(b) == 2
		}
		var field *Field
		colon := 0
		for _, n := range names[b[0]] {
			if n.begins(b) {
				field, colon = n.field(h), len(n.text)
				break
			}
		}
		if field == nil {
			if colon = tokenLen(b); colon == 0 || colon == len(b) || b[colon] != ':' {
				return false
			}
			if colon >= len(paramPrefix) && equalFold(b[:len(paramPrefix)], paramPrefix) {
				h.Params++
			}
		}
		value := b[colon+1:]
		value = value[:valueLen(value)]
		b = b[colon+1+len(value):]
		if len(b) < 2 || b[0] != '\r' || b[1] != '\n' {
			return false
		}
		b = b[2:]
		h.Fields++
		if field == nil {
			continue
		}
		if field.Count == 0 {
			field.Value = trim(value)
		}
		field.Count++
	}
	return false // an unfinished section
}

const paramPrefix = "mcp-param-"
