package schema

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// everything has a field of each shape that Infer describes.
type everything struct {
	I64    int64             `json:"i64"`
	U64    uint64            `json:"u64"`
	I8     int8              `json:"i8"`
	U32    uint32            `json:"u32"`
	F64    float64           `json:"f64"`
	F32    float32           `json:"f32"`
	Bool   bool              `json:"bool"`
	Text   string            `json:"text"`
	Opt    *int64            `json:"opt"`
	Empty  int               `json:"empty,omitempty"`
	List   []int64           `json:"list"`
	Map    map[string]uint64 `json:"map"`
	Bytes  []byte            `json:"bytes"`
	Time   time.Time         `json:"time"`
	Number json.Number       `json:"number"`
	Quoted int64             `json:"quoted,string"`
	Big    *big.Int          `json:"big"`
	Deep   []map[string]pair[string, *int32]
	Any    any  `json:"any"`
	Tree   Node `json:"tree"`
	Base   base `json:"base"`
}

func textGenerator() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\u2028\u2029", "😀", "\x00\x1f\x7f", `\"/`, "<&>", "\ufffd", "a"}))
}

func intGenerator() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, -1, 10, 100, 120, -5000, math.MinInt64, math.MaxInt64, 1 << 53, 1<<53 + 1}))
}

func uintGenerator() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 100, math.MaxUint64, math.MaxInt64, math.MaxInt64 + 1}))
}

func everythingGenerator() *rapid.Generator[everything] {
	return rapid.Custom(func(t *rapid.T) everything {
		// Empty, not nil: that is what decoding makes of what encoding wrote.
		list := rapid.SliceOfN(intGenerator(), 0, 4).Draw(t, "list")
		e := everything{
			I64: intGenerator().Draw(t, "i64"), U64: uintGenerator().Draw(t, "u64"),
			I8: rapid.Int8().Draw(t, "i8"), U32: rapid.Uint32().Draw(t, "u32"),
			F64: rapid.Float64().Draw(t, "f64"), F32: rapid.Float32().Draw(t, "f32"),
			Bool: rapid.Bool().Draw(t, "bool"), Text: textGenerator().Draw(t, "text"),
			Empty: rapid.IntRange(0, 3).Draw(t, "empty"), List: append([]int64{}, list...),
			Map:    rapid.MapOfN(textGenerator(), uintGenerator(), 0, 3).Draw(t, "map"),
			Bytes:  append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "bytes")...),
			Time:   time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "time"), 0).UTC(),
			Number: json.Number(literal().Draw(t, "number")), Quoted: intGenerator().Draw(t, "quoted"),
			Any:  rapid.SampledFrom([]any{nil, true, "s", json.Number("12345678901234567890"), json.Number("1.0"), []any{}, map[string]any{"k": json.Number("1e2")}}).Draw(t, "any"),
			Tree: Node{Value: 1, Kids: []Node{{Kids: []Node{}}}, Next: &Node{Value: int(intGenerator().Draw(t, "next")), Kids: []Node{}}},
		}
		if rapid.Bool().Draw(t, "has opt") {
			n := intGenerator().Draw(t, "opt")
			e.Opt = &n
			e.Big = new(big.Int).Mul(big.NewInt(n), new(big.Int).SetUint64(e.U64))
		}
		e.Deep = []map[string]pair[string, *int32]{}
		for range rapid.IntRange(0, 2).Draw(t, "deep") {
			n := rapid.Int32().Draw(t, "deep value")
			e.Deep = append(e.Deep, map[string]pair[string, *int32]{textGenerator().Draw(t, "deep key"): {"k", &n}})
		}
		return e
	})
}

// respell writes the plain numbers of doc, at random, as numbers of the same
// value: 120 as 1.2e2 or 120.00. Strings stay.
func respell(t *rapid.T, doc string) string {
	var out strings.Builder
	for pos := 0; pos < len(doc); {
		switch c := doc[pos]; {
		case c == '"':
			end, _, _ := stringEnd([]byte(doc), pos)
			out.WriteString(doc[pos:end])
			pos = end
		case c == '-' || c >= '0' && c <= '9':
			end, plain := numberEnd([]byte(doc), pos)
			lit := doc[pos:end]
			pos = end
			if !plain {
				out.WriteString(lit)
				continue
			}
			sign := ""
			if lit[0] == '-' {
				sign, lit = "-", lit[1:]
			}
			switch rapid.IntRange(0, 5).Draw(t, "spelling") {
			case 0:
				lit += ".0"
			case 1:
				if lit != "0" {
					lit += "0"
				}
				lit += "e-" + string(rune('0'+pick(lit == "0", 7, 1)))
			case 2:
				lit = lit[:1] + "." + lit[1:] + "0E" + string(rune('0'+(len(lit)-1)/10)) + string(rune('0'+(len(lit)-1)%10))
			case 3:
				if lit == "0" {
					sign = "-"
				}
			}
			out.WriteString(sign + lit)
		default:
			out.WriteByte(c)
			pos++
		}
	}
	return out.String()
}

// TL-04, decisions 14, 38: what a handler may return is what its schema
// accepts, and decodes to the same value however its integers are spelt.
func TestCodecRoundTrip(t *testing.T) {
	t.Parallel()
	p := inferred(t, reflect.TypeFor[everything]())
	for _, c := range codecs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				want := everythingGenerator().Draw(t, "value")
				doc, violation, err := c.encodeChecked(p, nil, want)
				if violation != nil || err != nil {
					t.Fatalf("encode: %v, %v", violation, err)
				}
				if !json.Valid(doc) {
					t.Fatalf("not JSON: %s", doc)
				}
				decodesTo(t, c, p, string(doc), want)
				// The numbers that are not exact integers keep their spelling.
				exact := want
				exact.Any, exact.Number = nil, "1.50"
				doc, err = c.append(nil, exact)
				if err != nil {
					t.Fatal(err)
				}
				decodesTo(t, c, p, respell(t, string(doc)), exact)
			})
		})
	}
}

func decodesTo(t *rapid.T, c *codec, p *Program, doc string, want everything) {
	text := []byte(doc)
	if v := p.Check(text); v != nil {
		t.Fatalf("%s: %v", doc, v)
	}
	var got everything
	err := c.decodeChecked(p, text, &got)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	for i := range text {
		text[i] = '#'
	}
	if got.Big != nil && want.Big != nil && got.Big.Cmp(want.Big) == 0 {
		got.Big = want.Big
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\ngot  %+v\nwant %+v", doc, got, want)
	}
}
