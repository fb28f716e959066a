package front

import (
	"iter"
	"net/http"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/troupe-mcp/troupe/streams/socket"
)

// keptBuffer is how much of a buffer a connection or exchange keeps for its
// next request. A connection that once moved megabytes does not hold them.
const keptBuffer = 64 << 10

// An Exchange is one request and its answer, on its connection's goroutine. It
// is valid only inside Handler.Serve.
//
// Serve answers by exactly one of Reply, ReplyStatic and Bodyless (the last one
// counts), or hijacks the connection through Ctx; an exchange that is left
// unanswered is answered with 500. Where the connection's write fence has
// already let an early answer out, nothing of the answer given here is sent.
type Exchange struct {
	front    *Front
	ctx      *fasthttp.RequestCtx
	conn     *socket.Conn
	head     Head
	own      bool // served by our server
	answered bool
	closes   bool
	// lent says that scratch is in the Handler's hands: what Reply gets next
	// was appended to it.
	lent    bool
	scratch []byte
	raw     []byte // the header section, where fasthttp has none

	streamed []byte // the body, where fasthttp had not read it
}

func (x *Exchange) begin(ctx *fasthttp.RequestCtx, own bool) {
	x.ctx, x.own = ctx, own
	x.conn, _ = ctx.Conn().(*socket.Conn)
	x.answered, x.closes, x.lent = false, false, false
}

func (x *Exchange) end() {
	if !x.answered && !x.ctx.Hijacked() {
		x.CloseAfter()
		x.Bodyless(http.StatusInternalServerError, "")
	}
	if x.closes || x.head.hasBody() && !x.ctx.IsPost() {
		x.ctx.SetConnectionClose()
	}
	x.ctx.Request.ReleaseBody(keptBuffer)
	if cap(x.scratch) > keptBuffer {
		x.scratch = nil
	}
	x.release()
}

// release lets go of the request: nothing of it stays reachable from the pool.
func (x *Exchange) release() {
	x.ctx, x.conn, x.raw, x.streamed = nil, nil, nil, nil
	x.head = Head{}
}

// Ctx returns fasthttp's request context. What a Handler adds to its response
// header goes there after Reply, ReplyStatic or Bodyless, which start the
// header anew.
func (x *Exchange) Ctx() *fasthttp.RequestCtx { return x.ctx }

// Conn returns the connection, nil unless it came from a socket.Listener.
func (x *Exchange) Conn() *socket.Conn { return x.conn }

// Received returns when the request's last byte was read (decision 72); on
// someone else's connection, when fasthttp handed the request over.
func (x *Exchange) Received() time.Time {
	if x.conn != nil {
		return x.conn.Received()
	}
	return x.ctx.Time()
}

// Method returns the request's method as it was sent.
func (x *Exchange) Method() []byte { return x.ctx.Request.Header.Method() }

// Target returns the request target as it was sent: an absolute path, neither
// decoded nor normalized, with its query if there is one.
func (x *Exchange) Target() []byte { return x.ctx.Request.Header.RequestURI() }

// Head returns the fields of the request's head that matter.
func (x *Exchange) Head() *Head { return &x.head }

// Body returns the request's body. It is at most Limits.Body bytes long.
func (x *Exchange) Body() []byte {
	if x.streamed != nil {
		return x.streamed
	}
	return x.ctx.Request.Body()
}

// Header returns the first value of the named field without whitespace around
// it, nil when the field is absent. Case does not matter.
func (x *Exchange) Header(name string) []byte {
	for value := range x.Values(name) {
		return value
	}
	return nil
}

// Values returns the values of the named field, one per field line, in the
// order of the lines. Case does not matter. The values are views.
func (x *Exchange) Values(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for field, value := range fieldsOf(x.section()) {
			if equalToken(field, name) && !yield(value) {
				return
			}
		}
	}
}

// Fields returns all field lines in order. Names are as they were sent, values
// without whitespace around them; both are views.
func (x *Exchange) Fields() iter.Seq2[[]byte, []byte] { return fieldsOf(x.section()) }

// section returns the header section as it was sent. A request that nobody
// received, made by ctx.Init, has none; it is written out then.
func (x *Exchange) section() []byte {
	header := &x.ctx.Request.Header
	if section := header.RawHeaders(); len(section) > 0 {
		return section
	}
	if x.raw == nil {
		for name, value := range header.All() {
			x.raw = append(append(x.raw, name...), ": "...)
			x.raw = append(append(x.raw, value...), "\r\n"...)
		}
		x.raw = append(x.raw, "\r\n"...)
	}
	return x.raw
}

// CloseAfter closes the connection once the answer has been sent, and says so
// in the answer.
func (x *Exchange) CloseAfter() { x.closes = true }
