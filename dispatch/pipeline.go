package dispatch

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/wire"
)

// A group is one step of the request pipeline. Groups run in their order and
// the first failure wins (P-01).
type group struct {
	number int
	name   string
	// serving runs on the connection's goroutine, over what has been learnt of
	// the request so far.
	serving func(*exchange) *wire.Failure
	// inSlot runs where the handler runs, over the accepted call.
	inSlot func(*Call) *wire.Failure
}

// groups is the pipeline of a request: the order in which it is checked, run
// and answered. Group 1 has two halves: connections, framing and sizes are
// bounded by streams/socket before a request gets here, the raw head by
// dispatch/front. Between 11 and 12 a request for the application changes to
// a handler slot; what the framework answers itself goes from 11 to 17.
var groups = [...]group{
	{number: 1, name: "limits", serving: (*exchange).limits},
	{number: 2, name: "routing", serving: (*exchange).route},
	{number: 3, name: "host and origin", serving: (*exchange).origin},
	{number: 4, name: "method and media", serving: (*exchange).negotiate},
	{number: 5, name: "strict JSON", serving: (*exchange).parse},
	{number: 6, name: "envelope", serving: (*exchange).classify},
	{number: 7, name: "mirrored headers", serving: (*exchange).mirrors},
	{number: 8, name: "selector", serving: (*exchange).selector},
	{number: 9, name: "profile metadata", serving: (*exchange).metadata},
	{number: 10, name: "structure", serving: (*exchange).structure},
	{number: 11, name: "admission, target and limits", serving: (*exchange).admission},
	{number: 12, name: "queue and slot", serving: (*exchange).reserve},
	{number: 13, name: "interceptor", inSlot: (*Call).intercept},
	{number: 14, name: "input", inSlot: (*Call).checkInput},
	{number: 15, name: "handler", inSlot: (*Call).invoke},
	{number: 16, name: "output", inSlot: (*Call).checkOutput},
	{number: 17, name: "envelope and write", inSlot: (*Call).encode},
}

// notificationGroups is the shorter order of a notification, after groups 1 to
// 6 (P-28; precedence section 3).
var notificationGroups = [...]group{
	{number: 2, name: "selector", serving: (*exchange).notificationSelector},
	{number: 3, name: "metadata", serving: (*exchange).notificationMetadata},
	{number: 4, name: "admission", serving: (*exchange).notificationAdmission},
	{number: 6, name: "method", serving: (*exchange).notificationMethod},
}

// classified is the number of the group after which a request is accepted
// (decision 72).
const classified = 6

// Config is what a pipeline works with. All of it is required but Events.
type Config struct {
	Endpoints []*Endpoint
	System    *actors.System
	// Deadline is how long a request may take, from its last byte.
	Deadline time.Duration
	Bounds   wire.Bounds
	Events   *Events
	Logger   *slog.Logger
	// Date returns the current HTTP date.
	Date func() []byte
}

// A Pipeline takes requests from the front end through the groups to their one
// outcome. It implements front.Handler.
type Pipeline struct {
	config    Config
	endpoints map[string]*Endpoint
	stopping  atomic.Bool
	exchanges exchangeList
	buffers   bufferList

	// probe, in tests, may fail a request just before a group runs.
	probe func(group int, name string) *wire.Failure
}

// New returns a pipeline over endpoints that have been built.
func New(config Config) *Pipeline {
	p := &Pipeline{config: config, endpoints: make(map[string]*Endpoint, len(config.Endpoints))}
	for _, e := range config.Endpoints {
		p.endpoints[e.Path] = e
	}
	return p
}

// Stop makes every answer from now on close its connection, and refuses calls
// that have no slot yet. It is the pipeline's part of a shutdown.
func (p *Pipeline) Stop() { p.stopping.Store(true) }

// Serve runs one request on its connection's goroutine.
func (p *Pipeline) Serve(request *front.Exchange) {
	x := p.exchanges.get(p)
	x.front = request
	x.serve()
	x.reset()
	p.exchanges.put(x)
}

// Paths returns the endpoints' paths, in the order of configuration.
func (p *Pipeline) Paths() []string {
	paths := make([]string, len(p.config.Endpoints))
	for i, e := range p.config.Endpoints {
		paths[i] = e.Path
	}
	return paths
}
