package actors

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestContextEnds(t *testing.T) {
	t.Parallel()
	rows := []struct {
		o     Outcome
		err   error
		cause error
	}{
		{Result, context.Canceled, ErrFinished},
		{Internal, context.Canceled, ErrFinished},
		{Deadline, context.DeadlineExceeded, ErrDeadline},
		{Disconnected, context.Canceled, ErrDisconnected},
		{Canceled, context.Canceled, ErrCanceled},
		{ShuttingDown, context.Canceled, ErrShuttingDown},
	}
	for _, r := range rows {
		t.Run(r.o.String(), func(t *testing.T) {
			t.Parallel()
			early, late := new(Context), new(Context)
			done := early.Done()
			if early.Err() != nil || early.Cause() != nil || done != early.Done() {
				t.Error("it has ended")
			}
			for _, c := range []*Context{early, late} {
				c.end(r.o)
				c.end(Busy) // the first one stays
				get(t, c.Done())
				if !errors.Is(c.Err(), r.err) || !errors.Is(c.Cause(), r.cause) {
					t.Errorf("%v, %v", c.Err(), c.Cause())
				}
			}
			get(t, done)
			if early.Value("x") != nil {
				t.Error("it has a value")
			}
			if _, ok := early.Deadline(); ok {
				t.Error("it has a deadline")
			}
		})
	}
}

// Children of the context end with it, start no goroutine, and leave nothing
// behind when they end first.
func TestContextChildren(t *testing.T) {
	t.Parallel()
	c := new(Context)
	var kids []context.Context
	var cancels []context.CancelFunc
	for range 100 {
		kid, cancel := context.WithCancel(c)
		kids, cancels = append(kids, kid), append(cancels, cancel)
		grand, cancel := context.WithTimeout(kid, time.Hour)
		kids, cancels = append(kids, grand), append(cancels, cancel)
	}
	buf := make([]byte, 1<<20)
	if n := strings.Count(string(buf[:runtime.Stack(buf, true)]), "created by context.(*cancelCtx).propagateCancel"); n != 0 {
		t.Errorf("%d goroutines watch", n)
	}
	for _, i := range []int{0, 50, 198} { // the ends of the list, and the middle
		cancels[i]()
	}
	n := 0
	for a := c.after; a != nil; a = a.next {
		n++
	}
	if n != 97 {
		t.Errorf("%d functions wait, want 97", n)
	}
	c.end(Deadline)
	for i, kid := range kids {
		get(t, kid.Done())
		if i > 1 && i != 50 && i != 51 && i < 198 && !errors.Is(kid.Err(), context.DeadlineExceeded) {
			t.Errorf("%d: %v", i, kid.Err())
		}
	}
	for _, cancel := range cancels {
		cancel()
	}
	late, cancel := context.WithCancel(c)
	defer cancel()
	get(t, late.Done())
}

func TestContextAfterFunc(t *testing.T) {
	t.Parallel()
	c := new(Context)
	var called atomic.Int32
	stop := c.AfterFunc(func() { called.Add(1) })
	keep := c.AfterFunc(func() { called.Add(10) })
	c.AfterFunc(func() { panic("contained") })
	if !stop() || stop() {
		t.Error("stop")
	}
	c.end(Canceled)
	if called.Load() != 10 || keep() {
		t.Errorf("called %d", called.Load())
	}
	late := make(chan struct{})
	var mu sync.Mutex
	mu.Lock()
	stop = c.AfterFunc(func() { mu.Lock(); defer mu.Unlock(); close(late) }) // the caller may hold what f needs
	mu.Unlock()
	get(t, late)
	if stop() {
		t.Error("stopped what was called")
	}
	user := make(chan struct{})
	context.AfterFunc(c, func() { close(user) })
	get(t, user)
}

// Ends, children and functions at the same time.
func TestContextRace(t *testing.T) {
	t.Parallel()
	for range 200 {
		c := new(Context)
		var all sync.WaitGroup
		var started, ran, stopped atomic.Int32
		for range 4 {
			all.Go(func() {
				for range 10 {
					started.Add(1)
					stop := c.AfterFunc(func() { ran.Add(1) })
					kid, cancel := context.WithCancel(c)
					_ = kid.Err()
					if stop() {
						stopped.Add(1)
					}
					cancel()
				}
			})
		}
		all.Go(func() { c.end(Disconnected) })
		all.Wait()
		waitUntil(t, func() bool { return ran.Load()+stopped.Load() == started.Load() })
	}
}
