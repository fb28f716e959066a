package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A value is a parsed JSON value of a schema's text, in the text's order.
type value struct {
	kind    kinds // kindInteger stands for any number
	text    string
	source  string // as written, compact
	items   []*value
	members []valueMember
}

type valueMember struct {
	name  string
	value *value
}

func (v *value) get(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

var errSyntax = errors.New("not strict JSON")

// parse reads a schema's text strictly: UTF-8 without byte order mark, no
// duplicate names, no half surrogate pairs, nesting at most depth.
func parse(raw []byte, depth int) (*value, error) {
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("%w: invalid UTF-8", errSyntax)
	}
	if !json.Valid(raw) {
		return nil, errSyntax
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, errSyntax
	}
	v, _, err := parseValue(compact.Bytes(), 0, depth)
	return v, err
}

func parseValue(doc []byte, pos, depth int) (*value, int, error) {
	if depth == 0 {
		return nil, 0, errors.New("nested too deep")
	}
	start := pos
	v := &value{}
	switch doc[pos] {
	case '{':
		v.kind = kindObject
		names := map[string]struct{}{}
		pos++
		for first := true; ; first = false {
			m, end, done, ok := next(doc, pos, first)
			if !ok {
				return nil, 0, errSyntax
			}
			if done {
				pos = end
				break
			}
			name, ok := unescape(nil, m.key)
			if !ok {
				return nil, 0, fmt.Errorf("%w: half a surrogate pair", errSyntax)
			}
			if _, twice := names[string(name)]; twice {
				return nil, 0, fmt.Errorf("%w: %q stands twice in one object", errSyntax, clip(string(name)))
			}
			names[string(name)] = struct{}{}
			each, end, err := parseValue(doc, m.value, depth-1)
			if err != nil {
				return nil, 0, err
			}
			v.members = append(v.members, valueMember{string(name), each})
			pos = end
		}
	case '[':
		v.kind = kindArray
		pos++
		for first := true; ; first = false {
			start, done, ok := element(doc, pos, first)
			if !ok {
				return nil, 0, errSyntax
			}
			if done {
				pos = start
				break
			}
			each, end, err := parseValue(doc, start, depth-1)
			if err != nil {
				return nil, 0, err
			}
			v.items = append(v.items, each)
			pos = end
		}
	case '"':
		v.kind = kindString
		end, _, _ := stringEnd(doc, pos)
		text, ok := unescape(nil, doc[pos+1:end-1])
		if !ok {
			return nil, 0, fmt.Errorf("%w: half a surrogate pair", errSyntax)
		}
		v.text, pos = string(text), end
	case 't', 'f':
		v.kind = kindBoolean
		end, _ := skip(doc, pos)
		v.text, pos = string(doc[pos:end]), end
	case 'n':
		v.kind = kindNull
		pos += 4
	default:
		v.kind = kindInteger
		end, _ := numberEnd(doc, pos)
		v.text, pos = string(doc[pos:end]), end
	}
	v.source = string(doc[start:min(pos, start+2*maxOperand)])
	return v, pos, nil
}
