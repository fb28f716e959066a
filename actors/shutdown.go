package actors

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Straggler is a handler that has not returned.
type Straggler struct {
	Slot int
	Work Work
	Age  time.Duration // since it got the slot
}

// Residue is what still runs after Shutdown. The zero Residue means nothing.
type Residue struct {
	Handlers []Straggler // handlers that never returned; their goroutines remain (decision 65)
	Requests int         // requests whose connection's side has not called Release
	Early    int         // calls of Work.Early that have not returned
}

// Clean reports whether no goroutine of the system, or of a handler, remains.
func (r Residue) Clean() bool { return len(r.Handlers) == 0 && r.Early == 0 }

// String names what remains; a Work that is a fmt.Stringer by its name.
func (r Residue) String() string {
	if r.Clean() && r.Requests == 0 {
		return "nothing"
	}
	var parts []string
	for _, h := range r.Handlers {
		name := "handler"
		if n, ok := h.Work.(fmt.Stringer); ok {
			name = n.String()
		}
		parts = append(parts, fmt.Sprintf("%s (slot %d, %v)", name, h.Slot, h.Age.Round(time.Millisecond)))
	}
	if r.Early > 0 {
		parts = append(parts, fmt.Sprintf("%d early answers", r.Early))
	}
	if r.Requests > 0 {
		parts = append(parts, fmt.Sprintf("%d requests not released", r.Requests))
	}
	return strings.Join(parts, ", ")
}

// Drain stops queueing: what waits is reserved ShuttingDown, and so is what
// would have to wait. What finds an idle slot still runs. It does not block,
// and may be called again.
func (s *System) Drain() {
	for _, l := range s.scheduler.drain() {
		l.r.post(msgDrain, l.gen, 0)
	}
}

// Shutdown ends the system, as far as design section 5 is its part: Drain;
// wait up to grace for what runs; end what has no outcome with ShuttingDown,
// which cancels its context; wait up to forced for handlers to return; then
// join workers, answerers and wheel, stop every actor and protoactor's system.
// When ctx ends, it stops waiting and goes on.
//
// Requests that their connections have not released yet do not hold it up:
// their tickets stay good, and their actors end with Release. The same for
// actors of [System.Spawn], which are their owner's to stop.
//
// It is idempotent, and may be called on a system that was not started; a
// second call waits for the first one, or for its ctx, and returns the same.
func (s *System) Shutdown(ctx context.Context, grace, forced time.Duration) Residue {
	s.life.Lock()
	first := !s.ending
	s.ending = true
	started := s.started
	s.life.Unlock()
	if !first {
		select {
		case <-s.ended:
			return s.residue
		case <-ctx.Done():
			return s.remains()
		}
	}
	defer close(s.ended)
	if !started {
		return s.residue
	}

	s.Drain()
	s.wait(ctx, grace, func() bool { return s.leases() == 0 && s.pool.unsettled(nil) == 0 })

	s.pool.shut()
	s.scheduler.stop()
	end := func(r *request, gen uint64) { r.post(msgStop, gen, 0) }
	settled := func() bool { return s.pool.unsettled(end) == 0 }
	s.wait(ctx, forced, func() bool { return settled() && s.leases() == 0 && s.answerers.counts() == 0 })

	for _, l := range s.slots {
		l.ref.Post(Message{Kind: msgRetire})
	}
	s.answerers.close()
	close(s.wheel.stop)
	<-s.wheel.gone
	s.wait(context.WithoutCancel(ctx), joining, func() bool {
		return s.workers.Load() <= s.zombies.Load() && s.answerers.left.Load() <= int64(s.answerers.counts())
	})
	s.pool.stop()
	s.root.Shutdown()
	s.residue = s.remains()
	return s.residue
}

// joining is how long Shutdown waits for goroutines that have nothing left to
// do but to end.
const joining = time.Second

// remains returns what still runs.
func (s *System) remains() Residue {
	_, live := s.pool.counts()
	return Residue{
		Handlers: s.scheduler.stragglers(s.wheel.tick.Load(), s.wheel.step),
		Requests: live,
		Early:    s.answerers.counts(),
	}
}

// leases returns how many slots are leased.
func (s *System) leases() int {
	_, leased := s.scheduler.counts()
	return leased
}

// wait waits until over returns true, d has passed, or ctx has ended. Nobody
// tells when that is, which costs requests nothing: it looks.
func (s *System) wait(ctx context.Context, d time.Duration, over func() bool) {
	if over() || d <= 0 {
		return
	}
	limit := time.NewTimer(d)
	defer limit.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if over() {
				return
			}
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
