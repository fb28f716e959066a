package wire

import "time"

// Capabilities are what an endpoint offers, derived from its registrations
// (V-58).
type Capabilities struct {
	Tools bool
}

// AppendDiscover appends the result of server/discover, an object. Empty
// instructions are left out; a negative ttl is 0.
func AppendDiscover(dst []byte, served RevisionSet, c Capabilities, instructions string, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = served.AppendJSON(append(p.appendOpening(dst), `"supportedVersions":`...))
	dst = append(dst, `,"capabilities":{`...)
	if c.Tools {
		dst = append(dst, `"tools":{}`...)
	}
	dst = append(dst, '}')
	dst = appendOptional(dst, "instructions", instructions)
	dst = p.appendCache(dst, ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}
