package front

import (
	"strings"
	"testing"
)

// T-13: both media types have to be permitted.
func TestAccept(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		lines string // separated by |
		want  bool
	}{
		{"both", "application/json, text/event-stream", true},
		{"both, the other way round", "text/event-stream, application/json", true},
		{"both, no space", "application/json,text/event-stream", true},
		{"both, much space", " \tapplication/json ,\t text/event-stream ", true},
		{"both, in capitals", "APPLICATION/JSON, Text/Event-Stream", true},
		{"on two lines", "application/json|text/event-stream", true},
		{"anything", "*/*", true},
		{"both types", "application/*, text/*", true},
		{"one type and anything", "application/json, */*;q=0.1", true},
		{"json only", "application/json", false},
		{"stream only", "text/event-stream", false},
		{"neither", "text/html", false},
		{"empty", "", false},
		{"only commas", ", ,", false},
		{"empty elements", ",application/json,,text/event-stream,", true},
		{"weights", "application/json;q=0.001, text/event-stream;q=1.000", true},
		{"weight in capitals", "application/json;Q=0.5, text/event-stream", true},
		{"space around the semicolon", "application/json ; q=0.5, text/event-stream ;q=1", true},
		{"stream excluded", "application/json, text/event-stream;q=0", false},
		{"json excluded", "application/json;q=0.000, text/event-stream", false},
		{"excluded beside anything", "*/*, text/event-stream;q=0", false},
		{"excluded before anything", "text/event-stream;q=0, */*", false},
		{"excluded by type", "*/*, text/*;q=0", false},
		{"type excluded, stream permitted", "text/*;q=0, text/event-stream, application/json", true},
		{"anything excluded, both permitted", "*/*;q=0, text/event-stream, application/json", true},
		{"anything excluded", "*/*;q=0", false},
		{"anything excluded, one permitted", "application/json, */*;q=0", false},
		{"contradiction", "text/event-stream, text/event-stream;q=0, application/json", false},
		{"contradiction on two lines", "text/event-stream;q=0|text/event-stream, application/json", false},
		{"charset", "application/json;charset=utf-8, text/event-stream", true},
		{"charset and weight", "application/json;charset=utf-8;q=0.5, text/event-stream", true},
		{"another variant excluded", "application/json;version=1;q=0, application/json, text/event-stream", true},
		{"extension behind the weight", "application/json;q=0.5;level=1, text/event-stream", true},
		{"quoted comma", `application/json;a="x,y", text/event-stream`, true},
		{"quoted type", `text/html;a="application/json", text/event-stream`, false},
		{"escaped quote", `application/json;a="x\",y", text/event-stream`, true},
		{"open quote", `application/json;a="x, text/event-stream`, false},
		{"weight above one", "application/json;q=1.1, text/event-stream", false},
		{"weight with four digits", "application/json;q=0.0001, text/event-stream", false},
		{"weight without digits", "application/json;q=, text/event-stream", false},
		{"negative weight", "application/json;q=-1, text/event-stream", false},
		{"weight in words", "application/json;q=high, text/event-stream", false},
		{"weight with something behind it", "application/json;q=1 x, text/event-stream", false},
		{"weight with a point", "application/json;q=1., text/event-stream;q=0.5", true},
		{"space at the equals sign", "application/json;q = 1, text/event-stream", false},
		{"semicolon at the end", "application/json;, text/event-stream", true},
		{"subtype wildcard for nothing", "*/json, */event-stream", false},
		{"longer names", "application/jsonp, text/event-streams", false},
		{"semicolon for comma", "application/json; text/event-stream", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var p permission
			for line := range strings.SplitSeq(test.lines, "|") {
				p = p.accept([]byte(line))
			}
			if got := p.both(); got != test.want {
				t.Errorf("%q permits both: %v", test.lines, got)
			}
		})
	}
}

// T-12, T-46.
func TestJSONContent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"plain", "application/json", true},
		{"capitals", "Application/JSON", true},
		{"charset", "application/json; charset=utf-8", true},
		{"charset, no space", "application/json;charset=utf-8", true},
		{"charset in capitals", "application/json; Charset=UTF-8", true},
		{"quoted charset", `application/json; charset="utf-8"`, true},
		{"semicolon at the end", "application/json;", true},
		{"semicolon at the very end", "application/json; charset=utf-8 ;", true},
		{"empty", "", false},
		{"text", "text/plain", false},
		{"suffix", "application/vnd.api+json", false},
		{"longer", "application/jsonp", false},
		{"other charset", "application/json; charset=latin1", false},
		{"utf8", "application/json; charset=utf8", false},
		{"utf-16", "application/json; charset=utf-16", false},
		{"charset twice", "application/json; charset=utf-8; charset=utf-8", false},
		{"two charsets", "application/json; charset=utf-8; charset=latin1", false},
		{"other parameter", "application/json; version=1", false},
		{"parameter without value", "application/json; charset", false},
		{"empty charset", "application/json; charset=", false},
		{"open quote", `application/json; charset="utf-8`, false},
		{"space at the equals sign", "application/json; charset =utf-8", false},
		{"something behind a parameter", "application/json; charset=utf-8 x", false},
		{"two types", "application/json, text/plain", false},
		{"two types behind a parameter", "application/json; charset=utf-8, text/plain", false},
		{"wildcard", "*/*", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := jsonContent([]byte(test.value)); got != test.want {
				t.Errorf("jsonContent(%q) = %v", test.value, got)
			}
		})
	}
}

// T-14, T-15, T-16.
func TestIdentityCoding(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value string
		want  bool
	}{
		{"", true},
		{"identity", true},
		{"Identity", true},
		{"identity, identity", true},
		{"identity,,identity,", true},
		{"gzip", false},
		{"br", false},
		{"deflate", false},
		{"identity, gzip", false},
		{"gzip, identity", false},
		{"identityx", false},
		{"identity;q=1", false},
		{"identity gzip", false},
	} {
		t.Run(test.value, func(t *testing.T) {
			t.Parallel()
			if got := identityCoding([]byte(test.value)); got != test.want {
				t.Errorf("identityCoding(%q) = %v", test.value, got)
			}
		})
	}
}

func FuzzAccept(f *testing.F) {
	for _, seed := range []string{
		"application/json, text/event-stream", "*/*;q=0, application/json", `a;b="c\"d,e";q=0.5,text/*`, ";;,,==", `"`, `\`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p := permission(0).accept([]byte(line))
		if strings.ContainsRune(line, '"') {
			return // the twin knows no quotes
		}
		if got, want := p.both(), plainBoth(line); got != want {
			t.Errorf("%q permits both: %v, twin: %v", line, got, want)
		}
	})
}

// plainBoth is a slow reading of an Accept line without quoted strings.
func plainBoth(line string) bool {
	said := map[string]bool{} // what is permitted, and under "not …" excluded
	for element := range strings.SplitSeq(line, ",") {
		parts := strings.Split(element, ";")
		for i := range parts {
			parts[i] = strings.Trim(parts[i], " \t")
		}
		weight, qualified, ok := "1", false, true
		for _, part := range parts[1:] {
			if part == "" {
				continue
			}
			name, value, found := strings.Cut(part, "=")
			if !found || name == "" || value == "" || strings.Trim(name+value, tokenChars) != "" {
				ok = false
				break
			}
			if strings.ToLower(name) == "q" {
				weight = value
				break
			}
			qualified = true
		}
		excluded := strings.Trim(weight, "0.") == ""
		switch {
		case !ok || !plainWeight(weight) || excluded && qualified:
		case excluded:
			said["not "+strings.ToLower(parts[0])] = true
		default:
			said[strings.ToLower(parts[0])] = true
		}
	}
	permits := func(ranges ...string) bool {
		for _, r := range ranges {
			if said["not "+r] {
				return false
			}
			if said[r] {
				return true
			}
		}
		return false
	}
	return permits("application/json", "application/*", "*/*") && permits("text/event-stream", "text/*", "*/*")
}

func plainWeight(q string) bool {
	whole, digits, _ := strings.Cut(q, ".")
	allowed := map[string]string{"0": "0123456789", "1": "0"}[whole]
	return allowed != "" && len(digits) <= 3 && strings.Trim(digits, allowed) == ""
}

func FuzzContentType(f *testing.F) {
	for _, seed := range []string{"application/json", `application/json; charset="utf-8"`, "application/json;;charset=utf-8;", "a;b=c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := jsonContent([]byte(value))
		identityCoding([]byte(value))
		// Whatever is accepted says nothing but these words.
		words := strings.NewReplacer("application/json", "", "charset=", "", `"utf-8"`, "", "utf-8", "").Replace(strings.ToLower(value))
		if got && strings.Trim(words, "; \t") != "" {
			t.Errorf("%q accepted", value)
		}
	})
}
