package wire

import "encoding/base64"

// A Content is one block of a tool's result or a prompt's message: text, an
// image, audio, a resource or a link to one (spec section 14). The zero Content
// is an empty text. What it was made of is shared, not copied: nobody changes
// it before the answer has been sent.
type Content struct {
	text string
	more *block // nil for a text that is nothing but text
}

type blockKind uint8

const (
	textBlock blockKind = iota
	imageBlock
	audioBlock
	resourceBlock
	linkBlock
)

var blockOpenings = [...]string{
	textBlock:     `{"type":"text","text":`,
	imageBlock:    `{"type":"image","data":"`,
	audioBlock:    `{"type":"audio","data":"`,
	resourceBlock: `{"type":"resource","resource":`,
	linkBlock:     `{"type":"resource_link",`,
}

// A block is what a Content is besides its text.
type block struct {
	kind        blockKind
	data        []byte // of an image, of audio
	mimeType    string
	contents    *ResourceContents
	link        *Resource // without annotations and metadata, which are the block's
	annotations *Annotations
	meta        []byte
}

// TextContent returns a text block.
func TextContent(text string) Content { return Content{text: text} }

// ImageContent returns an image: raw bytes, at most 786,432 of them, and their
// media type, which must not be empty.
func ImageContent(data []byte, mimeType string) Content {
	return Content{more: &block{kind: imageBlock, data: data, mimeType: mimeType}}
}

// AudioContent returns sound: raw bytes, at most 786,432 of them, and their
// media type, which must not be empty.
func AudioContent(data []byte, mimeType string) Content {
	return Content{more: &block{kind: audioBlock, data: data, mimeType: mimeType}}
}

// EmbeddedResource returns a block that holds the contents of a resource. Its
// annotations and metadata are those of the block, beside the metadata of the
// contents.
func EmbeddedResource(c ResourceContents) Content {
	return Content{more: &block{kind: resourceBlock, contents: &c}}
}

// ResourceLink returns a block that points to a resource. The annotations and
// the metadata of the block are those of the resource.
func ResourceLink(r Resource) Content {
	more := &block{kind: linkBlock, link: &r, annotations: r.Annotations, meta: r.Meta}
	r.Annotations, r.Meta = nil, nil
	return Content{more: more}
}

// WithAnnotations returns the block with other annotations.
func (c Content) WithAnnotations(a Annotations) Content {
	more := c.extended()
	more.annotations = &a
	return Content{c.text, more}
}

// WithMeta returns the block with other metadata, a JSON object; empty is none.
func (c Content) WithMeta(meta []byte) Content {
	more := c.extended()
	more.meta = meta
	return Content{c.text, more}
}

func (c Content) extended() *block {
	if c.more == nil {
		return new(block)
	}
	more := *c.more
	return &more
}

// Text returns the text of a text block, and nothing of the others.
func (c Content) Text() string { return c.text }

func (p *Projection) appendContent(dst []byte, c *Content) []byte {
	if c.more == nil {
		return append(AppendString(append(dst, `{"type":"text","text":`...), c.text), '}')
	}
	return p.appendBlock(dst, c.text, c.more)
}

func (p *Projection) appendBlock(dst []byte, text string, b *block) []byte {
	dst = append(dst, blockOpenings[b.kind]...)
	switch b.kind {
	case textBlock:
		dst = AppendString(dst, text)
	case imageBlock, audioBlock:
		dst = append(base64.StdEncoding.AppendEncode(dst, b.data), `","mimeType":`...)
		dst = AppendString(dst, b.mimeType)
	case resourceBlock:
		dst = appendContents(dst, b.contents)
	case linkBlock:
		dst = p.appendResourceMembers(dst, b.link)
	}
	dst = b.annotations.appendMember(dst)
	return append(appendDocument(dst, "_meta", b.meta), '}')
}

func (t *tally) content(c *Content) {
	b := c.more
	if b == nil {
		t.add(5, len(`{"type":"text","text":""},`)) // the block, two keys, two values
		t.text(c.text)
		return
	}
	t.add(3, len(`{"type":"resource_link"},`))
	switch b.kind {
	case textBlock:
		t.member("text", c.text)
	case imageBlock, audioBlock:
		t.binary("data", b.data)
		t.needed("mimeType", b.mimeType)
	case resourceBlock:
		t.add(1, len(`,"resource":`))
		t.contents(b.contents)
	case linkBlock:
		t.resource(b.link)
	}
	t.annotations(b.annotations)
	t.meta(b.meta)
}
