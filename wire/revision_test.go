package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

var revisions = map[string]wire.Revision{"2025-06-18": wire.V20250618, "2025-11-25": wire.V20251125, "2026-07-28": wire.V20260728}

// V-01: the set is closed, ordered and exact.
func TestRevision(t *testing.T) {
	t.Parallel()
	if !(0 < wire.V20250618 && wire.V20250618 < wire.V20251125 && wire.V20251125 < wire.V20260728) {
		t.Error("revisions are not ordered by age")
	}
	for name, want := range revisions {
		if got, ok := wire.ParseRevision(name); got != want || !ok || got.String() != name {
			t.Errorf("ParseRevision(%q) = %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "none", "2025-03-26", "2024-11-05", "2026-07-28 ", " 2026-07-28", "2026-07-2", "2026-07-280", "v2026-07-28", "DRAFT-2026-v1", "latest"} {
		if got, ok := wire.ParseRevision(name); ok || got != 0 {
			t.Errorf("ParseRevision(%q) = %v, %v", name, got, ok)
		}
	}
	if wire.Revision(0).String() != "none" || wire.Revision(200).String() != "none" {
		t.Error("names of what is no revision")
	}
}

// Decision 4: newest first.
func TestRevisionSet(t *testing.T) {
	t.Parallel()
	var none wire.RevisionSet
	all := none.With(wire.V20251125).With(wire.V20260728).With(wire.V20250618).With(wire.V20251125)
	mixed := none.With(wire.V20250618).With(wire.V20260728)
	for _, c := range []struct {
		set  wire.RevisionSet
		want string
	}{
		{none, `[]`},
		{all, `["2026-07-28","2025-11-25","2025-06-18"]`},
		{mixed, `["2026-07-28","2025-06-18"]`},
		{none.With(wire.V20251125), `["2025-11-25"]`},
	} {
		if got := string(c.set.AppendJSON([]byte("["))); got != "["+c.want {
			t.Errorf("AppendJSON: %s, want [%s", got, c.want)
		}
	}
	for _, r := range revisions {
		if none.Has(r) || !all.Has(r) || mixed.Has(r) != (r != wire.V20251125) {
			t.Errorf("Has(%v)", r)
		}
	}
	if all.Has(0) || none.With(0).Has(0) {
		t.Error("a set has the zero revision")
	}
	if got := string(wire.SupportedData(mixed)); got != `{"supported":["2026-07-28","2025-06-18"]}` {
		t.Errorf("SupportedData: %s", got)
	}
}

// Decisions 4 and 30, V-19: requested is verbatim only when it is harmless.
func TestUnsupportedVersionData(t *testing.T) {
	t.Parallel()
	served := wire.RevisionSet(0).With(wire.V20260728).With(wire.V20251125)
	for requested, echoed := range map[string]string{
		"1900-01-01": "1900-01-01", "v999.0.0": "v999.0.0", "A_z": "A_z", "x": "x", strings.Repeat("x", 64): strings.Repeat("x", 64),
		"": "", strings.Repeat("x", 65): "", "a b": "", "a\"b": "", "<b>": "", "2026/07": "", "é": "", "a\n": "", "a\x00": "", "a+b": "", "[]": "", "`": "", "@": "",
	} {
		want := `{"supported":["2026-07-28","2025-11-25"],"requested":"` + echoed + `"}`
		if got := string(wire.UnsupportedVersionData(served, []byte(requested))); got != want {
			t.Errorf("%q: %s, want %s", requested, got, want)
		}
	}
}
