package wire

import "strconv"

// A Completion is the result of completion/complete.
type Completion struct {
	// Values are the suggestions. The first 100 are sent (decision 62).
	Values []string
	// Total is how many there are, sent or not. Nil when unknown.
	Total *int
	// HasMore says that there are more than Values. It is sent as true, too,
	// when there are more than 100.
	HasMore bool
}

// maxCompletions bounds the suggestions of an answer (C-17).
const maxCompletions = 100

func (c *Completion) sent() []string { return c.Values[:min(len(c.Values), maxCompletions)] }

// AppendCompletion appends the response to completion/complete. The completion
// has passed CheckCompletion. Whether there is more goes with a total that is
// known; without one, it is left out when it is false.
func AppendCompletion(dst []byte, id ID, c *Completion, p *Projection) []byte {
	dst = append(p.appendOpening(appendHead(dst, id)), `"completion":{"values":[`...)
	for i, value := range c.sent() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, value)
	}
	dst = append(dst, ']')
	if c.Total != nil {
		dst = strconv.AppendInt(append(dst, `,"total":`...), int64(*c.Total), 10)
	}
	if more := c.HasMore || len(c.Values) > maxCompletions; more || c.Total != nil {
		dst = strconv.AppendBool(append(dst, `,"hasMore":`...), more)
	}
	return append(p.appendMeta(append(dst, '}'), nil), "}}"...)
}

// CheckCompletion reports what of the values that are sent is out of
// DefaultBounds (decision 52).
func CheckCompletion(c *Completion) error {
	t := tally{bounds: &DefaultBounds}
	for t.pass() {
		if c.Total != nil && *c.Total < 0 {
			t.fail(errNegative)
		}
		for _, value := range c.sent() {
			t.add(1, len(`"",`))
			t.text(value)
		}
	}
	return t.err
}
