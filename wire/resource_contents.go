package wire

import (
	"encoding/base64"
	"time"
)

// ResourceContents are the contents of a resource, or a part of them (spec
// section 14).
type ResourceContents struct {
	URI      string // must not be empty
	MIMEType string // optional
	// Blob, when it is not nil, makes the contents binary: at most 786,432 raw
	// bytes, which may be none. Otherwise the contents are Text.
	Blob []byte
	Text string
	Meta []byte // a JSON object; empty is absent
}

func appendContents(dst []byte, c *ResourceContents) []byte {
	dst = AppendString(append(dst, `{"uri":`...), c.URI)
	dst = appendOptional(dst, "mimeType", c.MIMEType)
	if c.Blob != nil {
		dst = base64.StdEncoding.AppendEncode(append(dst, `,"blob":"`...), c.Blob)
		dst = append(dst, '"')
	} else {
		dst = AppendString(append(dst, `,"text":`...), c.Text)
	}
	return append(appendDocument(dst, "_meta", c.Meta), '}')
}

func (t *tally) contents(c *ResourceContents) {
	t.add(1, len(`{},`))
	t.needed("uri", c.URI)
	t.optional("mimeType", c.MIMEType)
	if c.Blob != nil {
		t.binary("blob", c.Blob)
	} else {
		t.member("text", c.Text)
	}
	t.meta(c.Meta)
}

// A ReadResult is the result of resources/read.
type ReadResult struct {
	Contents []ResourceContents
	// TTL is how long clients may keep it, in whole milliseconds, Scope which
	// caches may. A negative TTL is 0.
	TTL   time.Duration
	Scope CacheScope
	Meta  []byte // a JSON object of the application's; empty is absent
}

// AppendReadResult appends the response to resources/read. The result has
// passed CheckReadResult.
func AppendReadResult(dst []byte, id ID, r *ReadResult, p *Projection) []byte {
	dst = append(p.appendOpening(appendHead(dst, id)), `"contents":[`...)
	for i := range r.Contents {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendContents(dst, &r.Contents[i])
	}
	dst = p.appendCache(append(dst, ']'), r.TTL, r.Scope)
	return append(p.appendMeta(dst, r.Meta), "}}"...)
}

// CheckReadResult reports what of a result is incomplete or out of
// DefaultBounds (decision 52).
func CheckReadResult(r *ReadResult) error {
	t := tally{bounds: &DefaultBounds}
	for t.pass() {
		for i := range r.Contents {
			if t.contents(&r.Contents[i]); t.err != nil {
				break
			}
		}
		t.meta(r.Meta)
	}
	return t.err
}

// maxEchoedURI bounds a URI that is sent back, in bytes (decision 67).
const maxEchoedURI = 8192

// ResourceNotFoundData is the data of an unknown resource: {"uri":…}, the
// client's own URI. It is nil for one of more than 8,192 bytes (decision 67).
func ResourceNotFoundData(uri string) []byte {
	if len(uri) > maxEchoedURI {
		return nil
	}
	return append(AppendString([]byte(`{"uri":`), uri), '}')
}
