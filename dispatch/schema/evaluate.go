package schema

// An evaluation is one run of a program over one document. It lives on the
// caller's stack. Invariant: once abort is set, every evaluation fails, so
// that no alternative can turn a spent budget into success.
type evaluation struct {
	doc        []byte
	operations int
	pending    int
	quiet      int    // > 0: failing decides, nothing is recorded
	abort      string // ruleBudget or ruleMalformed
	rule       string
	path       []step // of the fault, innermost first
}

func (e *evaluation) violation() *Violation {
	if e.abort != "" {
		return &Violation{Rule: e.abort}
	}
	return &Violation{Pointer: pointer(e.path), Rule: e.rule}
}

// fail records the fault, unless an enclosing keyword only asks whether.
func (e *evaluation) fail(rule string) (int, bool) {
	if e.quiet == 0 {
		e.rule, e.path = rule, e.path[:0]
	}
	return 0, false
}

func (e *evaluation) malformed() (int, bool) {
	if e.abort == "" {
		e.abort = ruleMalformed
	}
	return 0, false
}

// spend takes n operations from the budget.
func (e *evaluation) spend(n int) bool {
	e.operations -= n
	if e.operations >= 0 && e.abort == "" {
		return true
	}
	if e.abort == "" {
		e.abort = ruleBudget
	}
	return false
}

// at adds a step to the fault's path on the way out.
func (e *evaluation) at(s step) (int, bool) {
	if e.quiet == 0 && e.abort == "" {
		e.path = append(e.path, s)
	}
	return 0, false
}

// value evaluates n against the value at pos and returns the position after
// it. end means nothing when ok is false.
func (e *evaluation) value(n *node, pos int) (end int, ok bool) {
	e.operations--
	if e.operations < 0 {
		return 0, e.spend(0)
	}
	if n.verdict != verdictLook {
		if n.verdict == verdictFalse {
			return e.fail(ruleFalse)
		}
		return e.pass(pos)
	}
	doc := e.doc
	if pos >= len(doc) {
		return e.malformed()
	}
	switch doc[pos] {
	case '"':
		if n.types&kindString == 0 {
			return e.fail(n.typeRule)
		}
		end, _, ok = stringEnd(doc, pos)
		if !ok {
			return e.malformed()
		}
		if end-pos >= 64 && !e.spend((end-pos)/64) {
			return 0, false
		}
	case '{':
		if n.types&kindObject == 0 {
			return e.fail(n.typeRule)
		}
		if n.object == nil {
			end, ok = e.pass(pos)
		} else {
			end, ok = e.members(n.object, pos)
		}
		if !ok {
			return 0, false
		}
	case '[':
		if n.types&kindArray == 0 {
			return e.fail(n.typeRule)
		}
		if n.items == nil {
			end, ok = e.pass(pos)
		} else {
			end, ok = e.elements(n.items, pos)
		}
		if !ok {
			return 0, false
		}
	case 't', 'f':
		if n.types&kindBoolean == 0 {
			return e.fail(n.typeRule)
		}
		end = pos + 4
		if doc[pos] == 'f' {
			end++
		}
		if end > len(doc) {
			return e.malformed()
		}
	case 'n':
		if n.types&kindNull == 0 {
			return e.fail(n.typeRule)
		}
		if end = pos + 4; end > len(doc) {
			return e.malformed()
		}
	default:
		plain := false
		end, plain = numberEnd(doc, pos)
		if end == pos {
			return e.malformed()
		}
		if rule := n.number(doc[pos:end], plain); rule != "" {
			return e.fail(rule)
		}
	}
	if n.constant != nil || n.enum != nil {
		if rule := e.constants(n, doc[pos:end]); rule != "" || e.abort != "" {
			return e.fail(rule)
		}
	}
	if n.inPlace && !e.apply(n, pos) {
		return 0, false
	}
	return end, true
}

// pass moves over a value without looking at it.
func (e *evaluation) pass(pos int) (end int, ok bool) {
	end, ok = skip(e.doc, pos)
	if !ok {
		return e.malformed()
	}
	if end-pos >= 64 && !e.spend((end-pos)/64) {
		return 0, false
	}
	return end, true
}

// number returns the rule that a number breaks, or "".
func (n *node) number(lit []byte, plain bool) string {
	if allowed := n.types & kindNumber; allowed != kindNumber { // integer, or no number at all
		if allowed == 0 || !plain && !parseDecimal(lit).integral() {
			return n.typeRule
		}
	}
	if n.minimum != nil && n.minimum.compare(lit, plain) < 0 {
		return n.minimum.rule
	}
	if n.maximum != nil && n.maximum.compare(lit, plain) > 0 {
		return n.maximum.rule
	}
	return ""
}

// members evaluates an object's members.
func (e *evaluation) members(p *properties, pos int) (end int, ok bool) {
	if e.pending--; e.pending < 0 {
		return 0, e.spend(e.operations + 1)
	}
	var small [1]uint64
	seen := small[:]
	if p.required > 64 {
		seen = make([]uint64, (p.required+63)/64)
	}
	doc := e.doc
	pos++
	hint, missing := 0, p.required
	for first := true; ; first = false {
		if pos < len(doc) && doc[pos] <= ' ' {
			pos = space(doc, pos)
		}
		if pos >= len(doc) {
			return e.malformed()
		}
		if doc[pos] == '}' {
			pos++
			break
		}
		if !first {
			if doc[pos] != ',' {
				return e.malformed()
			}
			if pos++; pos < len(doc) && doc[pos] <= ' ' {
				pos = space(doc, pos)
			}
		}
		e.operations--
		i := -1
		if hint < len(p.entries) && p.entries[hint].spelt(doc, pos) {
			i = hint
			pos += len(p.entries[i].spelling)
		} else if i, pos, ok = p.key(doc, pos); !ok {
			return e.malformed()
		}
		if pos < len(doc) && doc[pos] <= ' ' {
			pos = space(doc, pos)
		}
		if i >= 0 {
			entry := &p.entries[i]
			hint = i + 1
			if bit := entry.bit; bit >= 0 && seen[bit>>6]&(1<<(bit&63)) == 0 {
				seen[bit>>6] |= 1 << (bit & 63)
				missing--
			}
			if entry.node != nil {
				if pos, ok = e.value(entry.node, pos); !ok {
					return e.at(step{name: entry.name})
				}
				continue
			}
		}
		switch {
		case p.closed:
			return e.fail(ruleAdditional)
		case p.additional == nil:
			if pos, ok = e.pass(pos); !ok {
				return 0, false
			}
		default:
			if pos, ok = e.value(p.additional, pos); !ok {
				return e.undeclared(i, p)
			}
		}
	}
	e.pending++
	if missing > 0 {
		return e.missing(p, seen)
	}
	return pos, true
}

// undeclared reports a fault below a member at the object, without the name.
func (e *evaluation) undeclared(i int, p *properties) (int, bool) {
	if i >= 0 { // declared in required
		return e.at(step{name: p.entries[i].name})
	}
	if e.quiet == 0 && e.abort == "" {
		e.path = e.path[:0]
		if len(e.rule) < len(ruleAdditional) || e.rule[:len(ruleAdditional)] != ruleAdditional {
			e.rule = ruleAdditional + ": " + e.rule
		}
	}
	return 0, false
}

// missing names the required members that were not seen, in the schema's order.
func (e *evaluation) missing(p *properties, seen []uint64) (int, bool) {
	if e.quiet > 0 {
		return 0, false
	}
	names := ""
	for i := range p.entries {
		bit := p.entries[i].bit
		if bit < 0 || seen[bit>>6]&(1<<(bit&63)) != 0 {
			continue
		}
		if names != "" {
			names += ", "
		}
		if names += p.entries[i].name; len(names) > maxOperand {
			break
		}
	}
	return e.fail("required: " + clip(names))
}

// elements evaluates an array's elements.
func (e *evaluation) elements(items *node, pos int) (end int, ok bool) {
	if e.pending--; e.pending < 0 {
		return 0, e.spend(e.operations + 1)
	}
	pos++
	for i := 0; ; i++ {
		value, done, ok := element(e.doc, pos, i == 0)
		if !ok {
			return e.malformed()
		}
		if done {
			e.pending++
			return value, true
		}
		if pos, ok = e.value(items, value); !ok {
			return e.at(step{index: i, array: true})
		}
	}
}

// apply evaluates what applies to the same value: $ref, allOf, anyOf, if.
func (e *evaluation) apply(n *node, pos int) bool {
	if e.pending--; e.pending < 0 {
		return e.spend(e.operations + 1)
	}
	ok := e.applyAll(n, pos)
	e.pending++
	return ok
}

func (e *evaluation) applyAll(n *node, pos int) bool {
	if n.ref != nil {
		if _, ok := e.value(n.ref, pos); !ok {
			return false
		}
	}
	for _, each := range n.allOf {
		if _, ok := e.value(each, pos); !ok {
			return false
		}
	}
	if n.anyOf != nil && !e.any(n.anyOf, pos) {
		if e.abort == "" {
			e.fail(ruleAnyOf)
		}
		return false
	}
	if n.cond == nil {
		return true
	}
	branch := n.other
	if e.satisfies(n.cond, pos) {
		branch = n.then
	}
	if e.abort != "" {
		return false
	}
	if branch == nil {
		return true
	}
	_, ok := e.value(branch, pos)
	return ok
}

func (e *evaluation) any(alternatives []*node, pos int) bool {
	for _, each := range alternatives {
		if e.satisfies(each, pos) {
			return true
		}
		if e.abort != "" {
			return false
		}
	}
	return false
}

// satisfies asks without recording a fault.
func (e *evaluation) satisfies(n *node, pos int) bool {
	pending := e.pending
	e.quiet++
	_, ok := e.value(n, pos)
	e.quiet--
	e.pending = pending // a failing evaluation leaves it low
	return ok
}
