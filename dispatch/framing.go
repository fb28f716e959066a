package dispatch

import (
	"unsafe"

	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/wire"
)

// versionForm is what the MCP-Protocol-Version field of a request looks like.
type versionForm uint8

const (
	versionAbsent    versionForm = iota
	versionMalformed             // repeated, or not 1 to 64 characters of [A-Za-z0-9._-]
	versionUnknown               // well formed, no revision that we know
	versionKnown
)

type framing struct {
	form     versionForm
	revision wire.Revision // when known
}

func frameOf(field *front.Field) framing {
	if field.Count == 0 {
		return framing{form: versionAbsent}
	}
	if field.Count > 1 || !wire.VersionShaped(field.Value) {
		return framing{form: versionMalformed}
	}
	revision, ok := wire.ParseRevision(view(field.Value))
	if !ok {
		return framing{form: versionUnknown}
	}
	return framing{versionKnown, revision}
}

// view reads bytes as a string without copying, for comparisons that keep
// nothing.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
