package socket

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fasthttp/fasthttputil"
)

// T-34: at the cap a connection is served, one beyond is answered 503, and when
// one leaves the next is served.
func TestConnectionCap(t *testing.T) {
	t.Parallel()
	w := setup(t, echo, withLimits(Limits{Connections: 3}))
	var all []*client
	for range 3 {
		c := w.dial()
		c.send(get + "\r\n")
		c.answer()
		all = append(all, c)
	}
	for i := range 3 {
		c := w.dial()
		if i > 0 { // with and without bytes of a request
			c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
		}
		got := c.replies()
		if len(got) != 1 || got[0].status != 503 || got[0].body != "" || len(got[0].header.Values("Cache-Control")) != 1 {
			t.Fatalf("%v", got)
		}
	}
	if a, r := w.counts.accepted.Load(), w.counts.rejected.Load(); a != 3 || r != 3 {
		t.Errorf("%d accepted, %d rejected", a, r)
	}
	_ = all[0].Close()
	until(t, "a place is free", func() bool { return w.Gauges().Connections == 2 })
	c := w.dial()
	c.send(get + "\r\n")
	if status, _ := c.answer(); status != 200 {
		t.Errorf("%d", status)
	}
	w.Sweep(w.clock.Advance(lingerTime))
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rejected) != 0 {
		t.Errorf("%d refused connections are still kept", len(w.rejected))
	}
}

// T-34: a refused client that neither reads nor leaves does not hold up the others.
func TestRejectionDoesNotBlock(t *testing.T) {
	t.Parallel()
	w := setup(t, echo, withLimits(Limits{Connections: 1}))
	first := w.dial()
	first.send(get + "\r\n")
	first.answer()
	for range maxRejected + 20 {
		w.dial()
	}
	until(t, "all are refused", func() bool { return w.counts.rejected.Load() == maxRejected+20 })
	first.send(get + "\r\n")
	if status, _ := first.answer(); status != 200 {
		t.Errorf("%d", status)
	}
}

func TestPerAddressCap(t *testing.T) {
	t.Parallel()
	w := setup(t, echo, withLimits(Limits{PerAddress: 2}))
	dial := func(from string) *client {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.Dial("tcp", w.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(patience))
		wrapped := &client{c.(*net.TCPConn), t, nil}
		wrapped.r = newReader(c)
		return wrapped
	}
	for _, step := range []struct {
		from string
		want int
	}{{"127.0.0.1", 200}, {"127.0.0.1", 200}, {"127.0.0.1", 503}, {"127.0.0.2", 200}, {"127.0.0.2", 200}, {"127.0.0.2", 503}} {
		c := dial(step.from)
		c.send(get + "\r\n")
		if status, _ := c.answer(); status != step.want {
			t.Errorf("%s: %d, want %d", step.from, status, step.want)
		}
	}
	w.CloseIdle()
	until(t, "all are closed", func() bool { return w.Gauges().Connections == 0 })
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.addresses) != 0 {
		t.Errorf("addresses left: %v", w.addresses)
	}
}

func TestAddressKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{"192.0.2.1", "192.0.2.1"},
		{"::ffff:192.0.2.1", "192.0.2.1"},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"},
		{"2001:db8:1:2::", "2001:db8:1:2::"},
	} {
		got := addressOf(&addressed{addr: &net.TCPAddr{IP: net.ParseIP(test.in)}})
		if got.String() != test.want {
			t.Errorf("%s: %s, want %s", test.in, got, test.want)
		}
	}
	if addressOf(&addressed{addr: &net.UnixAddr{}}).IsValid() {
		t.Error("a path is not an address")
	}
}

type addressed struct {
	net.Conn
	addr net.Addr
}

func (a *addressed) RemoteAddr() net.Addr { return a.addr }

// Decision 64: bodies beyond the read buffer share one budget: at it they are
// served, one segment beyond is 503, and what was taken comes back.
func TestBodyBudget(t *testing.T) {
	t.Parallel()
	// The reader's buffer takes 4 KiB; a request of n segments takes n of the budget.
	w := setup(t, func(ctx *fasthttp.RequestCtx) { fmt.Fprint(ctx, len(ctx.PostBody())) },
		withBuffer(4096), withLimits(Limits{BodyBudget: 4 * segmentSize}))
	message := func(total int) string { // a request of exactly that many bytes
		head := "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %07d\r\n\r\n"
		n := total - len(fmt.Sprintf(head, 0))
		return fmt.Sprintf(head, n) + strings.Repeat("x", n)
	}
	for _, test := range []struct{ total, want int }{
		{4 * segmentSize, 200}, {4*segmentSize + 1, 503}, {4 * segmentSize, 200}, {2000, 200},
	} {
		c := w.dial()
		c.send(message(test.total))
		if status, _ := c.answer(); status != test.want {
			t.Errorf("%d bytes: %d, want %d", test.total, status, test.want)
		}
		_ = c.Close()
		until(t, "the budget is free", func() bool { return w.Gauges().BufferedBodyBytes == 0 })
	}

	// A slow client holds what it has sent, not what it has announced.
	slow := w.dial()
	slow.send(message(4 * segmentSize)[:5000])
	until(t, "the slow client holds a segment", func() bool { return w.Gauges().BufferedBodyBytes == segmentSize })
	c := w.dial()
	c.send(message(3 * segmentSize))
	if status, _ := c.answer(); status != 200 {
		t.Errorf("beside a slow client: %d", status)
	}
	c.send(get + "\r\n")
	c.answer()
	d := w.dial()
	d.send(message(3*segmentSize + 1))
	if got := d.replies(); len(got) != 1 || got[0].status != 503 {
		t.Errorf("one beyond, beside a slow client: %v", got)
	}
	if n := w.counts.failed(ReasonBudget); n != 2 {
		t.Errorf("%d budget failures", n)
	}
	_ = slow.Close()
	until(t, "the budget is free", func() bool { return w.Gauges().BufferedBodyBytes == 0 })
}

// The budget is held as long as the request is being served.
func TestBudgetIsHeldWhileServing(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler, withBuffer(4096))
	c := w.dial()
	c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 100_000))
	x := await(t, "the request", attached)
	if n := w.Gauges().BufferedBodyBytes; n != 2*segmentSize {
		t.Errorf("%d bytes while serving", n)
	}
	x.answer <- x.reply
	c.answer()
	until(t, "the budget is free", func() bool { return w.Gauges().BufferedBodyBytes == 0 })
}

// Shutdown, step 1: connections without a byte of a request in flight close, the
// others finish what they are doing and close then.
func TestCloseIdle(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	silent, kept, half, busy := w.dial(), w.dial(), w.dial(), w.dial()
	kept.send(get + "\r\n")
	x := await(t, "the request", attached)
	x.answer <- x.reply
	kept.answer()
	half.send(get)
	busy.send(get + "\r\n" + get + "\r\n")
	x = await(t, "the request", attached)
	until(t, "phases", func() bool {
		var n [dead + 1]int
		for _, c := range w.connections() {
			n[c.phase()]++
		}
		return n[fresh] == 1 && n[idle] == 1 && n[head] == 1 && n[serving] == 1
	})
	if err := w.StopAccepting(); err != nil {
		t.Fatal(err)
	}
	w.CloseIdle()
	for name, c := range map[string]*client{"silent": silent, "kept": kept} {
		if raw := c.rest(); raw != "" {
			t.Errorf("%s: %q", name, raw)
		}
	}
	half.send("\r\n")
	y := await(t, "the half request", attached)
	y.answer <- y.reply
	if status, _ := half.answer(); status != 200 {
		t.Errorf("half: %d", status)
	}
	x.answer <- x.reply
	x = await(t, "the pipelined request", attached)
	x.answer <- x.reply
	if raw := busy.rest(); strings.Count(raw, "200 OK") != 2 {
		t.Errorf("busy: %q", raw)
	}
	if raw := half.rest(); raw != "" {
		t.Errorf("half: %q", raw)
	}
	w.counts.mu.Lock()
	defer w.counts.mu.Unlock()
	if len(w.counts.failures) != 0 {
		t.Errorf("failures %v", w.counts.failures)
	}
}

func TestCloseAllSettles(t *testing.T) {
	t.Parallel()
	handler, attached := attaching()
	w := setup(t, handler)
	c := w.dial()
	c.send(get + "\r\n")
	x := await(t, "the request", attached)
	w.CloseAll()
	if err := await(t, "Settled", x.settled); err != ErrClosed {
		t.Errorf("settled with %v", err)
	}
	if x.conn.Claim(x) {
		t.Error("claimed on a closed connection")
	}
	x.answer <- x.reply
	c.rest()
}

// An exchange attached after the connection was closed is settled all the same.
func TestAttachAfterCloseAll(t *testing.T) {
	t.Parallel()
	attach, attached := make(chan struct{}), make(chan *exchange, 1)
	w := setup(t, func(ctx *fasthttp.RequestCtx) {
		x := newExchange(ctx.Conn().(*Conn))
		<-attach
		x.conn.Attach(x)
		attached <- x
		x.reply(ctx)
	})
	c := w.dial()
	c.send(get + "\r\n")
	until(t, "the request is being served", func() bool { return w.serving() == 1 })
	w.CloseAll()
	close(attach)
	x := await(t, "the request", attached)
	if err := await(t, "Settled", x.settled); err != ErrClosed {
		t.Errorf("settled with %v", err)
	}
}

// failing is an inner listener that fails a few times, then accepts.
type failing struct {
	net.Listener
	mu   sync.Mutex
	errs []error
}

func (f *failing) Accept() (net.Conn, error) {
	f.mu.Lock()
	if len(f.errs) > 0 {
		err := f.errs[0]
		f.errs = f.errs[1:]
		f.mu.Unlock()
		return nil, err
	}
	f.mu.Unlock()
	return f.Listener.Accept()
}

// Accepting survives a lack of descriptors, and reports what it cannot survive.
func TestAcceptErrors(t *testing.T) {
	t.Parallel()
	lack := &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	counts := &counts{failures: map[Reason]int{}}
	l, err := Listen(&failing{Listener: inner, errs: []error{lack, lack, broken}}, Config{Events: counts})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); err != broken {
		t.Errorf("%v", err)
	}
	if n := counts.failed(ReasonAccept); n != 2 {
		t.Errorf("%d backed off", n)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// StopAccepting ends a wait for descriptors at once.
func TestStopWhileBackingOff(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	lack := make([]error, 1000)
	for i := range lack {
		lack[i] = syscall.EMFILE
	}
	l, err := Listen(&failing{Listener: inner, errs: lack}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { _, err := l.Accept(); done <- err }()
	_ = l.StopAccepting()
	if err := await(t, "Accept", done); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
	_ = l.Close()
}

func TestListenReportsEveryFault(t *testing.T) {
	t.Parallel()
	_, err := Listen(nil, Config{Limits: Limits{
		Target: -1, HeaderBytes: -1, Headers: -1, Body: maxBody + 1, Connections: -1, PerAddress: -1, BodyBudget: -1,
		HeaderTimeout: -1, BodyTimeout: -1, IdleTimeout: -1, WriteTimeout: -1,
	}})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"Target", "HeaderBytes", "Headers", "Body", "Connections", "PerAddress", "BodyBudget", "HeaderTimeout", "BodyTimeout", "IdleTimeout", "WriteTimeout"} {
		if !strings.Contains(err.Error(), "Limits."+name+":") {
			t.Errorf("%s is not reported in %v", name, err)
		}
	}
}

// Descriptors return to where they were after thousands of connections that
// end in every way.
func TestDescriptorsReturn(t *testing.T) {
	w := setup(t, echo, withLimits(Limits{Connections: 64}))
	before := descriptors(t)
	for i := range 2000 {
		nc, err := net.Dial("tcp", w.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c := nc.(*net.TCPConn)
		_ = c.SetDeadline(time.Now().Add(patience))
		switch i % 5 {
		case 0: // silent
		case 1:
			_, _ = io.WriteString(c, get)
		case 2:
			_, _ = io.WriteString(c, "\x16\x03\x01")
		case 3:
			_, _ = io.WriteString(c, get+"\r\n")
			_, _ = c.Read(make([]byte, 100))
		case 4:
			_ = c.SetLinger(0)
		}
		_ = c.Close()
		if i%200 == 0 {
			w.Sweep(w.clock.Advance(time.Second))
		}
	}
	until(t, "all connections are closed", func() bool {
		w.Sweep(w.clock.Advance(time.Second))
		return w.Gauges() == Gauges{} && descriptors(t) <= before
	})
}

func descriptors(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Logf("descriptors cannot be counted here: %v", err)
		return 0
	}
	return len(list)
}

// Connections without a descriptor work, only unwatched.
func TestInMemory(t *testing.T) {
	t.Parallel()
	inner := fasthttputil.NewInmemoryListener()
	l, err := Listen(inner, Config{Limits: Limits{Connections: 2}})
	if err != nil {
		t.Fatal(err)
	}
	handler, attached := attaching()
	s := &fasthttp.Server{Handler: handler, Logger: silent{}, NoDefaultDate: true, MaxIdleWorkerDuration: 50 * time.Millisecond}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()

	exchange := func() (*exchange, net.Conn) {
		c, err := inner.Dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, get+"\r\n"); err != nil {
			t.Fatal(err)
		}
		return await(t, "the request", attached), c
	}
	x, c1 := exchange()
	x.answer <- x.reply
	r := newReader(c1)
	if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 200") {
		t.Errorf("%q %v", line, err)
	}
	x, c2 := exchange()
	if !x.conn.Early(x, []byte(earlyAnswer)) {
		t.Error("early answer not taken")
	}
	if raw, _ := io.ReadAll(newReader(c2)); string(raw) != earlyAnswer {
		t.Errorf("%q", raw)
	}
	x.answer <- x.reply
	_, _ = c1.Close(), c2.Close()
	_ = l.Close()
	l.CloseAll()
	if err := await(t, "Serve", served); err != nil {
		t.Error(err)
	}
	_ = s.Shutdown()
}
