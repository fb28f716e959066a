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
	// Annotations are hints about content and resources.
	Annotations = wire.Annotations
	// Icon is a picture to show.
	Icon = wire.Icon
	// Role is who speaks: RoleUser or RoleAssistant.
	Role = wire.Role
	// CacheScope says who may cache a result: CachePrivate or CachePublic.
	CacheScope = wire.CacheScope
)

// Cache scopes (decision 16).
const (
	CachePrivate = wire.CachePrivate
	CachePublic  = wire.CachePublic
)

// The roles.
const (
	RoleUser      = wire.RoleUser
	RoleAssistant = wire.RoleAssistant
)

// Text returns a text block.
func Text(s string) Content { return wire.TextContent(s) }

// Image returns an image block of raw bytes, at most 786,432 of them.
func Image(data []byte, mimeType string) Content { return wire.ImageContent(data, mimeType) }

// Audio returns an audio block of raw bytes, at most 786,432 of them.
func Audio(data []byte, mimeType string) Content { return wire.AudioContent(data, mimeType) }

// Embedded returns a block that holds the contents of a resource.
func Embedded(contents ResourceContents) Content { return wire.EmbeddedResource(contents) }

// Link returns a block that points to a resource.
func Link(resource ListedResource) Content { return wire.ResourceLink(resource) }
