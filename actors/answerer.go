package actors

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
)

// answererCount is how many goroutines write early answers. One write does not
// block, so a few are enough; more than one, so that a slow one is not alone.
const answererCount = 4

// answerers write early answers off the wheel and the watch, and the log of
// actors that crashed. The requests wait in a list through themselves: it is
// bounded by how many are live, pushing never blocks, and a request is not
// recycled while it is in it.
type answerers struct {
	logger  *slog.Logger
	work    chan struct{} // wakes one; closed when no more come
	crashes chan crash    // to be logged; what does not fit is dropped
	left    atomic.Int64  // goroutines that have not ended

	mu         sync.Mutex // guards the list
	head, tail *request
	waiting    int
	busy       int
	ended      bool
}

// crash is a Receive that panicked, which is a fault of this program.
type crash struct {
	actor  string // the PID's name
	reason any
	stack  []byte
}

func (a *answerers) start(logger *slog.Logger) {
	a.logger, a.crashes = logger, make(chan crash, 16)
	a.work = make(chan struct{}, answererCount)
	a.left.Store(answererCount)
	for range answererCount {
		go a.serve()
	}
}

// push has v answered for r, and reports whether it will be.
func (a *answerers) push(r *request, v Verdict) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return false
	}
	r.early, r.nextEarly = v, nil
	if a.tail == nil {
		a.head = r
	} else {
		a.tail.nextEarly = r
	}
	a.tail = r
	a.waiting++
	select {
	case a.work <- struct{}{}:
	default: // enough are awake to find it
	}
	return true
}

// pop takes the first request out of the list.
func (a *answerers) pop() (*request, Verdict) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.head
	if r == nil {
		return nil, Verdict{}
	}
	a.head, r.nextEarly = r.nextEarly, nil
	if a.head == nil {
		a.tail = nil
	}
	a.waiting--
	a.busy++
	return r, r.early
}

// empty answers whoever is in the list.
func (a *answerers) empty() {
	for {
		r, v := a.pop()
		if r == nil {
			return
		}
		a.answer(r, v)
	}
}

// serve answers until no more come. It looks before it waits: the one that it
// replaces may have died with the list not empty.
func (a *answerers) serve() {
	whole := false
	defer func() {
		if !whole { // an Early called runtime.Goexit
			go a.serve()
			return
		}
		a.left.Add(-1)
	}()
	for open := true; open; {
		a.empty()
		select {
		case _, open = <-a.work:
		case c := <-a.crashes:
			a.log(c)
		}
	}
	a.empty() // what came before close
	whole = true
}

// answer calls Early.
func (a *answerers) answer(r *request, v Verdict) {
	work, gen := r.work, r.word.Load()>>genShift
	defer func() {
		a.mu.Lock()
		a.busy--
		a.mu.Unlock()
		r.post(msgAnswered, gen, 0)
	}()
	early(work, v)
}

// close lets the answerers go when the list is empty.
func (a *answerers) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ended {
		a.ended = true
		close(a.work)
	}
}

// counts returns how many early answers wait or are being written.
func (a *answerers) counts() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.waiting + a.busy
}

// report has a crash logged. It does not block.
func (a *answerers) report(c crash) {
	select {
	case a.crashes <- c:
	default:
	}
}

// log logs a crash. The logger is the application's: what it does is contained.
func (a *answerers) log(c crash) {
	defer func() { _ = recover() }()
	a.logger.Error("actors: an actor panicked and was restarted",
		"actor", c.actor, "reason", fmt.Sprint(c.reason), "stack", string(c.stack))
}
