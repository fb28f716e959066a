package front

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// T-39 and decision 64: a header section is well formed or refused, never
// repaired.
func TestScanForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, section string
		want          bool
	}{
		{"absent", "", true},
		{"empty", "\r\n", true},
		{"one field", "Host: a\r\n\r\n", true},
		{"empty value", "Host:\r\n\r\n", true},
		{"no space", "Host:a\r\n\r\n", true},
		{"tabs around the value", "Host:\t a \t\r\n\r\n", true},
		{"tab inside the value", "X-Text: one\ttwo three four five\r\n\r\n", true},
		{"obs-text", "X-Text: caf\xc3\xa9 \xff\r\n\r\n", true},
		{"punctuation in a name", "!#$%&'*+-.^_`|~9: a\r\n\r\n", true},
		{"no end", "Host: a\r\n", false},
		{"only CR", "\r", false},
		{"only LF", "\n", false},
		{"bare LF at a field's end", "Host: a\n\r\n", false},
		{"bare LF at the section's end", "Host: a\r\n\n", false},
		{"bare CR in a value", "Host: a\rb\r\n\r\n", false},
		{"CR CR LF", "Host: a\r\r\n\r\n", false},
		{"bare CR at the section's end", "Host: a\r\n\r", false},
		{"something behind the end", "Host: a\r\n\r\nX: y\r\n", false},
		{"folding with a space", "X-Text: a\r\n b\r\n\r\n", false},
		{"folding with a tab", "X-Text: a\r\n\tb\r\n\r\n", false},
		{"space first", " Host: a\r\n\r\n", false},
		{"space before the colon", "Host : a\r\n\r\n", false},
		{"tab before the colon", "Host\t: a\r\n\r\n", false},
		{"space in a name", "Content Type: a\r\n\r\n", false},
		{"no colon", "Host\r\n\r\n", false},
		{"no name", ": a\r\n\r\n", false},
		{"NUL in a name", "Ho\x00st: a\r\n\r\n", false},
		{"CR where a hyphen belongs", "Content\rType: application/json\r\n\r\n", false},
		{"non-ASCII name", "H\xc3\xb6st: a\r\n\r\n", false},
		{"NUL in a value", "X-Text: a\x00b\r\n\r\n", false},
		{"escape in a long value", "X-Text: 0123456789abcdef\x1b0123456789\r\n\r\n", false},
		{"DEL in a value", "X-Text: 012345\x7f\r\n\r\n", false},
		{"control byte behind a tab", "X-Text: 0123456\t\x01\r\n\r\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var h Head
			if got := h.scan([]byte(test.section)); got != test.want {
				t.Errorf("scan(%q) = %v", test.section, got)
			}
		})
	}
}

// Every name that matters, in any case, with its first value and its count.
func TestScanFields(t *testing.T) {
	t.Parallel()
	for text, field := range namedFields() {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for _, spelling := range []string{text, strings.ToUpper(text), swapCase(text)} {
				for _, value := range []string{"", "v", "a longer value than a word"} {
					var h Head
					line := spelling + ": " + value + " \r\n"
					if !h.scan([]byte("X-Other: 1\r\n" + line + spelling + "s: no\r\n" + spelling + ":second\r\nx" + line + "\r\n")) {
						t.Fatalf("%q refused", line)
					}
					if f := field(&h); string(f.Value) != value || f.Count != 2 {
						t.Errorf("%q: value %q, count %d", line, f.Value, f.Count)
					}
					*field(&h) = Field{}
					h.Params, h.Fields = 0, 0
					for other, field := range namedFields() {
						if field(&h).Count != 0 {
							t.Errorf("%q counts as %s", line, other)
						}
					}
				}
			}
		})
	}
}

func namedFields() map[string]func(*Head) *Field {
	all := map[string]func(*Head) *Field{}
	for _, list := range names {
		for _, n := range list {
			all[n.text] = n.field
		}
	}
	return all
}

func swapCase(s string) string {
	b := []byte(s)
	for i := range b {
		if i%2 == 0 && 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

func TestScanParams(t *testing.T) {
	t.Parallel()
	var h Head
	if !h.scan([]byte("Mcp-Param-Region: eu\r\nMCP-PARAM-x: 1\r\nmcp-param-: 2\r\nMcp-Params: no\r\nMcp-Method: m\r\n\r\n")) {
		t.Fatal("refused")
	}
	if h.Params != 3 || h.Fields != 5 || h.McpMethod.Count != 1 {
		t.Errorf("%d params of %d fields", h.Params, h.Fields)
	}
}

// The scanner by words and the walk line by line agree on every section.
func TestScanTwin(t *testing.T) {
	t.Parallel()
	var texts []string
	for text := range namedFields() {
		texts = append(texts, text, swapCase(text), text+"x", text[1:])
	}
	part := rapid.OneOf(
		rapid.SampledFrom(append(texts, "mcp-param-a", "X", ": ", ":", " ", "\t", "\r\n", "\r", "\n", "\r\n\r\n", "value", "\x00", "\x7f")),
		rapid.StringN(0, 12, 12),
	)
	rapid.Check(t, func(t *rapid.T) {
		section := []byte(strings.Join(rapid.SliceOfN(part, 0, 20).Draw(t, "parts"), "") + "\r\n\r\n")
		checkTwin(t, section)
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("Host: a\r\nContent-Type: application/json\r\nMcp-Param-X: 1\r\n\r\n"))
	f.Add([]byte("Access-Control-Request-Headers: a\r\nAccess-Control-Request-Method: POST\r\n\r\n"))
	f.Add([]byte("X: a\r\n b\r\n\r\n"))
	f.Fuzz(func(t *testing.T, section []byte) { checkTwin(t, section) })
}

// checkTwin compares scan with what a plain reading of the lines gives.
func checkTwin(t interface{ Errorf(string, ...any) }, section []byte) {
	var h Head
	ok := h.scan(section)
	lines := strings.SplitAfter(string(section), "\r\n")
	want := len(lines) >= 2 && lines[len(lines)-1] == "" && lines[len(lines)-2] == "\r\n" || len(section) == 0
	counts, first, fields, params := map[string]int{}, map[string]string{}, 0, 0
	if len(section) > 0 && want {
		for _, line := range lines[:len(lines)-2] {
			name, value, found := strings.Cut(strings.TrimSuffix(line, "\r\n"), ":")
			want = want && found && name != "" && strings.Trim(name, tokenChars) == "" && !strings.ContainsFunc(value, func(r rune) bool {
				return r < 0x20 && r != '\t' || r == 0x7f
			})
			name = strings.ToLower(name)
			if counts[name] == 0 {
				first[name] = strings.Trim(value, " \t")
			}
			counts[name]++
			fields++
			if strings.HasPrefix(name, "mcp-param-") {
				params++
			}
		}
	}
	if ok != want {
		t.Errorf("scan(%q) = %v", section, ok)
	}
	if !ok {
		return
	}
	if h.Fields != fields || h.Params != params {
		t.Errorf("%q: %d fields, %d params", section, h.Fields, h.Params)
	}
	for name, field := range namedFields() {
		if f := field(&h); f.Count != counts[name] || string(f.Value) != first[name] {
			t.Errorf("%q: %s is %q, %d times", section, name, f.Value, f.Count)
		}
	}
	walked := 0
	for name, value := range fieldsOf(section) {
		if counts[strings.ToLower(string(name))] == 1 && first[strings.ToLower(string(name))] != string(value) {
			t.Errorf("%q: the walk reads %s as %q", section, name, value)
		}
		walked++
	}
	if walked != fields {
		t.Errorf("%q: the walk finds %d fields", section, walked)
	}
}

const tokenChars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
