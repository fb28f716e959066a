package wire

import "strconv"

// A Role is who speaks, or for whom something is meant (spec section 14).
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

// Annotations are hints for clients about a content block or a resource (spec
// section 14). They are shared, not copied: nobody changes them once they are
// handed over.
type Annotations struct {
	// Audience is for whom it is meant. Empty says nothing.
	Audience []Role
	// Priority is how much it matters, from 0, optional, to 1, required. Nil
	// says nothing.
	Priority *float64
	// LastModified is when it was changed, in ISO 8601. Optional.
	LastModified string
}

// appendMember appends annotations as a member after a comma; nil is left out.
func (a *Annotations) appendMember(dst []byte) []byte {
	if a == nil {
		return dst
	}
	dst = append(dst, `,"annotations":{`...)
	first := len(dst)
	for i, role := range a.Audience {
		if i == 0 {
			dst = append(dst, `,"audience":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), role.String()...), '"')
	}
	if len(a.Audience) > 0 {
		dst = append(dst, ']')
	}
	if a.Priority != nil {
		dst = strconv.AppendFloat(append(dst, `,"priority":`...), *a.Priority, 'g', -1, 64)
	}
	dst = appendOptional(dst, "lastModified", a.LastModified)
	return append(dropComma(dst, first), '}')
}

// dropComma takes away the comma at first, which the first of an object's
// optional members leaves when it is there.
func dropComma(dst []byte, first int) []byte {
	if len(dst) > first {
		dst = append(dst[:first], dst[first+1:]...)
	}
	return dst
}

func (t *tally) annotations(a *Annotations) {
	if a == nil {
		return
	}
	t.add(2, len(`,"annotations":{}`))
	if len(a.Audience) > 0 {
		t.add(2+len(a.Audience), len(`,"audience":[]`)+len(a.Audience)*len(`"assistant",`))
	}
	for _, role := range a.Audience {
		t.role(role)
	}
	if p := a.Priority; p != nil {
		t.add(2, len(`,"priority":`)+longestFloat)
		if !(*p >= 0 && *p <= 1) { // so that NaN is not
			t.fail(errPriority)
		}
	}
	t.optional("lastModified", a.LastModified)
}

func (t *tally) role(r Role) {
	if r > RoleAssistant {
		t.fail(errRole)
	}
}

const longestFloat = len("-2.2250738585072014e-308")
