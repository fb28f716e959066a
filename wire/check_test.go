package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

const (
	mebi        = 1 << 20
	maxDocument = 4 * mebi
)

// Decision 52: results at their bounds pass, beyond them they do not; so does
// `big` of 1,048,576 bytes, and of one more not.
func TestCheckCallResultBounds(t *testing.T) {
	t.Parallel()
	blocks := func(n int, s string) (r wire.CallResult) {
		for range n {
			r.Content = append(r.Content, wire.TextContent(s))
		}
		return r
	}
	structured := func(raw string) (r wire.CallResult) { r.Structured = []byte(raw); return r }
	meta := func(raw string) (r wire.CallResult) { r.Meta = []byte(raw); return r }
	numbers := func(n int) string { return "[" + strings.Repeat("1,", n-2) + "1]" }
	strs := func(bytes int) string { // a document of that many bytes
		const each = mebi / 2
		doc := strings.Repeat(`"`+strings.Repeat("x", each)+`",`, bytes/(each+3))
		return "[" + doc + `"` + strings.Repeat("x", bytes-len(doc)-4) + `"]`
	}
	cases := []struct {
		name       string
		at, beyond wire.CallResult
	}{
		{"text", blocks(1, strings.Repeat("x", mebi)), blocks(1, strings.Repeat("x", mebi+1))},
		{"text in UTF-16 units: two bytes", blocks(1, strings.Repeat("é", mebi)), blocks(1, strings.Repeat("é", mebi)+"x")},
		{"text in UTF-16 units: pairs", blocks(1, strings.Repeat("😀", mebi/2)), blocks(1, strings.Repeat("😀", mebi/2)+"x")},
		{"blocks, of five nodes each", blocks(20_000, ""), blocks(20_001, "")},
		{"all texts", blocks(3, strings.Repeat("x", mebi)), blocks(4, strings.Repeat("x", mebi))},
		{"escapes count", blocks(1, strings.Repeat("\x01", maxDocument/6-100)), blocks(1, strings.Repeat("\x01", maxDocument/6+1))},
		{"short escapes count", blocks(3, strings.Repeat("\n", maxDocument/6-100)), blocks(3, strings.Repeat("\n", maxDocument/6))},
		{"bad bytes count as what replaces them", blocks(1, strings.Repeat("\xff", maxDocument/6-100)), blocks(1, strings.Repeat("\xff", maxDocument/6+1))},
		{"structured bytes", structured(strs(maxDocument)), structured(strs(maxDocument + 1))},
		{"structured string", structured(`"` + strings.Repeat("x", mebi) + `"`), structured(`"` + strings.Repeat("x", mebi+1) + `"`)},
		{"structured nodes", structured(numbers(100_000)), structured(numbers(100_001))},
		{"structured depth", structured(nested("[", "", "]", 128)), structured(nested("[", "", "]", 129))},
		{"structured number", structured(strings.Repeat("1", 1024)), structured(strings.Repeat("1", 1025))},
		{"structured exponent", structured("1e10000"), structured("1e10001")},
		{"structured syntax", structured(`{"a":1}`), structured(`{"a":1,}`)},
		{"structured duplicate", structured(`{"a":1,"b":1}`), structured(`{"a":1,"a":1}`)},
		{"structured UTF-8", structured(`"é"`), structured("\"\xe9\"")},
		{"metadata is an object", meta(`{}`), meta(`[]`)},
		{"metadata is one object", meta(` {"a/b":1} `), meta(`{"a/b":1}{}`)},
		{"metadata keys", meta(`{"com.example/a":1}`), meta(`{"com.example/a":1,"a b":1}`)},
		{"metadata depth", meta(`{"a":` + nested("[", "", "]", 127) + `}`), meta(`{"a":` + nested("[", "", "]", 128) + `}`)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := wire.CheckCallResult(&c.at, &wire.DefaultBounds); err != nil {
				t.Errorf("at the bound: %v", err)
			}
			if len(c.at.Structured) == 0 {
				if out := wire.AppendCallResult(nil, idOf(t, `1`), &c.at, &modern); len(out) > maxDocument+256 {
					t.Errorf("a response of %d bytes", len(out))
				}
			}
			err := wire.CheckCallResult(&c.beyond, &wire.DefaultBounds)
			if err == nil {
				t.Error("beyond the bound: no error")
			} else if len(err.Error()) > 100 {
				t.Error("the error quotes the result")
			}
		})
	}
}

// The sum of the parts is bounded as well.
func TestCheckCallResultSum(t *testing.T) {
	t.Parallel()
	half := `"` + strings.Repeat("x", mebi) + `"`
	r := wire.CallResult{Structured: []byte("[" + half + "," + half + "]"), Meta: []byte(`{"a":[` + half + `]}`)}
	if err := wire.CheckCallResult(&r, &wire.DefaultBounds); err != nil {
		t.Fatal(err)
	}
	r.SetText(strings.Repeat("x", mebi))
	if err := wire.CheckCallResult(&r, &wire.DefaultBounds); err == nil {
		t.Error("more than 4 MiB in all")
	}
}

// CheckResult refuses by size before it reads, and counts texts of no bytes.
func TestCheckResultSize(t *testing.T) {
	t.Parallel()
	doc := []byte("[" + strings.Repeat(" ", maxDocument-2) + "]")
	if err := wire.CheckResult(doc, &wire.DefaultBounds); err != nil {
		t.Error(err)
	}
	if err := wire.CheckResult(append(doc, ' '), &wire.DefaultBounds); err == nil {
		t.Error("one byte more than 4 MiB")
	}
	many := wire.CallResult{Content: make([]wire.Content, 20_001)}
	if err := wire.CheckCallResult(&many, &wire.DefaultBounds); err == nil {
		t.Error("blocks of more than 100,000 nodes")
	}
	many.Content = many.Content[:20_000]
	if err := wire.CheckCallResult(&many, &wire.DefaultBounds); err != nil {
		t.Error(err)
	}
}
