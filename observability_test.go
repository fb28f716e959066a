package troupe_test

import (
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// await waits for an event that satisfies is.
func (r *recorder) await(t *testing.T, what string, is func(troupe.Event) bool) troupe.Event {
	t.Helper()
	deadline := time.After(patience)
	for {
		if events := r.all(); slices.ContainsFunc(events, is) {
			return events[slices.IndexFunc(events, is)]
		}
		select {
		case <-r.more:
		case <-deadline:
			t.Fatalf("no event: %s", what)
		}
	}
}

// TestEventValues: what a client sends is in no event and in no log: each text
// of an event is from a closed set. // OB-03 OB-15 ER-19
func TestEventValues(t *testing.T) {
	t.Parallel()
	const marker = "planted-marker"
	w := start(t, library(), allowAll)
	sound := request("1", "tools/list", "")
	path := sound
	path.target = "/" + marker
	for _, m := range []message{
		sound, path, request(`"`+marker+`"`, marker, `"x":"`+marker+`"`), toolCall("1", marker, `{"`+marker+`":1}`), toolCall("1", "blocks", `{"`+marker+`":1}`),
		prompt("greet", `{"name":"`+marker+`"}`), prompt(marker, ""), read("mem://" + marker), read("mem://shelf/" + marker + "/item-1"), read("mem://shelf/" + marker + "/item-fail"),
		read("mem://shelf/" + marker + "/item-panic"), completion(`{"type":"ref/prompt","name":"greet"}`, `{"name":"name","value":"`+marker+`"}`, ""),
		completion(`{"type":"ref/prompt","name":"`+marker+`"}`, `{"name":"name","value":""}`, ""),
		sound.with("MCP-Protocol-Version", marker), sound.with("Content-Type", marker+"/json"), sound.plus("X-" + marker + ": " + marker).plus("Authorization: Bearer " + marker),
		sound.saying(`{"` + marker), sound.replace("tools/list", marker), sound.replace(`"name":"probe"`, `"name":"`+marker+`"`),
		sound.saying(`{"jsonrpc":"2.0","method":"notifications/` + marker + `"}`),
		{verb: strings.ToUpper(marker), target: "/mcp"},
		{verb: "GET", target: "/mcp", headers: []string{marker}},
	} {
		w.ask(t, m)
	}
	half := dial(t, w.addr)
	half.send(t, "POST /"+marker+" HTTP/1.1\r\nX: "+marker)
	_ = half.Close()
	if err := w.stop(); err != nil {
		t.Error(err)
	}
	known := []string{
		"", "/mcp", "<unrecognized>", "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list",
		"resources/templates/list", "resources/read", "completion/complete", "notifications/cancelled",
	}
	kinds := map[troupe.EventKind]int{}
	accepted, ended := 0, 0
	for _, e := range w.observed.all() {
		kinds[e.Kind]++
		if !slices.Contains(known, e.Method) || !slices.Contains(known[:2], e.Endpoint) || strings.Contains(e.Reason, marker) {
			t.Errorf("event %+v", e)
		}
		switch e.Kind {
		case troupe.RequestAccepted:
			accepted++
		case troupe.RequestEnded:
			if ended++; e.Duration <= 0 || e.Duration > patience || e.Outcome == 0 {
				t.Errorf("event %+v", e)
			}
		case troupe.RequestRefused:
			if e.Status < 400 || e.Status > 499 {
				t.Errorf("event %+v", e)
			}
		}
		if e.Kind == troupe.RequestAccepted || e.Kind == troupe.RequestEnded || e.Kind == troupe.HandlerFailed {
			if e.Endpoint != "/mcp" || e.Method == "" {
				t.Errorf("event %+v", e)
			}
		}
	}
	if accepted != ended || accepted < 10 || kinds[troupe.RequestRefused] < 4 || kinds[troupe.ConnectionAccepted] < 20 || kinds[troupe.HandlerFailed] != 2 {
		t.Errorf("accepted %d, ended %d, events %v", accepted, ended, kinds)
	}
	if log := w.log.String(); strings.Contains(strings.ToLower(log), marker) {
		t.Errorf("the log: %s", log)
	}
}

// TestFailuresAreTold: a failing handler is named to operators, by its
// registration and with its error, once in the log and once in the events;
// neither the events nor the client get the error (decision 31). // OB-01 ER-16
func TestFailuresAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, said string
	}{
		{"error", "secret-marker"}, {"panic", "secret-marker"}, {"goexit", "Goexit"}, {"reserved", "-32602"}, {"bad-output", "/ok"}, {"nil", "no result"}, {"text", "no structured content"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			var handled atomic.Int64
			w := start(t, tools(&handled))
			checkReply(t, w.ask(t, toolCall("1", "fail", `{"kind":"`+c.kind+`"}`)), want{status: 200, code: "-32603", lacks: []string{"secret"}})
			e := w.observed.await(t, "handler_failed", func(e troupe.Event) bool { return e.Kind == troupe.HandlerFailed })
			if e.Method != "tools/call" || e.Endpoint != "/mcp" || e.Reason != "" {
				t.Errorf("event %+v", e)
			}
			if o := w.observed.outcomes(t, 1)[0]; o != troupe.OutcomeInternalError {
				t.Errorf("outcome %v", o)
			}
			if err := w.stop(); err != nil {
				t.Error(err)
			}
			failures := 0
			for line := range strings.SplitSeq(w.log.String(), "\n") {
				if strings.Contains(line, `tool \"fail\"`) {
					if failures++; !strings.Contains(line, c.said) {
						t.Errorf("the log lacks %q: %s", c.said, line)
					}
				}
			}
			if failures != 1 {
				t.Errorf("%d lines of the log name the tool: %s", failures, w.log)
			}
		})
	}
	t.Run("what is no failure", func(t *testing.T) {
		t.Parallel()
		var handled atomic.Int64
		b := newBlocker(t)
		w := start(t, append(tools(&handled), b.tools()...), func(c *troupe.Config) { c.Limits.Deadline = 100 * time.Millisecond })
		w.ask(t, toolCall("1", "fail", `{"kind":"tool-error"}`))
		w.ask(t, toolCall("1", "fail", `{"kind":"rpc"}`))
		w.ask(t, toolCall("1", "echo", `{}`))
		w.ask(t, toolCall("1", "polite", ``)) // ends with its context
		w.observed.outcomes(t, 4)
		if err := w.stop(); err != nil {
			t.Error(err)
		}
		for _, e := range w.observed.all() {
			if e.Kind == troupe.HandlerFailed {
				t.Errorf("event %+v", e)
			}
		}
		if log := w.log.String(); strings.Contains(log, "WARN") || strings.Contains(log, "ERROR") {
			t.Errorf("the log: %s", log)
		}
	})
}

// TestLabels: an event names the method that the server knows, or none. // OB-03
func TestLabels(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	cancelled := request("1", "notifications/cancelled", "")
	cancelled = cancelled.saying(strings.Replace(cancelled.body, `"id":1,`, "", 1))
	for i, c := range []struct {
		message message
		label   string
		outcome troupe.Outcome
	}{
		{request("1", "server/discover", ""), "server/discover", troupe.OutcomeComplete},
		{request("1", "tools/list", ""), "<unrecognized>", troupe.OutcomeProtocolError}, // not served here
		{request("1", "initialize", ""), "<unrecognized>", troupe.OutcomeProtocolError},
		{request("1", "notifications/cancelled", ""), "<unrecognized>", troupe.OutcomeProtocolError}, // a request, though
		{cancelled, "notifications/cancelled", troupe.OutcomeComplete},
		{cancelled.replace("cancelled", "progress"), "<unrecognized>", troupe.OutcomeProtocolError},
	} {
		w.ask(t, c.message)
		w.observed.outcomes(t, i+1)
		var last troupe.Event
		for _, e := range w.observed.all() {
			if e.Kind == troupe.RequestEnded {
				last = e
			}
		}
		if last.Method != c.label || last.Outcome != c.outcome {
			t.Errorf("%s: %+v", c.message.body, last)
		}
	}
}

// TestGauges: what a server holds can be read at any moment; sessions, grants
// and streams are not held yet. // OB-16
func TestGauges(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	release := make(chan struct{})
	w := start(t, b.tools(), func(c *troupe.Config) {
		c.Limits.Slots, c.Limits.Deadline = 2, 2*time.Second
		c.Observer = troupe.ObserverFunc(func(troupe.Event) { <-release })
	})
	if g := w.Gauges(); g != (troupe.Gauges{}) {
		t.Errorf("idle: %+v", g)
	}
	var clients []*client
	for range 2 {
		c := dial(t, w.addr)
		c.send(t, toolCall("1", "stuck", "").raw(w.addr))
		<-b.started
		clients = append(clients, c)
	}
	waits := dial(t, w.addr)
	waits.send(t, toolCall("1", "quick", "").raw(w.addr))
	eventually(t, "all is seen", func() bool {
		return w.Gauges() == troupe.Gauges{Connections: 3, Active: 3, Queued: 1, Running: 2}
	})
	for _, c := range clients { // the deadline: both handlers outlive their answers
		checkReply(t, c.read(t, "POST"), want{status: 200, code: "-32603"})
	}
	checkReply(t, waits.read(t, "POST"), want{status: 503, code: "-32603"})
	eventually(t, "zombies are seen", func() bool {
		g := w.Gauges()
		return g.Zombies == 2 && g.Running == 2 && g.Active == 0 && g.Queued == 0
	})
	c := dial(t, w.addr)
	raw := request("1", "server/discover", "").raw(w.addr)
	for w.Gauges().EventsDropped == 0 { // the observer is stuck: its queue fills
		c.send(t, raw)
		c.read(t, "POST")
	}
	close(release)
	b.free()
	_ = c.Close()
	eventually(t, "nothing is held", func() bool {
		g := w.Gauges()
		return g.Running == 0 && g.Zombies == 0 && g.Active == 0 && g.BodyBytes == 0
	})
}

// TestWriteFailed: an answer that cannot be sent ends its request as
// write_failed. // OB-01 CX-10
func TestWriteFailed(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 1<<20-100)
	w := start(t, []troupe.Feature{result("large", large, nil)}, func(c *troupe.Config) { c.Limits.WriteTimeout = 100 * time.Millisecond })
	c := dial(t, w.addr)
	raw := toolCall("1", "large", "").raw(w.addr)
	for range 32 { // none of the answers is read
		if _, err := io.WriteString(c, raw); err != nil {
			break
		}
	}
	w.observed.await(t, "write_failed", func(e troupe.Event) bool {
		return e.Kind == troupe.RequestEnded && e.Outcome == troupe.OutcomeWriteFailed
	})
	eventually(t, "nothing is held", func() bool { g := w.Gauges(); return g.Connections == 0 && g.Active == 0 && g.Running == 0 })
	if n := w.Ended(troupe.OutcomeWriteFailed); n != 1 {
		t.Errorf("write_failed %d times", n)
	}
}

// TestDate: every answer has the date of now, also when the server has run for
// a while.
func TestDate(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	date := func() time.Time {
		r := w.ask(t, request("1", "server/discover", ""))
		at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", r.header.Get("Date"))
		if err != nil || len(r.header.Values("Date")) != 1 {
			t.Fatalf("Date %q: %v", r.header.Values("Date"), err)
		}
		return at
	}
	first := date()
	if off := time.Since(first); off < 0 || off > 5*time.Second {
		t.Errorf("off by %v", off)
	}
	eventually(t, "the date goes on", func() bool { return date().After(first) })
}

// TestShutdownTwice: whoever calls Shutdown or waits in Run gets the same
// answer, once nothing is left. // CX-24
func TestShutdownTwice(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	w := start(t, b.tools())
	silent, err := net.Dial("tcp", w.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	c := dial(t, w.addr)
	c.send(t, toolCall("1", "stuck", "").raw(w.addr))
	<-b.started
	var calls sync.WaitGroup
	var returned atomic.Int64
	for range 3 {
		calls.Go(func() {
			if err := w.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
			returned.Add(1)
			if g := w.Gauges(); g.Running != 0 || g.Active != 0 {
				t.Errorf("Shutdown has returned: %+v", g)
			}
		})
	}
	// A connection that never sent a byte is closed at once; that it is tells
	// that the shutdown has begun.
	if err := silent.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if n, err := silent.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("the silent connection: %d, %v", n, err)
	}
	if n := returned.Load(); n != 0 {
		t.Errorf("%d calls have returned while a handler runs", n)
	}
	b.free()
	r := c.read(t, "POST") // within the grace: its own result, and the last one
	if checkReply(t, r, want{status: 200, contains: []string{"late"}}); !r.close {
		t.Error("the connection stays open")
	}
	calls.Wait()
	if err := w.stop(); err != nil { // Run returns what Shutdown did
		t.Error(err)
	}
}
