package wire

import (
	"fmt"
	"strings"
	"testing"
)

func object(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%s%d":0`, prefix, i)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}

// Whatever a document was, and whether it was refused, the scratch that stays
// is bounded and the table is empty.
func TestKeySetsReleased(t *testing.T) {
	t.Parallel()
	large := object("k", 300)
	for name, doc := range map[string]string{
		"huge":                  object("k", 49_000),
		"refused in a huge one": strings.TrimSuffix(object("k", 49_000), "}") + ",!",
		"large":                 large,
		"refused in a large":    strings.TrimSuffix(large, "}") + `,"x":` + strings.TrimSuffix(large, "}"),
		"large in large":        strings.TrimSuffix(large, "}") + `,"x":` + large + `,"y":` + large + "}",
		"array of large":        "[" + large + "," + large + "]",
		"limit":                 object("k", fewKeys),
		"limit and one":         object("k", fewKeys+1),
		"deep":                  strings.Repeat(strings.TrimSuffix(object("k", fewKeys), "}")+`,"x":`, 100) + "0" + strings.Repeat("}", 100),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m Message
			_ = m.Scan([]byte(doc), &DefaultBounds)
			k := &m.scanner.keys
			if len(k.entries) != 0 || cap(k.entries) > keptEntries || len(k.table) > keptTable || k.indexed != 0 {
				t.Errorf("kept %d of %d entries, table of %d with %d keys", len(k.entries), cap(k.entries), len(k.table), k.indexed)
			}
			for _, slot := range k.table {
				if slot != 0 {
					t.Fatal("the table is not empty")
				}
			}
			if m.scanner.doc != nil {
				t.Error("the scanner holds the document")
			}
		})
	}
}

// Open objects share one table, so that going back from an inner object to the
// one around it costs nothing: a table of one object at a time would be filled
// again 2,000 times here.
func TestKeySetsShareOneTable(t *testing.T) {
	t.Parallel()
	inner := object("i", fewKeys+1)
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, `,"o%d":%s`, i, inner)
	}
	var s scanner
	s.reset([]byte("{"+strings.TrimPrefix(b.String(), ",")+"}"), &DefaultBounds)
	if i := s.value(0, 0); i != len(s.doc) {
		t.Fatalf("refused: %s", ruleTexts[s.rule])
	}
	if s.keys.indexed != 0 || len(s.keys.table) != 4096 {
		t.Errorf("table of %d slots, %d taken, want 4096 for 2000 and 17 keys at half full", len(s.keys.table), s.keys.indexed)
	}
}

// Keys of all spellings of one text have one hash, of two objects two.
func TestKeyHash(t *testing.T) {
	t.Parallel()
	doc := []byte(`"name""n\u0061me""\u006e\u0061\u006d\u0065""😀""\ud83d\ude00"`)
	var entries []keyEntry
	for i := 0; i < len(doc); {
		v, end := valueAt(doc, i)
		e := keyEntry{start: v.Span.Start, end: v.Span.End, escaped: v.Escaped}
		e.rehash(doc, 0)
		entries, i = append(entries, e), end
	}
	for i, a := range entries {
		for j, b := range entries {
			if same := (i < 3) == (j < 3); a.equals(doc, &b) != same || same && a.hash != b.hash {
				t.Errorf("keys %d and %d: equal %v, want %v", i, j, a.equals(doc, &b), same)
			}
		}
	}
	other := entries[0]
	other.rehash(doc, 5)
	if other.hash == entries[0].hash || other.hash == 0 {
		t.Error("one hash in two objects")
	}
}
