package actors

import (
	"fmt"
	"strings"
)

// dump describes a system that has come to a standstill.
func (s *System) dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n", s.Gauges())
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	for i, r := range s.pool.all {
		if w := r.word.Load(); w&wordAdmitted != 0 {
			r.ref.mu.Lock()
			fmt.Fprintf(&b, "request %d: word %x state %+v pending %x unstepped %v place %d running %v n %d current %+v sent %x\n",
				i, w, r.state, r.pending, r.unstepped, r.place, r.ref.running, r.ref.n, r.ref.current, r.ref.sent)
			r.ref.mu.Unlock()
		}
	}
	for i, l := range s.slots {
		fmt.Fprintf(&b, "slot %d: %+v pending %x jobs %d\n", i, l.state, l.pending, len(l.jobs))
	}
	return b.String()
}
