package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// tight are bounds that short documents reach.
var tight = wire.Bounds{Depth: 4, Nodes: 24, String: 12, Number: 6, Exponent: 20}

// addDocuments adds the tables' documents, each alone and as an argument.
func addDocuments(f *testing.F) {
	for _, c := range hostile {
		if len(c.doc) < 1<<14 {
			f.Add([]byte(c.doc))
			f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":` + c.doc + `}}`))
		}
	}
	for _, c := range friendly {
		if len(c.doc) < 1<<14 {
			f.Add([]byte(c.doc))
			f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"m","params":` + c.doc + `}`))
		}
	}
	for _, c := range envelopes {
		f.Add([]byte(c.doc))
	}
	f.Add([]byte(toolsCall))
}

// T-40: Scan and its twin agree on every document, under wide and under tight
// bounds; what is refused is refused with an error that fits the document.
func FuzzScan(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		var m wire.Message
		for _, b := range []*wire.Bounds{&wire.DefaultBounds, &tight} {
			before := bytes.Clone(doc)
			err := m.Scan(doc, b)
			if !bytes.Equal(before, doc) {
				t.Fatal("the document was written to")
			}
			if want := twinAccepts(doc, b); (err == nil) != want {
				t.Fatalf("Scan: %v; the twin accepts: %v", err, want)
			}
			if err != nil {
				syntax, ok := err.(*wire.SyntaxError)
				if !ok || syntax.Offset < 0 || syntax.Offset > len(doc) || syntax.Rule == "" {
					t.Fatalf("error %#v", err)
				}
			}
			if again := wire.CheckResult(doc, b); (again == nil) != (err == nil) {
				t.Fatalf("CheckResult: %v, Scan: %v", again, err)
			}
		}
	})
}

// T-41 T-42: what a Message tells of an envelope is what encoding/json reads
// there.
func FuzzEnvelope(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		var m wire.Message
		if m.Scan(doc, &wire.DefaultBounds) != nil {
			if m.Classify() != wire.Invalid || !m.ID().IsZero() || m.Method().Kind != wire.Absent || m.Params().Kind != wire.Absent {
				t.Fatal("a refused document has a message")
			}
			return
		}
		checkEnvelope(t, &m, doc)
		moved := append([]byte(nil), doc...)
		m.Rebase(moved)
		checkEnvelope(t, &m, moved)
	})
}

func checkEnvelope(t *testing.T, m *wire.Message, doc []byte) {
	t.Helper()
	var envelope map[string]json.RawMessage
	if json.Unmarshal(doc, &envelope) != nil || envelope == nil {
		if m.Classify() != wire.Invalid || !m.ID().IsZero() || m.Method().Kind != wire.Absent {
			t.Fatalf("no object, and yet %v", m.Classify())
		}
		return
	}
	id, hasID := envelope["id"]
	usable := hasID && twinID(id)
	if usable != !m.ID().IsZero() || usable && !bytes.Equal(m.ID().Raw(), id) {
		t.Fatalf("id %s, want %s (%v)", m.ID().Raw(), id, usable)
	}
	sameValue(t, doc, m.Method(), envelope["method"])
	sameValue(t, doc, m.Params(), envelope["params"])
	var version, method string
	valid := json.Unmarshal(envelope["jsonrpc"], &version) == nil && version == "2.0" &&
		json.Unmarshal(envelope["method"], &method) == nil && envelope["method"][0] == '"' && envelope["jsonrpc"][0] == '"' &&
		envelope["result"] == nil && envelope["error"] == nil && (envelope["params"] == nil || envelope["params"][0] == '{')
	want := wire.Invalid
	switch {
	case valid && !hasID:
		want = wire.Notification
	case valid && usable:
		want = wire.Request
	}
	if got := m.Classify(); got != want {
		t.Fatalf("kind %v, want %v", got, want)
	}
	var params, meta map[string]json.RawMessage
	if m.Params().Kind == wire.Object {
		if err := json.Unmarshal(envelope["params"], &params); err != nil {
			t.Fatal(err)
		}
	}
	if raw := params["_meta"]; len(raw) > 0 && raw[0] == '{' {
		if err := json.Unmarshal(raw, &meta); err != nil {
			t.Fatal(err)
		}
	}
	for key, raw := range params {
		sameValue(t, doc, m.Param(key), raw)
	}
	for key, raw := range meta {
		sameValue(t, doc, m.Meta(key), raw)
	}
	if _, ok := params["absent"]; !ok && m.Param("absent").Kind != wire.Absent {
		t.Fatal("a member that is not there")
	}
	if _, ok := meta["absent"]; !ok && m.Meta("absent").Kind != wire.Absent {
		t.Fatal("a member of _meta that is not there")
	}
	if m.Params().Kind == wire.Object {
		walked := 0
		wire.Members(doc, m.Params(), func(key, value wire.Value) bool {
			walked++
			sameValue(t, doc, value, params[string(key.Text(doc))])
			return true
		})
		if walked != len(params) {
			t.Fatalf("%d members, want %d", walked, len(params))
		}
	}
	walked := 0
	m.EachMeta(func(key, value wire.Value) bool {
		walked++
		sameValue(t, doc, value, meta[string(key.Text(doc))])
		return true
	})
	if walked != len(meta) {
		t.Fatalf("%d members of _meta, want %d", walked, len(meta))
	}
}

// twinID decides what decisions 12 and 38 say of ids.
func twinID(raw []byte) bool {
	if raw[0] == '"' {
		return len(unescaped(raw)) <= 256
	}
	var n int64
	return raw[0] != 'n' && !bytes.ContainsAny(raw, ".eE[{") && json.Unmarshal(raw, &n) == nil
}

func sameValue(t *testing.T, doc []byte, v wire.Value, raw []byte) {
	t.Helper()
	if raw == nil {
		if v.Kind != wire.Absent {
			t.Fatalf("kind %v of what is absent", v.Kind)
		}
		return
	}
	kinds := map[byte]wire.Kind{'"': wire.String, '{': wire.Object, '[': wire.Array, 't': wire.Bool, 'f': wire.Bool, 'n': wire.Null}
	want, ok := kinds[raw[0]]
	if !ok {
		want = wire.Number
	}
	if v.Kind != want || !bytes.Equal(v.Span.Of(doc), raw) {
		t.Fatalf("value %v %s, want %v %s", v.Kind, v.Span.Of(doc), want, raw)
	}
	if v.Kind != wire.String {
		if v.Text(doc) != nil || v.Is(doc, "") {
			t.Fatal("text of what is no string")
		}
		return
	}
	text := unescaped(raw)
	if got := string(v.Text(doc)); got != text || !v.Is(doc, text) || v.Is(doc, text+"x") || text != "" && v.Is(doc, text[1:]) {
		t.Fatalf("text %q, want %q", got, text)
	}
	if v.Escaped != strings.Contains(string(raw), `\`) {
		t.Fatalf("escaped %v: %s", v.Escaped, raw)
	}
}
