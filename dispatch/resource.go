package dispatch

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/troupe-mcp/troupe/wire"
)

// A Resource is a registered resource, or a template of them, compiled.
type Resource struct {
	// Descriptor is that of an exact resource, Template that of a template;
	// Pattern is the template's text, compiled.
	Descriptor wire.Resource
	Template   *wire.ResourceTemplate
	Pattern    *Pattern
	Requires   Capabilities
	TTL        time.Duration
	Scope      wire.CacheScope
	// Invoke runs the handler and fills result. For a template, variables is a
	// JSON object of the values that the URI has for its variables.
	Invoke func(ctx context.Context, c *Call, variables []byte, result *wire.ReadResult) error

	containment
	completers map[string]*Completer // by variable
}

// String names the resource, or the template.
func (r *Resource) String() string {
	if r.Template != nil {
		return "template " + strconv.Quote(r.Template.URITemplate)
	}
	return "resource " + strconv.Quote(r.Descriptor.URI)
}

func (r *Resource) checkInput(*Call) *wire.Failure { return nil }

// ErrNotFound is the error of a read whose URI names nothing.
var ErrNotFound = errors.New("not found")

func (r *Resource) invoke(c *Call) error {
	result := &wire.ReadResult{TTL: r.TTL, Scope: r.Scope}
	c.value = result
	err := r.Invoke(&c.Context, c, c.variables, result)
	if errors.Is(err, ErrNotFound) {
		return Refuse(c.unknownResource())
	}
	return err
}

// unknownResource is the failure of a URI that names nothing (RS-06, decision
// 67).
func (c *Call) unknownResource() *wire.Failure {
	return &wire.Failure{Kind: wire.UnknownTarget, Data: wire.ResourceNotFoundData(c.Name())}
}

// checkOutput fills in what the contents leave open, the URI and the media
// type, and checks them.
func (r *Resource) checkOutput(c *Call) error {
	result := c.value.(*wire.ReadResult)
	if len(result.Contents) == 0 {
		return ErrNoResult
	}
	mimeType := r.Descriptor.MIMEType
	if r.Template != nil {
		mimeType = r.Template.MIMEType
	}
	for i := range result.Contents {
		contents := &result.Contents[i]
		if contents.URI == "" {
			contents.URI = c.Name()
		}
		if contents.MIMEType == "" {
			contents.MIMEType = mimeType
		}
	}
	return wire.CheckReadResult(result)
}

func (r *Resource) appendResponse(dst []byte, c *Call) []byte {
	return wire.AppendReadResult(dst, c.id, c.value.(*wire.ReadResult), &c.endpoint.projection)
}

// readTarget: the URI is that of a resource, or fits a template (RS-01).
func (x *exchange) readTarget() *wire.Failure {
	c := x.call
	uri := c.name.Text(x.doc)
	r := x.endpoint.resources[view(uri)]
	if r == nil {
		r, c.variables = x.endpoint.matchTemplate(uri)
	}
	if r == nil {
		return c.unknownResource()
	}
	c.target = r
	if f := x.retryShape(); f != nil {
		return f
	}
	return x.requires(&r.Requires)
}

// matchTemplate finds the first template that a URI fits.
func (e *Endpoint) matchTemplate(uri []byte) (*Resource, []byte) {
	for _, r := range e.Templates {
		if variables, ok := r.Pattern.Match(uri); ok {
			return r, variables
		}
	}
	return nil, nil
}

// A ResourceLister answers resources/list in place of the static catalog
// (D-05).
type ResourceLister struct {
	// Invoke runs the handler and fills page. cursor is nil on the first page.
	Invoke func(ctx context.Context, c *Call, cursor *string, page *wire.ResourcePage) error

	containment
}

// ErrInvalidCursor is the error of a list handler that does not know a cursor.
var ErrInvalidCursor = errors.New("invalid cursor")

// String names the lister.
func (*ResourceLister) String() string { return "resource list handler" }

func (*ResourceLister) checkInput(*Call) *wire.Failure { return nil }

func (l *ResourceLister) invoke(c *Call) error {
	page := new(wire.ResourcePage)
	c.value = page
	var cursor *string
	if c.cursor.Kind == wire.String {
		text := string(c.cursor.Text(c.doc))
		cursor = &text
	}
	err := l.Invoke(&c.Context, c, cursor, page)
	if errors.Is(err, ErrInvalidCursor) { // without data: RS-12
		return Refuse(invalidParams)
	}
	return err
}

func (*ResourceLister) checkOutput(c *Call) error {
	return wire.CheckResourcePage(c.value.(*wire.ResourcePage))
}

func (*ResourceLister) appendResponse(dst []byte, c *Call) []byte {
	return wire.AppendResourcePage(dst, c.id, c.value.(*wire.ResourcePage), &c.endpoint.projection)
}

// maxCursor bounds a cursor of the application's, in bytes (soklet-notes
// section 2).
const maxCursor = 4096

// listerTarget takes a cursor to the application's handler, verbatim (RS-11).
func (x *exchange) listerTarget() *wire.Failure {
	cursor := x.message.Param("cursor")
	if cursor.Kind == wire.String && len(cursor.Text(x.doc)) > maxCursor {
		return x.fail(wire.InvalidParams)
	}
	x.call.cursor, x.call.target = cursor, x.endpoint.Lister
	return nil
}
