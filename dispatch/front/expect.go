package front

import (
	"bytes"
	"net/http"

	"github.com/valyala/fasthttp"
)

// fasthttp looks for "Expect: 100-continue" by exact name before it reads a
// body, and asks expect whether to invite it. headReceived sees to it that it
// also looks there for other spellings of the name, and for other
// expectations: those are refused before anybody waits for a body.
func (f *Front) headReceived(request *fasthttp.RequestHeader) fasthttp.RequestConfig {
	// HTTP/1.0 has no expectations to fulfil, only wrong ones to refuse, later.
	if request.IsHTTP11() && expects(request.RawHeaders()) {
		request.Set("Expect", "100-continue") // the header section keeps what was sent
	}
	return fasthttp.RequestConfig{}
}

// expects reports whether a header section has an Expect field.
func expects(section []byte) bool {
	const name = "expect"
	for len(section) > len(name) {
		if section[0]|0x20 == 'e' && section[len(name)] == ':' && equalFold(section[:len(name)], name) {
			return true
		}
		end := bytes.IndexByte(section, '\n')
		if end < 0 {
			return false
		}
		section = section[end+1:]
	}
	return false
}

// expect decides whether a request's body is invited: not when its head is
// already refused. fasthttp closes the connection after any other status.
func (f *Front) expect(ctx *fasthttp.RequestCtx) int {
	x := f.exchanges.Get().(*Exchange)
	x.begin(ctx, true)
	status := x.fault()
	if status == 0 {
		status = http.StatusContinue
	} else {
		x.Bodyless(status, "")
	}
	x.release()
	f.exchanges.Put(x)
	return status
}
