package wire

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// Bounds bounds a JSON document (decision 52).
type Bounds struct {
	Depth    int // nesting of arrays and objects
	Nodes    int // values and keys
	String   int // of one string or key, in UTF-16 units
	Number   int // characters of one number
	Exponent int // absolute value of a number's exponent
}

// DefaultBounds are the limits of soklet-notes section 2.
var DefaultBounds = Bounds{Depth: 128, Nodes: 100_000, String: 1_048_576, Number: 1024, Exponent: 10_000}

// A SyntaxError is why a document is not strict JSON within its bounds. It
// quotes nothing of the document.
type SyntaxError struct {
	Offset int
	Rule   string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("JSON: %s at byte %d", e.Rule, e.Offset) }

// A scanner checks one document in one pass: the grammar of RFC 8259 without
// a byte order mark, valid UTF-8, paired surrogates, no duplicate keys after
// unescaping, and the bounds.
type scanner struct {
	doc    []byte
	bounds Bounds
	nodes  int
	rule   string // what was broken, "" while nothing is
	at     int
	keys   keySets
	note   *Message // told of members of the envelope, nil for plain documents
}

func (s *scanner) fail(at int, rule string) int {
	if s.rule == "" {
		s.rule, s.at = rule, at
	}
	return -1
}

// run scans the whole document.
func (s *scanner) run() error {
	i := s.space(0)
	if i < len(s.doc) {
		if s.note != nil {
			s.note.root.Kind = kindOf(s.doc[i])
			s.note.root.Span.Start = int32(i)
		}
		level := levelEnvelope
		if s.note == nil || s.doc[i] != '{' {
			level = levelOther
		}
		if i = s.value(i, 0, level); i >= 0 {
			if s.note != nil {
				s.note.root.Span.End = int32(i)
			}
			if i = s.space(i); i < len(s.doc) {
				s.fail(i, "trailing data")
			}
		}
	} else {
		s.fail(i, "no value")
	}
	s.keys.release()
	if s.rule != "" {
		return &SyntaxError{s.at, s.rule}
	}
	return nil
}

func (s *scanner) space(i int) int {
	for i < len(s.doc) && (s.doc[i] == ' ' || s.doc[i] == '\n' || s.doc[i] == '\r' || s.doc[i] == '\t') {
		i++
	}
	return i
}

// The levels whose members a Message records.
const (
	levelEnvelope = iota
	levelParams
	levelMeta
	levelOther
)

// value scans one value at i, nested depth deep, and returns where it ends, or
// -1.
func (s *scanner) value(i, depth, level int) int {
	if i >= len(s.doc) {
		return s.fail(i, "unexpected end")
	}
	if s.nodes++; s.nodes > s.bounds.Nodes {
		return s.fail(i, "too many values")
	}
	switch c := s.doc[i]; {
	case c == '"':
		end, _ := s.text(i)
		return end
	case c == '{':
		return s.object(i, depth+1, level)
	case c == '[':
		return s.array(i, depth+1)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(i)
	case c == 't':
		return s.literal(i, "true")
	case c == 'f':
		return s.literal(i, "false")
	case c == 'n':
		return s.literal(i, "null")
	}
	return s.fail(i, "not a value")
}

func (s *scanner) literal(i int, want string) int {
	if len(s.doc)-i < len(want) || string(s.doc[i:i+len(want)]) != want {
		return s.fail(i, "not a value")
	}
	return i + len(want)
}

func (s *scanner) array(i, depth int) int {
	if depth > s.bounds.Depth {
		return s.fail(i, "nested too deeply")
	}
	i = s.space(i + 1)
	if i < len(s.doc) && s.doc[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth, levelOther); i < 0 {
			return i
		}
		i = s.space(i)
		switch {
		case i >= len(s.doc):
			return s.fail(i, "unexpected end")
		case s.doc[i] == ',':
			i = s.space(i + 1)
		case s.doc[i] == ']':
			return i + 1
		default:
			return s.fail(i, "neither comma nor end of array")
		}
	}
}

func (s *scanner) object(i, depth, level int) int {
	if depth > s.bounds.Depth {
		return s.fail(i, "nested too deeply")
	}
	i = s.space(i + 1)
	if i < len(s.doc) && s.doc[i] == '}' {
		return i + 1
	}
	set := s.keys.open()
	for {
		if i >= len(s.doc) || s.doc[i] != '"' {
			return s.fail(i, "not a key")
		}
		if s.nodes++; s.nodes > s.bounds.Nodes {
			return s.fail(i, "too many values")
		}
		end, escaped := s.text(i)
		if end < 0 {
			return end
		}
		key := Value{Span{int32(i), int32(end)}, String, escaped}
		if !s.keys.add(s.doc, set, key) {
			return s.fail(i, "duplicate key")
		}
		i = s.space(end)
		if i >= len(s.doc) || s.doc[i] != ':' {
			return s.fail(i, "no colon after key")
		}
		i = s.space(i + 1)
		start, inner := i, levelOther
		if level != levelOther && i < len(s.doc) {
			inner = s.levelOf(level, key, s.doc[i])
		}
		if i = s.value(i, depth, inner); i < 0 {
			return i
		}
		if level != levelOther {
			v := Value{Span{int32(start), int32(i)}, kindOf(s.doc[start]), false}
			if v.Kind == String {
				v.Escaped = s.escapedIn(start, i)
			}
			s.note.levels[level].add(key, v)
		}
		i = s.space(i)
		switch {
		case i >= len(s.doc):
			return s.fail(i, "unexpected end")
		case s.doc[i] == ',':
			i = s.space(i + 1)
		case s.doc[i] == '}':
			s.keys.close(set)
			return i + 1
		default:
			return s.fail(i, "neither comma nor end of object")
		}
	}
}

// levelOf returns the level of an object that is the value of a key.
func (s *scanner) levelOf(level int, key Value, first byte) int {
	if first != '{' {
		return levelOther
	}
	switch {
	case level == levelEnvelope && key.Is(s.doc, "params"):
		return levelParams
	case level == levelParams && key.Is(s.doc, "_meta"):
		return levelMeta
	}
	return levelOther
}

func (s *scanner) escapedIn(start, end int) bool {
	for _, c := range s.doc[start:end] {
		if c == '\\' {
			return true
		}
	}
	return false
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns how many bytes at the front of b are printable ASCII without
// quote and backslash, looking at eight at a time.
func plain(b []byte) int {
	n := 0
	for len(b)-n >= 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		odd := (w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash | w
		if odd &= highs; odd != 0 {
			return n + bits.TrailingZeros64(odd)/8
		}
		n += 8
	}
	for n < len(b) {
		if c := b[n]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			break
		}
		n++
	}
	return n
}

// text scans a string whose quote is at i and returns where it ends, or -1,
// and whether something in it is escaped.
func (s *scanner) text(i int) (end int, escaped bool) {
	doc, start := s.doc, i
	less := 0 // bytes that are not UTF-16 units of their own
	for i++; ; {
		i += plain(doc[i:])
		if i >= len(doc) {
			return s.fail(i, "unexpected end"), false
		}
		switch c := doc[i]; {
		case c == '"':
			if units := i - start - 1 - less; units > s.bounds.String {
				return s.fail(start, "string too long"), false
			}
			return i + 1, escaped
		case c == '\\':
			n, units := s.escape(i)
			if n < 0 {
				return n, false
			}
			escaped = true
			i, less = i+n, less+n-units
		case c < 0x20:
			return s.fail(i, "control character in string"), false
		default:
			r, n := utf8.DecodeRune(doc[i:])
			if r == utf8.RuneError && n <= 1 {
				return s.fail(i, "invalid UTF-8"), false
			}
			units := 1
			if r >= 0x10000 {
				units = 2
			}
			i, less = i+n, less+n-units
		}
	}
}

// escape checks the escape at i and returns its length in bytes, or -1, and in
// UTF-16 units.
func (s *scanner) escape(i int) (n, units int) {
	doc := s.doc
	if i+1 >= len(doc) {
		return s.fail(i, "unexpected end"), 0
	}
	switch doc[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, 1
	case 'u':
	default:
		return s.fail(i, "unknown escape"), 0
	}
	u := hex4(doc[i+2:])
	switch {
	case u < 0:
		return s.fail(i, "unknown escape"), 0
	case u >= 0xDC00 && u < 0xE000:
		return s.fail(i, "unpaired surrogate"), 0
	case u < 0xD800 || u >= 0xE000:
		return 6, 1
	}
	if i+7 < len(doc) && doc[i+6] == '\\' && doc[i+7] == 'u' {
		if low := hex4(doc[i+8:]); low >= 0xDC00 && low < 0xE000 {
			return 12, 2
		}
	}
	return s.fail(i, "unpaired surrogate"), 0
}

// number scans a number at i.
func (s *scanner) number(i int) int {
	doc, start := s.doc, i
	digits := func() int {
		from := i
		for i < len(doc) && doc[i] >= '0' && doc[i] <= '9' {
			i++
		}
		return i - from
	}
	if doc[i] == '-' {
		i++
	}
	first := i
	if n := digits(); n == 0 || n > 1 && doc[first] == '0' {
		return s.fail(start, "not a number")
	}
	if i < len(doc) && doc[i] == '.' {
		i++
		if digits() == 0 {
			return s.fail(start, "not a number")
		}
	}
	if i < len(doc) && (doc[i] == 'e' || doc[i] == 'E') {
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		from, exponent := i, 0
		if digits() == 0 {
			return s.fail(start, "not a number")
		}
		for _, c := range doc[from:i] {
			if exponent = exponent*10 + int(c-'0'); exponent > s.bounds.Exponent {
				return s.fail(start, "exponent out of bounds")
			}
		}
	}
	if i-start > s.bounds.Number {
		return s.fail(start, "number too long")
	}
	return i
}
