package front

import (
	"net/http"

	"github.com/valyala/fasthttp"
)

// expect decides whether a request's body is invited: not when its head is
// already refused. fasthttp asks for "Expect: 100-continue" in just this
// spelling of the name, and closes the connection after any other status; what
// it does not ask about is refused when the body is there. (A socket.Conn
// deals with expectations itself, in any spelling and before that.)
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
