package dispatch

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/actors"
	"github.com/troupe-mcp/troupe/wire"
)

// TestFrameworkDeadline: the deadline passes while the framework still has the
// request, here in a blocked group. The answer is a bodyless 504 with the
// usual head, and comes while the group is still blocked. // CX-09 ER-10 T-21
// T-45 T-48
func TestFrameworkDeadline(t *testing.T) {
	t.Parallel()
	for _, group := range []int{7, 9, 11} {
		release := make(chan struct{})
		f := open(t, nil, func(f *floor) {
			f.pipeline.config.Deadline = 50 * time.Millisecond
			f.pipeline.probe = func(n int, _ string) *wire.Failure {
				if n == group {
					<-release
				}
				return nil
			}
		})
		conn, err := net.Dial("tcp", f.addr)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, requestText("tools/call", "tool", callText(`{"message":"x"}`))); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		if err != nil {
			t.Fatal(err)
		}
		want := "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\nDate: Tue, 01 Dec 2026 00:00:00 GMT\r\n" +
			"Cache-Control: no-store\r\nConnection: close\r\n\r\n"
		if string(got) != want {
			t.Errorf("group %d: got\n%s\nwant\n%s", group, got, want)
		}
		close(release)
		_ = conn.Close()
		if f.handled.Load() != 0 {
			t.Errorf("group %d: the handler ran", group)
		}
		waitFor(t, func() bool { return f.pipeline.config.Events.Active() == 0 })
		if n := f.pipeline.config.Events.Ended(OutcomeDeadlineExceeded); n != 1 {
			t.Errorf("group %d: deadline_exceeded %d times", group, n)
		}
	}
}

// TestFrameworkDisconnect: the client leaves while a group is blocked; nothing
// is written, and the handler never runs. // CX-05 CX-12
func TestFrameworkDisconnect(t *testing.T) {
	t.Parallel()
	release, entered := make(chan struct{}), make(chan struct{})
	f := open(t, nil, func(f *floor) {
		f.pipeline.probe = func(n int, _ string) *wire.Failure {
			if n == 11 {
				close(entered)
				<-release
			}
			return nil
		}
	})
	conn, err := net.Dial("tcp", f.addr)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, requestText("tools/call", "tool", callText(`{"message":"x"}`))); err != nil {
		t.Fatal(err)
	}
	<-entered
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return f.pipeline.config.System.Gauges().Outcomes[actors.Disconnected] == 1 })
	close(release)
	if got, err := io.ReadAll(conn); err != nil || len(got) > 0 {
		t.Errorf("read %q, %v", got, err)
	}
	_ = conn.Close()
	waitFor(t, func() bool { return f.pipeline.config.Events.Ended(OutcomeClientDisconnected) == 1 })
	if f.handled.Load() != 0 {
		t.Error("the handler ran")
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patience); !done(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it did not happen")
		}
	}
}
