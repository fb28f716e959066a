package wire

import "time"

// Capabilities are what an endpoint offers, derived from its registrations
// (V-58).
type Capabilities struct {
	Tools, Prompts, Resources, Completions bool
}

// append appends the capabilities as an object (spec section 6).
func (c *Capabilities) append(dst []byte) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for _, capability := range []struct {
		offered bool
		member  string
	}{
		{c.Tools, `,"tools":{}`},
		{c.Prompts, `,"prompts":{}`},
		{c.Resources, `,"resources":{}`},
		{c.Completions, `,"completions":{}`},
	} {
		if capability.offered {
			dst = append(dst, capability.member...)
		}
	}
	return append(dropComma(dst, first), '}')
}

// AppendDiscover appends the result of server/discover, an object. Empty
// instructions are left out; a negative ttl is 0.
func AppendDiscover(dst []byte, served RevisionSet, c Capabilities, instructions string, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = served.AppendJSON(append(p.appendOpening(dst), `"supportedVersions":`...))
	dst = c.append(append(dst, `,"capabilities":`...))
	dst = appendOptional(dst, "instructions", instructions)
	dst = p.appendCache(dst, ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}
