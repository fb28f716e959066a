package troupe

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// How long connections have to carry their last bytes away once no request is
// active, and when some handlers never return, on whose connections nothing
// will happen any more.
const (
	closing      = 5 * time.Second
	closingStuck = 100 * time.Millisecond
)

// Shutdown stops the server: it stops accepting, refuses what is queued, lets
// running handlers finish within the grace, then cancels their contexts and
// waits a little more (decision 65). It returns nil when nothing is left, and
// an error that names what is; ctx may cut the waiting short. Further calls
// wait for the first and return its error.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	before := s.state
	s.state = stateStopping
	listener := s.listener
	s.mu.Unlock()
	if before == stateStopping {
		<-s.done
		return s.ended
	}
	defer close(s.done)
	var faults []error
	note := func(doing string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", doing, err))
		}
	}
	s.pipeline.Stop()
	if listener != nil {
		note("stop accepting", listener.StopAccepting())
		listener.CloseIdle()
	}
	residue := s.system.Shutdown(ctx, s.limits.Grace, s.limits.Forced)
	if !residue.Clean() {
		note("never returned", errors.New(residue.String()))
	}
	if listener != nil {
		listener.CloseIdle()
		patience := closing
		if !residue.Clean() {
			patience = closingStuck
		}
		waiting, cancel := context.WithTimeout(ctx, patience)
		err := s.front.Server().ShutdownWithContext(waiting)
		cancel()
		listener.CloseAll()
		if !errors.Is(err, context.DeadlineExceeded) {
			note("connections", err)
		}
		note("listener", listener.Close())
	}
	s.events.Close()
	if s.events.Observed() && before == stateStarted {
		select {
		case <-s.events.Done():
		case <-time.After(closing):
			note("observer", errors.New("still busy"))
		}
	}
	s.accepting.Wait()
	if len(faults) > 0 {
		s.ended = fmt.Errorf("troupe: shutdown: %w", errors.Join(faults...))
	}
	return s.ended
}
