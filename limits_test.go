package troupe_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// TestLimitFaults: each limit has a least and a greatest value, and NewServer
// names the field that is beyond. // EX-21
func TestLimitFaults(t *testing.T) {
	t.Parallel()
	build := func(alter func(reflect.Value)) error {
		config := troupe.Config{Addr: "127.0.0.1:0", Endpoints: []troupe.Endpoint{{
			Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
		}}}
		alter(reflect.ValueOf(&config.Limits).Elem())
		_, err := troupe.NewServer(config)
		return err
	}
	fields := reflect.TypeFor[troupe.Limits]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		least, greatest := int64(1), int64(1<<20)
		switch {
		case fields.Field(i).Type == reflect.TypeFor[time.Duration]():
			least, greatest = int64(time.Millisecond), int64(365*24*time.Hour)
		case name == "Slots":
			greatest = 1 << 16
		case name == "Body":
			greatest = 16 << 20
		case name == "BodyBudget":
			least, greatest = 4<<20, 1<<40 // one body of the default size
		case name == "Headers":
			greatest = 10_000
		case name == "HeaderBytes":
			least = 256
		case name == "Target":
			least, greatest = 16, 64<<10
		}
		for _, value := range []int64{least, greatest} {
			if err := build(func(l reflect.Value) { l.Field(i).SetInt(value) }); err != nil {
				t.Errorf("%s of %d: %v", name, value, err)
			}
		}
		for _, value := range []int64{-1, least - 1, greatest + 1} {
			if value == 0 {
				continue // the default
			}
			if err := build(func(l reflect.Value) { l.Field(i).SetInt(value) }); err == nil || !strings.Contains(err.Error(), "Config.Limits."+name+":") {
				t.Errorf("%s of %d: %v", name, value, err)
			}
		}
	}
	err := build(func(l reflect.Value) {
		for _, field := range l.Fields() {
			field.SetInt(-1)
		}
	})
	if n := strings.Count(fmt.Sprint(err), "Config.Limits."); n < fields.NumField() {
		t.Errorf("%d faults are reported at once, want %d: %v", n, fields.NumField(), err)
	}
}

// TestAddresses: which addresses a server without a Host allowlist takes.
// T-02 T-03
func TestAddresses(t *testing.T) {
	t.Parallel()
	for addr, fault := range map[string]string{
		"": "", "127.0.0.1:0": "", "127.9.9.9:65535": "", "[::1]:0": "", "localhost:0": "", "[::ffff:127.0.0.1]:0": "",
		":0": "names no address", "0.0.0.0:0": "not a loopback", "[::]:0": "not a loopback", "192.168.1.1:80": "not a loopback", "example.com:80": "not a loopback",
		"localhost.:80": "not a loopback", "[::ffff:10.0.0.1]:0": "not a loopback", "127.0.0.1": "Config.Addr", "127.0.0.1:65536": "not a port", "127.0.0.1:-1": "not a port",
		"127.0.0.1:http": "not a port", "127.0.0.1:": "not a port",
	} {
		_, err := troupe.NewServer(troupe.Config{Addr: addr, Endpoints: []troupe.Endpoint{{
			Info: troupe.Implementation{Name: "n", Version: "1"}, Versions: modern,
		}}})
		if (err != nil) != (fault != "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%q: %v, want %q", addr, err, fault)
		}
	}
}

// TestLimitsInForce: each limit of the configuration is the one that requests
// meet: at it they pass, one beyond it they do not. // T-20
// T-47
func TestLimitsInForce(t *testing.T) {
	t.Parallel()
	var handled atomic.Int64
	features := tools(&handled)
	sized := func(n int) message { // a call whose body has n bytes
		m := toolCall("1", "echo", `{"message":""}`)
		return m.replace(`"message":""`, `"message":"`+strings.Repeat("x", n-len(m.body))+`"`)
	}
	withHeaders := func(n int) message {
		m := toolCall("1", "echo", `{"message":""}`)
		for i := len(m.headers) + 2; i < n; i++ { // and Host and Content-Length
			m = m.plus(fmt.Sprintf("X-%d: y", i))
		}
		return m
	}
	at := want{status: 200}
	bare := func(status int) want { return want{status: status, empty: true} }
	for _, c := range []struct {
		name           string
		limits         troupe.Limits
		within, beyond message
		want, refused  want
	}{
		{"Body", troupe.Limits{Body: 5000}, sized(5000), sized(5001), at, bare(413)},
		{"Body by default", troupe.Limits{}, sized(1 << 20), toolCall("1", "echo", `{"message":""}`).plus("Content-Length: 4194305").saying(""), at, bare(413)},
		{"Headers", troupe.Limits{Headers: 20}, withHeaders(20), withHeaders(21), at, bare(431)},
		{"Headers by default", troupe.Limits{}, withHeaders(100), withHeaders(101), at, bare(431)},
		{
			"HeaderBytes",
			troupe.Limits{HeaderBytes: 1000},
			withHeaders(0).plus("X-Large: " + strings.Repeat("y", 500)),
			withHeaders(0).plus("X-Large: " + strings.Repeat("y", 1000)), at, bare(431),
		},
		{"Target", troupe.Limits{Target: 16}, message{verb: "GET", target: "/" + strings.Repeat("t", 15)}, message{verb: "GET", target: "/" + strings.Repeat("t", 16)}, bare(404), bare(414)},
		{"Target by default", troupe.Limits{}, message{verb: "GET", target: "/" + strings.Repeat("t", 8191)}, message{verb: "GET", target: "/" + strings.Repeat("t", 8192)}, bare(404), bare(414)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := start(t, features, func(config *troupe.Config) { config.Limits = c.limits })
			checkReply(t, w.ask(t, c.within), c.want)
			r := w.ask(t, c.beyond)
			if checkReply(t, r, c.refused); !r.close {
				t.Error("the connection stays open")
			}
		})
	}
	t.Run("Connections", func(t *testing.T) {
		t.Parallel()
		for _, limits := range []troupe.Limits{{Connections: 2}, {ConnectionsPerAddress: 2}} {
			w := start(t, features, func(config *troupe.Config) { config.Limits = limits })
			discover := request("1", "server/discover", "")
			open := []*client{dial(t, w.addr), dial(t, w.addr)}
			for _, c := range open {
				c.send(t, discover.raw(w.addr))
				checkReply(t, c.read(t, "POST"), at)
			}
			if g := w.Gauges(); g.Connections != 2 {
				t.Errorf("%d connections", g.Connections)
			}
			third := dial(t, w.addr)
			r, err := third.tryRead("POST")
			if err != nil || r.status != 503 || r.body != "" || !r.close || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("one beyond: %v, %+v", err, r)
			}
			_ = open[0].Close()
			eventually(t, "its place is free", func() bool { return w.Gauges().Connections == 1 })
			checkReply(t, w.ask(t, discover), at)
		}
	})
	t.Run("BodyBudget", func(t *testing.T) {
		t.Parallel()
		w := start(t, features, func(config *troupe.Config) {
			config.Limits = troupe.Limits{Body: 200_000, BodyBudget: 300_000, HeaderBytes: 1000, Target: 16}
		})
		large := sized(200_000).raw(w.addr)
		slow := dial(t, w.addr)
		slow.send(t, large[:len(large)-1])
		eventually(t, "its body is buffered", func() bool { return w.Gauges().BodyBytes > 0 })
		r := w.ask(t, sized(200_000))
		if checkReply(t, r, bare(503)); !r.close {
			t.Error("the connection stays open")
		}
		slow.send(t, large[len(large)-1:])
		checkReply(t, slow.read(t, "POST"), at)
		eventually(t, "the budget is given back", func() bool { return w.Gauges().BodyBytes == 0 })
		checkReply(t, w.ask(t, sized(200_000)), at)
	})
	t.Run("times", func(t *testing.T) {
		t.Parallel()
		raw := toolCall("1", "echo", `{"message":""}`).raw("h")
		head, _, _ := strings.Cut(raw, "\r\n\r\n")
		for _, c := range []struct {
			name, sent string
			limits     troupe.Limits
			status     string
		}{
			{"head", head, troupe.Limits{ReadTimeout: 50 * time.Millisecond}, "HTTP/1.1 408 "},
			{"body", raw[:len(raw)-1], troupe.Limits{ReadTimeout: 50 * time.Millisecond}, "HTTP/1.1 408 "},
			{"idle", "", troupe.Limits{IdleTimeout: 50 * time.Millisecond}, ""},
		} {
			w := start(t, features, func(config *troupe.Config) { config.Limits = c.limits })
			conn := dial(t, w.addr)
			if c.sent == "" { // idle after a request
				conn.send(t, raw)
				checkReply(t, conn.read(t, "POST"), at)
			} else {
				conn.send(t, c.sent)
			}
			if got := conn.closed(t); !strings.HasPrefix(got, c.status) || c.status == "" && got != "" {
				t.Errorf("%s: %q, want %q", c.name, got, c.status)
			}
		}
	})
}

// TestDefaults: what a server holds when nothing is configured. // EX-01 EX-02
func TestDefaults(t *testing.T) {
	t.Parallel()
	const slots, queue = 32, 128
	b := newBlocker(t)
	w := start(t, b.tools())
	raw := []byte(toolCall("1", "stuck", "").raw(w.addr))
	var clients []*client
	for i := range slots + queue {
		c := dial(t, w.addr)
		if _, err := c.Write(bytes.Clone(raw)); err != nil {
			t.Fatal(err)
		}
		if clients = append(clients, c); i < slots {
			<-b.started
		}
	}
	eventually(t, "the queue is full", func() bool { g := w.Gauges(); return g.Running == slots && g.Queued == queue })
	checkReply(t, w.ask(t, toolCall("1", "stuck", "")), want{status: 503, code: "-32603"})
	b.free()
	for _, c := range clients {
		checkReply(t, c.read(t, "POST"), want{status: 200, contains: []string{"late"}})
	}
}
