package dispatch

import (
	"context"
	"errors"

	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A Tool is a registered tool, compiled.
type Tool struct {
	Descriptor wire.Tool
	Input      *schema.Program
	Output     *schema.Program // nil without an output schema
	// Invoke decodes the arguments of c, runs the handler and fills result.
	// An error made by Refuse is the handler's own JSON-RPC error; any other
	// is an internal error.
	Invoke func(ctx context.Context, c *Call, result *wire.CallResult) error
}

// Refuse returns the error of a handler that answers with a JSON-RPC error of
// its own.
func Refuse(f *wire.Failure) error { return &refusal{f} }

type refusal struct{ failure *wire.Failure }

func (*refusal) Error() string { return "application error" }

// Undecodable returns the error of arguments that their schema accepts and
// their Go type does not, such as a number beyond a field's range.
func Undecodable(err error) error { return &undecodable{err} }

type undecodable struct{ cause error }

func (*undecodable) Error() string   { return "arguments do not fit the handler's type" }
func (e *undecodable) Unwrap() error { return e.cause }

// sortError tells a handler's refusals from its failures.
func sortError(err error) (f *wire.Failure, misfit bool) {
	var r *refusal
	if errors.As(err, &r) {
		return r.failure, false
	}
	var u *undecodable
	return nil, errors.As(err, &u)
}
