package socket

import (
	"strings"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// T-38, T-20: what times out, when, and with what answer. Each case is checked
// one millisecond before its limit and at it.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	limits := Limits{HeaderTimeout: 10 * time.Second, BodyTimeout: 20 * time.Second, IdleTimeout: 40 * time.Second}
	for _, test := range []struct {
		name  string
		sends string
		phase phase
		after time.Duration
		want  string // start of what the client sees
		fails int    // read timeouts counted
	}{
		{"silent", "", fresh, limits.HeaderTimeout, "", 0},
		{"only an empty line", "\r\n", fresh, limits.HeaderTimeout, "", 0},
		{"first byte", "G", head, limits.HeaderTimeout, "HTTP/1.1 408 ", 1},
		{"half a head", get, head, limits.HeaderTimeout, "HTTP/1.1 408 ", 1},
		{"half a body", get + "Content-Length: 3\r\n\r\na", body, limits.BodyTimeout, "HTTP/1.1 408 ", 1},
		{"half a chunk", get + "Transfer-Encoding: chunked\r\n\r\n3\r\na", body, limits.BodyTimeout, "HTTP/1.1 408 ", 1},
		{"half a large body", get + "Content-Length: 200000\r\n\r\n" + strings.Repeat("x", 100_000), body, limits.BodyTimeout, "HTTP/1.1 408 ", 1},
		{"expectation without a body", get + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n", body, limits.BodyTimeout, string(interim) + "HTTP/1.1 408 ", 1},
		{"idle", get + "\r\n", idle, limits.IdleTimeout, "HTTP/1.1 200 ", 0},
		{"half a second request", get + "\r\n" + get, head, limits.HeaderTimeout, "HTTP/1.1 200 ", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, echo, withLimits(limits))
			c := w.dial()
			until(t, "accepted", func() bool { return w.Gauges().Connections == 1 })
			conn := w.connections()[0]
			c.send(test.sends)
			if test.sends == "\r\n" {
				until(t, "the empty line is read", func() bool { n, _ := rawDrain(conn.raw, make([]byte, 1), 0); return n == 0 })
			}
			until(t, "phase", func() bool { return conn.phase() == test.phase })
			w.Sweep(w.clock.Advance(test.after - time.Millisecond))
			if p := conn.phase(); p != test.phase {
				t.Fatalf("phase %d a millisecond before the limit", p)
			}
			w.Sweep(w.clock.Advance(time.Millisecond))
			raw := c.rest()
			if !strings.HasPrefix(raw, test.want) || test.want == "" && raw != "" {
				t.Fatalf("%q", raw)
			}
			if strings.Contains(test.want, "408") || test.name == "half a second request" {
				if !strings.Contains(raw, "HTTP/1.1 408 ") || strings.Count(raw, "no-store") != 1 {
					t.Errorf("%q", raw)
				}
			}
			until(t, "closed", func() bool { return w.Gauges() == Gauges{} })
			if n := w.counts.failed(ReasonReadTimeout); n != test.fails {
				t.Errorf("%d read timeouts", n)
			}
			w.counts.mu.Lock()
			defer w.counts.mu.Unlock()
			if len(w.counts.failures) > test.fails {
				t.Errorf("failures %v", w.counts.failures)
			}
		})
	}
}

// A client that takes nothing of its answer is reset after WriteTimeout; progress
// restarts the clock.
func TestWriteTimeout(t *testing.T) {
	t.Parallel()
	attached := make(chan *exchange, 1)
	w := setup(t, func(ctx *fasthttp.RequestCtx) {
		x := newExchange(ctx.Conn().(*Conn))
		x.conn.Attach(x)
		attached <- x
		x.conn.Claim(x)
		ctx.SetBody(make([]byte, 32<<20))
	}, withLimits(Limits{WriteTimeout: 10 * time.Second}))
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	stalled := func() {
		t.Helper()
		var last uint64
		since := time.Now()
		until(t, "the write stalls", func() bool {
			if s := x.conn.state.Load(); s != last || phase(s&15) != writing {
				last, since = s, time.Now()
			}
			return time.Since(since) > 50*time.Millisecond
		})
	}
	stalled()
	w.Sweep(w.clock.Advance(10*time.Second - time.Millisecond))
	if p := x.conn.phase(); p != writing {
		t.Fatalf("phase %d before the limit", p)
	}
	buf := make([]byte, 4<<20)
	for n := 0; n < len(buf); { // progress
		m, err := c.r.Read(buf[n:])
		if err != nil {
			t.Fatal(err)
		}
		n += m
	}
	stalled()
	w.Sweep(w.clock.Advance(10*time.Second - time.Millisecond))
	if p := x.conn.phase(); p != writing {
		t.Fatalf("phase %d although there was progress", p)
	}
	w.Sweep(w.clock.Advance(2 * time.Millisecond))
	if err := await(t, "Settled", x.settled); err != ErrWriteTimeout {
		t.Errorf("settled with %v", err)
	}
	if n := w.counts.failed(ReasonWriteTimeout); n != 1 {
		t.Errorf("%d write timeouts", n)
	}
	if n := w.counts.failed(ReasonWrite); n != 0 {
		t.Errorf("%d write errors beside it", n)
	}
}

// A request that is being served is nobody's timeout here.
func TestServingIsNotTimedOut(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	for range 10 {
		w.Sweep(w.clock.Advance(time.Hour))
	}
	x.answer <- x.reply
	if status, _ := c.answer(); status != 200 {
		t.Errorf("%d", status)
	}
}

// Sweeping thousands of quiet connections allocates nothing.
func TestSweepAllocatesNothing(t *testing.T) {
	l := bare(t)
	var all []*Conn
	for range 2000 {
		all = append(all, l.admit(&memory{}))
	}
	now := time.Now()
	if n := testing.AllocsPerRun(10, func() { l.Sweep(now) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for _, c := range all {
		_ = c.Close()
	}
}

func BenchmarkSweep(b *testing.B) {
	l := bare(b)
	for range 8000 {
		l.admit(&memory{})
	}
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		l.Sweep(now)
	}
	l.CloseAll()
}
