package dispatch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/dispatch/front"
	"github.com/troupe-mcp/troupe/dispatch/schema"
	"github.com/troupe-mcp/troupe/streams/socket"
	"github.com/troupe-mcp/troupe/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 20 * time.Second

// A floor is a pipeline on a real listener, with one tool.
type floor struct {
	pipeline *Pipeline
	addr     string
	handled  atomic.Int64
	mu       sync.Mutex
	groups   []int // that were entered, when recorded
}

// open starts a pipeline; tool is what its one tool does.
func open(t *testing.T, tool func(ctx context.Context, c *Call, r *wire.CallResult) error, alter ...func(*floor)) *floor {
	t.Helper()
	f := &floor{}
	type in struct {
		Message string `json:"message"`
	}
	raw, err := schema.Infer(reflect.TypeFor[in]())
	if err != nil {
		t.Fatal(err)
	}
	input, err := schema.Compile(raw, schema.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := &Endpoint{
		Path: "/mcp", Info: wire.Implementation{Name: "test", Version: "1"},
		Served: wire.RevisionSet(0).With(wire.V20260728),
		Tools: []*Tool{{
			Descriptor: wire.Tool{Name: "tool", Description: "A tool.", InputSchema: raw},
			Input:      input,
			Invoke: func(ctx context.Context, c *Call, r *wire.CallResult) error {
				f.handled.Add(1)
				if tool == nil {
					r.SetText("done")
					return nil
				}
				return tool(ctx, c, r)
			},
		}},
	}
	endpoint.Build()
	system, err := actors.New(actors.Config{Slots: 4, Queue: 4, FastLane: true})
	if err != nil {
		t.Fatal(err)
	}
	date := func() []byte { return []byte("Tue, 01 Dec 2026 00:00:00 GMT") }
	f.pipeline = New(Config{
		Endpoints: []*Endpoint{endpoint}, System: system, Deadline: time.Minute, Bounds: wire.DefaultBounds,
		Events: NewEvents(nil), Logger: slog.New(slog.DiscardHandler), Date: date,
	})
	for _, a := range alter {
		a(f)
	}
	server := front.New(front.Config{Handler: f.pipeline, Date: date})
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := socket.Listen(inner, socket.Config{Answer: func(status int) []byte { return front.EarlyResponse(status, date()) }})
	if err != nil {
		t.Fatal(err)
	}
	f.addr = listener.Addr().String()
	system.Start()
	served := make(chan error, 1)
	go func() { served <- server.Server().Serve(listener) }()
	t.Cleanup(func() {
		listener.CloseIdle()
		system.Shutdown(context.Background(), time.Second, time.Second)
		listener.CloseAll()
		if err := server.Server().Shutdown(); err != nil {
			t.Error(err)
		}
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		<-served
	})
	return f
}

// record notes the groups that are entered, and fails the one with the number.
func (f *floor) record(deny int) func(int, string) *wire.Failure {
	return func(number int, _ string) *wire.Failure {
		f.mu.Lock()
		f.groups = append(f.groups, number)
		f.mu.Unlock()
		if number == deny {
			return &wire.Failure{Kind: wire.PolicyFailed}
		}
		return nil
	}
}

const metaText = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func callText(arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":` + arguments + `,` + metaText + `}}`
}

func requestText(method, name, body string) string {
	mirror := ""
	if name != "" {
		mirror = "Mcp-Name: " + name + "\r\n"
	}
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\n"+
		"Mcp-Method: %s\r\n%sContent-Length: %d\r\n\r\n%s", method, mirror, len(body), body)
}

// ask sends raw bytes on a new connection and reads one response.
func (f *floor) ask(t *testing.T, raw string) (status int, body string) {
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
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(b)
}

// TestGroups: the list has every group once and in order, and a denial in any
// of them ends the request there. // P-01 P-02 P-23 P-25 P-50
func TestGroups(t *testing.T) {
	t.Parallel()
	for i := range groups {
		g := &groups[i]
		if g.number != i+1 || (g.serving == nil) == (g.inSlot == nil) {
			t.Errorf("group %d (%s) at place %d", g.number, g.name, i+1)
		}
	}
	for deny := range len(groups) + 1 {
		t.Run(fmt.Sprint("deny ", deny), func(t *testing.T) {
			t.Parallel()
			f := open(t, nil, func(f *floor) { f.pipeline.probe = f.record(deny) })
			status, body := f.ask(t, requestText("tools/call", "tool", callText(`{"message":"x"}`)))
			want := make([]int, 0, len(groups))
			for n := 1; n <= len(groups) && (deny == 0 || n <= deny); n++ {
				want = append(want, n)
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			if !reflect.DeepEqual(f.groups, want) {
				t.Errorf("groups %v, want %v", f.groups, want)
			}
			if deny == 0 && (status != 200 || !strings.Contains(body, "done")) || deny > 0 && (status != 500 || !strings.Contains(body, "-32603")) {
				t.Errorf("status %d: %s", status, body)
			}
			if ran := f.handled.Load() == 1; ran != (deny == 0 || deny > 15) {
				t.Errorf("the handler ran: %v", ran)
			}
		})
	}
}

// TestFrameworkGroups: what the framework answers itself takes no slot and no
// interceptor. // D-07 EX-13
func TestFrameworkGroups(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"server/discover", "tools/list"} {
		f := open(t, nil, func(f *floor) { f.pipeline.probe = f.record(0) })
		status, body := f.ask(t, requestText(method, "", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+metaText+`}}`))
		if status != 200 {
			t.Errorf("%s: status %d: %s", method, status, body)
		}
		f.mu.Lock()
		if n := len(f.groups); n != 12 || f.groups[n-1] != 12 {
			t.Errorf("%s: groups %v", method, f.groups)
		}
		f.mu.Unlock()
	}
}

// TestNotificationGroups: a notification has its own shorter order. // P-28
// P-31 P-39
func TestNotificationGroups(t *testing.T) {
	t.Parallel()
	text := requestText("notifications/cancelled", "", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	f := open(t, nil, func(f *floor) { f.pipeline.probe = f.record(0) })
	if status, body := f.ask(t, text); status != 202 || body != "" {
		t.Errorf("status %d: %q", status, body)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if want := []int{1, 2, 3, 4, 5, 6, 2, 3, 4, 6}; !reflect.DeepEqual(f.groups, want) {
		t.Errorf("groups %v, want %v", f.groups, want)
	}
}
