package troupe

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// ResourceInfo describes a resource, or a template of resources.
type ResourceInfo struct {
	// URI is the resource's, or the template's: RFC 6570 level 1, such as
	// mem://item/{id}, whose variables never span a slash (decision 60).
	// Unique among the endpoint's resources or templates.
	URI string
	// Name names the resource to programs.
	Name string
	// Title is the name to show. Optional.
	Title string
	// Description says what it is. Optional.
	Description string
	// MIMEType is that of the contents, where they name none. Optional.
	MIMEType string
	// Size is that of an exact resource's contents in bytes. Zero is unknown.
	Size int64
	// Annotations are hints for clients. Optional.
	Annotations *Annotations
	// Icons to show. Optional.
	Icons []Icon
	// Meta is sent as its _meta in the list. Optional.
	Meta map[string]any
	// Versions are the revisions on which it is listed and read. Empty takes
	// those of the enclosing For (V-04).
	Versions []ProtocolVersion
	// Requires are client capabilities without which it is not read; a client
	// that lacks one gets -32021.
	Requires ClientCapabilities
	// CacheTTL is how long clients may keep what was read (ttlMs). Defaults to 0.
	CacheTTL time.Duration
	// CacheScope says whether a shared cache may keep it. Defaults to private.
	CacheScope CacheScope
}

// ResourceContents are the contents of a resource: text, or a blob when Blob is
// not nil, of at most 786,432 bytes. An empty URI stands for the one that was
// read, an empty MIMEType for that of ResourceInfo.
type ResourceContents = wire.ResourceContents

// ErrNotFound is what a resource handler returns for a URI that names nothing;
// the client gets -32602 with the URI (decision 67).
var ErrNotFound = dispatch.ErrNotFound

// Contents is what a resource handler returns: one part, or several.
type Contents interface {
	ResourceContents | []ResourceContents
}

// Resource registers the resource with exactly that URI.
func Resource[Out Contents](info ResourceInfo, handler func(context.Context, Call) (Out, error)) Feature {
	return &resource[struct{}, Out]{
		info: info, nilHandler: handler == nil,
		handler: func(ctx context.Context, call Call, _ struct{}) (Out, error) { return handler(ctx, call) },
	}
}

// ResourceTemplate registers a template of resources. Vars is a struct with one
// string field for each variable of the template, named by its json tag.
// Templates are tried in the order of their registration, after exact
// resources; a value is decoded once, is not empty, and has no slash.
func ResourceTemplate[Vars any, Out Contents](info ResourceInfo, handler func(context.Context, Call, Vars) (Out, error)) Feature {
	return &resource[Vars, Out]{info: info, nilHandler: handler == nil, handler: handler, template: true}
}

type resource[Vars any, Out Contents] struct {
	info       ResourceInfo
	nilHandler bool
	handler    func(context.Context, Call, Vars) (Out, error)
	template   bool
	input      *schema.Program
}

// longestURI bounds an exact URI (soklet-notes section 2).
const longestURI = 1_048_576

func (f *resource[Vars, Out]) register(r *registrar) {
	own := *f // the feature may be registered elsewhere, too
	own.compile(r)
}

// compile registers f, which belongs to the endpoint from here on.
func (f *resource[Vars, Out]) compile(r *registrar) {
	kind := "resource"
	if f.template {
		kind = "template"
	}
	noun := fmt.Sprintf("%s %q", kind, f.info.URI)
	before := len(r.faults)
	if f.nilHandler {
		r.fault("%s: nil handler", noun)
	}
	if blank(f.info.URI) || len(f.info.URI) > longestURI {
		r.fault("%s: the URI is blank or longer than %d bytes", kind, longestURI)
	}
	if blank(f.info.Name) {
		r.fault("%s: the name is blank", noun)
	}
	if f.info.CacheTTL < 0 || f.info.Size < 0 {
		r.fault("%s: negative CacheTTL or Size", noun)
	}
	if a := f.info.Annotations; a != nil && a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) {
		r.fault("%s: Annotations.Priority is not within 0 and 1", noun)
	}
	r.unique(kind, f.info.URI)
	r.revisions(f.info.Versions, noun)
	registered := &dispatch.Resource{
		Requires: f.info.Requires.compile(r, noun), TTL: f.info.CacheTTL, Scope: f.info.CacheScope, Invoke: f.invoke,
	}
	meta := r.meta(f.info.Meta, noun)
	if !f.template {
		registered.Descriptor = wire.Resource{
			URI: f.info.URI, Name: f.info.Name, Title: f.info.Title, Description: f.info.Description, MIMEType: f.info.MIMEType,
			Annotations: f.info.Annotations, Icons: f.info.Icons, Meta: meta,
		}
		if f.info.Size > 0 {
			registered.Descriptor.Size = &f.info.Size
		}
		if len(r.faults) == before {
			r.endpoint.Resources = append(r.endpoint.Resources, registered)
		}
		return
	}
	registered.Template = &wire.ResourceTemplate{
		URITemplate: f.info.URI, Name: f.info.Name, Title: f.info.Title, Description: f.info.Description, MIMEType: f.info.MIMEType,
		Annotations: f.info.Annotations, Icons: f.info.Icons, Meta: meta,
	}
	f.compileTemplate(r, registered, noun)
	if len(r.endpoint.Templates) >= dispatch.MaxTemplates {
		r.fault("%s: an endpoint has at most %d templates", noun, dispatch.MaxTemplates)
	}
	if len(r.faults) == before {
		r.endpoint.Templates = append(r.endpoint.Templates, registered)
	}
}

// compileTemplate compiles the template and checks that Vars has its variables.
func (f *resource[Vars, Out]) compileTemplate(r *registrar, registered *dispatch.Resource, noun string) {
	pattern, err := dispatch.CompilePattern(f.info.URI)
	if err != nil {
		r.fault("%s: %w", noun, err)
		return
	}
	registered.Pattern = pattern
	fields, input := r.strings(reflect.TypeFor[Vars](), noun+": variables")
	f.input = input
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.name
	}
	slices.Sort(names)
	variables := slices.Sorted(slices.Values(pattern.Variables()))
	if input != nil && !slices.Equal(names, variables) {
		r.fault("%s: the handler's type has the fields %q, the template the variables %q", noun, names, variables)
	}
}

func (f *resource[Vars, Out]) invoke(ctx context.Context, c *dispatch.Call, variables []byte, result *wire.ReadResult) error {
	var vars Vars
	if f.template {
		if err := schema.Decode(f.input, variables, &vars); err != nil {
			return err
		}
	}
	out, err := f.handler(ctx, Call{c}, vars)
	if err != nil {
		return refusalOf(err)
	}
	switch contents := any(out).(type) {
	case ResourceContents:
		result.Contents = []ResourceContents{contents}
	case []ResourceContents:
		result.Contents = slices.Clone(contents) // what they leave open is filled in; the handler may share them
	}
	return nil
}

// ListInfo describes a handler of resources/list.
type ListInfo struct {
	// Versions are the revisions on which it answers. Empty takes those of the
	// enclosing For (V-04).
	Versions []ProtocolVersion
}

// A ListRequest is what a resource list handler is asked for.
type ListRequest struct {
	// First is set for the first page, which has no cursor.
	First bool
	// Cursor is the one that an earlier page ended with, as the client sent it:
	// at most 4,096 bytes, and no proof of anything.
	Cursor string
}

// A ResourcePage is one page of a resource list.
type ResourcePage struct {
	// Resources to list. Listing grants nothing: each read is checked anew.
	Resources []ListedResource
	// More is set when there is another page, which begins at Next.
	More bool
	Next string
	// CacheTTL and CacheScope are those of this page.
	CacheTTL   time.Duration
	CacheScope CacheScope
}

// A ListedResource is a resource in a list.
type ListedResource = wire.Resource

// ErrInvalidCursor is what a list handler returns for a cursor that it does not
// accept; the client gets -32602 without more (RS-12).
var ErrInvalidCursor = dispatch.ErrInvalidCursor

// ResourceList registers the endpoint's handler of resources/list, which
// replaces the static list; there is at most one (D-05).
func ResourceList(info ListInfo, handler func(context.Context, Call, ListRequest) (ResourcePage, error)) Feature {
	return &resourceList{info, handler}
}

type resourceList struct {
	info    ListInfo
	handler func(context.Context, Call, ListRequest) (ResourcePage, error)
}

func (l *resourceList) register(r *registrar) {
	if l.handler == nil {
		r.fault("resource list: nil handler")
	}
	r.revisions(l.info.Versions, "resource list")
	if r.endpoint.Lister != nil {
		r.fault("resource list: registered twice")
	}
	r.endpoint.Lister = &dispatch.ResourceLister{Invoke: l.invoke}
}

var errNegativeTTL = errors.New("a page with a negative CacheTTL")

func (l *resourceList) invoke(ctx context.Context, c *dispatch.Call, cursor *string, page *wire.ResourcePage) error {
	request := ListRequest{First: cursor == nil}
	if cursor != nil {
		request.Cursor = *cursor
	}
	out, err := l.handler(ctx, Call{c}, request)
	if err != nil {
		return refusalOf(err)
	}
	if out.CacheTTL < 0 {
		return errNegativeTTL
	}
	page.Resources, page.TTL, page.Scope = out.Resources, out.CacheTTL, out.CacheScope
	if out.More {
		page.NextCursor = &out.Next
	}
	return nil
}
