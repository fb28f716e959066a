package socket

import (
	"fmt"
	"math"
	"time"
)

// Limits bounds what a connection may send, hold and wait for. The zero value
// of a field selects its default. Sizes are bytes (requirements T-34 to T-38).
type Limits struct {
	// Target is the longest request target. Defaults to 8192; beyond it 414.
	Target int
	// HeaderBytes is the longest header section: every field line with its
	// CRLF, without the request line and without the empty line at the end. Defaults to
	// 65536; beyond it 431.
	HeaderBytes int
	// Headers is the largest number of field lines. Defaults to 100; beyond it 431.
	Headers int
	// Body is the longest request body after chunked decoding. Defaults to
	// 4 MiB; beyond it 413, at once when Content-Length says so (decision 81).
	Body int

	// HeaderTimeout bounds the time from the first byte of a request to the end
	// of its head (408), and the silence of a connection that never sent
	// a byte (closed without an answer). Defaults to 60 s.
	HeaderTimeout time.Duration
	// BodyTimeout bounds the time from the end of the head to the last
	// byte of the body (408). Defaults to 60 s.
	BodyTimeout time.Duration
	// IdleTimeout bounds the silence between two requests; the connection is
	// closed without an answer. Defaults to 120 s.
	IdleTimeout time.Duration
	// WriteTimeout bounds the time in which a client takes no 64 KiB of an
	// answer. The connection is reset. Defaults to 30 s.
	WriteTimeout time.Duration

	// Connections is the largest number of connections at a time. Defaults to
	// 8192; one beyond is answered 503 and closed.
	Connections int
	// PerAddress is the same per client address (IPv6: per /64 network).
	// Zero, the default, is no such limit.
	PerAddress int
	// BodyBudget is the sum of all request bodies buffered in connections,
	// counted in segments of 64 KiB for bodies that outgrow the server's read
	// buffer. Defaults to 256 MiB; beyond it 503 and close (decision 64).
	BodyBudget int64
}

// Config configures a Listener. The zero value works.
type Config struct {
	// Limits bounds connections and requests.
	Limits Limits
	// Answer returns the complete bodyless response for a status, with
	// "Connection: close" and one "Cache-Control: no-store" (T-20). The bytes
	// are written as they are and not kept. Defaults to a response without Date.
	Answer func(status int) []byte
	// Events receives counts. May be nil. Its methods must not block.
	Events Events
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Events counts what happens to connections. The methods are called from
// several goroutines and must not block or call back into the package.
type Events interface {
	// ConnectionAccepted is called once for each connection handed to the server.
	ConnectionAccepted()
	// ConnectionRejected is called once for each connection beyond a cap.
	ConnectionRejected()
	// TransportFailure is called when a connection ends with a request or an
	// answer in flight. Closing an idle or silent connection is none.
	TransportFailure(reason Reason)
}

// Reason says why a connection failed. The values are metric label values.
type Reason string

// Reasons of transport failures.
const (
	ReasonMalformed    Reason = "malformed_request"           // 400, 417
	ReasonTooLarge     Reason = "request_too_large"           // 413, 414, 431
	ReasonReadTimeout  Reason = "request_read_timeout"        // 408
	ReasonBudget       Reason = "request_body_budget"         // 503
	ReasonRead         Reason = "read_error"                  // the client left within a request
	ReasonWrite        Reason = "write_error"                 // an answer could not be written
	ReasonWriteTimeout Reason = "response_write_idle_timeout" // the client stopped reading
	ReasonAccept       Reason = "accept_error"                // accepting failed and was backed off
	ReasonInternal     Reason = "internal_error"              // the server read on without having answered
)

// Gauges is a snapshot of a Listener.
type Gauges struct {
	Connections       int   // open connections in the table
	BufferedBodyBytes int64 // bytes counted against Limits.BodyBudget
}

const (
	segmentSize   = 64 << 10               // unit of body buffering and of the budget
	writePiece    = 64 << 10               // progress a client owes per WriteTimeout
	lingerBytes   = 256 << 10              // input dropped after a refusal at most
	lingerTime    = 500 * time.Millisecond // and for how long at most
	peekAfter     = 250 * time.Millisecond // age of a request before the portable watch looks at it
	maxMethod     = 32                     // longest method
	maxExtensions = 1024                   // chunk extension bytes per request
	maxSizeDigits = 7 + 8*(^uint(0)>>63)   // hexadecimal digits of a chunk size; fasthttp takes no more
	maxBody       = math.MaxInt >> 8       // keeps the framer's sums from overflowing
	maxRejected   = 256                    // refused connections lingering at a time
)

// withDefaults returns the limits with zero fields replaced, or an error that
// names every negative field.
func (l Limits) withDefaults() (Limits, error) {
	var bad []error
	fill := func(name string, field *int, value int) {
		switch {
		case *field < 0:
			bad = append(bad, fmt.Errorf("Limits.%s: negative", name))
		case *field == 0:
			*field = value
		}
	}
	wait := func(name string, field *time.Duration, value time.Duration) {
		switch {
		case *field < 0:
			bad = append(bad, fmt.Errorf("Limits.%s: negative", name))
		case *field == 0:
			*field = value
		}
	}
	fill("Target", &l.Target, 8192)
	fill("HeaderBytes", &l.HeaderBytes, 65536)
	fill("Headers", &l.Headers, 100)
	fill("Body", &l.Body, 4<<20)
	if l.Body > maxBody {
		bad = append(bad, fmt.Errorf("Limits.Body: more than %d", maxBody))
	}
	fill("Connections", &l.Connections, 8192)
	fill("PerAddress", &l.PerAddress, 0)
	wait("HeaderTimeout", &l.HeaderTimeout, 60*time.Second)
	wait("BodyTimeout", &l.BodyTimeout, 60*time.Second)
	wait("IdleTimeout", &l.IdleTimeout, 120*time.Second)
	wait("WriteTimeout", &l.WriteTimeout, 30*time.Second)
	switch {
	case l.BodyBudget < 0:
		bad = append(bad, fmt.Errorf("Limits.BodyBudget: negative"))
	case l.BodyBudget == 0:
		l.BodyBudget = 256 << 20
	}
	return l, joinErrors(bad)
}

// defaultAnswer is the answer used when Config.Answer is nil.
func defaultAnswer(status int) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 %03d %s\r\nCache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, statusText(status))
}
