package front

import (
	"fmt"
	"strings"
	"testing"
)

// T-35 to T-37, decision 8: the defaults, at them and one beyond, each by
// itself and the largest legal head of all.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	head := func(target, section, lines, body int) string {
		framing := "Host: h\r\n" + jsonFields + fmt.Sprintf("Content-Length: %d\r\n", body)
		lines -= strings.Count(framing, "\n")
		section -= len(framing)
		var b strings.Builder
		b.WriteString("POST /" + strings.Repeat("a", target-1) + " HTTP/1.1\r\n" + framing)
		for ; lines > 1; lines-- {
			b.WriteString("X: y\r\n")
			section -= len("X: y\r\n")
		}
		b.WriteString(longField(section) + "\r\n")
		b.WriteString(strings.Repeat(" ", body))
		return b.String()
	}
	for _, m := range []mount{onSocket, onPlain} {
		h := start(t, m, Limits{})
		for _, test := range []struct {
			name                         string
			target, section, lines, body int
			want                         int
		}{
			{"all at their limits", DefaultTarget, DefaultHeaderBytes, DefaultHeaders, DefaultBody, 404},
			{"target", DefaultTarget + 1, 1000, 10, 0, 414},
			{"section", 10, DefaultHeaderBytes + 1, 10, 0, 431},
			{"lines", 10, 2000, DefaultHeaders + 1, 0, 431},
			{"body", 10, 1000, 10, DefaultBody + 1, 413},
		} {
			t.Run(m.String()+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				all := h.replies(t, exchange(t, dial(t, h.address), head(test.target, test.section, test.lines, test.body)+marker))
				if len(all) == 0 || all[0].status != test.want || (len(all) == 2) != (test.want == 404) {
					t.Errorf("answers %+v", all)
				}
			})
		}
	}
}

// What the server leaves to the listener and to us, it must not do itself.
func TestServerConfiguration(t *testing.T) {
	t.Parallel()
	front := New(Config{})
	s := front.Server()
	if s != front.Server() {
		t.Error("another server each time")
	}
	if s.ReadTimeout != 0 || s.WriteTimeout != 0 || s.IdleTimeout != 0 || s.StreamRequestBody || s.MaxConnsPerIP != 0 ||
		s.Concurrency < 1<<20 || !s.NoDefaultDate || s.LazyRequestTime || !s.SecureErrorLogMessage || !s.KeepHijackedConns ||
		s.ErrorHandler == nil || s.ExpectHandler == nil || s.Logger == nil || s.MaxRequestBodySize != DefaultBody ||
		s.ReadBufferSize < DefaultTarget+DefaultHeaderBytes {
		t.Errorf("%+v", s)
	}
}
