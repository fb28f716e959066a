package wire

import (
	"encoding/base64"
	"errors"
)

// A Content is one block of a tool's result or a prompt's message: text, an
// image, a sound, the contents of a resource, or a link to one. Blocks are made
// by the functions below and do not change.
type Content struct {
	kind contentKind
	text string
	more *contentMore // of everything but plain text
}

type contentKind uint8

const (
	contentText contentKind = iota
	contentImage
	contentAudio
	contentResource
	contentLink
)

type contentMore struct {
	data        []byte
	mimeType    string
	contents    ResourceContents
	link        Resource
	annotations *Annotations
	meta        []byte
}

// TextContent returns a text block.
func TextContent(text string) Content { return Content{text: text} }

// ImageContent returns an image block of raw bytes, at most 786,432 of them.
func ImageContent(data []byte, mimeType string) Content {
	return Content{kind: contentImage, more: &contentMore{data: data, mimeType: mimeType}}
}

// AudioContent returns an audio block of raw bytes, at most 786,432 of them.
func AudioContent(data []byte, mimeType string) Content {
	return Content{kind: contentAudio, more: &contentMore{data: data, mimeType: mimeType}}
}

// EmbeddedResource returns a block that holds the contents of a resource.
func EmbeddedResource(contents ResourceContents) Content {
	return Content{kind: contentResource, more: &contentMore{contents: contents}}
}

// ResourceLink returns a block that points to a resource.
func ResourceLink(resource Resource) Content {
	return Content{kind: contentLink, more: &contentMore{link: resource}}
}

// WithAnnotations returns the block with annotations.
func (c Content) WithAnnotations(a Annotations) Content {
	return c.with(func(m *contentMore) { m.annotations = &a })
}

// WithMeta returns the block with metadata of the application's, a JSON object.
func (c Content) WithMeta(meta []byte) Content {
	return c.with(func(m *contentMore) { m.meta = meta })
}

func (c Content) with(change func(*contentMore)) Content {
	more := contentMore{}
	if c.more != nil {
		more = *c.more
	}
	change(&more)
	c.more = &more
	return c
}

// Text returns the text of a text block, "" of any other.
func (c Content) Text() string { return c.text }

// maxBinary bounds one binary item, in raw bytes: its base64 fits a string
// (soklet-notes section 2).
const maxBinary = 786_432

// Why content is not sent.
var (
	errBinary   = errors.New("content: more than 786,432 bytes of binary data")
	errMIMEType = errors.New("content: an image or sound without a MIME type")
	errNoURI    = errors.New("content: a resource without a URI")
	errNoName   = errors.New("content: a resource without a name")
)

// check checks what a block must have; its texts are bounded elsewhere.
func (c *Content) check() error {
	m := c.more
	if m == nil {
		return nil
	}
	if err := errors.Join(m.annotations.check(), checkAppMeta(m.meta)); err != nil {
		return err
	}
	switch c.kind {
	case contentImage, contentAudio:
		if len(m.data) > maxBinary {
			return errBinary
		}
		if m.mimeType == "" {
			return errMIMEType
		}
	case contentResource:
		return m.contents.check()
	case contentLink:
		return m.link.check()
	}
	return nil
}

func checkAppMeta(meta []byte) error {
	if len(meta) == 0 {
		return nil
	}
	if err := CheckResult(meta, &DefaultBounds); err != nil {
		return err
	}
	return checkMeta(meta)
}

func appendContent(dst []byte, c *Content, p *Projection) []byte {
	if c.kind == contentText {
		dst = AppendString(append(dst, `{"type":"text","text":`...), c.text)
		if c.more == nil {
			return append(dst, '}')
		}
	}
	m := c.more
	switch c.kind {
	case contentText:
	case contentImage:
		dst = appendBinary(append(dst, `{"type":"image",`...), m)
	case contentAudio:
		dst = appendBinary(append(dst, `{"type":"audio",`...), m)
	case contentResource:
		dst = m.contents.append(append(dst, `{"type":"resource","resource":`...))
	case contentLink:
		dst = m.link.appendMembers(append(dst, `{"type":"resource_link",`...), p)
	}
	if c.kind != contentLink || m.annotations != nil {
		dst = m.annotations.appendMember(dst)
	}
	return append(appendAppMeta(dst, m.meta), '}')
}

func appendBinary(dst []byte, m *contentMore) []byte {
	dst = base64.StdEncoding.AppendEncode(append(dst, `"data":"`...), m.data)
	return AppendString(append(dst, `","mimeType":`...), m.mimeType)
}

// appendAppMeta appends an application's metadata as a member, after a comma,
// if there is any.
func appendAppMeta(dst, meta []byte) []byte {
	if len(meta) == 0 {
		return dst
	}
	return AppendCompact(append(dst, `,"_meta":`...), meta)
}
