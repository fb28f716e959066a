package dispatch

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"

	"github.com/troupe-mcp/troupe/wire"
)

// Bounds of templates and of the URIs that they route (soklet-notes section 2).
const (
	maxTemplate     = 8192
	maxVariables    = 32
	maxVariableName = 128
	maxRoutedURI    = 65_535

	// MaxTemplates is how many templates an endpoint may have.
	MaxTemplates = 256
)

// A Pattern is a URI template of RFC 6570 level 1, compiled: literal text and
// simple variables, of which none spans a slash (decision 60).
type Pattern struct {
	expression *regexp.Regexp
	variables  []string
}

// CompilePattern compiles a template.
func CompilePattern(text string) (*Pattern, error) {
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("a template is at most %d bytes", maxTemplate)
	}
	template, err := uritemplate.New(text)
	if err != nil {
		return nil, errors.New("not a URI template")
	}
	p := &Pattern{variables: template.Varnames()}
	if len(p.variables) == 0 || len(p.variables) > maxVariables {
		return nil, fmt.Errorf("a template has 1 to %d variables", maxVariables)
	}
	var expression strings.Builder
	expression.WriteString("^")
	rest := text
	for i, name := range p.variables {
		if len(name) > maxVariableName {
			return nil, fmt.Errorf("a variable's name is at most %d bytes", maxVariableName)
		}
		literal, after, found := strings.Cut(rest, "{"+name+"}")
		if !found || strings.ContainsAny(literal, "{}") || literal == "" && i > 0 {
			return nil, errors.New("only simple expressions such as {name} are supported, each name once, with text between them")
		}
		expression.WriteString(regexp.QuoteMeta(literal) + "([^/?#]+)")
		rest = after
	}
	if strings.ContainsAny(rest, "{}") {
		return nil, errors.New("only simple expressions such as {name} are supported, each name once, with text between them")
	}
	expression.WriteString(regexp.QuoteMeta(rest) + "$")
	p.expression, err = regexp.Compile(expression.String())
	return p, err
}

// Variables returns the names of the variables in their order.
func (p *Pattern) Variables() []string { return p.variables }

// Declares reports whether the template has a variable of that name.
func (p *Pattern) Declares(name string) bool { return slices.Contains(p.variables, name) }

// Match returns the values of the variables in a URI, decoded once, as a JSON
// object. No value is empty, holds a slash, escaped or not, or is not UTF-8.
func (p *Pattern) Match(uri []byte) (variables []byte, ok bool) {
	if len(uri) > maxRoutedURI {
		return nil, false
	}
	at := p.expression.FindSubmatchIndex(uri)
	if at == nil {
		return nil, false
	}
	variables = append(variables, '{')
	for i, name := range p.variables {
		value, err := url.PathUnescape(string(uri[at[2*i+2]:at[2*i+3]]))
		if err != nil || !utf8.ValidString(value) || strings.Contains(value, "/") {
			return nil, false
		}
		if i > 0 {
			variables = append(variables, ',')
		}
		variables = append(wire.AppendString(variables, name), ':')
		variables = wire.AppendString(variables, value)
	}
	return append(variables, '}'), true
}
