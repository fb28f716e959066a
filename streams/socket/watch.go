package socket

import "syscall"

// A watch tells the listener when peers go away.
type watch interface {
	// add starts watching. It reports false when it cannot; then Sweep looks.
	add(raw syscall.RawConn, index, generation uint32) bool
	// close ends the watch and joins its goroutine. It may be called twice.
	close()
}

// peekWatch is the portable watch: it watches nothing, so that Sweep looks at
// requests older than 250 ms with MSG_PEEK. A FIN behind unread bytes (pipelined
// requests) is seen only once these have been read.
type peekWatch struct{}

func (peekWatch) add(syscall.RawConn, uint32, uint32) bool { return false }
func (peekWatch) close()                                   {}
