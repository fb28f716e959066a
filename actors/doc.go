// Package actors is the kernel: it decides, for every accepted request, the one
// terminal outcome, and owns what that takes.
//
// It owns the mailbox and the supervision over protoactor-go, the pool of
// request actors, the handler slots and the queue before them, the timing
// wheel, the goroutines that write early answers, and the handler's [Context].
// It knows nothing of HTTP, JSON or MCP: it reaches its caller only through
// [Work] and [Executor], and it imports no other package of this module.
//
//	Free → Admitted → Queued → Running → Terminal(outcome) → Free(generation+1)
//
// A request is a real actor with a fixed PID that is lent out again and again;
// a [Ticket] names one lending (its generation), so a late call on an old
// ticket is harmless. Deciding is the pure function step; the actor performs
// the effects that step returns. A message is processed on the goroutine of
// whoever posts it, or of whoever is processing one at that moment; nothing in
// a Receive blocks, writes to a socket or calls the application.
//
// The application's code runs in slots: on a slot's worker goroutine (pool
// path), on a goroutine of the [Executor], or on the goroutine that called
// [Ticket.Do] (fast lane). A handler that outlives its outcome turns its slot
// into a zombie, which is counted and not leased again before the handler
// returns.
//
// The `go` statements of this package are: the wheel, the answerers and the
// slots' workers, all joined by [System.Shutdown]; and one in
// [Context.AfterFunc], when it is called on a context that has ended.
//
// Other kinds of actors (streams, sessions, grants) live on the same kernel
// through [System.Spawn], [Mailbox] and [Wheel].
package actors
