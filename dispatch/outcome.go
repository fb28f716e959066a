package dispatch

import (
	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/wire"
)

// An Outcome is how an accepted request ended, in the vocabulary of metrics
// and logs (decision 65).
type Outcome uint8

// The outcomes. Every accepted request ends in exactly one.
const (
	OutcomeNone Outcome = iota
	OutcomeComplete
	OutcomeInputRequired
	OutcomeRejected
	OutcomeApplicationError
	OutcomeProtocolError
	OutcomeInternalError
	OutcomeCanceled
	OutcomeDeadlineExceeded
	OutcomeClientDisconnected
	OutcomeWriteFailed
	OutcomeServerStopping
)

var outcomeNames = [...]string{
	"none", "complete", "input_required", "rejected", "application_error", "protocol_error", "internal_error",
	"canceled", "deadline_exceeded", "client_disconnected", "write_failed", "server_stopping",
}

// String returns the outcome's name in metrics.
func (o Outcome) String() string { return outcomeNames[o] }

// failureOf maps a verdict other than Result to the failure that answers it;
// nil means that nothing is written.
func (c *Call) failureOf(v actors.Verdict) *wire.Failure {
	switch v.Outcome {
	case actors.Busy:
		return capacity
	case actors.Internal:
		return executionFailed
	case actors.ShuttingDown:
		return stopping
	case actors.Deadline:
		switch v.Owner {
		case actors.Queue:
			return queuedDeadline
		case actors.Application:
			return executionFailed
		case actors.Policy:
			return policyDeadline
		default:
			return frameworkDeadline
		}
	default: // Disconnected; Canceled exists on session views only
		return nil
	}
}

// The failures that outcomes are answered with. They are shared and read only.
var (
	capacity          = &wire.Failure{Kind: wire.Capacity}
	executionFailed   = &wire.Failure{Kind: wire.ExecutionFailed}
	stopping          = &wire.Failure{Kind: wire.Stopping}
	queuedDeadline    = &wire.Failure{Kind: wire.QueuedDeadline}
	frameworkDeadline = &wire.Failure{Kind: wire.FrameworkDeadline}
	invalidParams     = &wire.Failure{Kind: wire.InvalidParams}
	policyDeadline    = &wire.Failure{Kind: wire.PolicyDeadline}
)

// outcomeOf names the outcome of a verdict and the failure that answers it.
func outcomeOf(v actors.Verdict, f *wire.Failure) Outcome {
	switch v.Outcome {
	case actors.Result:
		return outcomeOfFailure(f)
	case actors.Busy:
		return OutcomeRejected
	case actors.Deadline:
		return OutcomeDeadlineExceeded
	case actors.Disconnected:
		return OutcomeClientDisconnected
	case actors.Canceled:
		return OutcomeCanceled
	case actors.ShuttingDown:
		return OutcomeServerStopping
	default:
		return OutcomeInternalError
	}
}

func outcomeOfFailure(f *wire.Failure) Outcome {
	if f == nil {
		return OutcomeComplete
	}
	switch f.Kind {
	case wire.RateLimited, wire.Capacity, wire.HooksBusy:
		return OutcomeRejected
	case wire.Stopping:
		return OutcomeServerStopping
	case wire.ApplicationError:
		return OutcomeApplicationError
	case wire.ExecutionFailed, wire.PolicyFailed, wire.ProtectorUnavailable:
		return OutcomeInternalError
	default:
		return OutcomeProtocolError
	}
}
