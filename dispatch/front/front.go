package front

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// A Handler serves the requests whose heads are sound (group 1 done). Serve
// runs on the connection's goroutine and answers through x before it returns;
// x and everything read from it are invalid afterwards.
type Handler interface {
	Serve(x *Exchange)
}

// Limits are the bounds of group 1 that need a parsed head. Zero values stand
// for the defaults.
type Limits struct {
	Target      int // bytes of a request target, 8,192 by default; beyond: 414
	HeaderBytes int // bytes of all field lines with their line ends, 65,536 by default; beyond: 431
	Headers     int // field lines, 100 by default; beyond: 431
	Body        int // bytes of a body, 4 MiB by default; beyond: 413
}

// Defaults of Limits (soklet-notes section 2, decision 8).
const (
	DefaultTarget      = 8192
	DefaultHeaderBytes = 65536
	DefaultHeaders     = 100
	DefaultBody        = 4 << 20
)

func (l Limits) withDefaults() Limits {
	l.Target = cmp.Or(l.Target, DefaultTarget)
	l.HeaderBytes = cmp.Or(l.HeaderBytes, DefaultHeaderBytes)
	l.Headers = cmp.Or(l.Headers, DefaultHeaders)
	l.Body = cmp.Or(l.Body, DefaultBody)
	return l
}

// Config configures a Front. Handler is required.
type Config struct {
	Limits  Limits
	Handler Handler
	// Logger is told of a Handler that panicked or called Goexit, nothing else.
	// Nil discards.
	Logger *slog.Logger
	// Date gives the current HTTP date (RFC 9110 section 5.6.7). The slice is
	// only read, and not after a newer one was returned. Nil uses the clock.
	Date func() []byte
}

// A Front is a fasthttp server's configuration and request handler.
type Front struct {
	limits    Limits
	handler   Handler
	logger    *slog.Logger
	date      func() []byte
	server    *fasthttp.Server
	exchanges sync.Pool
	own       atomic.Pointer[heads] // of responses of our server
	foreign   atomic.Pointer[heads] // of responses of someone else's
}

// New makes a Front. It starts nothing.
func New(cfg Config) *Front {
	f := &Front{limits: cfg.Limits.withDefaults(), handler: cfg.Handler, logger: cfg.Logger, date: cfg.Date}
	if f.logger == nil {
		f.logger = slog.New(slog.DiscardHandler)
	}
	if f.date == nil {
		f.date = new(clock).date
	}
	f.exchanges.New = func() any { return &Exchange{front: f} }
	f.server = f.newServer()
	return f
}

// requestLine is what a request line may take besides its target: a method and
// a version, and what else a lenient reader skips before them.
const requestLine = 1024

func (f *Front) newServer() *fasthttp.Server {
	return &fasthttp.Server{
		Handler:       func(ctx *fasthttp.RequestCtx) { f.serve(ctx, true) },
		ErrorHandler:  f.readFailed,
		ExpectHandler: f.expect,
		Logger:        silence{},

		// The listener bounds connections and knows how to refuse one; this is
		// only so high that fasthttp never refuses any in its own words.
		Concurrency: math.MaxInt32,
		// fasthttp needs a whole head in its buffer. Pages that no head has
		// touched are not resident.
		ReadBufferSize:     f.limits.Target + f.limits.HeaderBytes + requestLine,
		MaxRequestBodySize: f.limits.Body,
		// How long fasthttp keeps a goroutine without connection, and how long
		// its last one outlives Shutdown.
		MaxIdleWorkerDuration: 100 * time.Millisecond,

		// Timeouts are the listener's: a deadline a request costs more than all
		// that is done here.
		ReadTimeout: 0, WriteTimeout: 0, IdleTimeout: 0,

		NoDefaultServerHeader:         true,
		NoDefaultDate:                 true, // else a goroutine for ever (decision 76)
		NoDefaultContentType:          true,
		DisableHeaderNamesNormalizing: true,
		DisablePreParseMultipartForm:  true,
		KeepHijackedConns:             true,
		CloseOnShutdown:               true,
		SecureErrorLogMessage:         true,
	}
}

// Server returns the fasthttp server that serves this Front; always the same
// one. Its listener is to be a socket.Listener.
func (f *Front) Server() *fasthttp.Server { return f.server }

// Handle is a fasthttp.RequestHandler for someone else's server. What it cannot
// guarantee there the package's documentation says. Response fields set before
// it runs are dropped.
func (f *Front) Handle(ctx *fasthttp.RequestCtx) { f.serve(ctx, false) }

func (f *Front) serve(ctx *fasthttp.RequestCtx, own bool) {
	x := f.exchanges.Get().(*Exchange)
	x.begin(ctx, own)
	returned := false
	defer func() {
		if !returned {
			x.abandoned(recover())
			return
		}
		x.end()
		f.exchanges.Put(x)
	}()
	if status := x.fault(); status != 0 {
		x.CloseAfter()
		x.Bodyless(status, "")
	} else {
		f.handler.Serve(x)
	}
	returned = true
}

// abandoned answers for a Handler that panicked (500) or called Goexit. In the
// latter case fasthttp loses the goroutine that would write the answer, and the
// client would wait for ever: the connection is closed here. A Handler that
// keeps its contract never gets here.
func (x *Exchange) abandoned(reason any) {
	if reason == nil {
		x.front.logger.Error("handler called Goexit")
		if x.conn != nil { // of someone else's connection nobody knows what is pending
			_, _ = x.conn.Write(EarlyResponse(fasthttp.StatusInternalServerError, x.front.date()))
		}
		_ = x.ctx.Conn().Close()
		return
	}
	kind := fmt.Sprintf("%T", reason)
	if err, ok := reason.(runtime.Error); ok {
		kind = err.Error()
	}
	x.front.logger.Error("handler panicked", "reason", kind, slog.String("stack", string(debug.Stack())))
	x.CloseAfter()
	x.Bodyless(fasthttp.StatusInternalServerError, "")
	x.end()
}

// silence is the Logger of our server: what fasthttp logs repeats what was
// received.
type silence struct{}

func (silence) Printf(string, ...any) {}
