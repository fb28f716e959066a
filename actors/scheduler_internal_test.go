package actors

import (
	"testing"

	"pgregory.net/rapid"
)

// The scheduler against a twin made of plain lists. EX-01, EX-02, EX-08,
// EX-10, CX-13.
func TestScheduler(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var q scheduler
		slots, bound := rapid.IntRange(1, 4).Draw(t, "slots"), rapid.IntRange(1, 5).Draw(t, "bound")
		q.init(slots, bound)
		var line []*request             // waits
		held := map[int32]*request{}    // by slot
		fromLine := map[*request]bool{} // holds a slot that it waited for
		draining, stopped := false, false
		take := func(slot int32, r *request) {
			if held[slot] != nil || int(slot) >= slots {
				t.Fatalf("slot %d is leased twice", slot)
			}
			held[slot] = r
		}
		for gen := uint64(1); gen < 80; gen++ {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				r := &request{}
				slot := q.lease(r, gen, 0)
				if (slot != noSlot) != (len(held) < slots && !stopped) {
					t.Fatalf("lease: %d, %d held", slot, len(held))
				}
				if slot != noSlot {
					take(slot, r)
				}
			case 2, 3, 4:
				r := &request{}
				slot, standing := q.offer(r, gen, 0)
				expect := leased
				switch {
				case stopped:
					expect = closed
				case len(held) < slots:
				case draining:
					expect = closed
				case len(line) == bound:
					expect = full
				default:
					expect = inLine
				}
				if standing != expect {
					t.Fatalf("offer: %v, want %v", standing, expect)
				}
				if standing == leased {
					take(slot, r)
				}
				if standing == inLine {
					line = append(line, r)
				}
			case 5, 6:
				for slot, r := range held {
					delete(held, slot)
					delete(fromLine, r)
					next, _ := q.release(slot, 0)
					if r.place != nowhere {
						t.Fatal("it still has a place")
					}
					if stopped || len(line) == 0 {
						if next != nil {
							t.Fatal("a slot for nobody")
						}
						break
					}
					if next != line[0] {
						t.Fatal("not the first in line")
					}
					fromLine[next] = true
					take(slot, next)
					line = line[1:]
					break
				}
			case 7:
				if len(line) > 0 {
					i := rapid.IntRange(0, len(line)-1).Draw(t, "who")
					if !q.remove(line[i]) || !q.remove(line[i]) {
						t.Fatal("it waited")
					}
					line = append(line[:i:i], line[i+1:]...)
				}
				for r := range fromLine {
					if q.remove(r) {
						t.Fatal("a slot is on its way to it")
					}
				}
			case 8:
				if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
					draining = true
					all := q.drain()
					if len(all) != len(line) {
						t.Fatalf("drained %d of %d", len(all), len(line))
					}
					for i, l := range all {
						if l.r != line[i] {
							t.Fatal("order")
						}
					}
				}
			default:
				if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
					draining, stopped = true, true
					q.stop()
				}
			}
			if queued, leased := q.counts(); queued != len(line) || leased != len(held) {
				t.Fatalf("%d queued, %d leased; want %d, %d", queued, leased, len(line), len(held))
			}
			if n := len(q.stragglers(0, 1)); n != len(held) {
				t.Fatalf("%d stragglers", n)
			}
		}
	})
}
