package schema

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// pairs is the number of generated schemas and instances of TestTwin.
var pairs = flag.Int("pairs", 20_000, "schema and instance pairs to compare with the library")

// twin is the same schema in another implementation.
type twin struct{ schema *jsonschema.Schema }

type refusing struct{}

func (refusing) Load(url string) (any, error) { return nil, errors.New("no loading: " + url) }

func newTwin(raw []byte) (*twin, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(refusing{})
	if err := c.AddResource("mem:///schema", doc); err != nil {
		return nil, err
	}
	s, err := c.Compile("mem:///schema")
	return &twin{s}, err
}

// accepts reports the twin's verdict.
func (w *twin) accepts(doc []byte) (bool, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return false, err
	}
	return w.schema.Validate(v) == nil, nil
}

// A generator draws schemas within the profile, and instances that often
// satisfy them.
type generator struct {
	r    *rand.Rand
	defs int  // > 0: $defs and references to them
	flat bool // nothing that applies in place
}

func (g *generator) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

var nameText = []string{`"a"`, `"b"`, `"A"`, `"a/b"`, `"x~y"`, `"é"`, `"\n"`, `"%41"`, `""`}

func (g *generator) name() string { return g.one(nameText...) }

func (g *generator) number() string {
	return g.one("0", "-0", "1", "1.0", "10e-1", "2", "-1", "1.5", "0.1", "1e2", "100", "1E+2", "-1e-2", "9223372036854775807",
		"9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1.8446744073709551615e19",
		"9007199254740993", "9007199254740992", "0.10000000000000000001", "1e30", "1e-30", "0e5", "0.0", "12", "12.0", "12.25")
}

func (g *generator) text() string {
	return g.one(`"x"`, `"\u0078"`, `""`, `"1"`, `"😀"`, `"\ud83d\ude00"`, `"\u2028"`, "\"\u2028\"", `"a\\b"`, `"a\"b"`, `"é"`)
}

func (g *generator) scalar() string {
	switch g.r.IntN(4) {
	case 0:
		return g.number()
	case 1:
		return g.text()
	}
	return g.one("null", "true", "false")
}

func (g *generator) any(depth int) string {
	switch {
	case depth > 0 && g.chance(20):
		return g.array(depth)
	case depth > 0 && g.chance(30):
		return g.object(depth)
	}
	return g.scalar()
}

func (g *generator) array(depth int) string {
	items := make([]string, g.r.IntN(4))
	for i := range items {
		items[i] = g.any(depth - 1)
	}
	return "[" + strings.Join(items, g.one(",", " , ")) + "]"
}

func (g *generator) object(depth int) string {
	var members []string
	for _, i := range g.r.Perm(len(nameText))[:g.r.IntN(5)] {
		members = append(members, g.spell(nameText[i])+g.one(":", " : ")+g.any(depth-1))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// spell may write a name with an escape.
func (g *generator) spell(name string) string {
	if g.chance(20) {
		return g.one(strings.NewReplacer("a", `\u0061`, "b", `\u0062`, "/", `\/`, "x", `\u0078`).Replace(name), name)
	}
	return name
}

// schema draws a schema; depth bounds its nesting.
func (g *generator) schema(depth int, root bool) string {
	if !root && g.chance(4) {
		return g.one("true", "false", "{}")
	}
	var k []string
	add := func(percent int, keyword string, operand func() string) {
		if g.chance(percent) {
			k = append(k, fmt.Sprintf("%q:%s", keyword, operand()))
		}
	}
	deep := pick(depth > 0, 1, 0)
	mixed := pick(depth > 0 && !g.flat, 1, 0)
	sub := func() string { return g.schema(depth-1, false) }
	list := func() string {
		subs := make([]string, 1+g.r.IntN(3))
		for i := range subs {
			subs[i] = sub()
		}
		return "[" + strings.Join(subs, ",") + "]"
	}
	add(60, "type", func() string {
		if g.chance(60) {
			return `"` + g.one("object", "object", "array", "string", "integer", "number", "boolean", "null") + `"`
		}
		all := []string{`"object"`, `"array"`, `"string"`, `"integer"`, `"number"`, `"boolean"`, `"null"`}
		g.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return "[" + strings.Join(all[:1+g.r.IntN(4)], ",") + "]"
	})
	add(12, "enum", func() string {
		values := make([]string, g.r.IntN(16))
		for i := range values {
			values[i] = g.any(2)
		}
		return "[" + strings.Join(values, ",") + "]"
	})
	add(6, "const", func() string { return g.any(2) })
	add(15, "minimum", g.number)
	add(15, "maximum", g.number)
	add(60*deep, "properties", func() string {
		var members []string
		for _, i := range g.r.Perm(len(nameText))[:g.r.IntN(6)] {
			members = append(members, nameText[i]+":"+sub())
		}
		return "{" + strings.Join(members, ",") + "}"
	})
	add(30, "required", func() string {
		var names []string
		for _, i := range g.r.Perm(len(nameText))[:g.r.IntN(3)] {
			names = append(names, nameText[i])
		}
		return "[" + strings.Join(names, ",") + "]"
	})
	add(30, "additionalProperties", func() string {
		if depth == 0 || g.chance(70) {
			return "false"
		}
		return sub()
	})
	add(30*deep, "items", sub)
	add(12*mixed, "allOf", list)
	add(15*mixed, "anyOf", list)
	add(12*mixed, "if", sub)
	add(12*mixed, "then", sub)
	add(12*mixed, "else", sub)
	if g.defs > 0 {
		add(12, "$ref", func() string { return g.one(`"#"`, `"#/$defs/d"`, `"#/$defs/a~1b%20c"`, `"#here"`) })
	}
	if root && g.defs > 0 {
		k = append(k, `"$defs":{"d":`+sub()+`,"a/b c":`+sub()+`,"e":{"$anchor":"here","type":"`+g.one("object", "array", "integer")+`"}}`)
	}
	add(5, "format", func() string { return `"date-time"` })
	g.r.Shuffle(len(k), func(i, j int) { k[i], k[j] = k[j], k[i] })
	return "{" + strings.Join(k, ",") + "}"
}

// instance draws a value that is likely to satisfy s.
func (g *generator) instance(s *value, depth int) string {
	if s == nil || s.kind != kindObject || depth == 0 || g.chance(10) {
		return g.any(2)
	}
	if c := s.get("const"); c != nil && g.chance(70) {
		return c.source
	}
	if e := s.get("enum"); e != nil && len(e.items) > 0 && g.chance(70) {
		return e.items[g.r.IntN(len(e.items))].source
	}
	if l := s.get("anyOf"); l != nil && g.chance(40) {
		return g.instance(l.items[g.r.IntN(len(l.items))], depth)
	}
	if l := s.get("allOf"); l != nil && g.chance(30) {
		return g.instance(l.items[0], depth)
	}
	kind := g.one("object", "object", "array", "number", "string", "other")
	if t := s.get("type"); t != nil && t.kind == kindString {
		kind = t.text
	} else if t != nil {
		kind = t.items[g.r.IntN(len(t.items))].text
	}
	switch kind {
	case "object":
		return g.satisfying(s, depth)
	case "array":
		items := make([]string, g.r.IntN(4))
		for i := range items {
			items[i] = g.instance(s.get("items"), depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	case "integer", "number":
		if b := s.get(g.one("minimum", "maximum")); b != nil && g.chance(50) {
			return b.text
		}
		return g.number()
	case "string":
		return g.text()
	case "null":
		return "null"
	}
	return g.scalar()
}

// satisfying draws an object with many of the declared members.
func (g *generator) satisfying(s *value, depth int) string {
	var members []string
	has := map[string]bool{}
	if p := s.get("properties"); p != nil && p.kind == kindObject {
		for _, m := range p.members {
			if g.chance(75) {
				has[m.name] = true
				members = append(members, g.spell(quoted(m.name))+":"+g.instance(m.value, depth-1))
			}
		}
	}
	if q := s.get("required"); q != nil {
		for _, each := range q.items {
			if !has[each.text] && g.chance(80) {
				has[each.text] = true
				members = append(members, quoted(each.text)+":"+g.instance(s.get("additionalProperties"), depth-1))
			}
		}
	}
	if g.chance(20) && !has["a"] {
		members = append(members, `"a":`+g.any(1))
	}
	g.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// quoted finds the text of one of the names.
func quoted(name string) string {
	for _, text := range nameText {
		if plain, ok := unescape(nil, []byte(text[1:len(text)-1])); ok && string(plain) == name {
			return text
		}
	}
	return `"` + name + `"`
}

// TL-04, TL-05: the program and the library agree on generated schemas of the
// whole profile. A quarter of the schemas have no keyword that applies in place, as
// inferred ones, and half have references.
func TestTwin(t *testing.T) {
	t.Parallel()
	const perSchema = 8
	compared, accepted, flat, cyclic := 0, 0, 0, 0
	for seed := uint64(1); compared < *pairs; seed++ {
		g := &generator{r: rand.New(rand.NewPCG(seed, 1)), defs: int(seed % 2), flat: seed%4 == 0}
		raw := g.schema(3, true)
		p, err := CompileOutput([]byte(raw), Limits{})
		w, twinErr := newTwin([]byte(raw))
		if twinErr != nil {
			t.Fatalf("seed %d: the library refuses %s: %v", seed, raw, twinErr)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "refers to itself") {
				t.Fatalf("seed %d: %s: %v", seed, raw, err)
			}
			cyclic++
			continue
		}
		if p.Flat() {
			flat += perSchema
		}
		tree, err := parse([]byte(raw), 128)
		if err != nil {
			t.Fatal(err)
		}
		for range perSchema {
			doc := g.instance(tree, 5)
			want, err := w.accepts([]byte(doc))
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, doc, err)
			}
			v := p.Check([]byte(doc))
			if (v == nil) != want {
				t.Fatalf("seed %d: disagreement\nschema  %s\ndoc     %s\nlibrary %v\nprogram %v", seed, raw, doc, want, v)
			}
			compared++
			if want {
				accepted++
				normal, _ := p.Normalize(nil, []byte(doc))
				if len(normal) > 0 {
					if v := p.Check(normal); v != nil {
						t.Fatalf("seed %d: %s normalized to %s: %v", seed, doc, normal, v)
					}
				}
			}
		}
	}
	t.Logf("%d compared, %d accepted, %d by flat programs; %d schemas refused as cyclic", compared, accepted, flat, cyclic)
	if accepted < compared/5 || accepted > compared*4/5 || flat < compared/10 {
		t.Error("the generator is out of balance")
	}
}
