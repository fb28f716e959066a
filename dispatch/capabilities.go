package dispatch

import "github.com/troupe-mcp/troupe/wire"

// Capabilities are what a target needs its client to be able to do.
type Capabilities struct {
	ElicitationForm, ElicitationURL bool
	Sampling, Roots                 bool
	Extensions                      []string
}

// none reports whether nothing is needed.
func (n *Capabilities) none() bool {
	return !n.ElicitationForm && !n.ElicitationURL && !n.Sampling && !n.Roots && len(n.Extensions) == 0
}

// requires is the last check of group 11e: the client has declared what the
// target needs. The failure names what is missing, as an object of client
// capabilities (P-18, ER-13).
func (x *exchange) requires(needed *Capabilities) *wire.Failure {
	if needed.none() {
		return nil
	}
	missing := *needed
	missing.Extensions = append([]string(nil), needed.Extensions...)
	wire.Members(x.doc, x.call.capabilities, func(key, value wire.Value) bool {
		switch {
		case key.Is(x.doc, "elicitation"):
			missing.declareElicitation(x.doc, value)
		case key.Is(x.doc, "sampling"):
			missing.Sampling = false
		case key.Is(x.doc, "roots"):
			missing.Roots = false
		case key.Is(x.doc, "extensions"):
			wire.Members(x.doc, value, func(id, _ wire.Value) bool {
				missing.drop(x.doc, id)
				return true
			})
		}
		return true
	})
	if missing.none() {
		return nil
	}
	return x.failWith(wire.MissingCapability, wire.MissingCapabilityData(missing.appendJSON(nil)))
}

// declareElicitation notes what a client's elicitation has; an empty object
// stands for forms (spec section 6).
func (n *Capabilities) declareElicitation(doc []byte, value wire.Value) {
	empty := true
	wire.Members(doc, value, func(key, _ wire.Value) bool {
		empty = false
		switch {
		case key.Is(doc, "form"):
			n.ElicitationForm = false
		case key.Is(doc, "url"):
			n.ElicitationURL = false
		}
		return true
	})
	if empty {
		n.ElicitationForm = false
	}
}

func (n *Capabilities) drop(doc []byte, id wire.Value) {
	kept := n.Extensions[:0]
	for _, needed := range n.Extensions {
		if !id.Is(doc, needed) {
			kept = append(kept, needed)
		}
	}
	n.Extensions = kept
}

// appendJSON appends what is needed as an object of client capabilities.
func (n *Capabilities) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	separate := func(open byte) {
		if dst[len(dst)-1] != open {
			dst = append(dst, ',')
		}
	}
	if n.ElicitationForm || n.ElicitationURL {
		dst = append(dst, `"elicitation":{`...)
		if n.ElicitationForm {
			dst = append(dst, `"form":{}`...)
		}
		if n.ElicitationURL {
			separate('{')
			dst = append(dst, `"url":{}`...)
		}
		dst = append(dst, '}')
	}
	for _, c := range []struct {
		needed bool
		text   string
	}{{n.Sampling, `"sampling":{}`}, {n.Roots, `"roots":{}`}} {
		if c.needed {
			separate('{')
			dst = append(dst, c.text...)
		}
	}
	if len(n.Extensions) > 0 {
		separate('{')
		dst = append(dst, `"extensions":{`...)
		for i, id := range n.Extensions {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(wire.AppendString(dst, id), ":{}"...)
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// State shape (P-18): what a retry of a multi-round call may carry.
const maxRequestState = 65_536

// retryShape is the first check of group 11e: requestState is a string within
// its bound, inputResponses an object.
func (x *exchange) retryShape() *wire.Failure {
	state, responses := x.message.Param("requestState"), x.message.Param("inputResponses")
	if state.Kind != wire.Absent && (state.Kind != wire.String || len(state.Text(x.doc)) > maxRequestState) ||
		responses.Kind != wire.Absent && responses.Kind != wire.Object {
		return x.fail(wire.InvalidParams)
	}
	return nil
}
