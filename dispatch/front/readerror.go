package front

import (
	"errors"
	"net"
	"net/http"
	"os"

	"github.com/valyala/fasthttp"
)

// readFailed answers a request that fasthttp could not read. It closes the
// connection afterwards.
func (f *Front) readFailed(ctx *fasthttp.RequestCtx, err error) {
	// Not Response.Reset: it makes fasthttp add a Date and a Content-Type of
	// its own.
	f.startResponse(ctx, true, readStatus(err), false)
	ctx.Response.ResetBody()
}

// readStatus maps what fasthttp says about a request it could not read.
func readStatus(err error) int {
	var small *fasthttp.ErrSmallBuffer
	var timed net.Error
	switch {
	case errors.As(err, &small):
		return http.StatusRequestHeaderFieldsTooLarge
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timed) && timed.Timeout():
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}
