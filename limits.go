package troupe

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/troupe-mcp/troupe/streams/socket"
)

// bounds are the least and the most that a limit may be, and what it is when
// it is left at zero.
type bounds[T ~int | ~int64] struct {
	name            string
	value           *T
	byDefault       T
	least, greatest T
}

func (b bounds[T]) settle(faults []error) []error {
	if *b.value == 0 {
		*b.value = b.byDefault
	}
	if *b.value < b.least || *b.value > b.greatest {
		return append(faults, fmt.Errorf("Config.Limits.%s: %v is not between %v and %v", b.name, *b.value, b.least, b.greatest))
	}
	return faults
}

const forever = 365 * 24 * time.Hour

// withDefaults returns the limits with every zero replaced.
func (l Limits) withDefaults() (Limits, error) {
	var faults []error
	for _, b := range []bounds[int]{
		{"Slots", &l.Slots, 32, 1, 1 << 16},
		{"Queue", &l.Queue, 128, 1, 1 << 20},
		{"Connections", &l.Connections, 8192, 1, 1 << 20},
		{"ConnectionsPerAddress", &l.ConnectionsPerAddress, 0, 0, 1 << 20},
		{"Body", &l.Body, 4 << 20, 1, 16 << 20},
		{"Headers", &l.Headers, 100, 1, 10_000},
		{"HeaderBytes", &l.HeaderBytes, 64 << 10, 256, 1 << 20},
		{"Target", &l.Target, 8192, 16, 64 << 10},
	} {
		faults = b.settle(faults)
	}
	faults = bounds[int64]{"BodyBudget", &l.BodyBudget, 256 << 20, 1, 1 << 40}.settle(faults)
	for _, b := range []bounds[time.Duration]{
		{"Deadline", &l.Deadline, time.Minute, time.Millisecond, forever},
		{"ReadTimeout", &l.ReadTimeout, time.Minute, time.Millisecond, forever},
		{"IdleTimeout", &l.IdleTimeout, 2 * time.Minute, time.Millisecond, forever},
		{"WriteTimeout", &l.WriteTimeout, 30 * time.Second, time.Millisecond, forever},
		{"Grace", &l.Grace, 15 * time.Second, time.Millisecond, forever},
		{"Forced", &l.Forced, 3 * time.Second, time.Millisecond, forever},
	} {
		faults = b.settle(faults)
	}
	if l.BodyBudget < int64(l.Body) {
		faults = append(faults, fmt.Errorf("Config.Limits.BodyBudget: %d is less than one Body of %d", l.BodyBudget, l.Body))
	}
	return l, errors.Join(faults...)
}

func (l Limits) socket() socket.Limits {
	return socket.Limits{
		Target: l.Target, HeaderBytes: l.HeaderBytes, Headers: l.Headers, Body: l.Body,
		HeaderTimeout: l.ReadTimeout, BodyTimeout: l.ReadTimeout, IdleTimeout: l.IdleTimeout, WriteTimeout: l.WriteTimeout,
		Connections: l.Connections, PerAddress: l.ConnectionsPerAddress, BodyBudget: l.BodyBudget,
	}
}

// checkAddr accepts loopback addresses only: anything else needs a Host
// allowlist in front, which this release does not have (T-03, decision 19).
func checkAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("Config.Addr: %w", err)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65_535 {
		return fmt.Errorf("Config.Addr: %q is not a port", port)
	}
	if host == "" {
		return fmt.Errorf("Config.Addr: %q names no address; write 127.0.0.1:%s", addr, port)
	}
	if host == "localhost" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Unmap().IsLoopback() {
		return fmt.Errorf("Config.Addr: %q is not a loopback address; others need a Host allowlist, which this release lacks", host)
	}
	return nil
}
