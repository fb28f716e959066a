package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// The defaults of Config.
const (
	DefaultSlots = 32
	DefaultQueue = 128
	DefaultTick  = 10 * time.Millisecond

	maxSlots = 1 << 16
	maxQueue = 1 << 20
)

// Config configures a System.
type Config struct {
	// Slots is how many handlers may run at a time. Defaults to 32, at most
	// 65,536 (EX-01).
	Slots int
	// Queue is how many requests may wait for a slot. Defaults to 128, at most
	// 1,048,576 (EX-02).
	Queue int
	// FastLane lets handlers run on the connection's goroutine when a slot is
	// idle and Admit allows it. An Executor turns it off.
	FastLane bool
	// Executor supplies the goroutines that run handlers. Defaults to workers
	// of the system's own, at most one for each slot.
	Executor Executor
	// Tick is the precision of deadlines. Defaults to 10 ms; 1 ms to 1 s.
	Tick time.Duration
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// Logger is told, at error level, of actors that panicked, which is a fault
	// of this package. Handlers that panic are told to their Work. Defaults to
	// nowhere.
	Logger *slog.Logger
}

// ErrNotStarted is returned by Spawn before Start.
var ErrNotStarted = errors.New("actors: the system is not started")

// System is the kernel of one server.
type System struct {
	slotCount int
	fastLane  bool
	executor  Executor
	logger    *slog.Logger

	wheel     *Wheel
	pool      pool
	scheduler scheduler
	answerers answerers
	slots     []*slot
	strategy  actor.SupervisorStrategy
	root      *actor.ActorSystem // nil before Start

	serial   atomic.Uint64 // names PIDs
	living   atomic.Int64  // actors that have not stopped
	workers  atomic.Int64  // slot workers that have not ended
	zombies  atomic.Int64
	crashes  atomic.Uint64 // Receives that panicked
	failures atomic.Uint64 // handlers that panicked or called Goexit

	life    sync.Mutex // serializes Start and Shutdown's begin
	started bool
	ending  bool
	ended   chan struct{} // closed when Shutdown is through
	residue Residue       // set before ended is closed

	// Seams for tests: called with each message, before it is stepped and
	// before its effects are performed. nil otherwise.
	fault     func(r *request, m Message, at faultPoint)
	slotFault func(l *slot, m Message)
}

type faultPoint uint8

const (
	atReceive faultPoint = iota
	atEffects
)

// New makes a system. It starts no goroutine, and reports every fault of cfg
// at once (EX-21).
func New(cfg Config) (*System, error) {
	var faults []error
	number := func(name string, v *int, def, most int) {
		if *v == 0 {
			*v = def
		}
		if *v < 0 || *v > most {
			faults = append(faults, fmt.Errorf("actors: Config.%s: %d is not within 1 to %d", name, *v, most))
		}
	}
	number("Slots", &cfg.Slots, DefaultSlots, maxSlots)
	number("Queue", &cfg.Queue, DefaultQueue, maxQueue)
	if cfg.Tick == 0 {
		cfg.Tick = DefaultTick
	}
	if cfg.Tick < time.Millisecond || cfg.Tick > time.Second {
		faults = append(faults, fmt.Errorf("actors: Config.Tick: %v is not within 1ms to 1s", cfg.Tick))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := &System{
		slotCount: cfg.Slots,
		fastLane:  cfg.FastLane && cfg.Executor == nil,
		executor:  cfg.Executor,
		logger:    cfg.Logger,
		wheel:     newWheel(cfg.Tick, cfg.Now),
		ended:     make(chan struct{}),
	}
	s.strategy = &supervisor{s}
	s.scheduler.init(cfg.Slots, cfg.Queue)
	s.pool.closed = true // until Start
	return s, nil
}

// Start makes the system work. A second Start, or one after Shutdown, does
// nothing.
func (s *System) Start() {
	s.life.Lock()
	defer s.life.Unlock()
	if s.started || s.ending {
		return
	}
	s.started = true
	s.root = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }),
		// A burst of dead letters starts a goroutine for this long.
		actor.WithDeadLetterThrottleInterval(time.Millisecond),
		actor.WithDeadLetterThrottleCount(1))
	s.answerers.start(s.logger)
	s.slots = make([]*slot, s.slotCount)
	for i := range s.slots {
		l, err := newSlot(s, int32(i))
		if err != nil {
			panic(err) // a name exists twice in a registry of our own
		}
		s.slots[i] = l
	}
	go s.wheel.run()
	s.pool.mu.Lock()
	s.pool.closed = false
	s.pool.mu.Unlock()
}

// handOn takes a slot back and gives it to the next in the queue.
func (s *System) handOn(slot int32) {
	if r, gen := s.scheduler.release(slot, s.wheel.tick.Load()); r != nil {
		r.post(msgStarted, gen, slot)
	}
}

// Wheel returns the system's timing wheel. It runs from Start to Shutdown.
func (s *System) Wheel() *Wheel { return s.wheel }

// Gauges is a look at the system. The figures are read one after the other.
type Gauges struct {
	Active    int // requests that are lent out
	Queued    int // of these, waiting for a slot (EX-02)
	Running   int // slots whose handler runs and may still win (EX-01)
	Zombies   int // slots whose handler has outlived its outcome (EX-10)
	Pooled    int // request actors, lent out or not
	Deadlines int // nodes armed in the wheel
	Early     int // early answers that wait or are being written
	Workers   int // goroutines of slots
	Actors    int // actors of all kinds
	Crashes   uint64
	Failures  uint64 // handlers that panicked or called runtime.Goexit
	Outcomes  [outcomes]uint64
}

// Gauges returns the system's gauges and counters.
func (s *System) Gauges() Gauges {
	var g Gauges
	g.Pooled, g.Active = s.pool.counts()
	var leased int
	g.Queued, leased = s.scheduler.counts()
	g.Zombies = int(s.zombies.Load())
	g.Running = max(0, leased-g.Zombies)
	g.Deadlines = s.wheel.Len()
	g.Early = s.answerers.counts()
	g.Workers = int(s.workers.Load())
	g.Actors = int(s.living.Load())
	g.Crashes = s.crashes.Load()
	g.Failures = s.failures.Load()
	g.Outcomes = s.pool.outcomes()
	return g
}
