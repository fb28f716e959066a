package schema

import "strings"

var typeNames = []struct {
	name string
	set  kinds
}{
	{"string", kindString},
	{"integer", kindInteger},
	{"number", kindNumber},
	{"boolean", kindBoolean},
	{"array", kindArray},
	{"object", kindObject},
	{"null", kindNull},
}

// String names the set for a rule: "integer or null".
func (k kinds) String() string {
	var names []string
	for _, t := range typeNames {
		switch {
		case k&t.set != t.set:
		case t.name == "integer" && k&kindNumber == kindNumber: // number says it
		default:
			names = append(names, t.name)
		}
	}
	return strings.Join(names, " or ")
}

func typeKeyword(_ *compiler, n *node, v *value, path []string, _ string) error {
	names := []*value{v}
	if v.kind == kindArray {
		names = v.items
	}
	n.types = 0
	seen := map[string]bool{}
	for _, each := range names {
		set := kinds(0)
		for _, t := range typeNames {
			if each.kind == kindString && each.text == t.name {
				set = t.set
			}
		}
		if set == 0 || seen[each.text] {
			return fault(path, "type must be the name of a type or an array of distinct names")
		}
		seen[each.text] = true
		n.types |= set
	}
	if n.types == 0 {
		return fault(path, "type must be the name of a type or an array of distinct names")
	}
	return nil
}
