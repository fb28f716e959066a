package dispatch

import "sync"

// bufferList keeps answers' buffers for the next call. It is bounded in number
// and in the size of what it keeps, and no garbage collection empties it
// (decision 73).
type bufferList struct {
	mu   sync.Mutex // guards free
	free [][]byte
}

const (
	keptBuffers     = 256
	keptBufferBytes = 16 << 10
	newBufferBytes  = 1 << 10
)

func (l *bufferList) get() []byte {
	l.mu.Lock()
	n := len(l.free)
	if n == 0 {
		l.mu.Unlock()
		return make([]byte, 0, newBufferBytes)
	}
	b := l.free[n-1]
	l.free = l.free[:n-1]
	l.mu.Unlock()
	return b[:0]
}

func (l *bufferList) put(b []byte) {
	if cap(b) == 0 || cap(b) > keptBufferBytes {
		return
	}
	l.mu.Lock()
	if len(l.free) < keptBuffers {
		l.free = append(l.free, b)
	}
	l.mu.Unlock()
}
