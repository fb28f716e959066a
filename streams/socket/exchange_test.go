package socket

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// An exchange records what it is told.
type exchange struct {
	conn     *Conn
	gone     chan struct{} // holds one
	settled  chan error    // holds two, to catch a second one
	goneN    atomic.Int32
	settledN atomic.Int32
	late     atomic.Bool // Gone after Settled
	onGone   func()
	answer   chan func(ctx *fasthttp.RequestCtx) // what the handler does next
}

func newExchange(c *Conn) *exchange {
	return &exchange{conn: c, gone: make(chan struct{}, 1), settled: make(chan error, 2), answer: make(chan func(*fasthttp.RequestCtx), 1)}
}

func (x *exchange) Gone() {
	if x.settledN.Load() != 0 {
		x.late.Store(true)
	}
	if x.goneN.Add(1) == 1 {
		x.gone <- struct{}{}
	}
	if x.onGone != nil {
		x.onGone()
	}
}

func (x *exchange) Settled(err error) {
	if x.settledN.Add(1) <= 2 {
		x.settled <- err
	}
}

func await[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("timed out: %s", what)
		panic("unreachable")
	}
}

// attaching serves requests that wait for the test's word.
func attaching() (fasthttp.RequestHandler, chan *exchange) {
	attached := make(chan *exchange, 1024)
	return func(ctx *fasthttp.RequestCtx) {
		x := newExchange(ctx.Conn().(*Conn))
		x.conn.Attach(x)
		attached <- x
		(<-x.answer)(ctx)
	}, attached
}

func (x *exchange) reply(ctx *fasthttp.RequestCtx) {
	if x.conn.Claim(x) {
		ctx.SetBodyString("answer")
	}
}

// Decision 18, T-49: 200 of 200 closes and half-closes are seen, by the
// watch and by the portable look alike.
func TestDisconnects(t *testing.T) {
	t.Parallel()
	for name, watch := range watches() {
		for _, how := range []struct {
			name  string
			leave func(c *client)
		}{
			{"close", func(c *client) { _ = c.Close() }},
			{"half-close", func(c *client) { _ = c.CloseWrite() }},
			{"reset", func(c *client) { _ = c.SetLinger(0); _ = c.Close() }},
		} {
			t.Run(name+"/"+how.name, func(t *testing.T) {
				t.Parallel()
				handler, attached := attaching()
				w := setupWatch(t, handler, watch)
				stop := w.sweepOften(time.Second)
				defer stop()
				for range 200 {
					c := w.dial()
					c.send(get + "\r\n")
					x := await(t, "the request", attached)
					if x.goneN.Load() != 0 {
						t.Fatal("gone too early")
					}
					how.leave(c)
					await(t, "Gone", x.gone)
					x.conn.Discard(x)
					if err := await(t, "Settled", x.settled); err != ErrDiscarded {
						t.Fatalf("settled with %v", err)
					}
					x.answer <- x.reply
				}
			})
		}
	}
}

// watches are the ways to learn that a peer has gone.
func watches() map[string]func(func(index, generation uint32)) (watch, error) {
	return map[string]func(func(index, generation uint32)) (watch, error){
		"watch": newWatch,
		"peek":  func(func(index, generation uint32)) (watch, error) { return peekWatch{}, nil },
	}
}

// sweepOften sweeps in the background, moving the clock by step each time.
func (w *world) sweepOften(step time.Duration) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				w.Sweep(w.clock.Advance(step))
			}
		}
	}()
	return func() { close(quit); <-done }
}

// A FIN that came with the request is remembered until the exchange is attached,
// and for pipelined requests after it.
func TestStickyFIN(t *testing.T) {
	t.Parallel()
	attach, attached := make(chan struct{}), make(chan *exchange, 2)
	w := setup(t, func(ctx *fasthttp.RequestCtx) {
		x := newExchange(ctx.Conn().(*Conn))
		<-attach
		x.conn.Attach(x)
		attached <- x
		x.reply(ctx)
	})
	c := w.dial()
	c.send(get + "\r\n" + get + "\r\n")
	until(t, "the request is being served", func() bool { return w.serving() == 1 })
	_ = c.CloseWrite()
	until(t, "the FIN is seen", func() bool {
		conn := w.connections()[0]
		conn.gate.mu.Lock()
		defer conn.gate.mu.Unlock()
		return conn.gate.gone
	})
	close(attach)
	for range 2 {
		x := await(t, "the request", attached)
		await(t, "Gone", x.gone)
		if err := await(t, "Settled", x.settled); err != nil {
			t.Errorf("settled with %v", err)
		}
	}
	if raw := c.rest(); strings.Count(raw, "200 OK") != 2 {
		t.Errorf("%q", raw)
	}
}

// T-49: bytes of further requests that nobody reads do not hide a FIN from the
// watch, as long as the kernel's receive buffer takes them.
func TestFINBehindUnreadBytes(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n" + strings.Repeat(get+"\r\n", 4_000))
	x := await(t, "the request", attached)
	_ = c.CloseWrite()
	await(t, "Gone", x.gone)
	x.conn.Discard(x)
	x.answer <- x.reply
}

// A peer that leaves after its answer has been claimed or written is not gone.
func TestNoGoneAfterClaim(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	claimed, leave := make(chan bool), make(chan struct{})
	x.answer <- func(*fasthttp.RequestCtx) { claimed <- x.conn.Claim(x); <-leave }
	if !await(t, "Claim", claimed) {
		t.Fatal("not claimed")
	}
	_ = c.CloseWrite()
	until(t, "the FIN is seen", func() bool {
		x.conn.gate.mu.Lock()
		defer x.conn.gate.mu.Unlock()
		return x.conn.gate.gone
	})
	close(leave)
	if err := await(t, "Settled", x.settled); err != nil {
		t.Errorf("settled with %v", err)
	}
	if x.goneN.Load() != 0 {
		t.Error("Gone after Claim")
	}
}

// T-48: the answer has left when the server reads on, or closes after it.
func TestSettledWhenTheAnswerHasLeft(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "Connection: close\r\n"} {
		handler, attached := attaching()
		w := setup(t, handler)
		c := w.dial()
		for range 3 {
			c.send("GET / HTTP/1.1\r\nHost: a\r\n" + end + "\r\n")
			x := await(t, "the request", attached)
			if x.settledN.Load() != 0 {
				t.Fatal("settled before the answer")
			}
			x.answer <- x.reply
			if status, body := c.answer(); status != 200 || body != "answer" {
				t.Fatalf("%d %s", status, body)
			}
			if err := await(t, "Settled", x.settled); err != nil {
				t.Errorf("settled with %v", err)
			}
			if end != "" {
				break
			}
		}
	}
}

const earlyAnswer = "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

// Decision 71: an early answer is the only answer; the serving goroutine's
// comes to nothing, whenever it is made.
func TestEarlyAnswer(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	for _, claims := range []bool{true, false} {
		c := w.dial()
		c.send(get + "\r\n" + get + "\r\n") // the second one must not be served
		x := await(t, "the request", attached)
		if x.conn.Early(newExchange(x.conn), []byte(earlyAnswer)) {
			t.Error("a stranger's early answer was taken")
		}
		if !x.conn.Early(x, []byte(earlyAnswer)) {
			t.Fatal("early answer not taken")
		}
		if err := await(t, "Settled", x.settled); err != nil {
			t.Errorf("settled with %v", err)
		}
		if x.conn.Early(x, []byte(earlyAnswer)) {
			t.Error("a second early answer was taken")
		}
		if raw := c.rest(); raw != earlyAnswer { // the client need not wait for the handler
			t.Errorf("%q", raw)
		}
		refused := make(chan bool, 1)
		x.answer <- func(ctx *fasthttp.RequestCtx) {
			refused <- !claims || !x.conn.Claim(x)
			ctx.SetBodyString("late")
		}
		if !await(t, "Claim", refused) {
			t.Error("claimed after an early answer")
		}
		until(t, "the connection is closed", func() bool { return w.Gauges().Connections == 0 })
		if len(attached) != 0 || x.settledN.Load() != 1 {
			t.Errorf("%d more requests, settled %d times", len(attached), x.settledN.Load())
		}
	}
}

// The descriptor of an early answered connection is freed though its handler never returns.
func TestEarlyAnswerFreesTheDescriptor(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	x.conn.Early(x, []byte(earlyAnswer))
	w.Sweep(w.clock.Now())
	w.Sweep(w.clock.Advance(lingerTime - time.Millisecond))
	if n := w.Gauges().Connections; n != 1 {
		t.Fatalf("%d connections before the linger time is over", n)
	}
	w.Sweep(w.clock.Advance(time.Millisecond))
	if n := w.Gauges().Connections; n != 0 {
		t.Fatalf("%d connections after it", n)
	}
	x.answer <- x.reply
}

// Decision 71: an early answer that does not fit the send buffer closes the connection.
func TestEarlyAnswerIntoFullBuffer(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	_ = c.SetReadBuffer(4096)
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	huge := []byte(strings.Repeat("x", 16<<20))
	if !x.conn.Early(x, huge) {
		t.Fatal("not taken")
	}
	if err := await(t, "Settled", x.settled); err != ErrShortWrite {
		t.Errorf("settled with %v", err)
	}
	if n := w.Gauges().Connections; n != 0 {
		t.Errorf("%d connections", n)
	}
	if n := w.counts.failed(ReasonWrite); n != 1 {
		t.Errorf("%d write failures", n)
	}
	x.answer <- x.reply
}

// Exactly one of Early and Claim wins, and the client sees exactly one answer.
func TestEarlyAgainstClaim(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	var early, claimed int
	for range 300 {
		c := w.dial()
		c.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
		x := await(t, "the request", attached)
		won := make(chan bool, 1)
		x.answer <- func(ctx *fasthttp.RequestCtx) {
			ok := x.conn.Claim(x)
			won <- ok
			if ok {
				ctx.SetBodyString("answer")
			}
		}
		byEarly := x.conn.Early(x, []byte(earlyAnswer))
		byClaim := await(t, "Claim", won)
		if byEarly == byClaim {
			t.Fatalf("early %v, claim %v", byEarly, byClaim)
		}
		got := c.replies()
		if len(got) != 1 || got[0].status == 200 != byClaim {
			t.Fatalf("early %v: %v", byEarly, got)
		}
		if err := await(t, "Settled", x.settled); err != nil {
			t.Fatalf("settled with %v", err)
		}
		if byEarly {
			early++
		} else {
			claimed++
		}
		_ = c.Close()
	}
	t.Logf("early won %d times, claim %d times", early, claimed)
}

// Decision 72: Settled comes exactly once, and never before the end of a Gone,
// whatever races: the peer leaving, an early answer, a discard, an answer, CloseAll.
func TestSettledExactlyOnce(t *testing.T) {
	t.Parallel()
	for name, watch := range watches() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, attached := attaching()
			const never = 1000 * time.Hour // only answers and lingering time out
			w := setupWatch(t, handler, watch, withLimits(Limits{HeaderTimeout: never, BodyTimeout: never, IdleTimeout: never}))
			stop := w.sweepOften(10 * time.Second)
			defer stop()
			for i := range 400 {
				c := w.dial()
				c.send(get + "\r\n")
				x := await(t, "the request", attached)
				var all sync.WaitGroup
				all.Go(func() { _ = c.CloseWrite() })
				if i%2 == 0 {
					all.Go(func() { x.conn.Early(x, []byte(earlyAnswer)) })
				}
				if i%3 == 0 {
					all.Go(func() { _ = x.conn.Close() })
				}
				if i%16 == 0 {
					all.Go(w.CloseAll)
				}
				if i%5 == 0 {
					x.answer <- func(*fasthttp.RequestCtx) { x.conn.Discard(x) }
				} else {
					x.answer <- x.reply
				}
				await(t, "Settled", x.settled)
				all.Wait()
				_ = c.Close()
				if n := x.settledN.Load(); n != 1 || x.goneN.Load() > 1 || x.late.Load() {
					t.Fatalf("settled %d times, gone %d times, late %v", n, x.goneN.Load(), x.late.Load())
				}
			}
		})
	}
}

// Gone may answer or discard by itself; Settled then follows it.
func TestActingWithinGone(t *testing.T) {
	t.Parallel()
	for _, act := range []func(x *exchange){
		func(x *exchange) { x.conn.Early(x, []byte(earlyAnswer)) },
		func(x *exchange) { x.conn.Discard(x) },
		func(x *exchange) { _ = x.conn.Close() },
	} {
		attached := make(chan *exchange, 1)
		release := make(chan struct{})
		w := setup(t, func(ctx *fasthttp.RequestCtx) {
			x := newExchange(ctx.Conn().(*Conn))
			x.onGone = func() {
				act(x)
				if x.settledN.Load() != 0 {
					t.Error("Settled within Gone")
				}
			}
			x.conn.Attach(x)
			attached <- x
			<-release
		})
		c := w.dial()
		c.send(get + "\r\n")
		x := await(t, "the request", attached)
		_ = c.CloseWrite()
		await(t, "Settled", x.settled)
		close(release)
	}
}

// A handler that neither claims nor writes through the fence still counts as answered
// by what the server writes, and a second exchange on one request settles the first.
func TestAttachTwice(t *testing.T) {
	t.Parallel()
	attached := make(chan *exchange, 2)
	w := setup(t, func(ctx *fasthttp.RequestCtx) {
		conn := ctx.Conn().(*Conn)
		for range 2 {
			x := newExchange(conn)
			conn.Attach(x)
			attached <- x
		}
	})
	c := w.dial()
	c.send(get + "\r\n")
	c.answer()
	if err := await(t, "the first", await(t, "x", attached).settled); err != ErrClosed {
		t.Errorf("first settled with %v", err)
	}
	if err := await(t, "the second", await(t, "x", attached).settled); err != nil {
		t.Errorf("second settled with %v", err)
	}
}

// A write error is what the exchange is told.
func TestWriteError(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	_ = c.SetLinger(0)
	_ = c.Close()
	await(t, "Gone", x.gone)
	x.answer <- func(ctx *fasthttp.RequestCtx) {
		x.conn.Claim(x)
		ctx.SetBody(make([]byte, 8<<20))
	}
	if err := await(t, "Settled", x.settled); !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("settled with %v", err)
	}
	if n := w.counts.failed(ReasonWrite); n != 1 {
		t.Errorf("%d write failures", n)
	}
}

// Reading on without an answer means that server and framing disagree: the
// connection ends before one request's bytes can become another's.
func TestReadingOnWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	w := setup(t, func(ctx *fasthttp.RequestCtx) {
		_, err := ctx.Conn().Read(make([]byte, 100))
		failed <- err
	})
	c := w.dial()
	c.send(get + "\r\n" + get + "\r\n")
	if err := await(t, "Read", failed); err != ErrDesync {
		t.Errorf("%v", err)
	}
	if got := c.replies(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if n := w.counts.failed(ReasonInternal); n != 1 {
		t.Errorf("%d internal failures", n)
	}
}

// Received is the time of the request's last byte (decision 72).
func TestReceived(t *testing.T) {
	t.Parallel()
	got := make(chan time.Time, 1)
	w := setup(t, func(ctx *fasthttp.RequestCtx) { got <- ctx.Conn().(*Conn).Received() })
	c := w.dial()
	c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na")
	until(t, "the head is read", func() bool { return len(w.connections()) == 1 && w.connections()[0].phase() == body })
	want := w.clock.Advance(5 * time.Second)
	c.send("bc")
	if at := await(t, "the request", got); !at.Equal(want) {
		t.Errorf("%v, want %v", at, want)
	}
	c.answer()
}

// Read, Attach, Claim and Write allocate nothing.
func TestConnAllocatesNothing(t *testing.T) {
	c := bare(t).admit(&memory{in: []byte(message)})
	p, answer, x := make([]byte, 80<<10), make([]byte, 300), &nobody{}
	if n := testing.AllocsPerRun(100, func() {
		_, _ = c.Read(p)
		c.Attach(x)
		c.Claim(x)
		_, _ = c.Write(answer)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	_ = c.Close()
}
