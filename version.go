package troupe

import (
	"fmt"

	"github.com/troupe-mcp/troupe/wire"
)

// A ProtocolVersion is a revision of the Model Context Protocol. The set is
// closed and ordered; there is no "latest" (V-01, V-05).
type ProtocolVersion struct{ revision wire.Revision }

// The revisions that Troupe knows. A server of this release serves V20260728;
// NewServer refuses the others with an error that says so.
var (
	V20250618 = ProtocolVersion{wire.V20250618}
	V20251125 = ProtocolVersion{wire.V20251125}
	V20260728 = ProtocolVersion{wire.V20260728}
)

// ParseProtocolVersion returns the revision with that exact name, such as
// "2026-07-28".
func ParseProtocolVersion(name string) (ProtocolVersion, error) {
	revision, ok := wire.ParseRevision(name)
	if !ok {
		return ProtocolVersion{}, fmt.Errorf("protocol version %q: not one of 2025-06-18, 2025-11-25, 2026-07-28", name)
	}
	return ProtocolVersion{revision}, nil
}

// String returns the revision's name on the wire.
func (v ProtocolVersion) String() string { return v.revision.String() }
