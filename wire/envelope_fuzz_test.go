package wire_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// FuzzEnvelope reads messages with encoding/json and compares what Message
// says of them (T-41, T-42, ER-02, ER-20).
func FuzzEnvelope(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		var m wire.Message
		if err := m.Scan(doc, &wire.DefaultBounds); err != nil {
			if m.Classify() != wire.Invalid || !m.ID().IsZero() || m.Method().Kind != wire.Absent || m.Params().Kind != wire.Absent {
				t.Fatal("a refused document left something behind")
			}
			return
		}
		kind, id := envelopeTwin(doc)
		if m.Classify() != kind {
			t.Fatalf("Classify is %d, the twin says %d", m.Classify(), kind)
		}
		if !bytes.Equal(m.ID().Raw(), id) {
			t.Fatalf("id %q, the twin says %q", m.ID().Raw(), id)
		}
		compareMembers(t, &m, doc)
		copied := bytes.Clone(doc)
		m.Rebase(copied)
		if !bytes.Equal(m.ID().Raw(), id) {
			t.Fatal("Rebase lost the id")
		}
		compareMembers(t, &m, copied)
		if !m.ID().IsZero() {
			checkEcho(t, m.ID())
		}
	})
}

// envelopeTwin classifies a strict document by encoding/json.
func envelopeTwin(doc []byte) (kind wire.MessageKind, id []byte) {
	var envelope map[string]json.RawMessage
	if json.Unmarshal(doc, &envelope) != nil || envelope == nil {
		return wire.Invalid, nil
	}
	rawID, identified := envelope["id"]
	if usableID(rawID) {
		id = rawID
	}
	var text string
	asText := func(key string) (string, bool) {
		raw, ok := envelope[key]
		ok = ok && raw[0] == '"' && json.Unmarshal(raw, &text) == nil
		return text, ok
	}
	version, ok := asText("jsonrpc")
	if !ok || version != "2.0" {
		return wire.Invalid, id
	}
	if _, ok = asText("method"); !ok {
		return wire.Invalid, id
	}
	if params, ok := envelope["params"]; ok && params[0] != '{' {
		return wire.Invalid, id
	}
	for _, key := range []string{"result", "error"} {
		if _, ok := envelope[key]; ok {
			return wire.Invalid, id
		}
	}
	switch {
	case !identified:
		return wire.Notification, nil
	case id == nil:
		return wire.Invalid, nil
	}
	return wire.Request, id
}

func usableID(raw json.RawMessage) bool {
	if len(raw) == 0 {
		return false
	}
	if raw[0] == '"' {
		var s string
		return json.Unmarshal(raw, &s) == nil && len(s) <= 256
	}
	_, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil
}

// compareMembers looks up every member of params and of params._meta.
func compareMembers(t *testing.T, m *wire.Message, doc []byte) {
	t.Helper()
	var envelope map[string]json.RawMessage
	_ = json.Unmarshal(doc, &envelope)
	params, meta := objectOf(envelope["params"]), map[string]json.RawMessage(nil)
	if params != nil {
		meta = objectOf(params["_meta"])
	}
	for _, c := range []struct {
		name string
		want map[string]json.RawMessage
		get  func(string) wire.Value
	}{{"Param", params, m.Param}, {"Meta", meta, m.Meta}} {
		keys := append(slices.Collect(maps.Keys(c.want)), "", "absent", "name", "_meta")
		for _, key := range keys {
			v := c.get(key)
			want, ok := c.want[key]
			if ok != (v.Kind != wire.Absent) || ok && !bytes.Equal(v.Span.Of(doc), want) {
				t.Fatalf("%s(%q) is %q, want %q", c.name, key, v.Span.Of(doc), want)
			}
			if v.Kind == wire.String {
				if text := unescaped(want); string(v.Text(doc)) != text || !v.Is(doc, text) || v.Is(doc, text+"x") {
					t.Fatalf("%s(%q) has another text", c.name, key)
				}
			}
		}
	}
	n := 0
	m.EachMeta(func(key, value wire.Value) bool {
		n++
		if want := meta[string(key.Text(doc))]; !bytes.Equal(want, value.Span.Of(doc)) {
			t.Fatalf("EachMeta says %q", value.Span.Of(doc))
		}
		return true
	})
	if n != len(meta) {
		t.Fatalf("EachMeta walked %d of %d members", n, len(meta))
	}
}

// objectOf returns the members of an object, nil for anything else.
func objectOf(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// checkEcho: an id in a response has the type and the text that it came with,
// and keeps the response on one line.
func checkEcho(t *testing.T, id wire.ID) {
	t.Helper()
	response := wire.AppendError(nil, id, &wire.Failure{Kind: wire.MethodNotFound})
	checkLine(t, response)
	var m wire.Message
	if err := m.Scan(response, &wire.DefaultBounds); err != nil {
		t.Fatalf("response %q: %v", response, err)
	}
	echo := m.ID()
	if echo.IsString() != id.IsString() {
		t.Fatal("the id's type changed")
	}
	if !id.IsString() {
		if !bytes.Equal(echo.Raw(), id.Raw()) {
			t.Fatal("the id's spelling changed")
		}
	} else if unescaped(echo.Raw()) != unescaped(id.Raw()) {
		t.Fatal("the id's text changed")
	}
}
