package wire

import (
	"fmt"
	"math"
)

// Bounds bounds a JSON document (decision 52). What is at a bound passes, what
// is beyond it does not. No field has a default: start from DefaultBounds.
type Bounds struct {
	Depth    int // nesting of arrays and objects
	Nodes    int // values and keys
	String   int // of one string or key, in UTF-16 units of its text
	Number   int // characters of one number
	Exponent int // absolute value of the exponent that a number is written with
}

// DefaultBounds are the limits of soklet-notes section 2.
var DefaultBounds = Bounds{Depth: 128, Nodes: 100_000, String: 1_048_576, Number: 1024, Exponent: 10_000}

// A SyntaxError is why a document is not strict JSON within its bounds. It
// quotes nothing of the document.
type SyntaxError struct {
	Offset int    // in bytes
	Rule   string // one of a fixed set of texts
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("JSON: %s at byte %d", e.Rule, e.Offset) }

// A rule is what a document broke.
type rule uint8

const (
	ruleNone rule = iota
	ruleEmpty
	ruleTooLarge
	ruleTrailing
	ruleEnd
	ruleValue
	ruleNumber
	ruleKey
	ruleColon
	ruleObject
	ruleArray
	ruleDuplicate
	ruleControl
	ruleEscape
	ruleSurrogate
	ruleUTF8
	ruleDepth
	ruleNodes
	ruleString
	ruleDigits
	ruleExponent
)

var ruleTexts = [...]string{
	ruleEmpty:     "no value",
	ruleTooLarge:  "document too large",
	ruleTrailing:  "trailing data",
	ruleEnd:       "unexpected end",
	ruleValue:     "not a value",
	ruleNumber:    "not a number",
	ruleKey:       "not a key",
	ruleColon:     "no colon after key",
	ruleObject:    "neither comma nor end of object",
	ruleArray:     "neither comma nor end of array",
	ruleDuplicate: "duplicate key",
	ruleControl:   "control character in string",
	ruleEscape:    "unknown escape",
	ruleSurrogate: "unpaired surrogate",
	ruleUTF8:      "invalid UTF-8",
	ruleDepth:     "nested too deeply",
	ruleNodes:     "too many values",
	ruleString:    "string too long",
	ruleDigits:    "number too long",
	ruleExponent:  "exponent out of bounds",
}

// A scanner checks one document in one pass: the grammar of RFC 8259 without
// a byte order mark, valid UTF-8, paired surrogates, no duplicate keys after
// unescaping, and the bounds (T-40). Its methods take where a part begins and
// return where it ends, or a negative number when the document is refused.
type scanner struct {
	doc    []byte
	bounds Bounds
	left   int  // nodes that may still come
	rule   rule // what was broken
	at     int
	keys   keySets
}

func (s *scanner) reset(doc []byte, b *Bounds) {
	s.doc, s.bounds, s.left, s.rule, s.at = doc, *b, b.Nodes, ruleNone, 0
}

func (s *scanner) fail(at int, r rule) int {
	s.rule, s.at = r, at
	return -1
}

// run scans a whole document. The members of an object are told to m, unless
// it is nil.
func (s *scanner) run(m *Message) error {
	i := s.document(m)
	s.keys.release()
	s.doc = nil
	if i >= 0 {
		return nil
	}
	return &SyntaxError{s.at, ruleTexts[s.rule]}
}

func (s *scanner) document(m *Message) int {
	if len(s.doc) > math.MaxInt32 {
		return s.fail(0, ruleTooLarge)
	}
	i := s.space(0)
	if i == len(s.doc) {
		return s.fail(i, ruleEmpty)
	}
	if s.left--; s.left < 0 {
		return s.fail(i, ruleNodes)
	}
	if m != nil && s.doc[i] == '{' {
		i = s.noted(m, i, levelEnvelope)
	} else {
		i = s.value(i, 0)
	}
	if i < 0 {
		return i
	}
	if i = s.space(i); i < len(s.doc) {
		return s.fail(i, ruleTrailing)
	}
	return i
}

// space returns where the next byte is that is not whitespace.
func (s *scanner) space(i int) int {
	for i < len(s.doc) && (s.doc[i] == ' ' || s.doc[i] == '\n' || s.doc[i] == '\r' || s.doc[i] == '\t') {
		i++
	}
	return i
}

// value scans one value, which has been counted, inside depth arrays and
// objects.
func (s *scanner) value(i, depth int) int {
	if i >= len(s.doc) {
		return s.fail(i, ruleEnd)
	}
	switch c := s.doc[i]; c {
	case '"':
		end, _ := s.text(i)
		return end
	case '{':
		return s.object(i, depth+1)
	case '[':
		return s.array(i, depth+1)
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	case 'n':
		return s.literal(i, "null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number(i)
	}
	return s.fail(i, ruleValue)
}

func (s *scanner) literal(i int, want string) int {
	if len(s.doc)-i < len(want) || string(s.doc[i:i+len(want)]) != want {
		return s.fail(i, ruleValue)
	}
	return i + len(want)
}

func (s *scanner) array(i, depth int) int {
	if depth > s.bounds.Depth {
		return s.fail(i, ruleDepth)
	}
	doc := s.doc
	if i++; i < len(doc) && doc[i] <= ' ' {
		i = s.space(i)
	}
	if i < len(doc) && doc[i] == ']' {
		return i + 1
	}
	for {
		if s.left--; s.left < 0 {
			return s.fail(i, ruleNodes)
		}
		if i = s.value(i, depth); i < 0 {
			return i
		}
		if i < len(doc) && doc[i] <= ' ' {
			i = s.space(i)
		}
		if i >= len(doc) {
			return s.fail(i, ruleEnd)
		}
		switch doc[i] {
		case ',':
			if i++; i < len(doc) && doc[i] <= ' ' {
				i = s.space(i)
			}
		case ']':
			return i + 1
		default:
			return s.fail(i, ruleArray)
		}
	}
}

func (s *scanner) object(i, depth int) int {
	if depth > s.bounds.Depth {
		return s.fail(i, ruleDepth)
	}
	doc := s.doc
	if i++; i < len(doc) && doc[i] <= ' ' {
		i = s.space(i)
	}
	if i < len(doc) && doc[i] == '}' {
		return i + 1
	}
	set := s.keys.open()
	for {
		if _, i = s.key(i, &set); i < 0 {
			return i
		}
		if i = s.value(i, depth); i < 0 {
			return i
		}
		if i < len(doc) && doc[i] <= ' ' {
			i = s.space(i)
		}
		if i >= len(doc) {
			return s.fail(i, ruleEnd)
		}
		switch doc[i] {
		case ',':
			if i++; i < len(doc) && doc[i] <= ' ' {
				i = s.space(i)
			}
		case '}':
			s.keys.close(&set)
			return i + 1
		default:
			return s.fail(i, ruleObject)
		}
	}
}

// key scans a key and its colon, adds it to the keys of its object, counts it
// and its value, and returns where the value begins.
func (s *scanner) key(i int, set *keySet) (Value, int) {
	doc := s.doc
	if i >= len(doc) || doc[i] != '"' {
		return Value{}, s.fail(i, ruleKey)
	}
	if s.left -= 2; s.left < 0 {
		return Value{}, s.fail(i, ruleNodes)
	}
	end, escaped := s.text(i)
	if end < 0 {
		return Value{}, end
	}
	key := Value{Span{int32(i), int32(end)}, String, escaped}
	if !s.keys.add(doc, set, key) {
		return Value{}, s.fail(i, ruleDuplicate)
	}
	if end < len(doc) && doc[end] <= ' ' {
		end = s.space(end)
	}
	if end >= len(doc) || doc[end] != ':' {
		return Value{}, s.fail(end, ruleColon)
	}
	if end++; end < len(doc) && doc[end] <= ' ' {
		end = s.space(end)
	}
	return key, end
}
