package troupe_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/troupe-mcp/troupe"

// A floor is what one package may do.
type floor struct {
	// ours are the packages of this module that it imports, others the rest but
	// for the standard library. Its tests may import no further ones of ours.
	ours, others []string
	// goroutines says that it may start goroutines outside tests: it owns and
	// joins them.
	goroutines bool
}

// floors is the house: the edges that exist are those that may exist, so that a
// new one is a line here. From the bottom up; imports go down only.
// .golangci.yml says the same in the editor.
var floors = map[string]floor{
	"wire":   {},
	"actors": {others: []string{"github.com/asynkron/protoactor-go/actor"}, goroutines: true},
	"streams/socket": {
		others:     []string{"golang.org/x/sys/unix"},
		goroutines: true,
	},
	"dispatch/schema": {
		others: []string{"github.com/bytedance/sonic", "github.com/bytedance/sonic/decoder", "github.com/bytedance/sonic/encoder"},
	},
	"dispatch/front": {
		ours:   []string{"streams/socket", "wire"},
		others: []string{"github.com/valyala/fasthttp"},
	},
	"dispatch": {
		ours:   []string{"actors", "dispatch/front", "dispatch/schema", "streams/socket", "wire"},
		others: []string{"github.com/puzpuzpuz/xsync/v3", "github.com/yosida95/uritemplate/v3"},
	},
	".": {
		ours:       []string{"actors", "dispatch", "dispatch/front", "dispatch/schema", "streams/socket", "wire"},
		others:     []string{"github.com/valyala/fasthttp"},
		goroutines: true,
	},
	// Programs use the root, as anyone's do.
	"examples/hello": {ours: []string{"."}},
	"examples/notes": {ours: []string{"."}},
	"cmd/troupe": {
		ours: []string{"."},
		others: []string{
			"github.com/knadh/koanf/parsers/yaml", "github.com/knadh/koanf/providers/env/v2", "github.com/knadh/koanf/providers/file",
			"github.com/knadh/koanf/providers/posflag", "github.com/knadh/koanf/v2", "github.com/spf13/cobra", "github.com/spf13/pflag",
		},
		goroutines: true,
	},
}

// TestLayout compares every package's imports with the table, both ways, and
// looks for goroutines that nobody answers for.
func TestLayout(t *testing.T) {
	t.Parallel()
	packages := readPackages(t)
	for path, p := range packages {
		f, ok := floors[path]
		if !ok {
			t.Errorf("%s: not in the table of floors", path)
			continue
		}
		ours, others := split(p.Imports)
		compare(t, path, ours, f.ours)
		compare(t, path, others, f.others)
		tests, _ := split(slices.Concat(p.TestImports, p.XTestImports))
		for _, imported := range tests {
			if imported != path && !slices.Contains(f.ours, imported) {
				t.Errorf("%s: its tests import %s, which is not below it", path, imported)
			}
		}
		if started := goroutines(t, p); len(started) > 0 && !f.goroutines {
			t.Errorf("%s starts goroutines, which its floor must not: %s", path, strings.Join(started, ", "))
		} else if len(started) == 0 && f.goroutines {
			t.Errorf("%s may start goroutines and does not: take that from the table", path)
		}
	}
	for path := range floors {
		if packages[path] == nil {
			t.Errorf("%s: in the table of floors, and does not exist", path)
		}
	}
}

// TestFloorsHaveNoCycle orders the table: whatever is imported comes first.
func TestFloorsHaveNoCycle(t *testing.T) {
	t.Parallel()
	done := make(map[string]bool)
	for len(done) < len(floors) {
		before := len(done)
		for path, f := range floors {
			if !slices.ContainsFunc(f.ours, func(below string) bool { return !done[below] }) {
				done[path] = true
			}
		}
		if len(done) == before {
			t.Fatalf("a cycle, or an import that is no floor, above %v", slices.Sorted(maps.Keys(done)))
		}
	}
}

// TestSleeps finds sleeping in tests outside synctest bubbles: it makes them slow
// or wrong.
func TestSleeps(t *testing.T) {
	t.Parallel()
	for path, p := range readPackages(t) {
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, filepath.Join(path, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` }) {
				continue
			}
			for _, call := range calls(file) {
				if call.function == "time.Sleep" {
					t.Errorf("%s: sleeps, and its file has no synctest bubble", files.Position(call.at))
				}
			}
		}
	}
}

// readPackages reads the packages of this module, files for all systems
// included, by path below it.
func readPackages(t *testing.T) map[string]*build.Package {
	t.Helper()
	context := build.Default
	context.UseAllFiles = true
	packages := make(map[string]*build.Package)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); path != "." {
			_, err := os.Stat(filepath.Join(path, "go.mod")) // a module of its own, such as bench
			if err == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
		}
		p, err := context.ImportDir(path, 0)
		if none := (*build.NoGoError)(nil); errors.As(err, &none) {
			return nil
		}
		packages[filepath.ToSlash(path)] = p
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// split sorts imports into ours, as paths below the module, and others that are
// not the standard library's.
func split(imports []string) (ours, others []string) {
	for _, path := range imports {
		if below, ok := strings.CutPrefix(path, module+"/"); ok {
			ours = append(ours, below)
		} else if path == module {
			ours = append(ours, ".")
		} else if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			others = append(others, path)
		}
	}
	return ours, others
}

func compare(t *testing.T, path string, imported, allowed []string) {
	t.Helper()
	for _, i := range imported {
		if !slices.Contains(allowed, i) {
			t.Errorf("%s imports %s, which is not in the table of floors", path, i)
		}
	}
	for _, a := range allowed {
		if !slices.Contains(imported, a) {
			t.Errorf("%s does not import %s any more: take it from the table of floors", path, a)
		}
	}
}

// goroutines returns where a package starts some: go statements, WaitGroup.Go
// and its like, and callbacks that run on one.
func goroutines(t *testing.T, p *build.Package) []string {
	t.Helper()
	var places []string
	for _, name := range p.GoFiles {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if statement, ok := n.(*ast.GoStmt); ok {
				places = append(places, files.Position(statement.Pos()).String())
			}
			return true
		})
		for _, c := range calls(file) {
			if c.function == "time.AfterFunc" || c.function == "context.AfterFunc" || strings.HasSuffix(c.function, ".Go") {
				places = append(places, files.Position(c.at).String())
			}
		}
	}
	return places
}

// A call is a function or method called through a selector: time.Sleep, or .Go
// where it is not plain of what.
type call struct {
	function string
	at       token.Pos
}

func calls(file *ast.File) []call {
	var found []call
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				of := ""
				if x, ok := s.X.(*ast.Ident); ok {
					of = x.Name
				}
				found = append(found, call{of + "." + s.Sel.Name, c.Pos()})
			}
		}
		return true
	})
	return found
}
