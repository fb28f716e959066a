package troupe

import (
	"log/slog"
	"time"
)

// Config describes a server. Its zero value lacks only endpoints. NewServer
// copies what it needs: later changes to a Config or to anything it points to
// have no effect (T-06).
type Config struct {
	// Addr is the TCP address to listen on. Defaults to 127.0.0.1:8080; port 0
	// picks a free one, see Server.Addr. Only loopback addresses are accepted
	// until the Host allowlist exists (T-02, T-03, decision 19).
	Addr string

	// Endpoints are the MCP endpoints of this listener, told apart by path.
	Endpoints []Endpoint

	// Limits bounds what the server holds and for how long.
	Limits Limits

	// RequestLimiter is required where an endpoint has completers (C-04).
	RequestLimiter RequestLimiter

	// Observer is told what happens to connections and requests. It runs on a
	// goroutine of its own behind a bounded queue: slow or panicking, it delays
	// and changes nothing. Nil observes nothing.
	Observer Observer

	// Executor supplies the goroutines that run handlers. Slots, queue and
	// deadline stay in force (EX-04). Nil means Troupe's own slot workers.
	Executor Executor

	// DisableFastLane makes every handler run on a slot worker. By default a
	// handler runs on its connection's goroutine whenever a slot is free, which
	// saves two goroutine switches a call. Bounds, deadlines and outcomes are
	// the same on both paths. An Executor disables the fast lane too.
	DisableFastLane bool

	// Logger receives what operators need to know: starting, stopping, failed
	// handlers. Never header values, tokens, arguments or results. Defaults to
	// slog.Default().
	Logger *slog.Logger
}

// Limits bounds a server. Zero means the default named at each field; a
// negative value is an error of NewServer.
type Limits struct {
	// Slots is how many handlers run at once. Defaults to 32 (EX-01).
	Slots int
	// Queue is how many calls wait for a slot; the next is refused with 503.
	// Defaults to 128 (EX-02).
	Queue int
	// Deadline is how long a request may take, counted from its last byte.
	// Defaults to 60 s (EX-03).
	Deadline time.Duration

	// Connections is how many connections are open at once; the next is
	// answered 503 and closed. Defaults to 8,192.
	Connections int
	// ConnectionsPerAddress is the same for one client address. Zero means no
	// such limit.
	ConnectionsPerAddress int
	// Body is the largest request body in bytes; a larger one is answered 413.
	// Defaults to 4 MiB, at most 16 MiB.
	Body int
	// BodyBudget is how many bytes of request bodies are buffered at once on
	// all connections, beyond what fits a connection's read buffer; a request
	// beyond it is answered 503. The read buffer is HeaderBytes and Target
	// together, 74 KiB by default, and a connection that sends slowly holds it:
	// a server needs Connections times that, and twice the BodyBudget, at
	// worst. At least Body. Defaults to 256 MiB.
	BodyBudget int64
	// Headers is how many header fields a request may have, HeaderBytes how
	// many bytes they may take together; more is answered 431. Default to 100
	// and 64 KiB.
	Headers     int
	HeaderBytes int
	// Target is the longest request target in bytes; a longer one is answered
	// 414. Defaults to 8,192.
	Target int
	// ReadTimeout bounds the arrival of a request's head, and again of its
	// body; an incomplete one is answered 408. Defaults to 60 s.
	ReadTimeout time.Duration
	// IdleTimeout closes a connection on which nothing arrives between
	// requests. Defaults to 120 s.
	IdleTimeout time.Duration
	// WriteTimeout closes a connection whose peer does not read its answer.
	// Defaults to 30 s.
	WriteTimeout time.Duration

	// Grace is how long Run and Shutdown wait for running handlers before they
	// cancel their contexts, Forced how long they wait after that. Default to
	// 15 s and 3 s.
	Grace  time.Duration
	Forced time.Duration
}

// An Executor runs a function on a goroutine of its own choosing. An error
// means that it will not run: the call is answered 503 (EX-19).
type Executor interface {
	Submit(run func()) error
}

// An Endpoint is one MCP server at one URL path.
type Endpoint struct {
	// Path is matched exactly; it starts with a slash and is not the root
	// (T-04). Defaults to /mcp.
	Path string
	// Info names the server to clients. Name and Version must not be blank.
	Info Implementation
	// Versions are the revisions that this endpoint serves. There is no
	// default (V-03).
	Versions []ProtocolVersion
	// Instructions tell a model how to use this server. Optional.
	Instructions string
	// Features are what the endpoint offers, listed in this order.
	Features []Feature
	// CatalogTTL is how long clients may keep discovery and lists (ttlMs).
	// Defaults to 0.
	CatalogTTL time.Duration
	// CatalogScope says whether a shared cache may keep discovery and lists.
	// Defaults to private.
	CatalogScope CacheScope
}

// A Feature is something an endpoint offers. Features are made by Tool, Prompt,
// Resource, ResourceTemplate, ResourceList, Completer and For.
type Feature interface {
	register(r *registrar)
}

// For names the revisions of every feature in the list that names none itself
// (decision 45).
func For(versions []ProtocolVersion, features ...Feature) Feature {
	return group{versions: versions, features: features}
}

type group struct {
	versions []ProtocolVersion
	features []Feature
}

func (g group) register(r *registrar) {
	outer := r.versions
	if len(g.versions) > 0 {
		r.versions = g.versions
	}
	for i, f := range g.features {
		r.enter("Features[%d]", i, f)
	}
	r.versions = outer
}
