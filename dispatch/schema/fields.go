package schema

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A field is a member that encoding/json reads and writes for a struct type.
type field struct {
	name     string
	typ      reflect.Type
	index    []int
	tagged   bool
	quoted   bool // the option "string"
	optional bool // omitempty, omitzero, a pointer, or reached through a pointer
	tag      reflect.StructTag
	owner    reflect.Type
}

// fieldsOf lists the members of struct type t in the order of its fields, by
// the rules of encoding/json: embedded structs are promoted, the least nested
// name wins, among equals the tagged one, and no one otherwise.
func fieldsOf(t reflect.Type) []field {
	type embedded struct {
		typ      reflect.Type
		index    []int
		optional bool
	}
	var all []field
	level := []embedded{{typ: t}}
	visited := map[reflect.Type]bool{}
	for len(level) > 0 {
		var deeper []embedded
		count := map[reflect.Type]int{}
		for _, e := range level {
			count[e.typ]++
		}
		for _, e := range level {
			if visited[e.typ] {
				continue
			}
			visited[e.typ] = true
			for i := range e.typ.NumField() {
				sf := e.typ.Field(i)
				index := append(slices.Clone(e.index), i)
				target, pointer := sf.Type, false
				if target.Kind() == reflect.Pointer && target.Name() == "" {
					target, pointer = target.Elem(), true
				}
				if sf.Anonymous {
					if !sf.IsExported() && target.Kind() != reflect.Struct {
						continue
					}
				} else if !sf.IsExported() {
					continue
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				if !validName(name) {
					name = ""
				}
				if name == "" && sf.Anonymous && target.Kind() == reflect.Struct {
					deeper = append(deeper, embedded{target, index, e.optional || pointer})
					continue
				}
				f := field{
					name: name, typ: sf.Type, index: index, tagged: name != "",
					optional: e.optional || sf.Type.Kind() == reflect.Pointer,
					tag:      sf.Tag, owner: e.typ,
				}
				if name == "" {
					f.name = sf.Name
				}
				for option := range strings.SplitSeq(options, ",") {
					switch option {
					case "omitempty", "omitzero":
						f.optional = true
					case "string":
						f.quoted = quotable(target)
					}
				}
				all = append(all, f)
				if count[e.typ] > 1 { // twice at this level: they annihilate each other
					all = append(all, f)
				}
			}
		}
		level = deeper
	}
	return dominant(all)
}

// quotable reports whether the option "string" has an effect on t.
func quotable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

// dominant resolves names that occur more than once.
func dominant(all []field) []field {
	byName := map[string][]field{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	kept := make([]field, 0, len(byName))
	for _, same := range byName {
		slices.SortStableFunc(same, func(a, b field) int {
			if c := cmp.Compare(len(a.index), len(b.index)); c != 0 {
				return c
			}
			return pick(a.tagged == b.tagged, 0, pick(a.tagged, -1, 1))
		})
		if len(same) > 1 && len(same[0].index) == len(same[1].index) && same[0].tagged == same[1].tagged {
			continue
		}
		kept = append(kept, same[0])
	}
	slices.SortFunc(kept, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return kept
}

// validName reports whether encoding/json takes s as a name from a tag.
func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}
