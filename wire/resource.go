package wire

import (
	"encoding/base64"
	"errors"
	"strconv"
	"time"
)

// A Resource is a resource as lists and links show it (spec section 14).
type Resource struct {
	URI         string
	Name        string
	Title       string // optional
	Description string // optional
	MIMEType    string // optional
	Size        *int64 // of its contents in bytes; optional
	Annotations *Annotations
	Icons       []Icon
	Meta        []byte // a JSON object of the application's; optional
}

func (r *Resource) check() error {
	switch {
	case r.URI == "":
		return errNoURI
	case r.Name == "":
		return errNoName
	}
	return errors.Join(r.Annotations.check(), checkAppMeta(r.Meta))
}

// appendMembers appends the members of the resource, the brace before them
// apart.
func (r *Resource) appendMembers(dst []byte, p *Projection) []byte {
	dst = AppendString(append(dst, `"uri":`...), r.URI)
	dst = AppendString(append(dst, `,"name":`...), r.Name)
	dst = appendOptional(dst, "title", r.Title)
	dst = appendOptional(dst, "description", r.Description)
	dst = appendOptional(dst, "mimeType", r.MIMEType)
	if r.Size != nil {
		dst = strconv.AppendInt(append(dst, `,"size":`...), *r.Size, 10)
	}
	dst = p.appendIcons(r.Annotations.appendMember(dst), r.Icons)
	return appendAppMeta(dst, r.Meta)
}

// A ResourceTemplate is a template as lists show it (spec section 14).
type ResourceTemplate struct {
	URITemplate string
	Name        string
	Title       string // optional
	Description string // optional
	MIMEType    string // optional
	Annotations *Annotations
	Icons       []Icon
	Meta        []byte // a JSON object of the application's; optional
}

func (t *ResourceTemplate) append(dst []byte, p *Projection) []byte {
	dst = AppendString(append(dst, `{"uriTemplate":`...), t.URITemplate)
	dst = AppendString(append(dst, `,"name":`...), t.Name)
	dst = appendOptional(dst, "title", t.Title)
	dst = appendOptional(dst, "description", t.Description)
	dst = appendOptional(dst, "mimeType", t.MIMEType)
	dst = p.appendIcons(t.Annotations.appendMember(dst), t.Icons)
	return append(appendAppMeta(dst, t.Meta), '}')
}

// ResourceContents are the contents of a resource: a blob when Blob is not nil,
// text otherwise.
type ResourceContents struct {
	URI      string
	MIMEType string
	Text     string
	Blob     []byte // raw, at most 786,432 bytes
	Meta     []byte // a JSON object of the application's; optional
}

func (c *ResourceContents) check() error {
	switch {
	case c.URI == "":
		return errNoURI
	case len(c.Blob) > maxBinary:
		return errBinary
	}
	return checkAppMeta(c.Meta)
}

func (c *ResourceContents) append(dst []byte) []byte {
	dst = AppendString(append(dst, `{"uri":`...), c.URI)
	dst = appendOptional(dst, "mimeType", c.MIMEType)
	if c.Blob != nil {
		dst = append(base64.StdEncoding.AppendEncode(append(dst, `,"blob":"`...), c.Blob), '"')
	} else {
		dst = AppendString(append(dst, `,"text":`...), c.Text)
	}
	return append(appendAppMeta(dst, c.Meta), '}')
}

// AppendTemplateList appends the result of resources/templates/list, an object.
func AppendTemplateList(dst []byte, templates []ResourceTemplate, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"resourceTemplates":[`...)
	for i := range templates {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = templates[i].append(dst, p)
	}
	dst = p.appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}

// A ResourcePage is a page of resources/list.
type ResourcePage struct {
	Resources  []Resource
	NextCursor *string // at most 4,096 bytes; nil on the last page
	TTL        time.Duration
	Scope      CacheScope
}

var errCursor = errors.New("a cursor of more than 4,096 bytes")

// maxCursor bounds an application's cursor, in bytes (soklet-notes section 2).
const maxCursor = 4096

// CheckResourcePage reports what of a page must not be sent; the bounds of its
// JSON are CheckResponse's.
func CheckResourcePage(page *ResourcePage) error {
	if page.NextCursor != nil && len(*page.NextCursor) > maxCursor {
		return errCursor
	}
	for i := range page.Resources {
		if err := page.Resources[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// AppendResourceList appends the result of resources/list, an object.
func AppendResourceList(dst []byte, page *ResourcePage, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"resources":[`...)
	for i := range page.Resources {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(page.Resources[i].appendMembers(append(dst, '{'), p), '}')
	}
	dst = append(dst, ']')
	if page.NextCursor != nil {
		dst = AppendString(append(dst, `,"nextCursor":`...), *page.NextCursor)
	}
	dst = p.appendCache(dst, page.TTL, page.Scope)
	return append(p.appendMeta(dst, nil), '}')
}

// AppendResourcePage appends the response to resources/list.
func AppendResourcePage(dst []byte, id ID, page *ResourcePage, p *Projection) []byte {
	return append(AppendResourceList(appendHead(dst, id), page, p), '}')
}

// A ReadResult is the result of resources/read.
type ReadResult struct {
	Contents []ResourceContents
	TTL      time.Duration
	Scope    CacheScope
}

// CheckReadResult reports what of the contents must not be sent; the bounds of
// their JSON are CheckResponse's.
func CheckReadResult(r *ReadResult) error {
	for i := range r.Contents {
		if err := r.Contents[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// AppendReadResult appends the response to resources/read.
func AppendReadResult(dst []byte, id ID, r *ReadResult, p *Projection) []byte {
	dst = append(p.appendOpening(appendHead(dst, id)), `"contents":[`...)
	for i := range r.Contents {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Contents[i].append(dst)
	}
	dst = p.appendCache(append(dst, ']'), r.TTL, r.Scope)
	return append(p.appendMeta(dst, nil), "}}"...)
}

// maxEchoedURI bounds a URI that is told back, in bytes (decision 67).
const maxEchoedURI = 8192

// ResourceNotFoundData is the data of a URI that names nothing: {"uri":…}, or
// nil for a URI that is too long.
func ResourceNotFoundData(uri string) []byte {
	if len(uri) > maxEchoedURI {
		return nil
	}
	return append(AppendString([]byte(`{"uri":`), uri), '}')
}
