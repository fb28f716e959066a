package socket

// body consumes bytes of a body from b[i:] and reports whether feed must return.
func (f *framer) body(b []byte, i int) (n, verdict int, done bool) {
	c := b[i]
	switch f.state {
	case inBody, inChunk:
		j := min(len(b)-i, f.rest)
		f.rest -= j
		i += j
		if f.rest > 0 {
			return i, feedMore, true
		}
		if f.state == inBody {
			f.state = complete
			return i, feedDone, true
		}
		f.state = atDataCR
		return i, feedMore, false

	case atChunk, inChunkSize:
		if d, ok := hexDigit(c); ok {
			f.digits++
			f.rest = f.rest<<4 | d
			if f.digits > int(maxSizeDigits) {
				f.state = failed
				return i, 400, true
			}
			if f.rest > f.limits.Body-f.decoded {
				f.state = failed
				return i, 413, true
			}
			f.state = inChunkSize
			return i + 1, feedMore, false
		}
		switch {
		case f.state == inChunkSize && c == '\r':
			f.state = atSizeEnd
		case f.state == inChunkSize && c == ';':
			f.state = inExtension
		default:
			f.state = failed
			return i, 400, true
		}
		return i + 1, feedMore, false

	case inExtension:
		room := min(len(b)-i, maxExtensions-f.extension)
		j := scanText(b[i : i+room])
		f.extension += j
		i += j
		if i == len(b) {
			return i, feedMore, true
		}
		if b[i] != '\r' { // a control byte, or one beyond the bound
			f.state = failed
			return i, 400, true
		}
		f.state = atSizeEnd
		return i + 1, feedMore, false
	}

	// What is left is one expected byte per state.
	expected, next := byte('\n'), f.state+1
	switch f.state {
	case atSizeEnd:
		if f.decoded += f.rest; f.rest == 0 {
			next = atLastCR
		} else {
			next = inChunk
		}
	case atDataCR, atLastCR: // a byte other than CR at atLastCR begins a trailer field
		expected = '\r'
	case atDataEnd:
		next, f.digits = atChunk, 0
	}
	if c != expected {
		f.state = failed
		return i, 400, true
	}
	f.state = next
	if next == complete {
		return i + 1, feedDone, true
	}
	return i + 1, feedMore, false
}

func hexDigit(c byte) (int, bool) {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0'), true
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10, true
	}
	return 0, false
}
