package dispatch

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/troupe-mcp/troupe/wire"
)

// TestPatternBounds: each bound of a template at it and one beyond. // RS-02
func TestPatternBounds(t *testing.T) {
	t.Parallel()
	variables := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "/{v%d}", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		sound      bool
	}{
		{"longest", strings.Repeat("x", maxTemplate-3) + "{v}", true},
		{"one longer", strings.Repeat("x", maxTemplate-2) + "{v}", false},
		{"most variables", variables(maxVariables), true},
		{"one more", variables(maxVariables + 1), false},
		{"no variable", "x://y", false},
		{"longest name", "{" + strings.Repeat("n", maxVariableName) + "}", true},
		{"one longer name", "{" + strings.Repeat("n", maxVariableName+1) + "}", false},
		{"nothing before the first", "{v}/x", true},
		{"nothing between", "{v}{w}", false},
		{"twice", "{v}/{v}", false},
		{"reserved", "x/{+v}", false},
		{"fragment", "x/{#v}", false},
		{"path", "x{/v}", false},
		{"query", "x{?v}", false},
		{"prefix", "x/{v:3}", false},
		{"exploded", "x/{v*}", false},
		{"two in one", "x/{v,w}", false},
		{"empty", "x/{}", false},
		{"open", "x/{v", false},
		{"closed", "x/v}", false},
		{"closed after a variable", "x/{v}}", false},
		{"open after a variable", "x/{v}{", false},
	} {
		p, err := CompilePattern(c.text)
		if (err == nil) != c.sound {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.sound && (len(p.Variables()) == 0 || !p.Declares(p.Variables()[0]) || p.Declares("other")) {
			t.Errorf("%s: variables %q", c.name, p.Variables())
		}
	}
}

// TestPatternMatches: a URI that was made of values gives them back, whatever
// they are; one that is no instance gives nothing. // RS-01 RS-06
func TestPatternMatches(t *testing.T) {
	t.Parallel()
	p, err := CompilePattern("mem://{a}.(x)/{b}/end")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		uri := "mem://" + url.PathEscape(a) + ".(x)/" + url.PathEscape(b) + "/end"
		variables, ok := p.Match([]byte(uri))
		sound := a != "" && b != "" && !strings.Contains(a+b, "/") && utf8.ValidString(a+b)
		if ok != sound {
			t.Fatalf("%q matches: %v", uri, ok)
		}
		if !ok {
			return
		}
		got := map[string]string{}
		object := wire.Value{Span: wire.Span{End: int32(len(variables))}, Kind: wire.Object}
		wire.Members(variables, object, func(key, value wire.Value) bool {
			got[string(key.Text(variables))] = string(value.Text(variables))
			return true
		})
		if len(got) != 2 || got["a"] != a || got["b"] != b {
			t.Errorf("%q gives %s", uri, variables)
		}
		for _, other := range []string{uri + "x", "x" + uri, uri[:len(uri)-1], strings.Replace(uri, ".(x)", "!(x)", 1), strings.Replace(uri, "(x)", "x", 1)} {
			if _, ok := p.Match([]byte(other)); ok {
				t.Errorf("%q matches", other)
			}
		}
	})
	longest := "mem://" + strings.Repeat("a", maxRoutedURI-len("mem://.(x)/b/end")) + ".(x)/b/end"
	for uri, want := range map[string]bool{longest: true, strings.Replace(longest, "mem://", "mem://a", 1): false} {
		if _, ok := p.Match([]byte(uri)); ok != want {
			t.Errorf("a URI of %d bytes matches: %v", len(uri), ok)
		}
	}
}
