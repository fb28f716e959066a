package socket

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// An epollWatch waits for the end of peers' streams with an epoll descriptor
// of its own, which Go's network poller waits for in turn: no thread is
// pinned. It is edge-triggered on EPOLLRDHUP, so arriving bytes cost nothing;
// a connection is added once and leaves by being closed.
//
// Owner:    its goroutine, started by newWatch, joined by close.
// Sends:    gone(index, generation) for each connection whose peer has closed
// or half-closed; at least once, at most a few times.
type epollWatch struct {
	file *os.File
	raw  syscall.RawConn
	gone func(index, generation uint32)
	done chan struct{} // closed when run has returned
	once sync.Once
}

func newWatch(gone func(index, generation uint32)) (watch, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("socket: epoll: %w", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("socket: epoll: %w", err)
	}
	w := &epollWatch{file: os.NewFile(uintptr(fd), "socket-watch"), gone: gone, done: make(chan struct{})}
	if w.raw, err = w.file.SyscallConn(); err != nil {
		_ = w.file.Close()
		return nil, fmt.Errorf("socket: epoll: %w", err)
	}
	go w.run()
	return w, nil
}

func (w *epollWatch) add(raw syscall.RawConn, index, generation uint32) bool {
	added := false
	_ = w.raw.Control(func(epoll uintptr) {
		_ = raw.Control(func(fd uintptr) {
			event := unix.EpollEvent{
				Events: unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR | unix.EPOLLET,
				Fd:     int32(index),      // both words are ours: the kernel hands
				Pad:    int32(generation), // them back as they are
			}
			added = unix.EpollCtl(int(epoll), unix.EPOLL_CTL_ADD, int(fd), &event) == nil
		})
	})
	return added
}

func (w *epollWatch) run() {
	defer close(w.done)
	var (
		events [128]unix.EpollEvent
		n      int
		err    error
	)
	wait := func(fd uintptr) bool {
		n, err = unix.EpollWait(int(fd), events[:], 0)
		return n > 0 || err != nil && err != unix.EINTR && err != unix.EAGAIN
	}
	for {
		if w.raw.Read(wait) != nil || err != nil && err != unix.EINTR && err != unix.EAGAIN {
			return // closed
		}
		for _, event := range events[:max(n, 0)] {
			w.gone(uint32(event.Fd), uint32(event.Pad))
		}
	}
}

func (w *epollWatch) close() {
	w.once.Do(func() { _ = w.file.Close() })
	<-w.done
}
