package wire_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/troupe-mcp/troupe/wire"
)

// twinAccepts decides, slowly and by other means, what Scan must accept: the
// grammar by encoding/json, everything that encoding/json forgives by hand.
func twinAccepts(doc []byte, b *wire.Bounds) bool {
	if !utf8.Valid(doc) || !pairedSurrogates(doc) {
		return false
	}
	// encoding/json gives up at depth 10,000 and takes long for what is deep.
	if nestedBeyond(doc, b.Depth) || !json.Valid(doc) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(doc))
	decoder.UseNumber()
	nodes := 0
	return twinValue(decoder, b, &nodes, 0) == nil
}

type refusal string

func (r refusal) Error() string { return string(r) }

func twinValue(d *json.Decoder, b *wire.Bounds, nodes *int, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if *nodes++; *nodes > b.Nodes {
		return refusal("nodes")
	}
	switch v := token.(type) {
	case json.Delim:
		if depth++; depth > b.Depth {
			return refusal("depth")
		}
		keys := map[string]bool{}
		for d.More() {
			if v == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				name := key.(string)
				if *nodes++; *nodes > b.Nodes || keys[name] || units(name) > b.String {
					return refusal("key")
				}
				keys[name] = true
			}
			if err := twinValue(d, b, nodes, depth); err != nil {
				return err
			}
		}
		_, err := d.Token()
		return err
	case string:
		if units(v) > b.String {
			return refusal("string")
		}
	case json.Number:
		_, exponent, found := strings.Cut(strings.ToLower(v.String()), "e")
		if len(v) > b.Number {
			return refusal("number")
		}
		if found {
			n, ok := new(big.Int).SetString(strings.TrimPrefix(exponent, "+"), 10)
			if !ok || n.CmpAbs(big.NewInt(int64(b.Exponent))) > 0 {
				return refusal("exponent")
			}
		}
	}
	return nil
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }

// pairedSurrogates looks at every \u that is not itself escaped; what is no
// JSON at all is for the grammar to find.
func pairedSurrogates(doc []byte) bool {
	high := false // the character before was an escaped high surrogate
	for i := 0; i < len(doc); i++ {
		if doc[i] != '\\' || i+1 >= len(doc) {
			if high {
				return false
			}
			continue
		}
		i++
		if doc[i] != 'u' || i+4 >= len(doc) {
			if high {
				return false
			}
			continue
		}
		r, ok := new(big.Int).SetString(string(doc[i+1:i+5]), 16)
		if !ok {
			return false
		}
		i += 4
		low := r.Int64() >= 0xDC00 && r.Int64() < 0xE000
		if low != high {
			return false
		}
		high = r.Int64() >= 0xD800 && r.Int64() < 0xDC00
	}
	return !high
}

// nestedBeyond counts brackets outside strings.
func nestedBeyond(doc []byte, limit int) bool {
	depth, in := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case in && c == '\\':
			i++
		case c == '"':
			in = !in
		case in:
		case c == '{', c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// unescaped is the text of a JSON string, by encoding/json.
func unescaped(raw []byte) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil && err != io.EOF {
		panic(err)
	}
	return s
}
