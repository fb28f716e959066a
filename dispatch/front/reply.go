package front

// Scratch returns an empty buffer to make a body in. The body that the next
// call of Reply gets must have been appended to it; Reply then sends it without
// a copy, and the buffer grows with use.
func (x *Exchange) Scratch() []byte {
	x.lent = true
	return x.scratch[:0]
}

// Reply answers with a JSON body, bodyless when it is empty. The body is copied,
// unless it was made in Scratch.
func (x *Exchange) Reply(status int, body []byte) {
	x.start(status, len(body) > 0)
	response := &x.ctx.Response
	switch {
	case len(body) > keptBuffer:
		// Not in the pooled buffer, which would stay that large.
		if !x.lent {
			body = append([]byte(nil), body...)
		} else {
			x.scratch = nil
		}
		response.SetBodyRaw(body)
	case x.lent:
		x.scratch = response.SwapBody(body)
	default:
		response.SetBody(body)
	}
	x.lent = false
}

// ReplyStatic is Reply for a body that never changes: it is sent without a
// copy.
func (x *Exchange) ReplyStatic(status int, body []byte) {
	x.start(status, len(body) > 0)
	x.ctx.Response.SetBodyRaw(body)
}

// Bodyless answers without body and Content-Type. A nonempty allow becomes the
// Allow field, which a 405 needs (decision 58).
func (x *Exchange) Bodyless(status int, allow string) {
	x.start(status, false)
	x.ctx.Response.ResetBody()
	if allow != "" {
		x.ctx.Response.Header.Set("Allow", allow)
	}
}

// start sets what all answers have.
func (x *Exchange) start(status int, body bool) {
	x.answered = true
	x.front.startResponse(x.ctx, x.own, status, body)
}
