// Package socket is the floor under the HTTP server: a net.Listener and a
// net.Conn that know where each request begins and ends.
//
// It owns the accepted connections and their table (total and per-address
// caps), the framing of requests on a connection, the time each phase of a
// connection may take, the budget for buffered request bodies, the
// notice that a client has gone, and the write fence that lets exactly one
// party answer a request.
//
// It leaves alone what a request means: method, target form, Host, media types
// and JSON belong to the packages above. It answers only what damages the
// framing, with the bytes that Config.Answer supplies.
//
// # Framing
//
// Conn.Read hands the HTTP server one complete request at a time. Bytes of a
// following, pipelined request stay in the Conn until the server reads
// again, which it does only after it has flushed its answer. So no answer is
// ever pending behind another one while a handler runs, and a fault in
// request k+1 is reported only after the answer to request k has been written.
//
// A body that does not fit into the buffer the server reads with is kept in the Conn
// until it is complete, counted against Limits.BodyBudget. The server learns of
// the request only then, so a declared Content-Length reserves no memory.
//
// The grammar is stricter than RFC 9112 wherever leniency differs between
// implementations: CRLF only, no folding, token names, one Content-Length or
// one "Transfer-Encoding: chunked", HTTP/1.0 and HTTP/1.1 only. One empty line
// before a request line is dropped. Chunk extensions are bounded and
// ignored. Trailer fields are refused. "Expect: 100-continue" is answered here, once, when the
// body has not arrived with the head; any other expectation is 417.
//
// # Phases
//
//	fresh ──► head ──► body ──► serving ──► writing ──► answered
//	            ▲                                          │
//	            └───────────────── idle ◄──────────────────┘
//	any ──► expired (a 408 is due) ──► closing ──► dead
//
// Listener.Sweep compares the phase and its start with the limits. No
// deadline is set per request.
package socket
