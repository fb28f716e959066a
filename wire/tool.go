package wire

import (
	"strconv"
	"time"
)

// ToolAnnotations are hints about a tool's behaviour (spec section 14). A nil
// hint is left out, and the client assumes the protocol's default.
type ToolAnnotations struct {
	Title           string
	ReadOnlyHint    *bool // defaults to false
	DestructiveHint *bool // defaults to true
	IdempotentHint  *bool // defaults to false
	OpenWorldHint   *bool // defaults to true
}

func appendToolAnnotations(dst []byte, a *ToolAnnotations) []byte {
	dst = append(dst, '{')
	first := len(dst)
	dst = appendOptional(dst, "title", a.Title)
	for _, hint := range []struct {
		name  string
		value *bool
	}{
		{"readOnlyHint", a.ReadOnlyHint},
		{"destructiveHint", a.DestructiveHint},
		{"idempotentHint", a.IdempotentHint},
		{"openWorldHint", a.OpenWorldHint},
	} {
		if hint.value != nil {
			dst = append(append(append(dst, `,"`...), hint.name...), `":`...)
			dst = strconv.AppendBool(dst, *hint.value)
		}
	}
	return append(dropComma(dst, first), '}')
}

// A Tool is a tool as tools/list shows it. Its schemas are valid JSON and are
// sent as written, on one line.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  []byte
	OutputSchema []byte // empty without one
	Annotations  *ToolAnnotations
	Icons        []Icon // optional
	Meta         []byte // a JSON object; empty is absent
}

func (p *Projection) appendTool(dst []byte, t *Tool) []byte {
	dst = AppendString(append(dst, `{"name":`...), t.Name)
	dst = appendOptional(dst, "title", t.Title)
	dst = appendOptional(dst, "description", t.Description)
	dst = AppendCompact(append(dst, `,"inputSchema":`...), t.InputSchema)
	dst = appendDocument(dst, "outputSchema", t.OutputSchema)
	if t.Annotations != nil {
		dst = appendToolAnnotations(append(dst, `,"annotations":`...), t.Annotations)
	}
	dst = p.appendIcons(dst, t.Icons)
	return append(appendDocument(dst, "_meta", t.Meta), '}')
}

// AppendToolList appends the result of tools/list, an object: the tools in
// their order (decision 15), for ttl in the given cache. A negative ttl is 0.
func AppendToolList(dst []byte, tools []Tool, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"tools":[`...)
	for i := range tools {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.appendTool(dst, &tools[i])
	}
	dst = p.appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}
