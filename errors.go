package troupe

import (
	"fmt"

	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/wire"
)

// A ToolError is a failure for the model to read: the call succeeds with
// isError set and this text as its content (TL-21).
//
//	return nil, troupe.ToolError("no such city")
//
// Any other error that a handler returns, but for *Error, becomes a bare
// internal error; its text goes to the log only (decision 31).
type ToolError string

// Error returns the text.
func (e ToolError) Error() string { return string(e) }

// An Error is a JSON-RPC error that a handler returns on purpose (ER-07). It is
// sent with HTTP status 400. Its message and data go to strangers.
type Error struct {
	// Code must be set, and must not be one that JSON-RPC, MCP or Troupe
	// reserves: outside -32768 to -32000, and neither -31999 nor -31998.
	// Otherwise the call ends as an internal error (ER-16).
	Code int
	// Message is sent as it is. Defaults to the text of Err.
	Message string
	// Data is encoded as the error's data. Nil leaves it out.
	Data any
	// Err is what the error wraps; it is not sent when Message is set.
	Err error
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Message == "" && e.Err != nil {
		return e.Err.Error()
	}
	return e.Message
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// failure is what the dispatcher puts on the wire.
func (e *Error) failure() (*wire.Failure, error) {
	if e.Code == 0 || wire.ReservedCode(e.Code) {
		return nil, fmt.Errorf("error code %d is not the application's to use: %w", e.Code, e)
	}
	f := &wire.Failure{Kind: wire.ApplicationError, Code: e.Code, Message: e.Error()}
	if e.Data != nil {
		data, err := schema.Encode(e.Data)
		if err == nil {
			err = wire.CheckResult(data, &wire.DefaultBounds)
		}
		if err != nil {
			return nil, fmt.Errorf("error data: %w", err)
		}
		f.Data = data
	}
	return f, nil
}
