package troupe_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// TestSoak sends requests whose clients close early, reset, or read the
// answer, to handlers that return, wait, panic, exit or outlive their
// deadline; then nothing of it is left. TROUPE_SOAK is the number of requests.
// It does not run in parallel: it measures the process. // CX-13 CX-14 CX-25 EX-08
func TestSoak(t *testing.T) {
	requests := 1500
	if s := os.Getenv("TROUPE_SOAK"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		requests = n
	}
	var handled atomic.Int64
	b := newBlocker(t)
	b.started = make(chan struct{}, requests+1)
	w := start(t, append(b.tools()[1:], tools(&handled)...), func(c *troupe.Config) {
		c.Limits.Deadline = 20 * time.Millisecond
		c.Limits.Slots, c.Limits.Queue = soakSlots, 64
		c.Observer, c.Logger = nil, slog.New(slog.DiscardHandler) // what they remember is not the server's
	})
	soak(t, w, requests/10) // so that pools and free lists are filled
	w.settle(t)
	before := measure(t)
	soak(t, w, requests)
	w.settle(t)
	after := measure(t)
	t.Logf("%d requests; before %+v, after %+v", requests, before, after)
	if after.goroutines > before.goroutines+soakSlots { // slot workers are started when they are first needed
		t.Errorf("goroutines: %d before, %d after", before.goroutines, after.goroutines)
	}
	if after.descriptors > before.descriptors+2 {
		t.Errorf("descriptors: %d before, %d after", before.descriptors, after.descriptors)
	}
	if after.heap > before.heap+before.heap/4+4<<20 {
		t.Errorf("heap: %d before, %d after", before.heap, after.heap)
	}
	var ended int64
	for o := troupe.OutcomeComplete; o <= troupe.OutcomeServerStopping; o++ {
		ended += w.Ended(o)
	}
	t.Logf("%d accepted requests ended", ended)
}

const soakSlots = 16

type footprint struct {
	goroutines, descriptors int
	heap                    uint64
}

func measure(t *testing.T) footprint {
	t.Helper()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	descriptors := 0
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		descriptors = len(entries)
	}
	return footprint{runtime.NumGoroutine(), descriptors, m.HeapAlloc}
}

// settle waits until the server holds nothing.
func (w *world) settle(t *testing.T) {
	t.Helper()
	eventually(t, "gauges at zero", func() bool {
		g := w.Gauges()
		return g.Connections == 0 && g.Active == 0 && g.Queued == 0 && g.Running == 0 && g.Zombies == 0 && g.BodyBytes == 0
	})
}

func soak(t *testing.T, w *world, requests int) {
	t.Helper()
	var wg sync.WaitGroup
	var next atomic.Int64
	for worker := range 16 {
		random := rand.New(rand.NewPCG(uint64(worker), 7))
		wg.Go(func() {
			var c net.Conn
			for next.Add(1) <= int64(requests) {
				if c == nil {
					var err error
					if c, err = net.Dial("tcp", w.addr); err != nil {
						t.Error(err)
						return
					}
				}
				if !oneOf(random, c, w.addr) {
					_ = c.Close()
					c = nil
				}
			}
			if c != nil {
				_ = c.Close()
			}
		})
	}
	wg.Wait()
}

// oneOf sends a random request and treats its answer in a random way; it
// reports whether the connection can be used again.
func oneOf(random *rand.Rand, c net.Conn, addr string) bool {
	calls := []message{
		toolCall("1", "echo", `{"message":"hi"}`), toolCall("1", "sum", `{"a":1,"b":2}`), toolCall("1", "polite", ""),
		toolCall("1", "panics", ""), toolCall("1", "goexits", ""), toolCall("1", "quick", ""), toolCall("1", "nope", ""),
		toolCall("1", "echo", fmt.Sprintf(`{"message":%q}`, strings.Repeat("y", 100_000))), request("1", "tools/list", ""),
	}
	raw := calls[random.IntN(len(calls))].raw(addr)
	switch random.IntN(8) {
	case 0: // half a request
		_, _ = c.Write([]byte(raw[:len(raw)/2]))
		return false
	case 1: // leave at once
		_, _ = c.Write([]byte(raw))
		return false
	case 2: // reset at once
		_, _ = c.Write([]byte(raw))
		_ = c.(*net.TCPConn).SetLinger(0)
		return false
	case 3: // leave in the middle of the answer
		_, _ = c.Write([]byte(raw))
		_, _ = c.Read(make([]byte, 10))
		return false
	}
	if _, err := c.Write([]byte(raw)); err != nil {
		return false
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	r, err := newReader(c).tryRead("POST")
	return err == nil && !r.close
}
