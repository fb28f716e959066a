package troupe

import "github.com/troupe-mcp/troupe/wire"

// Plain data that crosses to the wire unchanged.
type (
	// Implementation names a client or a server.
	Implementation = wire.Implementation
	// Content is one block of a tool's result.
	Content = wire.Content
	// ToolAnnotations are hints about a tool's behaviour.
	ToolAnnotations = wire.ToolAnnotations
	// CacheScope says who may cache a result: CachePrivate or CachePublic.
	CacheScope = wire.CacheScope
)

// Cache scopes (decision 16).
const (
	CachePrivate = wire.CachePrivate
	CachePublic  = wire.CachePublic
)

// Text returns a text block.
func Text(s string) Content { return wire.TextContent(s) }
