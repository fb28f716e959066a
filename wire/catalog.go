package wire

import (
	"strconv"
	"time"
)

// An Implementation names a client or a server (spec section 14).
type Implementation struct {
	Name    string
	Version string
	// Title is the name to show. Optional.
	Title string
	// Description says what it is. Optional.
	Description string
	// WebsiteURL leads to more about it. Optional.
	WebsiteURL string
}

// AppendImplementation appends an Implementation as JSON.
func AppendImplementation(dst []byte, i *Implementation) []byte {
	dst = AppendString(append(dst, `{"name":`...), i.Name)
	dst = AppendString(append(dst, `,"version":`...), i.Version)
	dst = appendOptional(dst, "title", i.Title)
	dst = appendOptional(dst, "description", i.Description)
	dst = appendOptional(dst, "websiteUrl", i.WebsiteURL)
	return append(dst, '}')
}

func appendOptional(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendString(dst, value)
}

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

func appendCache(dst []byte, ttl time.Duration, scope CacheScope) []byte {
	dst = strconv.AppendInt(append(dst, `,"ttlMs":`...), ttl.Milliseconds(), 10)
	dst = append(append(dst, `,"cacheScope":"`...), scope.String()...)
	return append(dst, '"')
}

// ToolAnnotations are hints about a tool's behaviour (spec section 14). A nil
// hint is left out, and the client assumes the protocol's default.
type ToolAnnotations struct {
	Title           string
	ReadOnlyHint    *bool // defaults to false
	DestructiveHint *bool // defaults to true
	IdempotentHint  *bool // defaults to false
	OpenWorldHint   *bool // defaults to true
}

func appendAnnotations(dst []byte, a *ToolAnnotations) []byte {
	start := len(dst)
	dst = append(dst, '{')
	dst = appendOptional(dst, "title", a.Title)
	for _, hint := range []struct {
		name  string
		value *bool
	}{
		{"readOnlyHint", a.ReadOnlyHint}, {"destructiveHint", a.DestructiveHint},
		{"idempotentHint", a.IdempotentHint}, {"openWorldHint", a.OpenWorldHint},
	} {
		if hint.value != nil {
			dst = append(append(append(dst, `,"`...), hint.name...), `":`...)
			dst = strconv.AppendBool(dst, *hint.value)
		}
	}
	if len(dst) > start+1 { // drop the comma before the first member
		dst = append(dst[:start+1], dst[start+2:]...)
	}
	return append(dst, '}')
}

// A Tool is a tool as tools/list shows it. Its schemas are valid JSON and are
// sent as written, on one line.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  []byte
	OutputSchema []byte // nil without one
	Annotations  *ToolAnnotations
}

func appendTool(dst []byte, t *Tool) []byte {
	dst = AppendString(append(dst, `{"name":`...), t.Name)
	dst = appendOptional(dst, "title", t.Title)
	dst = appendOptional(dst, "description", t.Description)
	dst = AppendCompact(append(dst, `,"inputSchema":`...), t.InputSchema)
	if t.OutputSchema != nil {
		dst = AppendCompact(append(dst, `,"outputSchema":`...), t.OutputSchema)
	}
	if t.Annotations != nil {
		dst = appendAnnotations(append(dst, `,"annotations":`...), t.Annotations)
	}
	return append(dst, '}')
}

// AppendToolList appends the result of tools/list.
func AppendToolList(dst []byte, tools []Tool, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(dst, `{"resultType":"complete","tools":[`...)
	for i := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTool(dst, &tools[i])
	}
	dst = appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}

// Capabilities are what an endpoint offers, derived from its registrations
// (V-58).
type Capabilities struct {
	Tools bool
}

// AppendDiscover appends the result of server/discover.
func AppendDiscover(dst []byte, served RevisionSet, c Capabilities, instructions string, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = served.AppendJSON(append(dst, `{"resultType":"complete","supportedVersions":`...))
	dst = append(dst, `,"capabilities":{`...)
	if c.Tools {
		dst = append(dst, `"tools":{}`...)
	}
	dst = append(dst, '}')
	dst = appendOptional(dst, "instructions", instructions)
	dst = appendCache(dst, ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}
