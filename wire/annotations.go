package wire

import (
	"errors"
	"math"
	"strconv"
)

// A Role is who speaks, or who is spoken to.
type Role uint8

// The roles. The zero value is RoleUser.
const (
	RoleUser Role = iota
	RoleAssistant
)

// String returns the role's name on the wire.
func (r Role) String() string {
	if r == RoleAssistant {
		return "assistant"
	}
	return "user"
}

// Annotations are hints about content and resources (spec section 14).
type Annotations struct {
	// Audience is for whom it is. Empty leaves it out.
	Audience []Role
	// Priority is from 0, optional, to 1, required. Nil leaves it out.
	Priority *float64
	// LastModified is a time in ISO 8601. Empty leaves it out.
	LastModified string
}

var errPriority = errors.New("annotations: the priority is not within 0 and 1")

func (a *Annotations) check() error {
	if a != nil && a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) {
		return errPriority
	}
	return nil
}

// appendMember appends annotations as a member, after a comma, if there are any.
func (a *Annotations) appendMember(dst []byte) []byte {
	if a == nil {
		return dst
	}
	dst = append(dst, `,"annotations":{`...)
	open := len(dst)
	if len(a.Audience) > 0 {
		dst = append(dst, `"audience":[`...)
		for i, role := range a.Audience {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '"'), role.String()...), '"')
		}
		dst = append(dst, ']')
	}
	if a.Priority != nil && !math.IsNaN(*a.Priority) && !math.IsInf(*a.Priority, 0) {
		dst = strconv.AppendFloat(append(appendComma(dst, open), `"priority":`...), *a.Priority, 'f', -1, 64)
	}
	if a.LastModified != "" {
		dst = AppendString(append(appendComma(dst, open), `"lastModified":`...), a.LastModified)
	}
	return append(dst, '}')
}

// appendComma appends a comma unless the object or array that was opened at
// open is empty.
func appendComma(dst []byte, open int) []byte {
	if len(dst) > open {
		return append(dst, ',')
	}
	return dst
}
