package troupe_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe"
)

// result returns a tool that returns this value.
func result[Out any](name string, value Out, err error, alter ...func(*troupe.ToolInfo)) troupe.Feature {
	info := troupe.ToolInfo{Name: name}
	for _, a := range alter {
		a(&info)
	}
	return troupe.Tool(info, func(context.Context, troupe.Call, struct{}) (Out, error) { return value, err })
}

// nest returns arrays in arrays.
func nest(depth int) any {
	var v any = []any{}
	for range depth - 1 {
		v = []any{v}
	}
	return v
}

// said is content, so that structured content gets no text of its own.
var said = []troupe.Content{troupe.Text("said")}

// TestOutputBounds: each bound of a result is met by a result at it, which is
// sent, and one beyond it, of which nothing is. // TL-37 RS-01 PR-08 C-17
func TestOutputBounds(t *testing.T) {
	t.Parallel()
	const (
		unitsMax  = 1_048_576
		binaryMax = 786_432
		large     = 4 << 20
		// astral is a character of two UTF-16 units and four bytes.
		astral = "\U0001F3AD"
	)
	text := func(n int) string { return strings.Repeat("x", n) }
	structured := func(v any) *troupe.ToolResult { return &troupe.ToolResult{Content: said, Structured: v} }
	blocks := func(sizes ...int) []troupe.Content {
		var content []troupe.Content
		for _, n := range sizes {
			content = append(content, troupe.Text(text(n)))
		}
		return content
	}
	flat := make([]int, 99_000)
	many := make([]int, 100_001)
	embedded := func(c troupe.ResourceContents) troupe.Content {
		c.URI = "x://e"
		return troupe.Embedded(c)
	}
	type pair struct {
		name           string
		within, beyond func() troupe.Feature
	}
	tool := func(name string, within, beyond any) pair {
		feature := func(v any) func() troupe.Feature {
			return func() troupe.Feature { return result(name, v, nil) }
		}
		return pair{name, feature(within), feature(beyond)}
	}
	pairs := []pair{
		tool("text", text(unitsMax), text(unitsMax+1)),
		tool("text-astral", strings.Repeat(astral, unitsMax/2), strings.Repeat(astral, unitsMax/2)+"x"),
		tool("text-of-two-bytes", strings.Repeat("é", unitsMax), strings.Repeat("é", unitsMax+1)),
		tool("second-block", blocks(1, unitsMax), blocks(1, unitsMax+1)),
		tool("structured", structured(map[string]any{"s": text(unitsMax)}), structured(map[string]any{"s": text(unitsMax + 1)})),
		tool("structured-key", structured(map[string]any{text(unitsMax): 1}), structured(map[string]any{text(unitsMax + 1): 1})),
		// The text of structured content is its JSON, of 8 characters more.
		tool("mirror", troupe.ToolResult{Structured: map[string]string{"s": text(unitsMax - 8)}}, troupe.ToolResult{Structured: map[string]string{"s": text(unitsMax - 7)}}),
		tool("depth", structured(map[string]any{"a": nest(127)}), structured(map[string]any{"a": nest(128)})),
		tool("nodes", structured(map[string]any{"a": flat}), structured(map[string]any{"a": many})),
		tool("digits", structured(map[string]any{"n": json.Number(strings.Repeat("1", 1024))}), structured(map[string]any{"n": json.Number(strings.Repeat("1", 1025))})),
		tool("exponent", structured(map[string]any{"n": json.Number("1e10000")}), structured(map[string]any{"n": json.Number("1e10001")})),
		tool("image", troupe.Image(make([]byte, binaryMax), "image/png"), troupe.Image(make([]byte, binaryMax+1), "image/png")),
		tool("audio", troupe.Audio(make([]byte, binaryMax), "audio/wav"), troupe.Audio(make([]byte, binaryMax+1), "audio/wav")),
		tool("embedded-blob", embedded(troupe.ResourceContents{Blob: make([]byte, binaryMax)}), embedded(troupe.ResourceContents{Blob: make([]byte, binaryMax+1)})),
		tool("embedded-text", embedded(troupe.ResourceContents{Text: text(unitsMax)}), embedded(troupe.ResourceContents{Text: text(unitsMax + 1)})),
		tool("all", blocks(unitsMax, unitsMax, unitsMax, unitsMax-1024), blocks(unitsMax, unitsMax, unitsMax, unitsMax)),
		tool(
			"metadata", &troupe.ToolResult{Content: said, Meta: map[string]any{"com.example/x": text(unitsMax)}},
			&troupe.ToolResult{Content: said, Meta: map[string]any{"com.example/x": text(unitsMax + 1)}},
		),
		tool("failure", &troupe.ToolResult{Content: blocks(unitsMax), IsError: true}, &troupe.ToolResult{Content: blocks(unitsMax + 1), IsError: true}),
	}
	for _, c := range []struct {
		name           string
		within, beyond int
		part           func(int) troupe.ResourceContents
	}{
		{"read-text", unitsMax, unitsMax + 1, func(n int) troupe.ResourceContents { return troupe.ResourceContents{Text: text(n)} }},
		{"read-blob", binaryMax, binaryMax + 1, func(n int) troupe.ResourceContents {
			return troupe.ResourceContents{Blob: make([]byte, n)}
		}},
	} {
		feature := func(n int) func() troupe.Feature {
			return func() troupe.Feature {
				return troupe.Resource(troupe.ResourceInfo{URI: "x://" + c.name, Name: c.name},
					func(context.Context, troupe.Call) (troupe.ResourceContents, error) { return c.part(n), nil })
			}
		}
		pairs = append(pairs, pair{"x://" + c.name, feature(c.within), feature(c.beyond)})
	}
	speech := func(n int) func() troupe.Feature {
		return func() troupe.Feature {
			return troupe.Prompt(troupe.PromptInfo{Name: "prompt"}, func(context.Context, troupe.Call, struct{}) ([]troupe.PromptMessage, error) {
				return []troupe.PromptMessage{troupe.UserMessage(troupe.Text(text(n)))}, nil
			})
		}
	}
	pairs = append(pairs, pair{"prompt", speech(unitsMax), speech(unitsMax + 1)})
	ask := func(name string) message {
		switch {
		case name == "prompt":
			return prompt(name, "")
		case strings.HasPrefix(name, "x://"):
			return read(name)
		}
		return toolCall("1", name, "")
	}
	var within, beyond []troupe.Feature
	for _, p := range pairs {
		within, beyond = append(within, p.within()), append(beyond, p.beyond())
	}
	in, out := start(t, within), start(t, beyond)
	for _, p := range pairs {
		r := in.ask(t, ask(p.name))
		if checkReply(t, r, want{status: 200, contains: []string{`"result":{`}}); t.Failed() {
			t.Fatalf("%s: at the bound", p.name)
		}
		if !json.Valid([]byte(r.body)) || len(r.body) > large+4096 {
			t.Errorf("%s: %d bytes, or no JSON", p.name, len(r.body))
		}
		refused := out.ask(t, ask(p.name))
		if refused.body != `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}` || refused.status != 200 || refused.close {
			t.Errorf("%s: beyond the bound: status %d, close %v, %.300s", p.name, refused.status, refused.close, refused.body)
		}
	}
	if got, all := out.Ended(troupe.OutcomeInternalError), int64(len(pairs)); got > all {
		t.Errorf("%d internal errors, want %d", got, all)
	}
	eventually(t, "each refusal is an internal error", func() bool { return out.Ended(troupe.OutcomeInternalError) == int64(len(pairs)) })
}

// TestResults: what each kind of value becomes. // TL-20 TL-21 TL-22 TL-24 TL-25
// TL-26 TL-36 ER-07 ER-16
func TestResults(t *testing.T) {
	t.Parallel()
	outputSchema := func(i *troupe.ToolInfo) {
		i.OutputSchema = []byte(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)
	}
	type structure struct {
		N int `json:"n"`
	}
	wrapped := fmt.Errorf("context: %w", troupe.ToolError("inner text"))
	const (
		internal = "-32603"
		secret   = "secret-marker"
	)
	none, failed := want{status: 200, code: internal, lacks: []string{secret}}, `"isError":true`
	for _, c := range []struct {
		name    string
		feature troupe.Feature
		want    want
	}{
		{"string", result("t", "s", nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":"s"}]`}, lacks: []string{"structured", "isError"}}},
		{"empty string", result("t", "", nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":""}]`}}},
		{"content", result("t", troupe.Text("c"), nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":"c"}]`}, lacks: []string{"structured"}}},
		{"blocks", result("t", []troupe.Content{troupe.Text("a"), troupe.Text("b")}, nil), want{status: 200, contains: []string{`"text":"a"},{"type":"text","text":"b"`}, lacks: []string{"structured"}}},
		{"no blocks", result("t", []troupe.Content{}, nil), want{status: 200, contains: []string{`"content":[]`}}},
		{"nil blocks", result("t", []troupe.Content(nil), nil), none},
		{"structure", result("t", structure{7}, nil), want{status: 200, contains: []string{`"structuredContent":{"n":7}`, `"text":"{\"n\":7}"`}}},
		{"pointer", result("t", &structure{7}, nil), want{status: 200, contains: []string{`"structuredContent":{"n":7}`}}},
		{"nil pointer", result("t", (*structure)(nil), nil), none},
		{"nil interface", result("t", fmt.Stringer(nil), nil, outputSchema), none},
		{"any: nil", result("t", any(nil), nil), none},
		{"any: string", result("t", any("s"), nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":"s"}]`}, lacks: []string{"structured"}}},
		{"any: content", result("t", any(troupe.Text("c")), nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":"c"}]`}, lacks: []string{"structured"}}},
		{"any: blocks", result("t", any(said), nil), want{status: 200, contains: []string{`"text":"said"`}, lacks: []string{"structured"}}},
		{"any: result", result("t", any(troupe.ToolResult{Content: said}), nil), want{status: 200, contains: []string{`"text":"said"`}, lacks: []string{"structured", "Content"}}},
		{"any: pointer to a result", result("t", any(&troupe.ToolResult{Content: said}), nil), want{status: 200, contains: []string{`"text":"said"`}, lacks: []string{"structured"}}},
		{"any: nil pointer to a result", result("t", any((*troupe.ToolResult)(nil)), nil), none},
		{"any: structure", result("t", any(structure{7}), nil), want{status: 200, contains: []string{`"structuredContent":{"n":7}`}}},
		{"result", result("t", troupe.ToolResult{Content: said, Structured: structure{7}}, nil), want{status: 200, contains: []string{`"content":[{"type":"text","text":"said"}],"structuredContent":{"n":7}`}}},
		{"result without anything", result("t", troupe.ToolResult{}, nil), none},
		{"result with nothing but metadata", result("t", troupe.ToolResult{Meta: map[string]any{"com.example/x": 1}}, nil), none},
		{"failure without anything", result("t", troupe.ToolResult{IsError: true}, nil), want{status: 200, contains: []string{failed, `"content":[]`}}},
		{"failure with content", result("t", troupe.ToolResult{Content: said, IsError: true}, nil), want{status: 200, contains: []string{failed, `"text":"said"`}}},
		{
			"failure that breaks the output schema, from which it is exempt",
			result("t", troupe.ToolResult{Structured: map[string]int{"ok": 1}, IsError: true}, nil, outputSchema),
			want{status: 200, contains: []string{failed, `"structuredContent":{"ok":1}`, `"text":"{\"ok\":1}"`}},
		},
		{"failure without structured content", result("t", troupe.ToolResult{Content: said, IsError: true}, nil, outputSchema), want{status: 200, contains: []string{failed}, lacks: []string{"structured"}}},
		{"structured content that breaks the output schema", result("t", troupe.ToolResult{Structured: map[string]string{"ok": secret}}, nil, outputSchema), none},
		{
			"metadata is in _meta only", result("t", troupe.ToolResult{Structured: structure{7}, Meta: map[string]any{"com.example/x": map[string]any{"m": "meta-marker"}}}, nil),
			want{status: 200, contains: []string{`"structuredContent":{"n":7}`, `"text":"{\"n\":7}"`, `"com.example/x":{"m":"meta-marker"}`, `"io.modelcontextprotocol/serverInfo"`}},
		},
		{"metadata with a bad key", result("t", troupe.ToolResult{Content: said, Meta: map[string]any{"bad key!": 1}}, nil), none},
		{"metadata that cannot be encoded", result("t", troupe.ToolResult{Content: said, Meta: map[string]any{"x": func() {}}}, nil), none},
		{"structured content that cannot be encoded", result("t", any(map[string]any{"x": func() {}}), nil), none},
		{"structured content that is no object", result("t", troupe.ToolResult{Content: said, Structured: json.RawMessage(`{"a":1,"a":2}`)}, nil), none},
		{"an image without a type", result("t", troupe.Image([]byte{1}, ""), nil), none},

		{"tool error", result("t", "", error(troupe.ToolError("for the model"))), want{status: 200, contains: []string{failed, `"text":"for the model"`}}},
		{"wrapped tool error", result("t", structure{}, wrapped), want{status: 200, contains: []string{failed, `"text":"inner text"`}, lacks: []string{"context:", "structured"}}},
		{"plain error", result("t", "text", errors.New(secret)), none},
		{"error with a code", result("t", "", error(&troupe.Error{Code: 7, Message: "seven", Data: []int{1}, Err: errors.New(secret)})), want{status: 400, code: "7", contains: []string{`"message":"seven"`, `"data":[1]`}, lacks: []string{secret}}},
		{"error with the text of its cause", result("t", "", error(&troupe.Error{Code: 7, Err: errors.New("cause")})), want{status: 400, code: "7", contains: []string{`"message":"cause"`}, lacks: []string{"data"}}},
		{"wrapped error with a code", result("t", "", fmt.Errorf("%s: %w", secret, &troupe.Error{Code: -7, Message: "minus seven"})), want{status: 400, code: "-7", contains: []string{"minus seven"}, lacks: []string{secret}}},
		{"error without a code", result("t", "", error(&troupe.Error{Message: secret})), none},
		{"code of JSON-RPC", result("t", "", error(&troupe.Error{Code: -32700, Message: secret})), none},
		{"first reserved code", result("t", "", error(&troupe.Error{Code: -32768, Message: secret})), none},
		{"before the first reserved code", result("t", "", error(&troupe.Error{Code: -32769, Message: "m"})), want{status: 400, code: "-32769"}},
		{"last reserved code", result("t", "", error(&troupe.Error{Code: -32000, Message: secret})), none},
		{"code of the limiter", result("t", "", error(&troupe.Error{Code: -31999, Message: secret})), none},
		{"code of the mirrors", result("t", "", error(&troupe.Error{Code: -31998, Message: secret})), none},
		{"after the last reserved code", result("t", "", error(&troupe.Error{Code: -31997, Message: "m"})), want{status: 400, code: "-31997"}},
		{"error data beyond a bound", result("t", "", error(&troupe.Error{Code: 7, Message: secret, Data: strings.Repeat("x", 1_048_577)})), none},
		{"error data that cannot be encoded", result("t", "", error(&troupe.Error{Code: 7, Message: secret, Data: func() {}})), none},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := start(t, []troupe.Feature{c.feature})
			r := w.ask(t, toolCall("1", "t", ""))
			checkReply(t, r, c.want)
			if n := strings.Count(r.body, "meta-marker"); n > 1 {
				t.Errorf("metadata %d times: %s", n, r.body)
			}
			outcome := troupe.OutcomeComplete
			switch c.want.code {
			case "":
			case internal:
				outcome = troupe.OutcomeInternalError
			default:
				outcome = troupe.OutcomeApplicationError
			}
			if got := w.observed.outcomes(t, 1)[0]; got != outcome {
				t.Errorf("outcome %v, want %v", got, outcome)
			}
		})
	}
}

// TestMisuse: the text of bad arguments is for the model and names only what
// the schema declares. // TL-04 P-22
func TestMisuse(t *testing.T) {
	t.Parallel()
	ran := false
	w := start(t, []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{
			Name:        "narrow",
			InputSchema: []byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":1000},"mode":{"enum":["a","b"]}},"required":["n"],"additionalProperties":false}`),
		}, func(_ context.Context, _ troupe.Call, in struct {
			N    int8   `json:"n"`
			Mode string `json:"mode"`
		},
		) (string, error) {
			ran = true
			return fmt.Sprint(in.N, in.Mode), nil
		}),
	})
	for _, c := range []struct{ arguments, text string }{
		{`{}`, `must have n`},
		{`{"n":0}`, `/n`},
		{`{"n":1001}`, `/n`},
		{`{"n":1.5}`, `/n`},
		{`{"n":1,"mode":"planted-marker"}`, `/mode`},
		// The schema, written by hand, accepts it and the Go type does not.
		{`{"n":1000}`, `"isError":true`},
	} {
		checkReply(t, w.ask(t, toolCall("1", "narrow", c.arguments)), want{
			status: 200, contains: []string{`"isError":true`, c.text}, lacks: []string{"planted-marker", "structured"},
		})
	}
	if ran {
		t.Error("the handler ran")
	}
	checkReply(t, w.ask(t, toolCall("1", "narrow", `{"n":127,"mode":"b"}`)), want{status: 200, contains: []string{`"text":"127b"`}, lacks: []string{"isError"}})
	checkReply(t, w.ask(t, toolCall("1", "narrow", `null`)), want{status: 400, code: "-32602"})
	for _, state := range []struct {
		member string
		sound  bool
	}{
		{`"requestState":""`, true},
		{`"requestState":null`, false},
		{`"inputResponses":{}`, true},
		{`"inputResponses":[]`, false},
		{`"inputResponses":"x"`, false},
		{`"inputResponses":null`, false},
	} {
		expected := want{status: 400, code: "-32602"}
		if state.sound {
			expected = want{status: 200}
		}
		m := toolCall("1", "narrow", `{"n":1,"mode":"b"}`).replace(`"name":"narrow"`, `"name":"narrow",`+state.member)
		checkReply(t, w.ask(t, m), expected)
	}
}
