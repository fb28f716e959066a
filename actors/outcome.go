package actors

import "errors"

// Outcome is how a request ended. Exactly one is reserved for each admitted
// request (CX-25).
type Outcome uint8

// The outcomes.
const (
	None         Outcome = iota // not decided
	Result                      // the framework or the handler has its answer
	Internal                    // the handler panicked or called runtime.Goexit, or an actor failed
	Busy                        // the queue was full, or the executor refused (EX-05, EX-19)
	Deadline                    // the request's deadline passed first; Owner says who had the time (CX-07…CX-09)
	Disconnected                // the client went away first (CX-05)
	Canceled                    // the client canceled first (CX-03)
	ShuttingDown                // the server stopped first (CX-24)

	outcomes = iota
)

// String returns the outcome's name in lower case, as metrics spell it.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "invalid"
}

var outcomeNames = [outcomes]string{
	"none", "result", "internal", "busy", "deadline", "disconnected", "canceled", "shutting_down",
}

// Owner is who owned the request's time when its outcome was reserved. It
// picks the answer to a deadline (precedence, "Deadlines across groups").
type Owner uint8

// The owners.
const (
	Framework   Owner = iota // before the queue: protocol work, admission and other hooks
	Queue                    // waiting for a slot
	Application              // a handler holds a slot
	Policy                   // a slot is held while a catalog policy is asked; see [Ticket.Own]

	owners = iota
)

// String returns the owner's name in lower case.
func (o Owner) String() string {
	if int(o) < len(ownerNames) {
		return ownerNames[o]
	}
	return "invalid"
}

var ownerNames = [owners]string{"framework", "queue", "application", "policy"}

// Verdict is a reserved outcome with the owner at that moment. The zero
// Verdict means that there is none: the ticket was stale or zero.
type Verdict struct {
	Outcome Outcome
	Owner   Owner
}

// String returns "outcome/owner".
func (v Verdict) String() string { return v.Outcome.String() + "/" + v.Owner.String() }

// What [Context.Cause] and [Work.Failed] report.
var (
	ErrGoexit       = errors.New("actors: the handler called runtime.Goexit")
	ErrDisconnected = errors.New("actors: the client disconnected")
	ErrCanceled     = errors.New("actors: the client canceled the request")
	ErrShuttingDown = errors.New("actors: the server is shutting down")
	ErrDeadline     = errors.New("actors: the request's deadline passed")
	ErrFinished     = errors.New("actors: the request has its outcome")
)

// cause returns why a context ends with the outcome o.
func (o Outcome) cause() error {
	switch o {
	case Deadline:
		return ErrDeadline
	case Disconnected:
		return ErrDisconnected
	case Canceled:
		return ErrCanceled
	case ShuttingDown:
		return ErrShuttingDown
	default:
		return ErrFinished
	}
}
