package front

import "testing"

// Decision 64: only an absolute path, with or without query, is a target.
func TestOriginForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, target string
		want         bool
	}{
		{"path", "/mcp", true},
		{"root", "/", true},
		{"query", "/mcp?a=b&c=/d?e", true},
		{"empty query", "/mcp?", true},
		{"escape", "/a%2Fb%c3", true},
		{"dots", "/a/../b/./c", true},
		{"two slashes", "//host/mcp", true}, // a path, and no endpoint's
		{"all path bytes", "/:@!$&'()*+,;=-._~09AZaz", true},
		{"empty", "", false},
		{"asterisk", "*", false},
		{"absolute-form", "http://host/mcp", false},
		{"authority-form", "host:80", false},
		{"relative", "mcp", false},
		{"query alone", "?a", false},
		{"fragment", "/mcp#top", false},
		{"empty fragment", "/mcp#", false},
		{"backslash", `/a\b`, false},
		{"quote", `/a"b`, false},
		{"angle brackets", "/<a>", false},
		{"braces", "/{a}", false},
		{"brackets", "/[a]", false},
		{"bar", "/a|b", false},
		{"caret", "/a^b", false},
		{"grave", "/a`b", false},
		{"space", "/a b", false},
		{"tab", "/a\tb", false},
		{"NUL", "/a\x00", false},
		{"DEL", "/a\x7f", false},
		{"raw UTF-8", "/caf\xc3\xa9", false},
		{"percent alone", "/a%", false},
		{"half an escape", "/a%2", false},
		{"no hex digit", "/a%2g", false},
		{"no hex digit first", "/a%g2", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := originForm([]byte(test.target)); got != test.want {
				t.Errorf("originForm(%q) = %v", test.target, got)
			}
		})
	}
}
