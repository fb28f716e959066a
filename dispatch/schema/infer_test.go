package schema

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

type sumIn struct {
	A int64 `json:"a" jsonschema:"first addend"`
	B int64 `json:"b" jsonschema:"second <addend>"`
}

type widths struct {
	I    int
	I8   int8
	I16  int16
	I32  int32
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	F32  float32
	F64  float64
	Bool bool
}

type optional struct {
	Pointer *int64            `json:"pointer" jsonschema:"may be absent"`
	Empty   string            `json:"empty,omitempty"`
	Zero    time.Time         `json:"zero,omitzero"`
	Slice   []string          `json:"slice"`
	Map     map[string]uint16 `json:"map"`
	Nested  **[]*bool         `json:"nested"`
	Array   [2]int8           `json:"array"`
}

type specials struct {
	Raw      json.RawMessage `json:"raw"`
	Any      any             `json:"any" jsonschema:"whatever"`
	Number   json.Number     `json:"number"`
	Bytes    []byte          `json:"bytes"`
	Time     *time.Time      `json:"time"`
	Duration time.Duration   `json:"duration"`
	Big      *big.Int        `json:"big"`
	Float    *big.Float      `json:"float"`
	Addr     netip.Addr      `json:"addr"`
	Level    slog.Level      `json:"level"`
	Quoted   int64           `json:"quoted,string"`
	Own      ownJSON         `json:"own"`
}

type ownJSON struct{ text string }

func (o ownJSON) MarshalJSON() ([]byte, error)  { return json.Marshal(o.text) }
func (o *ownJSON) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &o.text) }

type base struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type Extra struct {
	Note string `json:"note"`
	Name string `json:"name"`
}

type embedding struct {
	base
	*Extra
	Named   base `json:"named"`
	Title   string
	hidden  int
	Skipped int `json:"-"`
	Dash    int `json:"-,"`
}

type shadow struct {
	base
	ID int `json:"id"`
}

type Node struct {
	Value int     `json:"value"`
	Next  *Node   `json:"next" jsonschema:"the rest"`
	Kids  []Node  `json:"kids"`
	Other *Branch `json:"other,omitempty"`
}

type Branch struct {
	Leaves map[string]Node `json:"leaves"`
	Twin   *Branch         `json:"twin"`
}

type holder struct {
	Node Node `json:"node"`
}

type pair[K, V any] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

// TL-05, TL-06, NO-02, NO-03, decision 77: the text inferred from Go types.
func TestInfer(t *testing.T) {
	t.Parallel()
	_ = embedding{hidden: 0}.hidden
	cases := []struct {
		name string
		t    reflect.Type
		want string
	}{
		{"sum", reflect.TypeFor[sumIn](), `{"type":"object","properties":{"a":{"type":"integer","description":"first addend"},"b":{"type":"integer","description":"second <addend>"}},"required":["a","b"],"additionalProperties":false}`},
		{"pointer to sum", reflect.TypeFor[**sumIn](), `{"type":"object","properties":{"a":{"type":"integer","description":"first addend"},"b":{"type":"integer","description":"second <addend>"}},"required":["a","b"],"additionalProperties":false}`},
		{"nothing", reflect.TypeFor[struct{}](), `{"type":"object","additionalProperties":false}`},
		{"widths", reflect.TypeFor[widths](), `{"type":"object","properties":{"I":{"type":"integer"},"I8":{"type":"integer","minimum":-128,"maximum":127},"I16":{"type":"integer","minimum":-32768,"maximum":32767},"I32":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"U":{"type":"integer","minimum":0},"U8":{"type":"integer","minimum":0,"maximum":255},"U16":{"type":"integer","minimum":0,"maximum":65535},"U32":{"type":"integer","minimum":0,"maximum":4294967295},"U64":{"type":"integer","minimum":0},"F32":{"type":"number"},"F64":{"type":"number"},"Bool":{"type":"boolean"}},"required":["I","I8","I16","I32","U","U8","U16","U32","U64","F32","F64","Bool"],"additionalProperties":false}`},
		{"optional", reflect.TypeFor[optional](), `{"type":"object","properties":{"pointer":{"type":["integer","null"],"description":"may be absent"},"empty":{"type":"string"},"zero":{"type":"string","format":"date-time"},"slice":{"type":"array","items":{"type":"string"}},"map":{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":65535}},"nested":{"type":["array","null"],"items":{"type":["boolean","null"]}},"array":{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127}}},"required":["slice","map","array"],"additionalProperties":false}`},
		{"specials", reflect.TypeFor[specials](), `{"type":"object","properties":{"raw":{},"any":{"description":"whatever"},"number":{"type":"number"},"bytes":{"type":"string","format":"byte"},"time":{"type":["string","null"],"format":"date-time"},"duration":{"type":"integer"},"big":{"type":["integer","null"]},"float":{"type":["string","null"]},"addr":{"type":"string"},"level":{"type":"string"},"quoted":{"type":"string"},"own":{}},"required":["raw","any","number","bytes","duration","addr","level","quoted","own"],"additionalProperties":false}`},
		{"embedding", reflect.TypeFor[embedding](), `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"},"named":{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"required":["id","name"],"additionalProperties":false},"Title":{"type":"string"},"-":{"type":"integer"}},"required":["id","named","Title","-"],"additionalProperties":false}`},
		{"shadow", reflect.TypeFor[shadow](), `{"type":"object","properties":{"name":{"type":"string"},"id":{"type":"integer"}},"required":["name","id"],"additionalProperties":false}`},
		{"recursive root", reflect.TypeFor[Node](), `{"type":"object","properties":{"value":{"type":"integer"},"next":{"description":"the rest","anyOf":[{"$ref":"#"},{"type":"null"}]},"kids":{"type":"array","items":{"$ref":"#"}},"other":{"anyOf":[{"$ref":"#/$defs/Branch"},{"type":"null"}]}},"required":["value","kids"],"additionalProperties":false,"$defs":{"Branch":{"type":"object","properties":{"leaves":{"type":"object","additionalProperties":{"$ref":"#"}},"twin":{"anyOf":[{"$ref":"#/$defs/Branch"},{"type":"null"}]}},"required":["leaves"],"additionalProperties":false}}}`},
		{"recursive member", reflect.TypeFor[holder](), `{"type":"object","properties":{"node":{"$ref":"#/$defs/Node"}},"required":["node"],"additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"description":"the rest","anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}},"other":{"anyOf":[{"$ref":"#/$defs/Branch"},{"type":"null"}]}},"required":["value","kids"],"additionalProperties":false},"Branch":{"type":"object","properties":{"leaves":{"type":"object","additionalProperties":{"$ref":"#/$defs/Node"}},"twin":{"anyOf":[{"$ref":"#/$defs/Branch"},{"type":"null"}]}},"required":["leaves"],"additionalProperties":false}}}`},
		{"generic", reflect.TypeFor[pair[string, []pair[int8, bool]]](), `{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"array","items":{"type":"object","properties":{"key":{"type":"integer","minimum":-128,"maximum":127},"value":{"type":"boolean"}},"required":["key","value"],"additionalProperties":false}}},"required":["key","value"],"additionalProperties":false}`},
		{"map root", reflect.TypeFor[map[string]any](), `{"type":"object","additionalProperties":{}}`},
		{"integer keys", reflect.TypeFor[map[int]string](), `{"type":"object","additionalProperties":{"type":"string"}}`},
		{"slice root", reflect.TypeFor[[]string](), `{"type":"array","items":{"type":"string"}}`},
		{"string root", reflect.TypeFor[string](), `{"type":"string"}`},
		{"any root", reflect.TypeFor[any](), `{}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Infer(c.t)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			again, _ := Infer(c.t)
			if !bytes.Equal(got, again) {
				t.Error("the text changes from call to call")
			}
			if _, err := CompileOutput(got, Limits{}); err != nil {
				t.Errorf("outside the profile: %v", err)
			}
			if strings.Contains(string(got), `"$ref":"h`) {
				t.Error("a remote reference")
			}
		})
	}
}

type selfPointer *selfPointer

type (
	fan0       struct{ A, B int }
	fan[T any] struct{ A, B, C, D, E, F, G, H T }
)

// What has no schema is an error that names the field, never a crash.
func TestInferRefuses(t *testing.T) {
	t.Parallel()
	type nest struct {
		In struct {
			C chan int `json:"c"`
		} `json:"in"`
	}
	cases := []struct {
		name string
		t    reflect.Type
		want string
	}{
		{"no type", nil, "no type"},
		{"channel", reflect.TypeFor[nest](), "field in: field c: type chan int has no JSON"},
		{"function", reflect.TypeFor[struct{ F func() }](), "field F: type func() has no JSON"},
		{"complex", reflect.TypeFor[map[string]complex64](), "type complex64 has no JSON"},
		{"keys", reflect.TypeFor[map[float64]int](), "keys must be text"},
		{"empty description", reflect.TypeFor[struct {
			A int `jsonschema:""`
		}](), "field A: the tag jsonschema must be a description"},
		{"tag of another package", reflect.TypeFor[struct {
			A int `jsonschema:"required,minimum=1"`
		}](), "must be a description"},
		{"pointer to itself", reflect.TypeFor[selfPointer](), "has no JSON"},
		{"too many nodes", reflect.TypeFor[fan[fan[fan[fan[fan0]]]]](), "more than 4096 subschemas"},
		{"too deep", nested(DefaultDepth), "nested deeper than 64"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			raw, err := Infer(c.t)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %.200s, %v, want %q", raw, err, c.want)
			}
		})
	}
	if _, err := Infer(nested(DefaultDepth - 1)); err != nil {
		t.Errorf("at the limit of depth: %v", err)
	}
}

// nested is a slice of slices, levels deep.
func nested(levels int) reflect.Type {
	t := reflect.TypeFor[int]()
	for range levels {
		t = reflect.SliceOf(t)
	}
	return t
}

type leaf struct {
	X int
	Y int `json:"y"`
}
type (
	left    struct{ leaf }
	right   struct{ leaf }
	diamond struct {
		left
		right
		Z int
	}
	tagged struct {
		left
		Tagged int `json:"X"`
		Y      int
	}
	rivals struct {
		C int `json:"bad\\name"`
		D int `json:",omitempty"`
	}
)

// The members are those that encoding/json writes, in its order.
func TestFieldsAgainstEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, v := range []any{diamond{}, tagged{}, rivals{D: 1}, embedding{Extra: &Extra{}}, shadow{}, everything{Empty: 1}, Node{Other: &Branch{}}, widths{}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parse(text, 128)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, m := range tree.members {
			want = append(want, m.name)
		}
		for _, f := range fieldsOf(reflect.TypeOf(v)) {
			got = append(got, f.name)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T: got %q, want %q", v, got, want)
		}
	}
}
