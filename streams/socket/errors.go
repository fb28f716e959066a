package socket

import (
	"errors"
	"net"
	"net/http"
)

// A closedError is returned for a connection that this package has ended. It
// is net.ErrClosed to errors.Is, which keeps fasthttp from answering.
type closedError struct{ text string }

func (e *closedError) Error() string { return "socket: " + e.text }

// Is reports that a closedError is a closed connection.
func (e *closedError) Is(target error) bool { return target == net.ErrClosed }

// Errors given to Exchange.Settled and returned by Read and Write. All of them
// satisfy errors.Is(err, net.ErrClosed).
var (
	ErrRefused      error = &closedError{"request refused"}                    // a framing fault or timeout was answered here
	ErrFenced       error = &closedError{"write fenced off"}                   // an early answer or a discard came first
	ErrDiscarded    error = &closedError{"exchange discarded"}                 // Conn.Discard
	ErrWriteTimeout error = &closedError{"client stopped reading"}             // Limits.WriteTimeout
	ErrClosed       error = &closedError{"connection closed"}                  // by the peer, by CloseAll, or before an answer
	ErrShortWrite   error = &closedError{"early answer not written in one go"} // Conn.Early met a full send buffer
	ErrDesync       error = &closedError{"request read on without an answer"}  // the server and the framing disagree
	errTruncated    error = &closedError{"connection ended within a request"}  // EOF after partial bytes
	errUnsupported        = errors.New("socket: connection has no descriptor") // in-memory connections
	errWouldBlock         = errors.New("socket: operation would block")        // non-blocking write or read
)

func joinErrors(errs []error) error { return errors.Join(errs...) }

func statusText(status int) string { return http.StatusText(status) }
