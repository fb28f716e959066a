package wire

// A CallResult is the result of tools/call.
type CallResult struct {
	Content    []Content
	Structured []byte // JSON; empty is absent
	IsError    bool
	Meta       []byte // a JSON object of the application's; empty is absent
	inline     [1]Content
}

// SetText makes the content one text block. It does not allocate; r must not
// be copied afterwards.
func (r *CallResult) SetText(text string) {
	r.inline[0] = Content{text: text}
	r.Content = r.inline[:]
}

// AppendResult appends the response that carries a result, which is an object
// on one line.
func AppendResult(dst []byte, id ID, result []byte) []byte {
	dst = appendHead(dst, id)
	return append(append(dst, result...), '}')
}

func appendHead(dst []byte, id ID) []byte {
	dst = AppendID(append(dst, `{"jsonrpc":"2.0","id":`...), id)
	return append(dst, `,"result":`...)
}

// AppendCallResult appends the response to tools/call. The result has passed
// CheckCallResult.
func AppendCallResult(dst []byte, id ID, r *CallResult, p *Projection) []byte {
	dst = appendHead(dst, id)
	dst = append(p.appendOpening(dst), `"content":[`...)
	for i := range r.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.appendContent(dst, &r.Content[i])
	}
	dst = append(dst, ']')
	if len(r.Structured) > 0 {
		dst = AppendCompact(append(dst, `,"structuredContent":`...), r.Structured)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return append(p.appendMeta(dst, r.Meta), "}}"...)
}
