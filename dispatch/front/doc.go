// Package front is where HTTP ends: it configures fasthttp, checks the heads of
// requests, and writes the heads of responses.
//
// It owns group 1 of the pipeline as far as that needs a parsed head (what
// fasthttp accepts and HTTP forbids, decision 64), the checks of group 4
// (method, media types, content coding), and the one shape that every response
// has. A request whose head is sound is handed to the [Handler] as an
// [Exchange], on the connection's goroutine.
//
// # Two lines of defence
//
// Behind a listener of streams/socket the connection frames requests itself
// and answers what breaks framing before fasthttp sees a byte, with the bytes
// of [EarlyResponse]. What is checked here again costs little and holds where
// [Front.Handle] is mounted on someone else's fasthttp server; what only the
// connection can see is missing there: bare line feeds in the request line,
// header sections above the foreign server's buffer, timeouts and connection
// limits, and Cache-Control on answers that the foreign server gives by itself.
//
// # Responses
//
// Every response has its fields in one order: Content-Type, Content-Length,
// Date, Cache-Control, then what belongs to the single answer (Allow and the
// like), then Connection. Cache-Control is always no-store and there once
// (T-19 to T-23). Nothing of a request is ever repeated in a response that is
// made here, and nothing of a request's head is logged (T-39).
//
// # What it leaves alone
//
// Framing, timeouts and the write fence are streams/socket's; routing, Host and
// Origin policy and the whole of JSON-RPC are dispatch's.
package front
