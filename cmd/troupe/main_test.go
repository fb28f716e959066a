package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long a test waits for what should happen at once.
const patience = 20 * time.Second

// asCommand makes the test binary be the command.
const asCommand = "TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// runToEnd runs a command line that serves nothing.
func runToEnd(t *testing.T, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, err bytes.Buffer
	status = run(ctx, args, env, &out, &err)
	if ctx.Err() != nil {
		t.Error("it ran until it was stopped")
	}
	return status, out.String(), err.String()
}

// A record is a log that can be read while it is written.
type record struct {
	mu     sync.Mutex // guards what follows
	text   []byte
	closed bool
	more   chan struct{} // holds a token after each change
}

func newRecord() *record { return &record{more: make(chan struct{}, 1)} }

func (r *record) change(text []byte, closed bool) {
	r.mu.Lock()
	r.text, r.closed = append(r.text, text...), r.closed || closed
	r.mu.Unlock()
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// Write adds to the log.
func (r *record) Write(text []byte) (int, error) {
	r.change(text, false)
	return len(text), nil
}

// String returns what was logged so far.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.text)
}

// line waits for a line that contains a text, and returns it. One goroutine
// may wait at a time.
func (r *record) line(t *testing.T, text string) string {
	t.Helper()
	giveUp := time.After(patience)
	for {
		r.mu.Lock()
		closed := r.closed
		for line := range strings.Lines(string(r.text)) {
			if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
				r.mu.Unlock()
				return strings.TrimSuffix(line, "\n")
			}
		}
		r.mu.Unlock()
		if closed {
			t.Fatalf("the log ended before %q: %s", text, r)
		}
		select {
		case <-r.more:
		case <-giveUp:
			t.Fatalf("waited in vain for %q: %s", text, r)
		}
	}
}

// A process is the command, running on a goroutine of its own.
type process struct {
	*record
	stop   context.CancelFunc
	status int
	ended  chan struct{} // closed once status is set
}

// serveInProcess runs a server until its stop is called or the test ends.
func serveInProcess(t *testing.T, args ...string) *process {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p := &process{record: newRecord(), stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.status = run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), nil, io.Discard, p.record)
		p.change(nil, true)
	}()
	t.Cleanup(func() { p.end(t) })
	return p
}

// end stops the server and returns its exit status.
func (p *process) end(t *testing.T) int {
	t.Helper()
	p.stop()
	select {
	case <-p.ended:
		return p.status
	case <-time.After(patience):
		t.Error("the command did not end")
		return -1
	}
}

// addr returns the address in a line of a text log.
func addr(line string) string {
	_, after, _ := strings.Cut(line, "addr=")
	value, _, _ := strings.Cut(after, " ")
	return value
}

func TestUsage(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		args   []string
		status int
		stdout string // a part
		stderr string // all of it
	}{
		{"nothing", nil, exitOK, "Available Commands:", ""},
		{"help", []string{"--help"}, exitOK, "Run the reference server", ""},
		{"help on serve", []string{"serve", "--help"}, exitOK, "--max-body bytes", ""},
		{"version", []string{"--version"}, exitOK, "troupe version " + version, ""},
		{"unknown command", []string{"dance"}, exitUsage, "", "troupe: unknown command \"dance\" for \"troupe\"\n"},
		{"argument", []string{"serve", "now"}, exitUsage, "", "troupe: unknown command \"now\" for \"troupe serve\"\n"},
		{"unknown flag", []string{"serve", "--slot", "1"}, exitUsage, "", "troupe: unknown flag: --slot\n"},
		{"flag without a value", []string{"serve", "--slots"}, exitUsage, "", "troupe: flag needs an argument: --slots\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := runToEnd(t, nil, c.args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || stderr != c.stderr {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
}

// An address that is taken is no fault of the configuration.
func TestAddressInUse(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	address := taken.Addr().String()
	cases := []struct {
		name string
		args []string
	}{
		{"server", []string{"--listen", address}},
		{"admin", []string{"--listen", "127.0.0.1:0", "--admin", address}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			status, _, stderr := runToEnd(t, nil, append([]string{"serve", "--log-format", "json"}, c.args...)...)
			last := stderr[strings.LastIndex(strings.TrimSuffix(stderr, "\n"), "\n")+1:]
			if status != exitFailure || !strings.HasPrefix(last, "{") || !strings.Contains(last, "address already in use") {
				t.Errorf("status %d, stderr %q", status, stderr)
			}
			if strings.Contains(stderr, `"listening"`) {
				t.Errorf("it served all the same: %q", stderr)
			}
		})
	}
}

// The process itself ends with status 0 on both signals.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			command := exec.CommandContext(ctx, os.Args[0], "serve", "--listen", "127.0.0.1:0")
			command.Env = []string{asCommand + "=1"}
			log := newRecord()
			command.Stderr = log
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			log.line(t, "msg=listening")
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); err != nil {
				t.Error(err)
			}
			log.line(t, "msg=stopped")
		})
	}
}
