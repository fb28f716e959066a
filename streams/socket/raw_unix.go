//go:build unix

package socket

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// rawConn returns the descriptor of a kernel socket, or nil. Wrappers are not
// looked through: what they do to the bytes would be bypassed.
func rawConn(c net.Conn) syscall.RawConn {
	switch c := c.(type) {
	case *net.TCPConn:
		if raw, err := c.SyscallConn(); err == nil {
			return raw
		}
	case *net.UnixConn:
		if raw, err := c.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// rawWrite writes p once without blocking. It returns errWouldBlock when
// the send buffer takes nothing, and n < len(p) when it takes a part.
func rawWrite(raw syscall.RawConn, p []byte) (n int, err error) {
	if raw == nil {
		return 0, errUnsupported
	}
	cerr := raw.Control(func(fd uintptr) {
		for {
			n, err = unix.Write(int(fd), p)
			if err != unix.EINTR {
				return
			}
		}
	})
	switch {
	case cerr != nil:
		return 0, cerr
	case err == unix.EAGAIN:
		return 0, errWouldBlock
	case err != nil:
		return 0, err
	}
	return n, nil
}

// rawDrain reads and drops at most limit bytes that have already arrived.
// ended reports that nothing more will come.
func rawDrain(raw syscall.RawConn, scratch []byte, limit int) (n int, ended bool) {
	if raw == nil {
		return 0, true
	}
	err := raw.Control(func(fd uintptr) {
		for n < limit {
			m, err := unix.Read(int(fd), scratch)
			switch {
			case err == unix.EINTR:
				continue
			case err == unix.EAGAIN:
				return
			case err != nil || m <= 0:
				ended = true
				return
			}
			n += m
		}
	})
	return n, ended || err != nil
}

// rawGone reports whether the peer has closed its side or reset the connection,
// as far as that can be seen without reading: bytes that wait hide a FIN behind them.
func rawGone(raw syscall.RawConn) (gone bool) {
	if raw == nil {
		return false
	}
	err := raw.Control(func(fd uintptr) {
		var b [1]byte
		for {
			n, _, err := unix.Recvfrom(int(fd), b[:], unix.MSG_PEEK|unix.MSG_DONTWAIT)
			switch {
			case err == unix.EINTR:
				continue
			case err == unix.EAGAIN:
				return
			}
			gone = err != nil || n == 0
			return
		}
	})
	return err == nil && gone
}

// temporary reports whether accepting may work again without our doing.
func temporary(err error) bool {
	for _, errno := range []error{
		unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM, unix.ECONNABORTED,
		unix.ECONNRESET, unix.EPROTO, unix.EPERM, unix.EINTR, unix.EAGAIN, unix.ETIMEDOUT,
		unix.ENETDOWN, unix.ENETUNREACH, unix.EHOSTDOWN, unix.EHOSTUNREACH,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
