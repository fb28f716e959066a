package actors

import (
	"sync"
	"time"
)

// place is where a request stands with the scheduler.
type place uint8

const (
	nowhere  place = iota
	waiting        // in the queue
	promoted       // left the queue for a slot, which has not come back
)

// standing is the answer to an offer.
type standing uint8

const (
	leased standing = iota // a slot is leased
	inLine                 // it waits in the queue
	full                   // neither slot nor room
	closed                 // neither slot, and the queue takes nothing any more
)

// scheduler leases the slots and keeps the bounded FIFO queue before them
// (EX-01, EX-02). It never blocks and posts nothing: what it decides, its
// caller posts.
//
// What holds: while a request waits, no slot is idle.
type scheduler struct {
	mu         sync.Mutex
	idle       []int32 // the last one back is leased first
	leases     []lease // by slot
	head, tail *request
	queued     int
	bound      int
	draining   bool // nothing is queued any more
	stopped    bool // nothing is leased any more
}

// lease is who holds a slot.
type lease struct {
	r     *request // nil: idle
	gen   uint64
	since int64 // tick
	line  bool  // it came through the queue
}

func (q *scheduler) init(slots, bound int) {
	q.bound = bound
	q.leases = make([]lease, slots)
	q.idle = make([]int32, 0, slots)
	for i := slots - 1; i >= 0; i-- {
		q.idle = append(q.idle, int32(i))
	}
}

// lease leases an idle slot, or returns noSlot.
func (q *scheduler) lease(r *request, gen uint64, now int64) int32 {
	q.mu.Lock()
	slot := noSlot
	if !q.stopped {
		slot = q.grab(r, gen, now)
	}
	q.mu.Unlock()
	return slot
}

// grab takes an idle slot. q.mu is held.
func (q *scheduler) grab(r *request, gen uint64, now int64) int32 {
	n := len(q.idle)
	if n == 0 {
		return noSlot
	}
	slot := q.idle[n-1]
	q.idle = q.idle[:n-1]
	q.leases[slot] = lease{r: r, gen: gen, since: now}
	return slot
}

// offer leases an idle slot or queues r. now is a tick.
func (q *scheduler) offer(r *request, gen uint64, now int64) (int32, standing) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return noSlot, closed
	}
	if slot := q.grab(r, gen, now); slot != noSlot {
		return slot, leased
	}
	if q.draining {
		return noSlot, closed
	}
	if q.queued == q.bound {
		return noSlot, full
	}
	r.queuedGen, r.place = gen, waiting
	r.prev, r.next = q.tail, nil
	if q.tail == nil {
		q.head = r
	} else {
		q.tail.next = r
	}
	q.tail = r
	q.queued++
	return noSlot, inLine
}

// remove takes r out of the queue, and reports whether it is certain that no
// slot comes to it.
func (q *scheduler) remove(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.place == waiting {
		q.unlink(r)
	}
	return r.place == nowhere
}

// unlink takes r, which waits, out of the queue. q.mu is held.
func (q *scheduler) unlink(r *request) {
	if r.prev == nil {
		q.head = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		q.tail = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.prev, r.next, r.place = nil, nil, nowhere
	q.queued--
}

// release takes a slot back and leases it to the head of the queue, if there
// is one: that request is returned and must get msgStarted.
func (q *scheduler) release(slot int32, now int64) (*request, uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if l := &q.leases[slot]; l.line {
		l.r.place = nowhere
	}
	if r := q.head; r != nil && !q.stopped {
		q.unlink(r)
		r.place = promoted
		q.leases[slot] = lease{r: r, gen: r.queuedGen, since: now, line: true}
		return r, r.queuedGen
	}
	q.leases[slot] = lease{}
	q.idle = append(q.idle, slot)
	return nil, 0
}

// drain stops queueing and returns who is in the queue; they stay there until
// their outcome is reserved.
func (q *scheduler) drain() []lease {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.draining = true
	line := make([]lease, 0, q.queued)
	for r := q.head; r != nil; r = r.next {
		line = append(line, lease{r: r, gen: r.queuedGen})
	}
	return line
}

// stop stops leasing.
func (q *scheduler) stop() {
	q.mu.Lock()
	q.draining, q.stopped = true, true
	q.mu.Unlock()
}

// counts returns how many requests wait and how many slots are leased.
func (q *scheduler) counts() (queued, leased int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued, len(q.leases) - len(q.idle)
}

// stragglers names who holds a slot.
func (q *scheduler) stragglers(now int64, tick time.Duration) []Straggler {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []Straggler
	for i, l := range q.leases {
		if l.r != nil {
			all = append(all, Straggler{Slot: i, Work: l.r.work, Age: time.Duration(now-l.since) * tick})
		}
	}
	return all
}
