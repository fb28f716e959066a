package actors

import (
	"sync"
	"sync/atomic"
	"time"
)

// Expirer is told, on the wheel's goroutine, that its node has expired. It must
// not block.
type Expirer interface{ Expire(gen uint64) }

// Node is one deadline, embedded in what it belongs to. Set Target once;
// the rest is the wheel's.
type Node struct {
	Target Expirer

	prev, next *Node // in a bucket, guarded by the wheel's mutex
	at         int64 // tick
	gen        uint64
	armed      bool
}

// buckets is the size of the wheel: with a tick of 10 ms one turn takes 41 s,
// so that the usual deadline of 60 s is looked at twice.
const buckets = 1 << 12

// Wheel is a hashed timing wheel: arming and disarming take constant time, and
// allocate nothing. Its time is coarse: it moves by one tick.
//
// What holds: a node expires once for each Arm, unless Disarm returned true;
// not before its time, and within two ticks of it while the wheel keeps up.
type Wheel struct {
	base time.Time
	step time.Duration
	now  func() time.Time
	tick atomic.Int64 // how many ticks have passed since base

	mu      sync.Mutex // guards the nodes and periodic
	bucket  [buckets]*Node
	armed   int
	done    int64 // all buckets up to this tick are fired
	periods []*period
	due     []expiry  // scratch of advance
	ready   []*period // scratch of advance

	stop chan struct{} // closed to end the goroutine
	gone chan struct{} // closed when it has ended
}

type expiry struct {
	target Expirer
	gen    uint64
}

type period struct {
	every int64 // ticks
	next  int64 // tick
	f     func(now time.Time)
}

func newWheel(step time.Duration, now func() time.Time) *Wheel {
	return &Wheel{base: now(), step: step, now: now, stop: make(chan struct{}), gone: make(chan struct{})}
}

// Now returns the wheel's time, which is at most one tick behind while it
// keeps up, and stands still when it does not run. It costs no system call.
func (w *Wheel) Now() time.Time { return w.base.Add(time.Duration(w.tick.Load()) * w.step) }

// Tick returns the length of a tick.
func (w *Wheel) Tick() time.Duration { return w.step }

// Len returns how many nodes are armed.
func (w *Wheel) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.armed
}

// Arm has n.Target.Expire(gen) called d from now, at the next tick if d is not
// positive, and returns the tick. n must not be armed.
func (w *Wheel) Arm(n *Node, gen uint64, d time.Duration) int64 {
	return w.arm(n, gen, w.after(d))
}

// after returns the tick by which d from now has certainly passed.
func (w *Wheel) after(d time.Duration) int64 {
	ticks := int64(0)
	if d > 0 {
		ticks = int64((d-1)/w.step) + 1
	}
	return w.tick.Load() + ticks + 1 // the present tick is partly over
}

// arm arms n for the tick at, or for the next one if that has passed.
func (w *Wheel) arm(n *Node, gen uint64, at int64) int64 {
	w.mu.Lock()
	at = max(at, w.done+1)
	n.at, n.gen, n.armed = at, gen, true
	b := &w.bucket[at&(buckets-1)]
	n.prev, n.next = nil, *b
	if *b != nil {
		(*b).prev = n
	}
	*b = n
	w.armed++
	w.mu.Unlock()
	return at
}

// Disarm takes n out of the wheel, and reports whether it was in it. If not,
// Expire was called, or is about to be.
func (w *Wheel) Disarm(n *Node) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !n.armed {
		return false
	}
	w.unlink(n)
	return true
}

// unlink takes n out of its bucket. w.mu is held.
func (w *Wheel) unlink(n *Node) {
	if n.prev == nil {
		w.bucket[n.at&(buckets-1)] = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next != nil {
		n.next.prev = n.prev
	}
	n.prev, n.next, n.armed = nil, nil, false
	w.armed--
}

// OnTick has f called about every so often, on the wheel's goroutine, until
// the wheel ends; it must not block. A panic in f is contained. The period is
// at least one tick.
func (w *Wheel) OnTick(every time.Duration, f func(now time.Time)) {
	p := &period{every: max(1, int64((every+w.step/2)/w.step)), f: f}
	w.mu.Lock()
	p.next = w.tick.Load() + p.every
	w.periods = append(w.periods, p)
	w.mu.Unlock()
}

// advance moves the wheel to the time now, fires what has expired, in the
// order of ticks unless it slept for a whole turn, and calls the periodic
// functions that are due. Not for two goroutines at a time.
func (w *Wheel) advance(now time.Time) {
	target := int64(now.Sub(w.base) / w.step)
	if target <= w.tick.Load() {
		return
	}
	w.tick.Store(target)
	w.mu.Lock()
	first := w.done + 1
	if target-first >= buckets { // it slept for more than a turn: once around is enough
		first = target - buckets + 1
	}
	for t := first; t <= target; t++ {
		w.done = t
		for n := w.bucket[t&(buckets-1)]; n != nil; {
			next := n.next
			if n.at <= target {
				w.unlink(n)
				w.due = append(w.due, expiry{n.Target, n.gen})
			}
			n = next
		}
		if len(w.due) > 0 {
			w.fire()
		}
	}
	ready := w.ready[:0]
	for _, p := range w.periods {
		if p.next <= target {
			p.next = target + p.every
			ready = append(ready, p)
		}
	}
	w.ready = ready
	w.mu.Unlock()
	for _, p := range ready {
		p.call(w.Now())
	}
}

// fire calls Expire for all that is due. w.mu is held, and released meanwhile.
func (w *Wheel) fire() {
	due := w.due
	w.mu.Unlock()
	for _, e := range due {
		e.target.Expire(e.gen)
	}
	clear(due)
	w.mu.Lock()
	if cap(due) > buckets {
		due = nil // do not keep the memory of a burst
	}
	w.due = due[:0]
}

// call calls f and contains its panic.
func (p *period) call(now time.Time) {
	defer func() { _ = recover() }()
	p.f(now)
}

// run moves the wheel until it is stopped.
func (w *Wheel) run() {
	defer close(w.gone)
	ticker := time.NewTicker(w.step)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			w.advance(w.now())
		}
	}
}
