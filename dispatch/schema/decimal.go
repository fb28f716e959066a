package schema

import (
	"bytes"
	"strconv"
)

// maxExponent saturates exponents, far beyond what a document can spell in
// digits, so that sums of exponents and lengths never overflow.
const maxExponent = 1 << 40

// maxIntegerDigits bounds the digits that an integer may have once its
// exponent is written out. It equals the bound on a number's length.
const maxIntegerDigits = 1024

// A decimal is the exact value of a JSON number, as a view of its literal:
// ±0.d1d2…dn × 10^order, d1 and dn not zero. Zero has n = 0.
type decimal struct {
	neg    bool
	digits []byte // from d1 to dn; a '.' may stand among them
	n      int    // digits without the '.'
	order  int64
}

// parseDecimal reads a number literal. It needs no memory and its cost is
// linear in the literal's length whatever the exponent says.
func parseDecimal(lit []byte) decimal {
	var d decimal
	i := 0
	if i < len(lit) && (lit[i] == '-' || lit[i] == '+') {
		d.neg = lit[i] == '-'
		i++
	}
	first, last := -1, -1 // significant digits
	digits := 0           // digits up to and including last, from first
	count := 0            // digits since first
	intDigits := int64(0) // integer digits since first
	leading := int64(0)   // zeros between the point and first
	point := false
scan:
	for ; i < len(lit); i++ {
		c := lit[i]
		switch {
		case c == '.':
			point = true
		case c >= '0' && c <= '9':
			if first < 0 {
				if c == '0' {
					if point {
						leading++
					}
					continue
				}
				first = i
			}
			count++
			if !point {
				intDigits++
			}
			if c != '0' {
				last, digits = i, count
			}
		default:
			break scan
		}
	}
	if first < 0 {
		return decimal{} // zero, whatever its sign and exponent
	}
	exponent := int64(0)
	if i < len(lit) && (lit[i] == 'e' || lit[i] == 'E') {
		i++
		negative := false
		if i < len(lit) && (lit[i] == '-' || lit[i] == '+') {
			negative = lit[i] == '-'
			i++
		}
		for ; i < len(lit) && lit[i] >= '0' && lit[i] <= '9'; i++ {
			if exponent < maxExponent {
				exponent = exponent*10 + int64(lit[i]-'0')
			}
		}
		if negative {
			exponent = -exponent
		}
	}
	d.digits, d.n = lit[first:last+1], digits
	d.order = intDigits - leading + exponent
	return d
}

// integral reports whether the value has no fraction.
func (d decimal) integral() bool { return d.n == 0 || d.order >= int64(d.n) }

// compare returns -1, 0 or 1.
func (d decimal) compare(o decimal) int {
	switch {
	case d.n == 0 && o.n == 0:
		return 0
	case d.n == 0:
		return pick(o.neg, 1, -1)
	case o.n == 0 || d.neg != o.neg:
		return pick(d.neg, -1, 1)
	}
	c := d.compareMagnitude(o)
	return pick(d.neg, -c, c)
}

func (d decimal) compareMagnitude(o decimal) int {
	if d.order != o.order {
		return pick(d.order < o.order, -1, 1)
	}
	a, b := d.digits, o.digits
	for {
		if len(a) > 0 && a[0] == '.' {
			a = a[1:]
		}
		if len(b) > 0 && b[0] == '.' {
			b = b[1:]
		}
		switch {
		case len(a) == 0 && len(b) == 0:
			return 0
		case len(a) == 0: // the rest of b ends in a digit that is not zero
			return -1
		case len(b) == 0:
			return 1
		case a[0] != b[0]:
			return pick(a[0] < b[0], -1, 1)
		}
		a, b = a[1:], b[1:]
	}
}

// integer writes the value as plain digits. It reports false where the
// value has a fraction or more than maxIntegerDigits digits.
func (d decimal) integer() (text []byte, ok bool) {
	if d.n == 0 {
		return append(text, '0'), true
	}
	if !d.integral() || d.order > maxIntegerDigits {
		return nil, false
	}
	if d.neg {
		text = append(text, '-')
	}
	for _, c := range d.digits {
		if c != '.' {
			text = append(text, c)
		}
	}
	for range d.order - int64(d.n) {
		text = append(text, '0')
	}
	return text, true
}

// A bound is the operand of minimum or maximum.
type bound struct {
	exact decimal
	small int64 // the same value, if plain
	plain bool
	rule  string // the keyword and the operand, as a violation names them
}

func newBound(keyword string, lit []byte) *bound {
	lit = bytes.Clone(lit)
	b := &bound{exact: parseDecimal(lit), rule: keyword + ": " + clip(string(lit))}
	if n, err := strconv.ParseInt(string(lit), 10, 64); err == nil {
		b.small, b.plain = n, true
	}
	return b
}

// compare returns how the number that lit spells stands to the bound. plain is
// what numberEnd said of lit.
func (b *bound) compare(lit []byte, plain bool) int {
	if b.plain && plain {
		if n, ok := smallInteger(lit); ok {
			switch {
			case n < b.small:
				return -1
			case n > b.small:
				return 1
			}
			return 0
		}
	}
	return parseDecimal(lit).compare(b.exact)
}

// smallInteger reads a plain integer of at most 18 digits.
func smallInteger(lit []byte) (int64, bool) {
	neg := false
	if len(lit) > 0 && lit[0] == '-' {
		neg, lit = true, lit[1:]
	}
	if len(lit) == 0 || len(lit) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range lit {
		c -= '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	if neg {
		n = -n
	}
	return n, true
}

func pick(c bool, yes, no int) int {
	if c {
		return yes
	}
	return no
}
