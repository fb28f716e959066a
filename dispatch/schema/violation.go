package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxText bounds Violation.Text, in bytes (decision 32).
const maxText = 1024

// maxOperand bounds what a rule repeats of a declared operand, in bytes.
const maxOperand = 256

// Rules that no declared operand follows.
const (
	ruleAdditional = "additionalProperties"
	ruleAnyOf      = "anyOf"
	ruleFalse      = "false"
	ruleBudget     = "schema: evaluation budget"
	ruleMalformed  = "schema: malformed document"
)

// A Violation is the first fault that Check or Decode found. It holds only
// what the schema's author wrote: never a name or a value that was submitted
// (decision 32).
type Violation struct {
	// Pointer is a JSON pointer of names that the schema declares and of
	// array indexes; "" is the document itself. A fault at or below a member
	// that the schema does not declare is reported at the object that has it.
	Pointer string
	// Rule is the keyword that was broken and its declared operand, as
	// "type: want integer", "required: a", "maximum: 10" or
	// "additionalProperties". A fault below an undeclared member has that
	// keyword first: "additionalProperties: type: want string". A value that
	// the schema allows and the Go type cannot hold breaks "conversion: want …".
	Rule string
}

// Text words v for the model that made the call, in at most 1 KiB:
//
//	invalid arguments: /a: must be integer
func (v *Violation) Text() string {
	const head = "invalid arguments: "
	words := wording(v.Rule)
	if v.Pointer == "" {
		return clipTo(head+words, maxText)
	}
	if len(head)+len(v.Pointer)+2+len(words) <= maxText {
		return head + v.Pointer + ": " + words
	}
	words = clipTo(words, maxText/2)
	return head + clipTo(v.Pointer, maxText-len(head)-2-len(words)) + ": " + words
}

// Error returns Text, so that a Violation may travel as an error.
func (v *Violation) Error() string { return v.Text() }

// wording turns a rule into a sentence's end.
func wording(rule string) string {
	keyword, operand, _ := strings.Cut(rule, ": ")
	switch keyword {
	case "type":
		return "must be " + strings.TrimPrefix(operand, "want ")
	case "required":
		return "must have " + operand
	case "enum":
		return "must be one of " + operand
	case "const":
		return "must be " + operand
	case "minimum":
		return "must be at least " + operand
	case "maximum":
		return "must be at most " + operand
	case "conversion":
		return "must be " + strings.TrimPrefix(operand, "want ")
	case ruleAnyOf:
		return "must match at least one of the alternatives"
	case ruleFalse:
		return "must not be present"
	case ruleAdditional:
		if operand == "" {
			return "must not have members that the schema does not declare"
		}
		return "a member without a declaration of its own " + wording(operand)
	}
	if rule == ruleBudget {
		return "is too large to check within the evaluation budget"
	}
	return "is not valid JSON"
}

// clip bounds a declared operand.
func clip(s string) string { return clipTo(s, maxOperand) }

// clipTo cuts s to at most n bytes at a character's edge, and marks the cut.
func clipTo(s string, n int) string {
	const mark = "…"
	if len(s) <= n {
		return s
	}
	n -= len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

// A step is one reference token of a pointer.
type step struct {
	name  string
	index int // used when name is nil-like: array is set
	array bool
}

// pointer renders steps that were recorded from the inside out.
func pointer(steps []step) string {
	var b strings.Builder
	for _, step := range slices.Backward(steps) {
		b.WriteByte('/')
		if step.array {
			b.WriteString(strconv.Itoa(step.index))
			continue
		}
		b.WriteString(pointerEscaper.Replace(step.name))
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
