package actors

import (
	"runtime/debug"
	"strconv"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"
)

// Behavior is what an actor of this kernel does. Its state belongs in the
// Behavior, which survives restarts, not in protoactor's instance.
//
// All methods run on the goroutine that is processing the mailbox, one at a
// time. None may block, write to a socket or call the application.
type Behavior interface {
	// Receive handles one message.
	Receive(m Message)
	// Crashed comes after a Receive of m that panicked, in place of what it
	// left undone. If it panics too it is called again, 32 times at most.
	Crashed(m Message)
	// Ended comes when a gated mailbox has turned to its next generation and
	// is idle; it may then be lent out again. Unlike the others it may run
	// beside a Receive.
	Ended()
	// Stopped is the last call.
	Stopped()
}

// Ref is a live actor: its PID and its mailbox.
type Ref struct {
	*Mailbox
	pid    *actor.PID
	system *System
	once   atomic.Bool
}

// Stop ends the actor when the message being processed is done with; what
// still waits is dropped. A second Stop does nothing.
func (r *Ref) Stop() {
	if r.once.CompareAndSwap(false, true) {
		r.system.root.Root.Stop(r.pid)
	}
}

// PID returns the actor's address within protoactor.
func (r *Ref) PID() *actor.PID { return r.pid }

// Spawn starts an actor of the given kind, which names its PID, over a mailbox
// with room for capacity messages. The system must have been started; the
// actor ends with its Stop, which is the caller's duty, before Shutdown or
// after it.
func (s *System) Spawn(kind string, capacity int, b Behavior) (*Ref, error) {
	return s.spawn(kind, newMailbox(b, capacity, false))
}

// spawn registers an actor over m.
func (s *System) spawn(kind string, m *Mailbox) (*Ref, error) {
	if s.root == nil {
		return nil, ErrNotStarted
	}
	ref := &Ref{Mailbox: m, system: s}
	props := actor.PropsFromProducer(func() actor.Actor { return &shell{ref: ref} },
		actor.WithMailbox(func() actor.Mailbox { return box{m} }),
		actor.WithDispatcher(synchronized),
		actor.WithGuardian(s.strategy))
	pid, err := s.root.Root.SpawnNamed(props, kind+"/"+strconv.FormatUint(s.serial.Add(1), 36))
	if err != nil {
		return nil, err
	}
	ref.pid = pid
	s.living.Add(1)
	return ref, nil
}

var synchronized = actor.NewSynchronizedDispatcher(1)

// shell is protoactor's instance of an actor. It has no state: a restart makes
// a new one, and Started then tells the behavior of the message that was lost.
type shell struct{ ref *Ref }

// Receive implements actor.Actor.
func (s *shell) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *Message:
		s.ref.behavior.Receive(*m)
	case *actor.Started:
		if m, ok := s.ref.lost(); ok {
			s.ref.system.crashes.Add(1)
			s.ref.behavior.Crashed(m)
			s.ref.recovered()
		}
	case *actor.Stopped:
		s.ref.system.living.Add(-1)
		s.ref.behavior.Stopped()
	}
}

// supervisor restarts whatever failed, always: protoactor's default stops an
// actor for good at its 11th failure in 10 s, and a stopped request actor
// would leave a client without an answer.
type supervisor struct{ system *System }

// HandleFailure implements actor.SupervisorStrategy.
func (v *supervisor) HandleFailure(_ *actor.ActorSystem, of actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	v.system.answerers.report(crash{child.Id, reason, debug.Stack()})
	of.RestartChildren(child)
}
