package front

import (
	"bufio"
	"bytes"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	contentTypeLine  = "Content-Type: application/json\r\n"
	cacheControlLine = "Cache-Control: no-store\r\n"
	closeLine        = "Connection: close\r\n"
)

// EarlyResponse returns a complete bodyless response that ends its connection,
// in the form that all responses have. A nil date stands for the current one.
func EarlyResponse(status int, date []byte) []byte {
	return AppendResponse(nil, status, nil, date, true)
}

// AppendResponse appends a complete response: with a JSON body, or bodyless
// when body is empty. close adds Connection: close. A nil date stands for the
// current one. The bytes are those that the normal path writes for the same
// answer.
func AppendResponse(dst []byte, status int, body, date []byte, close bool) []byte {
	if date == nil {
		date = fasthttp.AppendHTTPDate(nil, time.Now())
	}
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(status), 10)
	dst = append(append(append(dst, ' '), fasthttp.StatusMessage(status)...), "\r\n"...)
	if len(body) > 0 {
		dst = append(dst, contentTypeLine...)
	}
	if status >= http.StatusOK && status != http.StatusNoContent && status != http.StatusNotModified {
		dst = append(dst, "Content-Length: "...)
		dst = append(strconv.AppendInt(dst, int64(len(body)), 10), "\r\n"...)
	}
	dst = append(append(append(dst, "Date: "...), date...), "\r\n"...)
	dst = append(dst, cacheControlLine...)
	if close {
		dst = append(dst, closeLine...)
	}
	return append(append(dst, "\r\n"...), body...)
}

// heads are the response headers of one date, to be copied: fasthttp lets
// nobody set a Date field, but reads one, and copies what it has read.
type heads struct {
	date []byte
	json fasthttp.ResponseHeader
	bare fasthttp.ResponseHeader
}

// startResponse begins ctx's response anew: status, Date, Cache-Control, and
// Content-Type when it will have a body.
func (f *Front) startResponse(ctx *fasthttp.RequestCtx, own bool, status int, body bool) {
	cache := &f.foreign
	if own {
		cache = &f.own
	}
	date, header := f.date(), &ctx.Response.Header
	h := cache.Load()
	if h == nil || !bytes.Equal(h.date, date) {
		h = newHeads(header, date)
		cache.Store(h)
	}
	if body {
		h.json.CopyTo(header)
	} else {
		h.bare.CopyTo(header)
	}
	header.SetStatusCode(status)
}

// newHeads makes the headers for a date. They take over what the server that
// header belongs to has set up in it: whether fasthttp adds a date of its own,
// for one, which a header made from nothing would bring back.
func newHeads(header *fasthttp.ResponseHeader, date []byte) *heads {
	h := &heads{date: bytes.Clone(date)}
	h.read(&h.json, header, contentTypeLine)
	h.read(&h.bare, header, "")
	return h
}

func (h *heads) read(dst, like *fasthttp.ResponseHeader, contentType string) {
	like.CopyTo(dst)
	date := h.date
	if len(date) == 0 || !printable(date) {
		date = fasthttp.AppendHTTPDate(nil, time.Now())
	}
	text := append([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"+contentType+"Date: "), date...)
	text = append(text, "\r\n"+cacheControlLine+"\r\n"...)
	_ = dst.Read(bufio.NewReader(bytes.NewReader(text))) // cannot fail on text of this form
	// What makes fasthttp use its ready status lines.
	dst.SetProtocol(nil)
	dst.SetStatusMessage(nil)
}

// clock is the date of a Front that is given none.
type clock struct {
	current atomic.Pointer[stamp]
}

type stamp struct {
	second int64
	text   []byte
}

func (c *clock) date() []byte {
	now := time.Now()
	s := c.current.Load()
	if s == nil || s.second != now.Unix() {
		s = &stamp{now.Unix(), fasthttp.AppendHTTPDate(nil, now)}
		c.current.Store(s)
	}
	return s.text
}
