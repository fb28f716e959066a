package actors

// Message is what a [Mailbox] carries: by value, so that posting one allocates
// nothing. A message is given away; what Ref points to is the receiver's.
type Message struct {
	Ref  any    // a pointer, so that it is not boxed
	Gen  uint64 // the generation it belongs to; what it means is the receiver's
	Arg  int32  // a small argument, such as a slot's index
	Kind Kind   // what it is; the receiver's own numbering
}

// Kind numbers the messages of one kind of actor, from 0. A gated mailbox
// takes kinds below 16 only.
type Kind uint8

// Messages to a request actor. Each is posted at most once in a generation,
// which the mailbox's gate enforces; that bounds the ring.
const (
	msgBegin    Kind = iota // the connection's goroutine: Do. Arg is the slot leased for the fast lane, or noSlot
	msgAnswer               // the connection's goroutine: the framework has its answer
	msgStarted              // the scheduler: Arg is the slot that was leased for it
	msgDone                 // the handler's goroutine: it returned, or failed if Arg is failed
	msgRefused              // the connection's goroutine: the executor refused
	msgWaiting              // the connection's goroutine: the executor took it
	msgPolicy               // the handler's goroutine: a policy owns the time from here
	msgHandler              // the handler's goroutine: the application owns the time again
	msgDeadline             // the wheel
	msgGone                 // the disconnect watch
	msgCancel               // a session
	msgDrain                // the system: end it if it is queued
	msgStop                 // the system: end it wherever it is
	msgRelease              // the connection's goroutine is finished with it
	msgAnswered             // an answerer: Early returned

	posted = iota // how many kinds come through the ring

	// What the actor tells itself, never through the ring.

	msgFull     Kind = iota // the scheduler had neither slot nor room
	msgDraining             // the scheduler takes nothing any more
	msgDequeued             // it has left the queue, or was never in it
	msgCrash                // Receive panicked
)

const (
	noSlot int32 = -1
	failed int32 = 1
)

// Messages to a slot actor.
const (
	msgLaunch Kind = iota // a request: its handler is to run on the slot's worker. Ref is the request
	msgOrphan             // a request: its outcome came before its handler's end
	msgReturn             // a request: its handler has returned
	msgFell               // the worker: its goroutine ends
	msgRetire             // the system: end when idle
)
