package wire_test

import (
	"bytes"
	"errors"
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
				var syntax *wire.SyntaxError
				if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(doc) || syntax.Rule == "" {
					t.Fatalf("error %#v", err)
				}
			}
			if again := wire.CheckResult(doc, b); (again == nil) != (err == nil) {
				t.Fatalf("CheckResult: %v, Scan: %v", again, err)
			}
		}
	})
}
