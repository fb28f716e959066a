package dispatch

import "github.com/troupe-mcp/troupe/wire"

// Groups 1 to 4: what the head of a request decides.

// limits is group 1. Its bounds have been enforced before a request arrives
// here; what is left is nothing.
func (x *exchange) limits() *wire.Failure { return nil }

// route is group 2: the request target, as it was sent, is an endpoint's path
// (T-05).
func (x *exchange) route() *wire.Failure {
	x.endpoint = x.pipeline.endpoints[string(x.front.Target())]
	if x.endpoint == nil {
		return x.fail(wire.NotFound)
	}
	return nil
}

// origin is group 3. No Host, Origin or CORS policy is configured: nothing is
// refused.
func (x *exchange) origin() *wire.Failure { return nil }

// negotiate is group 4: method, media types, content coding.
func (x *exchange) negotiate() *wire.Failure {
	if kind, ok := x.front.Negotiate(); !ok {
		if kind == wire.MethodNotAllowed {
			x.allow = x.endpoint.allow
		}
		return x.fail(kind)
	}
	return nil
}
