package wire

// CheckResult reports what of a JSON text that an application made is not
// strict JSON within the bounds, of 4 MiB at most (decision 52).
func CheckResult(raw []byte, b *Bounds) error {
	_, err := checkDocument(raw, b, b.Nodes)
	return err
}

// checkDocument is CheckResult for a document that may have so many nodes, and
// returns how many it left.
func checkDocument(raw []byte, b *Bounds, nodes int) (left int, err error) {
	if len(raw) > maxDocument {
		return nodes, errLarge
	}
	var s scanner
	var room [32]keyEntry
	s.keys.entries = room[:0]
	s.reset(raw, b)
	s.left = nodes
	err = s.run(nil)
	return s.left, err
}

// CheckCallResult reports what of a result is out of bounds (decision 52).
// Structured content and metadata must be strict JSON within the bounds, each
// block is complete, its text and data are bounded, and so are the values and
// the JSON of them all.
func CheckCallResult(r *CallResult, b *Bounds) error {
	t := tally{bounds: b}
	for t.pass() {
		for i := range r.Content {
			if t.content(&r.Content[i]); t.err != nil {
				break
			}
		}
		t.document(r.Structured)
		t.meta(r.Meta)
	}
	return t.err
}

// CheckResponse reports what of an encoded response is out of bounds (decision
// 52).
func CheckResponse(response []byte, b *Bounds) error { return CheckResult(response, b) }
