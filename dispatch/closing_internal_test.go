package dispatch

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/wire"
)

// TestStoppingCloses: each answer of a server that is stopping is its
// connection's last, whatever the answer is (decision 65). // CX-24
func TestStoppingCloses(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	list := requestText("tools/list", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+metaText+`}}`)
	cases := []struct {
		name, raw, status string
	}{
		{"call", requestText("tools/call", "tool", callText(`{"message":"x"}`)), "503"},
		{"list", list, "200"},
		{"unknown tool", requestText("tools/call", "nope", strings.Replace(callText(`{}`), `"tool"`, `"nope"`, 1)), "400"},
		{"notification", requestText("notifications/cancelled", "", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`), "202"},
		{"refused notification", requestText("notifications/x", "", `{"jsonrpc":"2.0","method":"notifications/x"}`), "400"},
		{"no JSON", requestText("tools/call", "tool", `{`), "400"},
		{"unknown path", strings.Replace(list, "/mcp", "/nope", 1), "404"},
	}
	f.pipeline.Stop()
	for _, c := range cases {
		head, whole := f.head(t, c.raw)
		if !strings.HasPrefix(head, "HTTP/1.1 "+c.status+" ") || !strings.Contains(head, "Connection: close\r\n") || !whole {
			t.Errorf("%s: closed %v, %s", c.name, whole, head)
		}
	}
}

// TestAnswersKeepOpen: the same requests leave the connection open when the
// server is not stopping, and each answer belongs to its own request.
func TestAnswersKeepOpen(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	texts := []string{
		requestText("tools/call", "tool", strings.Replace(callText(`{"message":"x"}`), `"id":1`, `"id":"first"`, 1)),
		requestText("tools/call", "tool", `{`), // has no id, not the one before
		requestText("tools/call", "tool", strings.Replace(callText(`{"message":"x"}`), `"id":1`, `"id":null`, 1)),
		requestText("x/y", "", strings.Replace(strings.Replace(callText(`{}`), `"id":1`, `"id":"last"`, 1), "tools/call", "x/y", 1)),
		"GET /mcp HTTP/1.1\r\nHost: h\r\n\r\n",
		"GET /nope HTTP/1.1\r\nHost: h\r\n\r\n", // and has no Allow
		strings.Replace(requestText("tools/list", "", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{`+metaText+`}}`), "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1),
	}
	head, _ := f.head(t, strings.Join(texts, ""))
	var last int
	for _, part := range []string{
		`HTTP/1.1 200 `, `"id":"first","result"`, `HTTP/1.1 400 `, `{"jsonrpc":"2.0","error":{"code":-32700`, `HTTP/1.1 400 `,
		`{"jsonrpc":"2.0","error":{"code":-32600`, `HTTP/1.1 404 `, `"id":"last","error":{"code":-32601`, `HTTP/1.1 405 `, `Allow: POST`, `HTTP/1.1 404 `, `HTTP/1.1 200 `, `"id":5,"result"`,
	} {
		at := strings.Index(head[last:], part)
		if at < 0 {
			t.Fatalf("no %s after byte %d:\n%s", part, last, head)
		}
		last += at + len(part)
	}
	if n := strings.Count(head, "Connection: close"); n != 1 {
		t.Errorf("%d answers close the connection:\n%s", n, head)
	}
	if n := strings.Count(head, "Allow: "); n != 1 {
		t.Errorf("%d answers have Allow:\n%s", n, head)
	}
}

// TestRemaining: what a call may still take counts from its last byte, and is
// used up by what came before its acceptance. // EX-03
func TestRemaining(t *testing.T) {
	t.Parallel()
	p := &Pipeline{config: Config{Deadline: time.Minute}}
	for spent, left := range map[time.Duration]time.Duration{0: time.Minute, 20 * time.Second: 40 * time.Second, 2 * time.Minute: -time.Minute} {
		c := &Call{pipeline: p, begun: time.Now().Add(-spent)}
		if got := c.remaining(); got > left || got < left-10*time.Second {
			t.Errorf("after %v: %v left, want %v", spent, got, left)
		}
	}
}

// TestSettled: an answer that could not be sent is write_failed, unless the
// client's leaving is the outcome anyway. // CX-10 OB-01
func TestSettled(t *testing.T) {
	t.Parallel()
	gone := context.DeadlineExceeded // any error
	for _, c := range []struct {
		decided, want Outcome
		err           error
	}{
		{OutcomeComplete, OutcomeComplete, nil},
		{OutcomeComplete, OutcomeWriteFailed, gone},
		{OutcomeProtocolError, OutcomeWriteFailed, gone},
		{OutcomeDeadlineExceeded, OutcomeWriteFailed, gone},
		{OutcomeClientDisconnected, OutcomeClientDisconnected, gone},
		{OutcomeClientDisconnected, OutcomeClientDisconnected, nil},
	} {
		system, err := actors.New(actors.Config{Slots: 1, Queue: 1})
		if err != nil {
			t.Fatal(err)
		}
		system.Start()
		events := NewEvents(nil)
		p := &Pipeline{config: Config{Events: events, System: system, Deadline: time.Minute}}
		call := &Call{pipeline: p, stripe: events.stripe(), endpoint: &Endpoint{Path: "/mcp"}, begun: time.Now()}
		events.accepted(call)
		call.ticket = system.Admit(call, &call.Context, time.Minute, true)
		call.ticket.Answer()
		call.decided.Store(uint32(c.decided))
		if events.Active() != 1 {
			t.Errorf("active %d", events.Active())
		}
		call.Settled(c.err)
		if events.Active() != 0 || events.Ended(c.want) != 1 {
			t.Errorf("%v with %v: not counted as %v", c.decided, c.err, c.want)
		}
		if residue := system.Shutdown(t.Context(), time.Second, time.Second); !residue.Clean() {
			t.Error(residue)
		}
	}
}

// TestClosingFailures: which failures end their connection is the table's to
// say, and the pipeline's to do.
func TestClosingFailures(t *testing.T) {
	t.Parallel()
	for _, kind := range []wire.FailureKind{wire.Capacity, wire.Stopping, wire.FrameworkDeadline, wire.InvalidParams, wire.PolicyFailed, wire.HooksBusy} {
		f := open(t, nil, func(f *floor) {
			f.pipeline.probe = func(group int, _ string) *wire.Failure {
				if group == 11 {
					return &wire.Failure{Kind: kind}
				}
				return nil
			}
		})
		raw := requestText("tools/call", "tool", callText(`{"message":"x"}`))
		last := strings.Replace(raw, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)
		got, _ := f.head(t, raw+last)
		answers := 2
		if kind.Close() {
			answers = 1
		}
		if n := strings.Count(got, "HTTP/1.1 "); n != answers || !strings.Contains(got, "Connection: close\r\n") {
			t.Errorf("failure %d: %d answers, want %d:\n%s", kind, n, answers, got)
		}
	}
}

// head sends raw bytes on a new connection and returns all that comes until the
// server closes it; whole is whether it did.
func (f *floor) head(t *testing.T, raw string) (got string, whole bool) {
	t.Helper()
	conn, err := net.Dial("tcp", f.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	return string(all), err == nil
}
