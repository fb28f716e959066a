package actors

import "sync"

// pool keeps the request actors that are not lent out. It is a list, not a
// sync.Pool, which forgets actors at every collection and leaves their PIDs
// registered.
type pool struct {
	mu     sync.Mutex
	free   []*request // the last one in is the first one out
	all    []*request
	closed bool // nothing is lent out

	retired [outcomes]uint64 // the tallies of those that have ended
}

// get lends out a request actor, a new one if none is free. nil after close.
func (p *pool) get(s *System) *request {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	if n := len(p.free); n > 0 {
		r := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return r
	}
	p.mu.Unlock()
	r, err := newRequest(s)
	if err != nil {
		return nil
	}
	p.mu.Lock()
	p.all = append(p.all, r)
	p.mu.Unlock()
	return r
}

// put takes a request actor back, or ends it after close.
func (p *pool) put(r *request) {
	p.mu.Lock()
	if p.closed {
		for i, o := range p.all {
			if o == r {
				last := len(p.all) - 1
				p.all[i], p.all[last] = p.all[last], nil
				p.all = p.all[:last]
				for o := range p.retired {
					p.retired[o] += r.tally[o].Load()
				}
				break
			}
		}
		p.mu.Unlock()
		r.ref.Stop()
		return
	}
	p.free = append(p.free, r)
	p.mu.Unlock()
}

// shut stops lending. Those lent out go on.
func (p *pool) shut() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
}

// stop ends the actors that are not lent out; the others end when they come
// back. After shut.
func (p *pool) stop() {
	p.mu.Lock()
	idle := p.free
	p.free = nil
	p.mu.Unlock()
	for _, r := range idle {
		p.put(r)
	}
}

// unsettled calls f, without holding the lock, for each request that is lent
// out and has no outcome, and returns how many there are.
func (p *pool) unsettled(f func(r *request, gen uint64)) int {
	p.mu.Lock()
	all := append([]*request(nil), p.all...)
	p.mu.Unlock()
	n := 0
	for _, r := range all {
		if w := r.word.Load(); w&wordAdmitted != 0 && w&wordSettled == 0 {
			n++
			if f != nil {
				f(r, w>>genShift)
			}
		}
	}
	return n
}

// counts returns how many actors there are, and how many are lent out.
func (p *pool) counts() (all, live int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), len(p.all) - len(p.free)
}

// outcomes returns how often each outcome was reserved.
func (p *pool) outcomes() (sum [outcomes]uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum = p.retired
	for _, r := range p.all {
		for o := range sum {
			sum[o] += r.tally[o].Load()
		}
	}
	return sum
}
