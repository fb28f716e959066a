package actors

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// twin is step, said as simply as possible: who is still out, who has the
// time, and what came first.
type twin struct {
	where   string // "framework", "queue", "slot", "over"
	out     []string
	outcome Outcome
	owner   Owner
	late    bool // the deadline has passed by the clock
}

func (w *twin) end(o Outcome) {
	if w.where != "over" {
		w.where, w.outcome = "over", o
	}
}

func (w *twin) back(who string) {
	w.out = slices.DeleteFunc(w.out, func(s string) bool { return s == who })
}

func (w *twin) hear(m Message, early bool) {
	was := w.where
	switch m.Kind {
	case msgBegin:
		switch {
		case was != "framework":
		case w.late:
			w.end(Deadline)
		case m.Arg != noSlot:
			w.where, w.owner, w.out = "slot", Application, append(w.out, "handler")
		default:
			w.where, w.owner, w.out = "queue", Queue, append(w.out, "handler")
		}
	case msgAnswer:
		if was == "framework" {
			w.end(Result)
		}
	case msgStarted:
		switch {
		case was == "over":
			w.back("handler")
		case w.late:
			w.back("handler")
			w.end(Deadline)
		default:
			w.where, w.owner = "slot", Application
		}
	case msgFull:
		w.back("handler")
		w.end(Busy)
	case msgDraining:
		w.back("handler")
		w.end(ShuttingDown)
	case msgDequeued:
		w.back("handler")
	case msgRefused:
		w.back("handler")
		if was == "slot" {
			w.owner = Queue
		}
		w.end(Busy)
	case msgDone:
		w.back("handler")
		w.end([]Outcome{Result, Internal}[m.Arg])
	case msgPolicy:
		if was == "slot" {
			w.owner = Policy
		}
	case msgHandler:
		if was == "slot" {
			w.owner = Application
		}
	case msgDeadline:
		w.end(Deadline)
	case msgGone:
		w.end(Disconnected)
	case msgCancel:
		w.end(Canceled)
	case msgDrain:
		if was == "queue" {
			w.end(ShuttingDown)
		}
	case msgStop:
		w.end(ShuttingDown)
	case msgCrash:
		w.end(Internal)
	case msgRelease:
		w.back("connection")
		w.end(Internal)
	case msgAnswered:
		w.back("early")
	}
	if early {
		w.out = append(w.out, "early")
	}
}

// world plays everybody else around one request: it holds what each of them is
// about to do, and counts what they were told.
type world struct {
	s        state
	twin     twin
	external bool
	todo     []Message // what the others will post, in no order
	gone     uint32    // kinds that were posted
	conn     string    // what the connection's goroutine is doing
	inLine   bool
	slots    int // leased to this request
	count    map[effects]int
	recycled bool
}

// say steps m and does what the effects ask for.
func (w *world) say(t *rapid.T, m Message, now int64) {
	before := w.s
	next, do := step(w.s, m, now)
	w.s = next
	w.twin.late = now >= before.deadline
	w.twin.hear(m, do&doEarly != 0)
	for e := effects(1); e <= doRecycle; e <<= 1 {
		if do&e != 0 {
			w.count[e]++
		}
	}
	if stranger := m.Kind >= msgDeadline && m.Kind <= msgStop || m.Kind == msgCrash; stranger && do&doPublish != 0 {
		busy := w.conn == "framework" || w.conn == "granted"
		if got := do&doEarly != 0; got != busy {
			t.Fatalf("an early answer: %v, while the connection's goroutine: %s", got, w.conn)
		}
	}
	if do&doEarly != 0 {
		if m.Kind == msgAnswer || m.Kind == msgBegin || m.Kind == msgDone || m.Kind == msgRelease {
			t.Fatalf("%d: an early answer for what the connection's goroutine did itself", m.Kind)
		}
		w.todo = append(w.todo, Message{Kind: msgAnswered})
	}
	if do&(doHandBack|doFree|doReturn) != 0 {
		w.slots--
	}
	if do&doReturn != 0 && w.count[doOrphan]+w.count[doLaunch] == 0 {
		t.Fatalf("a slot's actor hears of the return of a lease that it does not know")
	}
	if do&doFree != 0 && w.count[doOrphan]+w.count[doLaunch] != 0 {
		t.Fatalf("a slot's actor does not hear of a return")
	}
	if do&doLaunch != 0 {
		w.todo = append(w.todo, Message{Kind: msgDone, Arg: rapid.Int32Range(0, 1).Draw(t, "failed")})
	}
	if do&doGrant != 0 {
		w.conn = "granted"
	}
	if do&doPublish != 0 && w.conn == "waits" {
		w.conn = "answering"
	}
	if do&doOffer != 0 {
		switch rapid.IntRange(0, 3).Draw(t, "offer") {
		case 0:
			w.slots++
			w.say(t, Message{Kind: msgStarted, Arg: 3}, now)
		case 1:
			w.say(t, Message{Kind: msgFull}, now)
		case 2:
			w.say(t, Message{Kind: msgDraining}, now)
		default:
			w.inLine = true
		}
	}
	if do&doDequeue != 0 && w.inLine { // else it was promoted: its lease is on the way
		w.inLine = false
		w.say(t, Message{Kind: msgDequeued}, now)
	}
	if do&doRecycle != 0 {
		w.recycled = true
	}
}

// TestStep compares step with its twin on all that may happen to a request,
// in any order, and checks what must hold of every life. CX-06…CX-15, CX-24,
// CX-25, EX-06…EX-08, EX-10, EX-19.
func TestStep(t *testing.T) {
	t.Parallel()
	for range 50 { // 100 lives each
		rapid.Check(t, testLife)
	}
}

func testLife(t *rapid.T) {
	const deadline = 100
	w := &world{external: rapid.Bool().Draw(t, "external"), conn: "framework", count: map[effects]int{}}
	w.s = admit(state{gen: 7}, deadline, w.external)
	w.twin = twin{where: "framework", out: []string{"connection"}}
	now := int64(rapid.IntRange(0, 60).Draw(t, "now"))
	strangers := []Kind{msgDeadline, msgGone, msgCancel, msgDrain, msgStop, msgCrash, msgPolicy, msgHandler}
	for n := 0; !w.recycled; n++ {
		if n > 200 {
			t.Fatalf("it does not end: %+v, %s", w.s, w.conn)
		}
		now += int64(rapid.IntRange(0, 9).Draw(t, "dt"))
		var may []Message
		for _, k := range strangers {
			if w.gone&(1<<k) == 0 && (k != msgDeadline || now >= deadline) {
				may = append(may, Message{Kind: k})
			}
		}
		may = append(may, w.todo...)
		if w.inLine {
			may = append(may, Message{Kind: msgStarted, Arg: 5})
		}
		switch w.conn {
		case "framework":
			may = append(may, Message{Kind: msgBegin, Arg: noSlot}, Message{Kind: msgAnswer}, Message{Kind: msgRelease})
			if !w.external {
				may = append(may, Message{Kind: msgBegin, Arg: 2})
			}
		case "granted":
			if w.external {
				may = append(may, Message{Kind: msgRefused}, Message{Kind: msgWaiting})
			} else {
				may = append(may, Message{Kind: msgDone}, Message{Kind: msgDone, Arg: failed})
			}
		case "answering":
			may = append(may, Message{Kind: msgRelease})
		}
		m := rapid.SampledFrom(may).Draw(t, "message")
		w.gone |= 1 << m.Kind
		switch m.Kind {
		case msgBegin:
			w.conn = "waits"
			if m.Arg != noSlot {
				w.slots++
			}
			if w.s.phase == terminal {
				w.conn = "answering"
			}
		case msgAnswer, msgRefused:
			w.conn = "answering"
		case msgWaiting:
			w.conn = "waits"
			if w.s.phase == terminal {
				w.conn = "answering"
			}
			w.todo = append(w.todo, Message{Kind: msgDone, Arg: rapid.Int32Range(0, 1).Draw(t, "failed")})
		case msgDone:
			if w.conn == "granted" {
				w.conn = "answering"
			}
		case msgStarted:
			w.inLine = false
			w.slots++
		case msgRelease:
			w.conn = "released"
		}
		if i := slices.IndexFunc(w.todo, func(o Message) bool { return o == m }); i >= 0 {
			w.todo = slices.Delete(w.todo, i, i+1)
		}
		m.Gen = 7
		w.sayGen(t, m, now)

		if got, want := w.s.phase == terminal, w.twin.where == "over"; got != want {
			t.Fatalf("terminal %v, twin %s", got, w.twin.where)
		}
		if v := (Verdict{w.twin.outcome, w.twin.owner}); w.s.phase == terminal && w.s.verdict != v {
			t.Fatalf("verdict %v, twin %v", w.s.verdict, v)
		}
		if w.recycled != (len(w.twin.out) == 0) {
			t.Fatalf("recycled %v, still out: %v", w.recycled, w.twin.out)
		}
		// A message of another generation changes nothing.
		if s, do := step(w.s, Message{Kind: m.Kind, Gen: 6, Arg: 1}, now); s != w.s || do != 0 {
			t.Fatalf("a stale message had an effect: %b", do)
		}
	}
	for _, e := range []effects{doPublish, doCancel, doDisarm, doRecycle} {
		if w.count[e] != 1 {
			t.Fatalf("effect %b came %d times", e, w.count[e])
		}
	}
	for _, e := range []effects{doEarly, doOrphan, doGrant, doLaunch, doDequeue, doOffer} {
		if w.count[e] > 1 {
			t.Fatalf("effect %b came %d times", e, w.count[e])
		}
	}
	if w.slots != 0 {
		t.Fatalf("%d slots did not come back", w.slots)
	}
}

// sayGen says m and gives everything that follows from it the generation.
func (w *world) sayGen(t *rapid.T, m Message, now int64) {
	w.s.gen = 0
	m.Gen = 0
	w.say(t, m, now)
	w.s.gen = 7
}

// TestStepRows is the table of design section 2, one row for each thing that
// it says.
func TestStepRows(t *testing.T) {
	t.Parallel()
	at := func(p phase, f func(*state)) state {
		s := admit(state{gen: 1}, 100, false)
		switch p {
		case queued:
			s, _ = step(s, Message{Kind: msgBegin, Gen: 1, Arg: noSlot}, 0)
		case running:
			s, _ = step(s, Message{Kind: msgBegin, Gen: 1, Arg: 4}, 0)
		}
		if f != nil {
			f(&s)
		}
		return s
	}
	rows := []struct {
		name string
		s    state
		m    Message
		now  int64
		v    Verdict
		do   effects
	}{
		{"framework deadline", at(admitted, nil), Message{Kind: msgDeadline}, 100, Verdict{Deadline, Framework}, doEarly},               // CX-09
		{"queued deadline", at(queued, nil), Message{Kind: msgDeadline}, 100, Verdict{Deadline, Queue}, doDequeue},                      // CX-08
		{"application deadline", at(running, nil), Message{Kind: msgDeadline}, 100, Verdict{Deadline, Application}, doOrphan | doEarly}, // CX-07
		{"policy deadline", at(running, func(s *state) { s.owner = Policy }), Message{Kind: msgDeadline}, 100, Verdict{Deadline, Policy}, doOrphan | doEarly},
		{"begin after the deadline", at(admitted, nil), Message{Kind: msgBegin, Arg: 4}, 100, Verdict{Deadline, Framework}, doHandBack},
		{"promotion after the deadline", at(queued, nil), Message{Kind: msgStarted, Arg: 4}, 100, Verdict{Deadline, Queue}, doHandBack}, // CX-13
		{"queued disconnect", at(queued, nil), Message{Kind: msgGone}, 0, Verdict{Disconnected, Queue}, doDequeue},                      // EX-07
		{"running disconnect", at(running, nil), Message{Kind: msgGone}, 0, Verdict{Disconnected, Application}, doOrphan | doEarly},     // CX-05
		{"cancel", at(running, nil), Message{Kind: msgCancel}, 0, Verdict{Canceled, Application}, doOrphan | doEarly},                   // CX-06
		{"full", at(queued, nil), Message{Kind: msgFull}, 0, Verdict{Busy, Queue}, 0},                                                   // EX-05
		{"drain in the queue", at(queued, nil), Message{Kind: msgDrain}, 0, Verdict{ShuttingDown, Queue}, doDequeue},                    // CX-24
		{"drain while running", at(running, nil), Message{Kind: msgDrain}, 0, Verdict{}, 0},
		{"stop while running", at(running, nil), Message{Kind: msgStop}, 0, Verdict{ShuttingDown, Application}, doOrphan | doEarly},
		{"result", at(running, nil), Message{Kind: msgDone}, 0, Verdict{Result, Application}, doFree},
		{"failure", at(running, nil), Message{Kind: msgDone, Arg: failed}, 0, Verdict{Internal, Application}, doFree},
		{"answer", at(admitted, nil), Message{Kind: msgAnswer}, 0, Verdict{Result, Framework}, 0},
		{"executor refuses", at(running, func(s *state) { s.external = true }), Message{Kind: msgRefused}, 0, Verdict{Busy, Queue}, doFree}, // EX-19
		{
			"cancel while the executor has it", at(running, func(s *state) { *s, _ = step(*s, Message{Kind: msgWaiting, Gen: 1}, 0) }),
			Message{Kind: msgCancel},
			0,
			Verdict{Canceled, Application},
			doOrphan,
		}, // decision 71: Do waits
		{"crash", at(running, nil), Message{Kind: msgCrash}, 0, Verdict{Internal, Application}, doOrphan | doEarly},
		{"released undecided", at(admitted, nil), Message{Kind: msgRelease}, 0, Verdict{Internal, Framework}, doRecycle},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			r.m.Gen = 1
			s, do := step(r.s, r.m, r.now)
			if r.v.Outcome != None {
				r.do |= doCancel | doPublish | doDisarm
			}
			if s.verdict != r.v || do != r.do {
				t.Errorf("got %v, effects %b; want %v, %b", s.verdict, do, r.v, r.do)
			}
			if r.v.Outcome == None {
				return
			}
			// CX-15: what is reserved stays, whatever comes.
			for _, k := range []Kind{msgDeadline, msgGone, msgCancel, msgStop, msgCrash, msgAnswer} {
				if after, do := step(s, Message{Kind: k, Gen: 1}, 200); after.verdict != r.v || do&(doPublish|doCancel|doEarly) != 0 {
					t.Errorf("kind %d: %v, effects %b", k, after.verdict, do)
				}
			}
		})
	}
}
