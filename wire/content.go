package wire

// A Content is one block of a tool's result. This release has text blocks.
type Content struct{ text string }

// TextContent returns a text block.
func TextContent(text string) Content { return Content{text: text} }

// Text returns the text of a block.
func (c Content) Text() string { return c.text }

func appendContent(dst []byte, c *Content) []byte {
	return append(AppendString(append(dst, `{"type":"text","text":`...), c.text), '}')
}
