package front

import (
	"io"
	"net/http"
)

// fault finds what is wrong with a head that fasthttp has parsed, as the status
// of its bodyless answer; 0 is sound. Whatever it finds, the connection closes
// after the answer, since where the next request begins is in doubt.
func (x *Exchange) fault() int {
	request, limits := &x.ctx.Request.Header, &x.front.limits
	// Not the URI's: that one is normalized.
	target := request.RequestURI()
	if len(target) > limits.Target {
		return http.StatusRequestURITooLong
	}
	if !originForm(target) {
		return http.StatusBadRequest
	}
	http11 := string(request.Protocol()) == "HTTP/1.1"
	if !http11 && string(request.Protocol()) != "HTTP/1.0" {
		return http.StatusBadRequest
	}
	section := x.section()
	if len(section)-len("\r\n") > limits.HeaderBytes {
		return http.StatusRequestHeaderFieldsTooLarge
	}
	if !x.head.scan(section) {
		return http.StatusBadRequest
	}
	if x.head.Fields > limits.Headers {
		return http.StatusRequestHeaderFieldsTooLarge
	}
	if !x.head.framed(http11) || !x.head.singular() {
		return http.StatusBadRequest
	}
	if x.head.Expect.Count > 0 && !equalToken(x.head.Expect.Value, "100-continue") {
		return http.StatusExpectationFailed
	}
	if request.ContentLength() > limits.Body {
		return http.StatusRequestEntityTooLarge
	}
	if !x.own {
		return x.foreignBody()
	}
	return 0
}

// foreignBody checks what a server of ours has already checked: the size of a
// body that came in chunks, or that is still to be read.
func (x *Exchange) foreignBody() int {
	request, limit := &x.ctx.Request, x.front.limits.Body
	if request.IsBodyStream() {
		body, err := io.ReadAll(io.LimitReader(request.BodyStream(), int64(limit)+1))
		if err != nil {
			return readStatus(err)
		}
		x.streamed = body
	} else if request.Header.ContentLength() < 0 {
		x.streamed = request.Body()
	}
	if len(x.streamed) > limit {
		return http.StatusRequestEntityTooLarge
	}
	return 0
}

// singular reports whether the fields that may occur only once do, and Host
// does occur: HTTP/1.0 is served with a Host only.
func (h *Head) singular() bool {
	return h.Host.Count == 1 && h.ContentType.Count <= 1 && h.Authorization.Count <= 1 && h.Origin.Count <= 1 &&
		h.Expect.Count <= 1 && h.RequestMethod.Count <= 1
}

// framed reports whether the body's extent is beyond doubt: Content-Length once
// and in digits, or Transfer-Encoding once and chunked in HTTP/1.1, or neither.
func (h *Head) framed(http11 bool) bool {
	length, coding := &h.ContentLength, &h.TransferEncoding
	if coding.Count > 0 {
		return length.Count == 0 && coding.Count == 1 && http11 && equalToken(coding.Value, "chunked")
	}
	if length.Count == 0 {
		return true
	}
	if length.Count > 1 || len(length.Value) == 0 {
		return false
	}
	for _, c := range length.Value {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// hasBody reports whether a framed head announces a body.
func (h *Head) hasBody() bool {
	if h.TransferEncoding.Count > 0 {
		return true
	}
	for _, c := range h.ContentLength.Value {
		if c != '0' {
			return true
		}
	}
	return false
}
