//go:build !race

package troupe

import "testing"

// The race detector makes pools forget, so that it would count their refills.

// TestRequestAllocs bounds what a request leaves to the garbage collector: its
// record, its decoded arguments, their text.
func TestRequestAllocs(t *testing.T) {
	server := benchServer(t, false)
	for name, most := range map[string]float64{"echo": 4, "sum": 5, "list": 2} {
		for _, r := range benchRequests {
			if r.name != name {
				continue
			}
			serveMany(t, server, r.request, 1000)
			const n = 2000
			if got := testing.AllocsPerRun(3, func() { serveMany(t, server, r.request, n) }) / n; got > most+0.5 {
				t.Errorf("%s: %.2f allocations a request, want at most %v", name, got, most)
			}
		}
	}
}
