package troupe_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// A golden is a file of whole HTTP exchanges, byte for byte; line ends are
// written as they are, with \r shown.
type golden struct {
	mu      sync.Mutex
	path    string
	archive *txtar.Archive
	changed bool
}

// openGolden opens testdata/wire/name.txtar.
func openGolden(t *testing.T, name string) *golden {
	t.Helper()
	g := &golden{path: filepath.Join("testdata", "wire", name+".txtar"), archive: &txtar.Archive{}}
	data, err := os.ReadFile(g.path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if err == nil {
		g.archive = txtar.Parse(data)
	}
	t.Cleanup(func() {
		if !g.changed {
			return
		}
		slices.SortFunc(g.archive.Files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
		if err := os.MkdirAll(filepath.Dir(g.path), 0o755); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(g.path, txtar.Format(g.archive), 0o644); err != nil {
			t.Error(err)
		}
	})
	return g
}

var dates = regexp.MustCompile(`(?m)^Date: .* GMT`)

// compare checks what a server sent against the section of that name.
func (g *golden) compare(t *testing.T, section, got string) {
	t.Helper()
	got = dates.ReplaceAllString(got, "Date: (date)")
	got = strings.ReplaceAll(got, "\r", `\r`)
	if !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, f := range g.archive.Files {
		if f.Name != section {
			continue
		}
		if bytes.Equal(f.Data, []byte(got)) {
			return
		}
		if *update {
			g.archive.Files[i].Data, g.changed = []byte(got), true
			return
		}
		t.Errorf("%s, section %q: got\n%s\nwant\n%s", g.path, section, got, f.Data)
		return
	}
	if !*update {
		t.Errorf("%s has no section %q; got\n%s", g.path, section, got)
		return
	}
	g.archive.Files, g.changed = append(g.archive.Files, txtar.File{Name: section, Data: []byte(got)}), true
}
