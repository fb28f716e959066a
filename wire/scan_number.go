package wire

// number scans a number. Its length and the exponent that it is written with
// are bounded, zeros and leading zeros of the exponent included: who reads it
// with arbitrary precision must not be made to build huge values. Nothing is
// said of its magnitude otherwise.
func (s *scanner) number(start int) int {
	doc, i := s.doc, start
	if doc[i] == '-' {
		i++
	}
	first := i
	i = digits(doc, i)
	if n := i - first; n == 0 || n > 1 && doc[first] == '0' {
		return s.fail(start, ruleNumber)
	}
	if i < len(doc) && doc[i] == '.' {
		first = i + 1
		if i = digits(doc, first); i == first {
			return s.fail(start, ruleNumber)
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		if i++; i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		first = i
		if i = digits(doc, first); i == first {
			return s.fail(start, ruleNumber)
		}
		if exponentExceeds(doc[first:i], s.bounds.Exponent) {
			return s.fail(start, ruleExponent)
		}
	}
	if i-start > s.bounds.Number {
		return s.fail(start, ruleDigits)
	}
	return i
}

// digits returns where the digits at i end.
func digits(doc []byte, i int) int {
	for i < len(doc) && doc[i]-'0' <= 9 {
		i++
	}
	return i
}

// exponentExceeds reports whether decimal digits are worth more than limit.
func exponentExceeds(digits []byte, limit int) bool {
	n := 0
	for _, c := range digits {
		d := int(c - '0')
		if n > (limit-d)/10 || limit < d {
			return true
		}
		n = n*10 + d
	}
	return false
}
