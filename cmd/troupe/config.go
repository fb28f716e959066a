package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/troupe-mcp/troupe"
)

// settings are the effective values, one field a flag.
type settings struct {
	listen         string
	path           string
	versions       []troupe.ProtocolVersion
	slots          int
	queue          int
	deadline       time.Duration
	fastLane       bool
	maxBody        int
	maxHeaders     int
	maxHeaderBytes int
	maxConnections int
	readTimeout    time.Duration
	writeTimeout   time.Duration
	catalog        string
	admin          string
	logFormat      string
	logLevel       slog.Level
}

// An option is one setting as users see it.
type option struct {
	name      string // of the flag and the YAML key; TROUPE_… in the environment
	kind      string // shown by --help
	byDefault string
	help      string
	set       func(s *settings, text string) error // parses, checks and stores
}

// options are all settings, in the order of --help and --print-config. The
// defaults of limits are the library's. No option may have a name that
// Kubernetes gives to a variable of its own, see serviceVariable.
var options = []option{
	{"listen", "host:port", "127.0.0.1:8080", "address to serve on; port 0 picks a free one", address(func(s *settings) *string { return &s.listen })},
	{"path", "path", "/mcp", "path of the endpoint", endpointPath},
	{"versions", "list", "2026-07-28", "protocol revisions served, separated by commas", versions},
	{"slots", "n", "32", "handlers that run at once", whole(1, 1<<20, func(s *settings) *int { return &s.slots })},
	{"queue", "n", "128", "calls that wait for a slot; the next gets 503", whole(1, 1<<20, func(s *settings) *int { return &s.queue })},
	{"deadline", "duration", "60s", "what a request may take from its last byte on", span(func(s *settings) *time.Duration { return &s.deadline })},
	{"fast-lane", "on|off", "on", "run handlers on their connection's goroutine while a slot is free", onOff(func(s *settings) *bool { return &s.fastLane })},
	{"max-body", "bytes", "4194304", "largest request body; a larger one gets 413", whole(1, 16<<20, func(s *settings) *int { return &s.maxBody })},
	{"max-headers", "n", "100", "header fields of a request; more get 431", whole(1, 10_000, func(s *settings) *int { return &s.maxHeaders })},
	{"max-header-bytes", "bytes", "65536", "size of a request's header fields; more gets 431", whole(256, 1<<20, func(s *settings) *int { return &s.maxHeaderBytes })},
	{"max-connections", "n", "8192", "open connections; the next gets 503", whole(1, 1<<20, func(s *settings) *int { return &s.maxConnections })},
	{"read-timeout", "duration", "60s", "arrival of a request's head, and again of its body", span(func(s *settings) *time.Duration { return &s.readTimeout })},
	{"write-timeout", "duration", "30s", "departure of an answer", span(func(s *settings) *time.Duration { return &s.writeTimeout })},
	{"catalog", "full|bench", "full", "features offered; bench has only what benchmarks call", oneOf([]string{"full", "bench"}, func(s *settings) *string { return &s.catalog })},
	{"admin", "host:port", "", "second listener for /healthz, /readyz and /stats, loopback only; empty means off", adminAddress},
	{"log-format", "text|json", "text", "form of the log on stderr", oneOf([]string{"text", "json"}, func(s *settings) *string { return &s.logFormat })},
	{"log-level", "level", "info", "debug, info, warn or error", logLevel},
}

// contradictions are faults of values that are each fine alone.
func (s *settings) contradictions() error {
	if _, port, _ := net.SplitHostPort(s.listen); s.admin == s.listen && port != "0" {
		return fmt.Errorf("listen and admin are both %s: they need an address each", s.listen)
	}
	return nil
}

func whole(least, greatest int, field func(*settings) *int) func(*settings, string) error {
	return func(s *settings, text string) error {
		n, err := strconv.Atoi(text)
		switch {
		case errors.Is(err, strconv.ErrSyntax):
			return fmt.Errorf("%q is not a whole number", text)
		case err != nil || n < least || n > greatest:
			return fmt.Errorf("%s is not between %d and %d", text, least, greatest)
		}
		*field(s) = n
		return nil
	}
}

// longest is the greatest duration that the library accepts.
const longest = 365 * 24 * time.Hour

func span(field func(*settings) *time.Duration) func(*settings, string) error {
	return func(s *settings, text string) error {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 60s or 1m30s", text)
		}
		if d < time.Millisecond || d > longest {
			return fmt.Errorf("%s is not between 1ms and %s", text, longest)
		}
		*field(s) = d
		return nil
	}
}

func oneOf(words []string, field func(*settings) *string) func(*settings, string) error {
	return func(s *settings, text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is not %s", text, strings.Join(words, " or "))
		}
		*field(s) = text
		return nil
	}
}

func onOff(field func(*settings) *bool) func(*settings, string) error {
	return func(s *settings, text string) error {
		if text != "on" && text != "off" {
			return fmt.Errorf("%q is not on or off", text)
		}
		*field(s) = text == "on"
		return nil
	}
}

func address(field func(*settings) *string) func(*settings, string) error {
	return func(s *settings, text string) error {
		if _, err := loopback(text); err != nil {
			return err
		}
		*field(s) = text
		return nil
	}
}

func adminAddress(s *settings, text string) error {
	if text == "" {
		s.admin = ""
		return nil
	}
	return address(func(s *settings) *string { return &s.admin })(s, text)
}

// loopback splits an address and accepts it only if no other machine can reach
// it: admin has no authentication, and the library serves further addresses
// only behind a Host allowlist, which this release lacks (decision 19).
func loopback(text string) (port uint64, err error) {
	host, digits, err := net.SplitHostPort(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not HOST:PORT", text)
	}
	port, err = strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is not a port between 0 and 65535", digits)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.Unmap().IsLoopback()) {
		return 0, fmt.Errorf("%q is not a loopback address, and this release serves no others", host)
	}
	return port, nil
}

func endpointPath(s *settings, text string) error {
	if !strings.HasPrefix(text, "/") || text == "/" {
		return fmt.Errorf("%q does not start with a slash, or is only that", text)
	}
	s.path = text
	return nil
}

func versions(s *settings, text string) error {
	var list []troupe.ProtocolVersion
	for name := range strings.SplitSeq(text, ",") {
		v, err := troupe.ParseProtocolVersion(strings.TrimSpace(name))
		switch {
		case err != nil:
			return err
		case v != troupe.V20260728:
			return fmt.Errorf("%s is not built yet: this release serves 2026-07-28 only", v)
		case slices.Contains(list, v):
			return fmt.Errorf("%s appears twice", v)
		}
		list = append(list, v)
	}
	s.versions = list
	return nil
}

func logLevel(s *settings, text string) error {
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, text) {
		return fmt.Errorf("%q is not debug, info, warn or error", text)
	}
	return s.logLevel.UnmarshalText([]byte(text))
}
