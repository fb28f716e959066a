package actors

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// Posting is what became of a posted message.
type Posting uint8

// What Post returns.
const (
	Accepted Posting = iota // it is processed, or will be by whoever is processing one now
	Refused                 // the gate turned it away: stale, or sent before
	Full                    // no room; what that means is the sender's to decide
)

// Mailbox is the mailbox of every actor of this kernel: a bounded ring of
// messages by value under one mutex.
//
// A message is processed on the poster's goroutine, unless another goroutine
// is processing one: then that one goes on with it. So a Post that returns
// Accepted does not mean processed, and a Receive must not block. The ring is
// made on the first collision: an idle actor does not pay for one.
//
// A gated mailbox belongs to an actor that is lent out by generations. It
// takes each kind of message once in a generation and none of any other
// generation, so that at most 16 messages are ever in it: it cannot be full.
type Mailbox struct {
	token    any // *Message, points to current: what protoactor carries
	invoker  actor.MessageInvoker
	behavior Behavior
	capacity int
	gated    bool

	// Owned by the goroutine that is processing.

	current   Message // being processed
	system    any     // processed before current, if not nil
	inflight  bool    // current was not processed to its end
	tries     uint8   // how often that was seen to
	turn      bool    // the generation ends with this message
	parted    bool    // Ended is due when the mailbox is idle
	suspended bool    // protoactor waits for its supervisor; written under mu only by controls

	mu       sync.Mutex // guards what follows
	running  bool       // a goroutine is processing
	gen      uint64     // gated: the generation that is let in
	sent     uint16     // gated: the kinds that were let in
	ring     []Message
	head, n  int
	controls []any // protoactor's own messages; they go first
	dropped  uint64
}

// How much protoactor, and strangers, may queue.
const (
	maxControls = 256
	maxForeign  = 64
)

// newMailbox returns a mailbox for b with room for capacity messages. A gated
// one starts at generation 1.
func newMailbox(b Behavior, capacity int, gated bool) *Mailbox {
	box := &Mailbox{behavior: b, capacity: capacity, gated: gated, gen: 1}
	box.token = &box.current
	return box
}

// Post takes m. It never blocks, and allocates only on its first collision.
func (b *Mailbox) Post(m Message) Posting {
	b.mu.Lock()
	if b.gated {
		bit := uint16(1) << m.Kind
		if m.Gen != b.gen || b.sent&bit != 0 {
			b.mu.Unlock()
			return Refused
		}
		b.sent |= bit
	}
	if b.running || b.suspended || b.invoker == nil {
		ok := b.push(m)
		b.mu.Unlock()
		if !ok {
			return Full
		}
		return Accepted
	}
	b.running = true
	b.mu.Unlock()
	b.current = m
	b.run()
	return Accepted
}

// push puts m into the ring. b.mu is held.
func (b *Mailbox) push(m Message) bool {
	if b.n == b.capacity {
		b.dropped++
		return false
	}
	if b.ring == nil {
		b.ring = make([]Message, b.capacity)
	}
	i := b.head + b.n
	if i >= b.capacity {
		i -= b.capacity
	}
	b.ring[i] = m
	b.n++
	return true
}

// run processes what is current and then all that has come, until nothing is
// left.
func (b *Mailbox) run() {
	for {
		switch b.drain() {
		case idle:
			return
		case ended:
			b.behavior.Ended()
			return
		}
	}
}

// next says what is to be done after a message.
type next uint8

const (
	more  next = iota // there is another one
	idle              // there is none; the mailbox is free
	ended             // idle, and a generation has ended
)

// drain processes until the mailbox is idle, or until a Receive has failed and
// there is more to do.
func (b *Mailbox) drain() (n next) {
	clean := false
	defer func() {
		if clean {
			return
		}
		if reason := recover(); reason != nil {
			b.escalate(reason)
			n = b.take()
			return
		}
		// runtime.Goexit: this goroutine ends, but not with the mailbox locked.
		b.escalate(ErrGoexit)
		switch b.take() {
		case more:
			b.run()
		case ended:
			b.behavior.Ended()
		}
	}()
	for {
		b.invoke()
		if n = b.take(); n != more {
			clean = true
			return n
		}
	}
}

// invoke hands what is current to protoactor.
func (b *Mailbox) invoke() {
	if b.system == nil {
		b.inflight = true
		b.invoker.InvokeUserMessage(b.token)
		b.inflight = false
		return
	}
	m := b.system
	b.system = nil
	switch m := m.(type) {
	case *actor.SuspendMailbox:
		b.suspended = true
	case *actor.ResumeMailbox:
		b.suspended = false
	case foreign:
		b.invoker.InvokeUserMessage(m.message)
	default:
		b.invoker.InvokeSystemMessage(m)
	}
}

// take makes the next message current, or ends the processing.
func (b *Mailbox) take() next {
	b.mu.Lock()
	if b.turn {
		b.turn, b.parted = false, true
		b.gen++
		b.sent = 0
		for ; b.n > 0; b.n-- { // what is left belongs to the generation that has ended
			b.ring[b.head] = Message{}
			b.head = (b.head + 1) % b.capacity
		}
	}
	if len(b.controls) > 0 {
		b.system = b.controls[0]
		b.controls[0] = nil
		b.controls = b.controls[1:]
		if len(b.controls) == 0 {
			b.controls = nil
		}
		b.mu.Unlock()
		return more
	}
	if b.n > 0 && !b.suspended {
		b.current = b.ring[b.head]
		b.ring[b.head] = Message{}
		b.head++
		if b.head == b.capacity {
			b.head = 0
		}
		b.n--
		b.mu.Unlock()
		return more
	}
	n := idle
	if b.parted {
		b.parted, n = false, ended
	}
	b.running = false
	b.mu.Unlock()
	return n
}

// escalate reports a failed Receive. protoactor suspends the mailbox and asks
// the supervisor, which restarts the actor: all of it as controls.
func (b *Mailbox) escalate(reason any) {
	b.invoker.EscalateFailure(reason, b.token)
}

// maxTries is how often Crashed is called for one message, should it panic too.
const maxTries = 32

// lost returns the message whose Receive failed, if there is one.
func (b *Mailbox) lost() (Message, bool) {
	if !b.inflight || b.tries == maxTries {
		return Message{}, false
	}
	b.tries++
	return b.current, true
}

// recovered tells that the lost message has been dealt with.
func (b *Mailbox) recovered() { b.inflight, b.tries = false, 0 }

// endGeneration makes the mailbox turn to the next generation when the message
// being processed is done with, and calls Ended when it is idle. For the
// goroutine that is processing.
func (b *Mailbox) endGeneration() { b.turn = true }

// Dropped returns how many messages found the mailbox full. For a gated
// mailbox it is 0.
func (b *Mailbox) Dropped() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}

// Len returns how many messages wait.
func (b *Mailbox) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// foreign is a user message that did not come through Post, such as a
// PoisonPill.
type foreign struct{ message any }

// box is the side of a Mailbox that protoactor sees.
type box struct{ *Mailbox }

var _ actor.Mailbox = box{}

// PostUserMessage implements actor.Mailbox.
func (b box) PostUserMessage(message any) {
	if m, ok := message.(*Message); ok {
		b.Post(*m)
		return
	}
	b.control(foreign{message}, maxForeign)
}

// PostSystemMessage implements actor.Mailbox.
func (b box) PostSystemMessage(message any) { b.control(message, maxControls) }

// RegisterHandlers implements actor.Mailbox. The dispatcher is not asked:
// processing is synchronized.
func (b box) RegisterHandlers(invoker actor.MessageInvoker, _ actor.Dispatcher) {
	b.mu.Lock()
	b.invoker = invoker
	b.mu.Unlock()
}

// Start implements actor.Mailbox.
func (box) Start() {}

// UserMessageCount implements actor.Mailbox.
func (b box) UserMessageCount() int { return b.Len() }

// control queues a message of protoactor's, or processes it.
func (b *Mailbox) control(message any, room int) {
	b.mu.Lock()
	if len(b.controls) >= room {
		b.dropped++
		b.mu.Unlock()
		return
	}
	if b.running || b.invoker == nil {
		b.controls = append(b.controls, message)
		b.mu.Unlock()
		return
	}
	b.running = true
	b.mu.Unlock()
	b.system = message
	b.run()
}
