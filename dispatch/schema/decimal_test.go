package schema

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// literal draws a JSON number.
func literal() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		s += rapid.SampledFrom([]string{"0", "1", "9", "10", "100", "9223372036854775807", "9223372036854775808", "1234567890123456789012345"}).Draw(t, "int")
		s += rapid.SampledFrom([]string{"", "", ".0", ".5", ".000", ".050", ".00001", ".9999999999999999999"}).Draw(t, "fraction")
		return s + rapid.SampledFrom([]string{"", "", "e0", "e1", "E+2", "e-1", "e-2", "e19", "e-30", "E300"}).Draw(t, "exponent")
	})
}

func rational(t interface{ Fatalf(string, ...any) }, lit string) *big.Rat {
	r, ok := new(big.Rat).SetString(lit)
	if !ok {
		t.Fatalf("big.Rat refuses %s", lit)
	}
	return r
}

// Decision 38, decision 14: decimals behave as exact rationals.
func TestDecimalAgainstRational(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := literal().Draw(t, "a"), literal().Draw(t, "b")
		x, y := rational(t, a), rational(t, b)
		da, db := parseDecimal([]byte(a)), parseDecimal([]byte(b))
		if got, want := da.compare(db), x.Cmp(y); got != want {
			t.Fatalf("%s against %s: %d, want %d", a, b, got, want)
		}
		end, plain := numberEnd([]byte(a), 0)
		if end != len(a) || plain == strings.ContainsAny(a, ".eE") {
			t.Fatalf("%s: end %d, plain %v", a, end, plain)
		}
		if got, want := newBound("minimum", []byte(b)).compare([]byte(a), plain), x.Cmp(y); got != want {
			t.Fatalf("%s against bound %s: %d, want %d", a, b, got, want)
		}
		if da.integral() != x.IsInt() {
			t.Fatalf("%s: integral %v", a, da.integral())
		}
		text, ok := da.integer()
		if ok != x.IsInt() || ok && string(text) != x.Num().String() {
			t.Fatalf("%s as an integer: %s, %v", a, text, ok)
		}
	})
}

// Exponents of any size cost no time and no memory.
func TestDecimalExtremes(t *testing.T) {
	t.Parallel()
	const many = "99999999999999999999999999999999"
	cases := []struct {
		name, a, b string
		want       int
	}{
		{"huge against large", "1e" + many, "9e300", 1},
		{"huge negative", "-1e" + many, "-9e300", -1},
		{"tiny against zero", "1e-" + many, "0", 1},
		{"tiny negative against zero", "-1e-" + many, "0", -1},
		{"tiny against small", "1e-" + many, "1e-300", -1},
		{"zero with any exponent", "0e" + many, "-0.000e-" + many, 0},
		{"long digits", strings.Repeat("9", 1024), strings.Repeat("9", 1024) + ".0", 0},
		{"long fraction", "0." + strings.Repeat("0", 1000) + "1", "1e-1001", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, b := parseDecimal([]byte(c.a)), parseDecimal([]byte(c.b))
			if got := a.compare(b); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if got := b.compare(a); got != -c.want {
				t.Errorf("reversed: got %d, want %d", got, -c.want)
			}
			if _, ok := a.integer(); ok && len(c.a) > 20 && strings.Contains(c.a, "1e"+many) {
				t.Error("an integer of that many digits was written")
			}
		})
	}
	at, beyond := "1e"+strconv.Itoa(maxIntegerDigits-1), "1e"+strconv.Itoa(maxIntegerDigits)
	if text, ok := parseDecimal([]byte(at)).integer(); !ok || len(text) != maxIntegerDigits {
		t.Errorf("at the limit: %d digits, %v", len(text), ok)
	}
	if _, ok := parseDecimal([]byte(beyond)).integer(); ok {
		t.Error("beyond the limit: written")
	}
}
