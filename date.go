package troupe

import (
	"sync/atomic"
	"time"
)

// A date is the value of the Date header, refreshed by the timing wheel so
// that no request formats a time (decision 76).
type date struct{ value atomic.Pointer[[]byte] }

// dateEvery is how often the date is looked at; its resolution is a second.
const dateEvery = 500 * time.Millisecond

const httpTime = "Mon, 02 Jan 2006 15:04:05 GMT"

func newDate(now time.Time) *date {
	d := new(date)
	d.refresh(now)
	return d
}

func (d *date) refresh(now time.Time) {
	value := now.UTC().AppendFormat(nil, httpTime)
	d.value.Store(&value)
}

// bytes returns the date; it must not be changed.
func (d *date) bytes() []byte { return *d.value.Load() }
