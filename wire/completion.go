package wire

import (
	"errors"
	"strconv"
)

// A Completion is the result of completion/complete.
type Completion struct {
	Values  []string
	Total   *int // nil when unknown
	HasMore bool
}

// mostCompletions is how many values are sent (decision 62).
const mostCompletions = 100

var errTotal = errors.New("a completion with a negative total")

// CheckCompletion reports what of a completion must not be sent; the bounds of
// its JSON are CheckResponse's.
func CheckCompletion(c *Completion) error {
	if c.Total != nil && *c.Total < 0 {
		return errTotal
	}
	return nil
}

// AppendCompletion appends the response to completion/complete: the first 100
// values, with hasMore where there are more.
func AppendCompletion(dst []byte, id ID, c *Completion, p *Projection) []byte {
	dst = append(p.appendOpening(appendHead(dst, id)), `"completion":{"values":[`...)
	values := c.Values[:min(len(c.Values), mostCompletions)]
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, value)
	}
	dst = append(dst, ']')
	if c.Total != nil {
		dst = strconv.AppendInt(append(dst, `,"total":`...), int64(*c.Total), 10)
	}
	if c.HasMore || len(c.Values) > len(values) {
		dst = append(dst, `,"hasMore":true`...)
	}
	return append(p.appendMeta(append(dst, '}'), nil), "}}"...)
}

// MissingCapabilityData is the data of a request whose client lacks
// capabilities: required is an object of them.
func MissingCapabilityData(required []byte) []byte {
	return append(append([]byte(`{"requiredCapabilities":`), required...), '}')
}
