package wire

import "time"

// A Prompt is a prompt as prompts/list shows it (spec section 14).
type Prompt struct {
	Name        string // must not be empty
	Title       string // the name to show; optional
	Description string // optional
	Arguments   []PromptArgument
	Icons       []Icon // optional
	Meta        []byte // a JSON object; empty is absent
}

// A PromptArgument is an argument of a prompt. Its values are texts.
type PromptArgument struct {
	Name        string // must not be empty
	Title       string // the name to show; optional
	Description string // optional
	Required    bool
}

// AppendPromptList appends the result of prompts/list, an object: the prompts
// in their order (decision 15), for ttl in the given cache. A negative ttl is
// 0.
func AppendPromptList(dst []byte, prompts []Prompt, ttl time.Duration, scope CacheScope, p *Projection) []byte {
	dst = append(p.appendOpening(dst), `"prompts":[`...)
	for i := range prompts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.appendPrompt(dst, &prompts[i])
	}
	dst = p.appendCache(append(dst, ']'), ttl, scope)
	return append(p.appendMeta(dst, nil), '}')
}

func (p *Projection) appendPrompt(dst []byte, prompt *Prompt) []byte {
	dst = AppendString(append(dst, `{"name":`...), prompt.Name)
	dst = appendOptional(dst, "title", prompt.Title)
	dst = appendOptional(dst, "description", prompt.Description)
	for i := range prompt.Arguments {
		if i == 0 {
			dst = append(dst, `,"arguments":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendPromptArgument(dst, &prompt.Arguments[i])
	}
	if len(prompt.Arguments) > 0 {
		dst = append(dst, ']')
	}
	dst = p.appendIcons(dst, prompt.Icons)
	return append(appendDocument(dst, "_meta", prompt.Meta), '}')
}

func appendPromptArgument(dst []byte, a *PromptArgument) []byte {
	dst = AppendString(append(dst, `{"name":`...), a.Name)
	dst = appendOptional(dst, "title", a.Title)
	dst = appendOptional(dst, "description", a.Description)
	if a.Required {
		dst = append(dst, `,"required":true`...)
	}
	return append(dst, '}')
}

// A PromptMessage is one message of a prompt, with one block of content.
type PromptMessage struct {
	Role    Role
	Content Content
}

// A PromptResult is the result of prompts/get.
type PromptResult struct {
	Description string // optional
	Messages    []PromptMessage
	Meta        []byte // a JSON object of the application's; empty is absent
}

// AppendPromptResult appends the response to prompts/get. The result has
// passed CheckPromptResult.
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
		dst = append(p.appendContent(dst, &m.Content), '}')
	}
	return append(p.appendMeta(append(dst, ']'), r.Meta), "}}"...)
}

// CheckPromptResult reports what of a result is incomplete or out of
// DefaultBounds (decision 52); nil messages are incomplete (PR-08).
func CheckPromptResult(r *PromptResult) error {
	t := tally{bounds: &DefaultBounds}
	for t.pass() {
		if r.Messages == nil {
			t.fail(errMessages)
		}
		t.optional("description", r.Description)
		for i := range r.Messages {
			m := &r.Messages[i]
			t.add(4, len(`{"role":"assistant","content":},`)) // the message, its keys, its role
			t.role(m.Role)
			if t.content(&m.Content); t.err != nil {
				break
			}
		}
		t.meta(r.Meta)
	}
	return t.err
}
