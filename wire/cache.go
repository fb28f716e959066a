package wire

import (
	"strconv"
	"time"
)

// A CacheScope says who may cache a result (decision 16).
type CacheScope uint8

// The scopes. The zero value is CachePrivate.
const (
	CachePrivate CacheScope = iota
	CachePublic
)

// String returns the scope's name on the wire.
func (s CacheScope) String() string {
	if s == CachePublic {
		return "public"
	}
	return "private"
}

// appendCache appends the members of a cacheable result (decision 16), after a
// comma. They exist on 2026-07-28 only.
func (p *Projection) appendCache(dst []byte, ttl time.Duration, scope CacheScope) []byte {
	if !p.modern() {
		return dst
	}
	dst = strconv.AppendInt(append(dst, `,"ttlMs":`...), max(ttl.Milliseconds(), 0), 10)
	dst = append(append(dst, `,"cacheScope":"`...), scope.String()...)
	return append(dst, '"')
}
