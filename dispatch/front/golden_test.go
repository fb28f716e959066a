package front

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe/streams/socket"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Whole exchanges, byte for byte. A file cites its requirements, and has a
// request and a response section. A line there is a line of the wire, ended by
// CRLF; a line ended by a backslash has no line end on the wire, and other
// backslashes begin an escape of Go. Behind the response stands whether the
// connection is open afterwards, which a further request finds out. A request
// whose file says "unfinished" is followed by nothing but time.
func TestGoldens(t *testing.T) {
	t.Parallel()
	h := start(t, onSocket, small)
	files, err := filepath.Glob(filepath.Join("testdata", "wire", "*.txtar"))
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden := readArchive(string(text))
			if !regexp.MustCompile(`\b(T-\d\d|decision \d+)\b`).MatchString(golden.comment) {
				t.Errorf("no requirement in %q", golden.comment)
			}
			request := fromLines(t, golden.request)
			var response []byte
			open := false
			if strings.Contains(golden.comment, "unfinished") {
				// Its own server: its time runs ahead.
				response = start(t, onSocket, small).await(t, request)
			} else {
				response = exchange(t, dial(t, h.address), request+marker)
				if rest, found := bytes.CutSuffix(response, []byte(answerToMarker)); found {
					response, open = rest, true
				}
			}
			h.replies(t, response, strings.SplitN(request, " ", 2)[0])
			got := archive{golden.comment, golden.request, toLines(string(response)), "closed\n"}
			if open {
				got.connection = "open\n"
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != golden {
				t.Errorf("got\n%swant\n%s", got, golden)
			}
		})
	}
}

const answerToMarker = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nDate: Fri, 09 Oct 2026 12:00:00 GMT\r\n" +
	"Cache-Control: no-store\r\nConnection: close\r\n\r\n"

// await sends an unfinished request and lets time run until the server closes
// (T-38).
func (h *host) await(t *testing.T, request string) []byte {
	conn := dial(t, h.address)
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	stop, swept := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(swept)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		// Real time first: what has been sent has to be seen before it can be
		// overdue.
		for begin := time.Now(); ; {
			select {
			case <-stop:
				return
			case now := <-tick.C:
				if now.Sub(begin) > 100*time.Millisecond {
					now = now.Add(time.Hour)
				}
				h.listener.Sweep(now)
			}
		}
	}()
	response, err := io.ReadAll(conn)
	close(stop)
	<-swept
	if err != nil {
		t.Fatal(err)
	}
	return response
}

type archive struct{ comment, request, response, connection string }

func (a archive) String() string {
	return a.comment + "-- request --\n" + a.request + "-- response --\n" + a.response + "-- connection --\n" + a.connection
}

func readArchive(text string) (a archive) {
	a.comment, text, _ = strings.Cut(text, "-- request --\n")
	a.request, text, _ = strings.Cut(text, "-- response --\n")
	a.response, a.connection, _ = strings.Cut(text, "-- connection --\n")
	return a
}

func fromLines(t *testing.T, section string) string {
	var b strings.Builder
	for line := range strings.Lines(section) {
		line = strings.TrimSuffix(line, "\n")
		line, whole := strings.CutSuffix(line, `\`)
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		b.WriteString(text)
		if !whole {
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

func toLines(wire string) string {
	var b strings.Builder
	for len(wire) > 0 {
		line, rest, ended := strings.Cut(wire, "\r\n")
		quoted := strconv.QuoteToASCII(line)
		b.WriteString(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`))
		if !ended {
			b.WriteString(`\`)
		}
		b.WriteString("\n")
		wire = rest
	}
	return b.String()
}

// T-34: a connection beyond the cap.
func TestConnectionCap(t *testing.T) {
	t.Parallel()
	h := &host{scribe: &scribe{}, mount: onSocket}
	h.front = New(Config{Handler: h.scribe, Date: fixedDate})
	h.listen(t, onSocket, socket.Limits{Connections: 2})
	var held []net.Conn
	for range 2 {
		conn := dial(t, h.address)
		if _, err := io.WriteString(conn, "POST /notification HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 4096)); err != nil { // it is served, not only queued
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	response := exchange(t, dial(t, h.address), "")
	all := h.replies(t, response)
	if len(all) != 1 || all[0].status != http.StatusServiceUnavailable || string(response) != string(EarlyResponse(503, theDate)) {
		t.Errorf("answer %q", response)
	}
	if got := len(h.served); got != len(held) {
		t.Errorf("%d clients served", got)
	}
}

// The normal path and the ready-made responses are the same bytes.
func TestOneForm(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 417, 421, 429, 431, 500, 503, 504} {
		for _, body := range []string{"", `{"jsonrpc":"2.0"}`} {
			for _, closes := range []bool{false, true} {
				if status == http.StatusNoContent && body != "" {
					continue // never has one
				}
				name := fmt.Sprintf("status=%d/body=%d/close=%v", status, len(body), closes)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					front := New(Config{Date: fixedDate, Handler: handlerFunc(func(x *Exchange) {
						if body == "" {
							x.Bodyless(status, "")
						} else {
							x.Reply(status, []byte(body))
						}
						if closes {
							x.CloseAfter()
						}
					})})
					got := serveOnce(t, front, "POST / HTTP/1.1\r\nHost: h\r\n\r\n")
					want := AppendResponse([]byte("kept"), status, []byte(body), theDate, closes)
					if "kept"+got != string(want) {
						t.Errorf("front: %q\nAppendResponse: %q", got, want)
					}
					if body == "" && closes && got != string(EarlyResponse(status, theDate)) {
						t.Errorf("EarlyResponse differs from %q", got)
					}
				})
			}
		}
	}
}

type handlerFunc func(*Exchange)

func (f handlerFunc) Serve(x *Exchange) { f(x) }
