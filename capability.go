package troupe

import (
	"slices"

	"github.com/troupe-mcp/troupe/dispatch"
	"github.com/troupe-mcp/troupe/wire"
)

// ClientCapabilities are what a client can do, as it declares with each
// request.
type ClientCapabilities struct {
	ElicitationForm bool
	ElicitationURL  bool
	Sampling        bool
	Roots           bool
	// Extensions by their identifiers, such as com.example/charts.
	Extensions []string
}

func (c ClientCapabilities) compile(r *registrar, noun string) dispatch.Capabilities {
	for _, id := range c.Extensions {
		if !wire.ValidExtensionID([]byte(id)) {
			r.fault("%s: %q is no identifier of an extension", noun, id)
		}
	}
	return dispatch.Capabilities{
		ElicitationForm: c.ElicitationForm, ElicitationURL: c.ElicitationURL, Sampling: c.Sampling, Roots: c.Roots,
		Extensions: slices.Clone(c.Extensions),
	}
}

// A RequestLimiter decides how many requests a caller may make. This release
// has one; servers with completers must name it, so that nobody offers
// completion without having thought of its cost (C-04).
type RequestLimiter struct{ set bool }

// AllowAllRequests returns the limiter that refuses nothing.
func AllowAllRequests() RequestLimiter { return RequestLimiter{set: true} }
