package troupe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/streams/socket"
	"github.com/troupe-mcp/troupe/wire"
)

// A Server serves MCP endpoints on one listener of its own (T-01). It is used
// once: after Run or Shutdown has returned, make a new one.
type Server struct {
	config   Config
	limits   Limits
	logger   *slog.Logger
	system   *actors.System
	events   *dispatch.Events
	pipeline *dispatch.Pipeline
	front    *front.Front
	date     *date

	mu       sync.Mutex // guards what follows
	state    state
	listener *socket.Listener
	serving  chan error // of the accept loop, once it has ended
	ended    error
	done     chan struct{} // closed when Shutdown has finished

	accepting sync.WaitGroup // the accept loop
}

type state uint8

const (
	stateNew state = iota
	stateStarted
	stateStopping
)

// NewServer checks the configuration, compiles schemas and renders catalogs.
// It starts nothing and opens nothing. Its error joins every fault, each with
// its path in Config.
func NewServer(config Config) (*Server, error) {
	var faults []error
	limits, err := config.Limits.withDefaults()
	if err != nil {
		faults = append(faults, err)
	}
	if config.Addr == "" {
		config.Addr = "127.0.0.1:8080"
	}
	if err := checkAddr(config.Addr); err != nil {
		faults = append(faults, err)
	}
	if len(config.Endpoints) == 0 {
		faults = append(faults, errors.New("Config.Endpoints: empty"))
	}
	endpoints := make([]*dispatch.Endpoint, 0, len(config.Endpoints))
	paths := make(map[string]int)
	for i, e := range config.Endpoints {
		place := fmt.Sprintf("Config.Endpoints[%d]", i)
		compiled, err := compileEndpoint(e, place)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if first, ok := paths[compiled.Path]; ok {
			faults = append(faults, fmt.Errorf("%s: Path %q is that of Endpoints[%d], too", place, compiled.Path, first))
		}
		paths[compiled.Path] = i
		if len(compiled.Completers) > 0 && !config.RequestLimiter.set {
			faults = append(faults, fmt.Errorf("%s: completers need Config.RequestLimiter", place))
		}
		endpoints = append(endpoints, compiled)
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("troupe: %w", errors.Join(faults...))
	}
	s := &Server{config: config, limits: limits, logger: config.Logger, done: make(chan struct{}), serving: make(chan error, 1)}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	if err := s.assemble(endpoints); err != nil {
		return nil, fmt.Errorf("troupe: %w", err)
	}
	return s, nil
}

// assemble builds the floors from the bottom up.
func (s *Server) assemble(endpoints []*dispatch.Endpoint) error {
	system, err := actors.New(actors.Config{
		Slots: s.limits.Slots, Queue: s.limits.Queue, FastLane: !s.config.DisableFastLane && s.config.Executor == nil,
		Executor: s.config.Executor,
	})
	if err != nil {
		return err
	}
	s.system = system
	s.date = newDate(time.Now())
	system.Wheel().OnTick(dateEvery, s.date.refresh)
	var observe func(Event)
	if s.config.Observer != nil {
		observe = s.config.Observer.Observe
	}
	s.events = dispatch.NewEvents(observe)
	s.pipeline = dispatch.New(dispatch.Config{
		Endpoints: endpoints, System: system, Deadline: s.limits.Deadline, Bounds: wire.DefaultBounds,
		Events: s.events, Logger: s.logger, Date: s.date.bytes,
	})
	s.front = front.New(front.Config{
		Limits:  front.Limits{Target: s.limits.Target, HeaderBytes: s.limits.HeaderBytes, Headers: s.limits.Headers, Body: s.limits.Body},
		Handler: s.pipeline, Logger: s.logger, Date: s.date.bytes,
	})
	return nil
}

// Listen opens the listener, so that Addr is known before Run. Run does it
// where it has not been done.
func (s *Server) Listen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		return nil
	}
	if s.state != stateNew {
		return errStopped
	}
	inner, err := net.Listen("tcp", s.config.Addr)
	if err != nil {
		return fmt.Errorf("troupe: %w", err)
	}
	listener, err := socket.Listen(inner, socket.Config{
		Limits: s.limits.socket(),
		Answer: func(status int) []byte { return front.EarlyResponse(status, s.date.bytes()) },
		Events: socketEvents{s.events},
	})
	if err != nil {
		return errors.Join(fmt.Errorf("troupe: %w", err), inner.Close())
	}
	s.system.Wheel().OnTick(sweepEvery, listener.Sweep)
	s.listener = listener
	return nil
}

// sweepEvery is how often connections are looked over for timeouts.
const sweepEvery = 100 * time.Millisecond

var errStopped = errors.New("troupe: the server was used before; make a new one")

// Addr returns the address that Listen or Run opened, nil before.
func (s *Server) Addr() net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// Run serves until ctx ends, then shuts down within the limits' grace. It
// returns nil after a clean end; what did not end is named in the error.
func (s *Server) Run(ctx context.Context) error {
	if err := s.Listen(); err != nil {
		return err
	}
	if err := s.Start(); err != nil {
		return err
	}
	s.mu.Lock()
	listener := s.listener
	s.mu.Unlock()
	s.accepting.Go(func() { s.serving <- s.front.Server().Serve(listener) })
	s.logger.Info("listening", "addr", listener.Addr().String(), "path", strings.Join(s.pipeline.Paths(), ","))
	select {
	case <-ctx.Done():
		return s.Shutdown(context.WithoutCancel(ctx))
	case err := <-s.serving:
		s.mu.Lock()
		stopping := s.state == stateStopping
		s.mu.Unlock()
		if stopping { // by Shutdown on another goroutine
			<-s.done
			return s.ended
		}
		return errors.Join(fmt.Errorf("troupe: accept: %w", err), s.Shutdown(context.WithoutCancel(ctx)))
	}
}

// Start starts the actors without a listener, for Handler. Run does it itself.
func (s *Server) Start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case stateStarted:
		return nil
	case stateStopping:
		return errStopped
	}
	s.state = stateStarted
	s.system.Start()
	if s.events.Observed() {
		go s.events.Run()
	}
	return nil
}

// Handler returns the server as a handler for a fasthttp server of yours:
// between Start and Shutdown it answers requests to its endpoints' paths. What
// belongs to the listener is then yours: connection limits, timeouts, body
// limits, the no-store header on errors that your server writes itself, and
// telling apart what clients left. Handlers run on slot workers only, and a
// client's disconnect is not seen before its answer is written.
func (s *Server) Handler() fasthttp.RequestHandler { return s.front.Handle }

// Gauges returns what the server holds now.
func (s *Server) Gauges() Gauges {
	g := s.system.Gauges()
	gauges := Gauges{
		Active: s.events.Active(), Queued: g.Queued, Running: g.Running + g.Zombies, Zombies: g.Zombies, EventsDropped: s.events.Dropped(),
	}
	s.mu.Lock()
	listener := s.listener
	s.mu.Unlock()
	if listener != nil {
		held := listener.Gauges()
		gauges.Connections, gauges.BodyBytes = held.Connections, held.BufferedBodyBytes
	}
	return gauges
}

// Ended returns how many requests have ended in an outcome since the start.
func (s *Server) Ended(o Outcome) int64 { return s.events.Ended(o) }

type socketEvents struct{ events *dispatch.Events }

func (e socketEvents) ConnectionAccepted() { e.events.Emit(Event{Kind: ConnectionAccepted}) }
func (e socketEvents) ConnectionRejected() { e.events.Emit(Event{Kind: ConnectionRejected}) }
func (e socketEvents) TransportFailure(reason socket.Reason) {
	e.events.Emit(Event{Kind: TransportFailure, Reason: string(reason)})
}
