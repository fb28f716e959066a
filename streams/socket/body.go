package socket

import "sync"

// segments holds the bytes of one request, in pieces of segmentSize, from the
// time the reader's buffer was full until they have been given out. A request
// is read into segments to its end within one Read, so whatever is held
// between two Reads is complete.
type segments struct {
	pool *segmentPool
	list [][]byte
	at   int // bytes given out of the first
	fill int // bytes filled in the last
	size int // bytes held and not given out
}

func (s *segments) filled() bool { return s.size > 0 }

// tail returns the free part of the last segment.
func (s *segments) tail() []byte {
	if len(s.list) == 0 {
		return nil
	}
	return s.list[len(s.list)-1][s.fill:]
}

// wrote counts n bytes written into tail.
func (s *segments) wrote(n int) {
	s.fill += n
	s.size += n
}

// add appends an empty segment. The last one is full.
func (s *segments) add() {
	s.list = append(s.list, s.pool.get())
	s.fill = 0
}

// read gives bytes out and returns segments that are done with.
func (s *segments) read(p []byte) int {
	n := 0
	for n < len(p) && s.size > 0 {
		first := s.list[0]
		end := len(first)
		if len(s.list) == 1 {
			end = s.fill
		}
		m := copy(p[n:], first[s.at:end])
		n += m
		s.at += m
		s.size -= m
		if s.at == end {
			s.pool.put(first)
			s.list[0] = nil
			s.list, s.at = s.list[1:], 0
		}
	}
	if s.size == 0 {
		s.drop()
	}
	return n
}

// drop returns every segment.
func (s *segments) drop() {
	for _, segment := range s.list {
		s.pool.put(segment)
	}
	*s = segments{pool: s.pool}
}

// segmentPool keeps up to 64 segments (4 MiB) for the next large request.
type segmentPool struct {
	mu   sync.Mutex
	free [][]byte // each of segmentSize; at most 64
}

func (p *segmentPool) get() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		segment := p.free[n-1]
		p.free[n-1] = nil
		p.free = p.free[:n-1]
		return segment
	}
	return make([]byte, segmentSize)
}

func (p *segmentPool) put(segment []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < 64 {
		p.free = append(p.free, segment)
	}
}

// grow charges one segment to the budget and adds it. It reports false when the
// budget is spent.
func (c *Conn) grow() bool {
	if c.l.budget.Add(segmentSize) > c.l.limits.BodyBudget {
		c.l.budget.Add(-segmentSize)
		return false
	}
	c.charged.Add(segmentSize)
	if c.closed.Load() {
		c.uncharge() // Close came between: nobody else would
	}
	c.held.add()
	return true
}

// uncharge returns what the current request took from the budget.
func (c *Conn) uncharge() {
	if c.charged.Load() == 0 {
		return
	}
	c.l.budget.Add(-c.charged.Swap(0))
}

// spill moves the bytes of an unfinished request from the reader's full buffer
// into segments. It reports false when the budget is spent.
func (c *Conn) spill(p []byte) bool {
	for len(p) > 0 {
		room := c.held.tail()
		if len(room) == 0 {
			if !c.grow() {
				return false
			}
			continue
		}
		n := copy(room, p)
		c.held.wrote(n)
		p = p[n:]
	}
	return true
}
