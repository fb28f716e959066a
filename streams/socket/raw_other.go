//go:build !unix

package socket

import (
	"errors"
	"net"
	"syscall"
)

// Without Unix system calls every connection is treated like an in-memory
// one: no disconnect watch, and early answers are written with a short deadline.

func rawConn(net.Conn) syscall.RawConn { return nil }

func rawWrite(syscall.RawConn, []byte) (int, error) { return 0, errUnsupported }

func rawDrain(syscall.RawConn, []byte, int) (int, bool) { return 0, true }

func rawGone(syscall.RawConn) bool { return false }

// temporary reports whether accepting may work again without our doing.
func temporary(err error) bool {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Temporary()
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
