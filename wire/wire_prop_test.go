package wire_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
	"pgregory.net/rapid"
)

// keyGen draws keys that collide often, in all their spellings.
var keyGen = rapid.Custom(func(t *rapid.T) string {
	key := rapid.SampledFrom([]string{"", "a", "b", "aa", "ab", "ba", "é", "😀", "/", "name", "_meta"}).Draw(t, "key")
	if rapid.IntRange(0, 2).Draw(t, "numbered") > 0 {
		key += strconv.Itoa(rapid.IntRange(0, 60).Draw(t, "number"))
	}
	return key
})

// spell writes a text as a JSON string, with characters escaped at random.
func spell(t *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch style := rapid.IntRange(0, 9).Draw(t, "style"); {
		case r == '"' || r == '\\' || r == '/' && style == 1:
			b.WriteString(`\` + string(r))
		case r < 0x20 || style == 0 && r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		case style == 0:
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// documentGen draws grammatical JSON, in which keys may be duplicates, and
// objects small and large.
func documentGen(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		space := func() string { return rapid.SampledFrom([]string{"", "", "", " ", "\n\t"}).Draw(t, "space") }
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind %= 4
		}
		switch kind {
		case 0:
			return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "literal")
		case 1:
			return strconv.FormatInt(rapid.Int64().Draw(t, "integer"), 10)
		case 2:
			return spell(t, rapid.StringN(0, 20, -1).Draw(t, "text"))
		case 3:
			return strconv.FormatFloat(rapid.Float64().Draw(t, "number"), 'g', -1, 64)
		case 4:
			items := rapid.SliceOfN(documentGen(depth-1), 0, 5).Draw(t, "items")
			return "[" + space() + strings.Join(items, space()+","+space()) + space() + "]"
		}
		n := rapid.SampledFrom([]int{0, 1, 3, 15, 16, 17, 18, 40}).Draw(t, "n")
		distinct := rapid.IntRange(0, 3).Draw(t, "distinct") > 0
		seen := map[string]bool{}
		var members []string
		for range n {
			key := keyGen.Draw(t, "key")
			if distinct && seen[key] {
				continue
			}
			seen[key] = true
			value := "0"
			if rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
				value = documentGen(depth-1).Draw(t, "value")
			}
			members = append(members, space()+spell(t, key)+space()+":"+space()+value+space())
		}
		return "{" + strings.Join(members, ",") + "}"
	})
}

// T-40: with keys that nest, repeat and change their spelling, one Message
// used over and over agrees with the twin.
func TestScanAgreesWithTwinOnKeys(t *testing.T) {
	t.Parallel()
	var m wire.Message
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		doc := []byte(documentGen(3).Draw(t, "document"))
		err := m.Scan(doc, &wire.DefaultBounds)
		if want := twinAccepts(doc, &wire.DefaultBounds); (err == nil) != want {
			t.Fatalf("%s: %v, the twin accepts: %v", doc, err, want)
		}
		if err == nil {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("no document was accepted")
	}
}

// Decision 14: what AppendCompact makes of a document has the same value, is
// one line, and leaves every number and key as it was spelled.
func TestCompactKeepsValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc := documentGen(2).Draw(t, "document")
		out := wire.AppendCompact([]byte("x"), []byte(doc))[1:]
		checkLine(t, out)
		if !reflect.DeepEqual(decoded(t, doc), decoded(t, string(out))) {
			t.Fatalf("%s became %s", doc, out)
		}
	})
}

func decoded(t *rapid.T, doc string) (value any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return value
}

// T-42 ER-20, decisions 12, 38: whatever usable id a request has, the error
// that answers it is one line of strict JSON with an id of that type and text.
func TestIDsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 64, 256).Draw(t, "text") +
			rapid.SampledFrom([]string{"", "\u2028", "\u2029", "\u2027", "â", "😀"}).Draw(t, "tail")
		if len(text) > 256 {
			text = text[:0]
		}
		spelled := spell(t, text)
		if rapid.Bool().Draw(t, "integer") {
			spelled = strconv.FormatInt(rapid.Int64().Draw(t, "id"), 10)
		}
		var m, answer wire.Message
		if err := m.Scan([]byte(`{"id":`+spelled+`,"method":5}`), &wire.DefaultBounds); err != nil {
			t.Fatal(err)
		}
		if m.Classify() != wire.Invalid || string(m.ID().Raw()) != spelled {
			t.Fatalf("id %q, want %q", m.ID().Raw(), spelled)
		}
		response := wire.AppendError(nil, m.ID().Clone(), &wire.Failure{Kind: wire.InvalidRequest})
		checkLine(t, response)
		if err := answer.Scan(response, &wire.DefaultBounds); err != nil {
			t.Fatalf("%s: %v", response, err)
		}
		if !answer.ID().IsString() {
			if string(answer.ID().Raw()) != spelled {
				t.Fatalf("%s answers id %s", response, spelled)
			}
			return
		}
		if unescaped(answer.ID().Raw()) != text {
			t.Fatalf("%s answers id %q", response, text)
		}
	})
}

// Decision 14, TL-26: a result that passes its check is answered by one line
// of strict JSON that carries the texts and the structured content.
func TestCallResultsComeBack(t *testing.T) {
	t.Parallel()
	projections := []wire.Projection{
		{Revision: wire.V20250618},
		{Revision: wire.V20251125},
		{Revision: wire.V20260728, ServerInfo: []byte(`{"name":"s","version":"1"}`)},
	}
	var request, answer wire.Message
	if err := request.Scan([]byte(`{"id":"x"}`), &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "texts")
		r := wire.CallResult{IsError: rapid.Bool().Draw(t, "isError")}
		for _, text := range texts {
			r.Content = append(r.Content, wire.TextContent(text))
		}
		if rapid.Bool().Draw(t, "structured") {
			r.Structured = []byte(documentGen(2).Draw(t, "structured"))
		}
		if rapid.Bool().Draw(t, "meta") {
			r.Meta = []byte(rapid.SampledFrom([]string{
				`{}`, " \n{ }", `{"a":1}`, "\t{\"com.example/a\" : [ 1 ] , \"b\":\"\u2028\"}", `{"io.modelcontextprotocol/serverInfo":{"name":"forged"}}`,
			}).Draw(t, "meta"))
		}
		if wire.CheckCallResult(&r, &wire.DefaultBounds) != nil {
			return
		}
		p := rapid.SampledFrom(projections).Draw(t, "projection")
		response := wire.AppendCallResult(nil, request.ID(), &r, &p)
		checkLine(t, response)
		if err := answer.Scan(response, &wire.DefaultBounds); err != nil {
			t.Fatalf("%s: %v", response, err)
		}
		var got struct {
			Result struct {
				ResultType string
				Content    []struct{ Type, Text string }
				Structured json.RawMessage `json:"structuredContent"`
				IsError    bool
				Meta       map[string]json.RawMessage `json:"_meta"`
			}
		}
		if err := json.Unmarshal(response, &got); err != nil {
			t.Fatal(err)
		}
		if got.Result.Content == nil || len(got.Result.Content) != len(texts) || got.Result.IsError != r.IsError {
			t.Fatalf("%s", response)
		}
		for i, block := range got.Result.Content {
			if block.Type != "text" || block.Text != texts[i] {
				t.Fatalf("block %d of %s", i, response)
			}
		}
		if r.Structured != nil && !reflect.DeepEqual(decoded(t, string(r.Structured)), decoded(t, string(got.Result.Structured))) {
			t.Fatalf("structured content of %s", response)
		}
		var meta map[string]json.RawMessage
		if r.Meta != nil {
			meta = decodedMeta(t, r.Meta)
		}
		if p.Revision == wire.V20260728 {
			if got.Result.ResultType != "complete" || string(got.Result.Meta["io.modelcontextprotocol/serverInfo"]) != string(p.ServerInfo) {
				t.Fatalf("%s", response)
			}
			delete(meta, "io.modelcontextprotocol/serverInfo")
			delete(got.Result.Meta, "io.modelcontextprotocol/serverInfo")
		} else if got.Result.ResultType != "" {
			t.Fatalf("%s", response)
		}
		if len(meta) != len(got.Result.Meta) {
			t.Fatalf("_meta of %s", response)
		}
	})
}

func decodedMeta(t *rapid.T, raw []byte) (meta map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(raw, &meta); err != nil {
		t.Fatal(err)
	}
	return meta
}
