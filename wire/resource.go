package wire

import (
	"strconv"
	"time"
)

// A Resource is a resource as resources/list and links show it (spec section
// 14).
type Resource struct {
	// URI and Name must not be empty.
	URI         string
	Name        string
	Title       string       // the name to show; optional
	Description string       // optional
	MIMEType    string       // of its contents, optional
	Size        *int64       // of its contents in bytes, not negative; nil when unknown
	Annotations *Annotations // optional
	Icons       []Icon       // optional
	Meta        []byte       // a JSON object; empty is absent
}

// A ResourceTemplate is a template of resources as resources/templates/list
// shows it (spec section 14).
type ResourceTemplate struct {
	// URITemplate, of RFC 6570, and Name must not be empty.
	URITemplate string
	Name        string
	Title       string       // the name to show; optional
	Description string       // optional
	MIMEType    string       // of all that match, optional
	Annotations *Annotations // optional
	Icons       []Icon       // optional
	Meta        []byte       // a JSON object; empty is absent
}

// A ResourcePage is a page of resources/list, or all of it (D-20, RS-11).
type ResourcePage struct {
	Resources []Resource
	// NextCursor leads to the next page: at most 4,096 bytes, which may be none.
	// Nil ends the list.
	NextCursor *string
	// TTL is how long clients may keep the page, in whole milliseconds, Scope
	// which caches may. A negative TTL is 0.
	TTL   time.Duration
	Scope CacheScope
	Meta  []byte // a JSON object of the application's; empty is absent
}

// maxCursor bounds a cursor of the application's, in bytes (soklet-notes
// section 2).
const maxCursor = 4096

// AppendResourcePage appends the response to resources/list. The page has
// passed CheckResourcePage.
func AppendResourcePage(dst []byte, id ID, page *ResourcePage, p *Projection) []byte {
	return append(AppendResourceList(appendHead(dst, id), page, p), '}')
}

// AppendResourceList appends the result of resources/list, an object: the
// resources in their order (decision 15).
func AppendResourceList(dst []byte, page *ResourcePage, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"resources":[`...)
	for i := range page.Resources {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.appendResource(dst, &page.Resources[i])
	}
	dst = append(dst, ']')
	if page.NextCursor != nil {
		dst = AppendString(append(dst, `,"nextCursor":`...), *page.NextCursor)
	}
	dst = p.appendCache(dst, page.TTL, page.Scope)
	return append(p.appendMeta(dst, page.Meta), '}')
}

// CheckResourcePage reports what of a page is incomplete or out of
// DefaultBounds (decision 52, RS-11).
func CheckResourcePage(page *ResourcePage) error {
	t := tally{bounds: &DefaultBounds}
	for t.pass() {
		for i := range page.Resources {
			t.add(1, len(`{},`))
			if t.resource(&page.Resources[i]); t.err != nil {
				break
			}
		}
		if page.NextCursor != nil {
			if len(*page.NextCursor) > maxCursor {
				t.fail(errCursor)
			}
			t.member("nextCursor", *page.NextCursor)
		}
		t.meta(page.Meta)
	}
	return t.err
}

// AppendTemplateList appends the result of resources/templates/list, an
// object: the templates in their order (decision 15, RS-02), for ttl in the
// given cache. A negative ttl is 0.
func AppendTemplateList(dst []byte, templates []ResourceTemplate, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"resourceTemplates":[`...)
	for i := range templates {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.appendTemplate(dst, &templates[i])
	}
	dst = p.appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}

func (p *Projection) appendResource(dst []byte, r *Resource) []byte {
	return append(p.appendResourceMembers(append(dst, '{'), r), '}')
}

func (p *Projection) appendResourceMembers(dst []byte, r *Resource) []byte {
	dst = AppendString(append(dst, `"uri":`...), r.URI)
	dst = AppendString(append(dst, `,"name":`...), r.Name)
	dst = appendOptional(dst, "title", r.Title)
	dst = appendOptional(dst, "description", r.Description)
	dst = appendOptional(dst, "mimeType", r.MIMEType)
	if r.Size != nil {
		dst = strconv.AppendInt(append(dst, `,"size":`...), *r.Size, 10)
	}
	dst = p.appendIcons(r.Annotations.appendMember(dst), r.Icons)
	return appendDocument(dst, "_meta", r.Meta)
}

func (p *Projection) appendTemplate(dst []byte, r *ResourceTemplate) []byte {
	dst = AppendString(append(dst, `{"uriTemplate":`...), r.URITemplate)
	dst = AppendString(append(dst, `,"name":`...), r.Name)
	dst = appendOptional(dst, "title", r.Title)
	dst = appendOptional(dst, "description", r.Description)
	dst = appendOptional(dst, "mimeType", r.MIMEType)
	dst = p.appendIcons(r.Annotations.appendMember(dst), r.Icons)
	return append(appendDocument(dst, "_meta", r.Meta), '}')
}

func (t *tally) resource(r *Resource) {
	t.needed("uri", r.URI)
	t.needed("name", r.Name)
	t.optional("title", r.Title)
	t.optional("description", r.Description)
	t.optional("mimeType", r.MIMEType)
	if r.Size != nil {
		t.add(2, len(`,"size":`)+longestInteger)
		if *r.Size < 0 {
			t.fail(errNegative)
		}
	}
	t.annotations(r.Annotations)
	t.icons(r.Icons)
	t.meta(r.Meta)
}

const longestInteger = len("-9223372036854775808")
