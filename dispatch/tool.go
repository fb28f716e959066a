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
	// Invoke decodes the arguments of c, runs the handler and fills result,
	// structured content apart, which c.SetStructured takes. An error made by
	// Refuse is the handler's own JSON-RPC error, a *schema.Violation is that
	// of arguments which do not fit; any other is an internal error.
	Invoke func(ctx context.Context, c *Call, result *wire.CallResult) error
}

// Refuse returns the error of a handler that answers with a JSON-RPC error of
// its own.
func Refuse(f *wire.Failure) error { return &refusal{f} }

type refusal struct{ failure *wire.Failure }

func (*refusal) Error() string { return "application error" }

// sortError tells a handler's refusal, and arguments that their schema accepts
// and their Go type does not, from a failure.
func sortError(err error) (f *wire.Failure, misuse string) {
	var r *refusal
	if errors.As(err, &r) {
		return r.failure, ""
	}
	var v *schema.Violation
	if errors.As(err, &v) {
		return nil, v.Text()
	}
	return nil, ""
}
