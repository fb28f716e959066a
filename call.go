package troupe

import "github.com/troupe-mcp/troupe/dispatch"

// A Call is what belongs to one request: who asked, for what, on which
// revision. It is one word, copied freely, safe for concurrent use, and stays
// valid after the request has ended (T-50).
type Call struct{ call *dispatch.Call }

// Endpoint returns the path of the endpoint that was called.
func (c Call) Endpoint() string { return c.call.EndpointPath() }

// Version returns the revision of the request.
func (c Call) Version() ProtocolVersion { return ProtocolVersion{c.call.Revision()} }

// Method returns the JSON-RPC method, such as "tools/call".
func (c Call) Method() string { return c.call.Method() }

// Name returns what was called: the name of a tool or prompt, or a URI.
func (c Call) Name() string { return c.call.Name() }

// Client returns what the client says about itself; empty when it says
// nothing. It is no identity: anybody can claim any name.
func (c Call) Client() Implementation { return c.call.Client() }
