package wire

import (
	"errors"
	"time"
)

// A Prompt is a prompt as prompts/list shows it (spec section 14).
type Prompt struct {
	Name        string
	Title       string // optional
	Description string // optional
	Arguments   []PromptArgument
	Icons       []Icon
	Meta        []byte // a JSON object of the application's; optional
}

// A PromptArgument is an argument of a prompt.
type PromptArgument struct {
	Name        string
	Title       string // optional
	Description string // optional
	Required    bool
}

func (t *Prompt) append(dst []byte, p *Projection) []byte {
	dst = AppendString(append(dst, `{"name":`...), t.Name)
	dst = appendOptional(dst, "title", t.Title)
	dst = appendOptional(dst, "description", t.Description)
	if len(t.Arguments) > 0 {
		dst = append(dst, `,"arguments":[`...)
		for i := range t.Arguments {
			if i > 0 {
				dst = append(dst, ',')
			}
			a := &t.Arguments[i]
			dst = AppendString(append(dst, `{"name":`...), a.Name)
			dst = appendOptional(dst, "title", a.Title)
			dst = appendOptional(dst, "description", a.Description)
			if a.Required {
				dst = append(dst, `,"required":true`...)
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	dst = p.appendIcons(dst, t.Icons)
	return append(appendAppMeta(dst, t.Meta), '}')
}

// AppendPromptList appends the result of prompts/list, an object.
func AppendPromptList(dst []byte, prompts []Prompt, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"prompts":[`...)
	for i := range prompts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = prompts[i].append(dst, p)
	}
	dst = p.appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}

// A PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    Role
	Content Content
}

// A PromptResult is the result of prompts/get.
type PromptResult struct {
	Description string // optional
	Messages    []PromptMessage
}

var errMessages = errors.New("a prompt without messages")

// CheckPromptResult reports what of a prompt must not be sent; the bounds of
// its JSON are CheckResponse's.
func CheckPromptResult(r *PromptResult) error {
	if r.Messages == nil {
		return errMessages
	}
	for i := range r.Messages {
		if err := r.Messages[i].Content.check(); err != nil {
			return err
		}
	}
	return nil
}

// AppendPromptResult appends the response to prompts/get.
func AppendPromptResult(dst []byte, id ID, r *PromptResult, p *Projection) []byte {
	dst = p.appendOpening(appendHead(dst, id))
	if r.Description != "" {
		dst = append(AppendString(append(dst, `"description":`...), r.Description), ',')
	}
	dst = append(dst, `"messages":[`...)
	for i := range r.Messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		m := &r.Messages[i]
		dst = append(append(append(dst, `{"role":"`...), m.Role.String()...), `","content":`...)
		dst = append(appendContent(dst, &m.Content, p), '}')
	}
	return append(p.appendMeta(append(dst, ']'), nil), "}}"...)
}
