package front

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"
)

// tape is a connection that plays what was sent and records what is answered.
type tape struct {
	in     io.Reader
	out    bytes.Buffer
	closed bool
}

func (c *tape) Read(b []byte) (int, error)       { return c.in.Read(b) }
func (c *tape) Write(b []byte) (int, error)      { return c.out.Write(b) }
func (c *tape) Close() error                     { c.closed = true; return nil }
func (c *tape) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *tape) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *tape) SetDeadline(time.Time) error      { return nil }
func (c *tape) SetReadDeadline(time.Time) error  { return nil }
func (c *tape) SetWriteDeadline(time.Time) error { return nil }

// serveOnce serves what is in request on a connection of its own, on this
// goroutine, and returns what was answered.
func serveOnce(t *testing.T, f *Front, request string) string {
	t.Helper()
	conn := &tape{in: bytes.NewReader([]byte(request))}
	if err := f.Server().ServeConn(conn); err != nil {
		t.Fatal(err)
	}
	return conn.out.String()
}
