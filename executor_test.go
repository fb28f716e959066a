package troupe_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-mcp/troupe"
)

// An executor runs handlers on goroutines of its own, and refuses as told.
type executor struct {
	mode    atomic.Int32 // 0 runs, 1 refuses, 2 panics, 3 runs and refuses
	tasks   sync.WaitGroup
	running atomic.Int64
	most    atomic.Int64
	given   atomic.Int64
}

func (e *executor) Submit(run func()) error {
	switch e.mode.Load() {
	case 1:
		return errors.New("secret-marker")
	case 2:
		panic("secret-marker")
	}
	e.given.Add(1)
	e.tasks.Go(func() {
		n := e.running.Add(1)
		defer e.running.Add(-1)
		for {
			most := e.most.Load()
			if n <= most || e.most.CompareAndSwap(most, n) {
				break
			}
		}
		run()
	})
	return nil
}

// TestExecutorBounds: a supplied executor, which would run everything at once,
// gets no more than the slots allow, and the queue is bounded, too. // EX-01
// EX-02 EX-04
func TestExecutorBounds(t *testing.T) {
	t.Parallel()
	const slots, queue = 32, 2 // the default, and a short queue
	b := newBlocker(t)
	e := &executor{}
	w := start(t, b.tools(), func(c *troupe.Config) {
		c.Executor, c.Limits.Queue = e, queue
	})
	var clients []*client
	send := func() {
		c := dial(t, w.addr)
		c.send(t, toolCall("1", "stuck", "").raw(w.addr))
		clients = append(clients, c)
	}
	for range slots {
		send()
	}
	for range slots {
		<-b.started
	}
	for range queue {
		send()
	}
	eventually(t, "the rest waits", func() bool { return w.Gauges().Queued == queue })
	checkReply(t, w.ask(t, toolCall("1", "stuck", "")), want{status: 503, code: "-32603"})
	if g := w.Gauges(); g.Running != slots || e.given.Load() != slots {
		t.Errorf("running %d, given %d, want %d", g.Running, e.given.Load(), slots)
	}
	b.free()
	for _, c := range clients {
		checkReply(t, c.read(t, "POST"), want{status: 200, contains: []string{"late"}})
	}
	if most := e.most.Load(); most != slots {
		t.Errorf("%d ran at once, want %d", most, slots)
	}
	e.tasks.Wait()
	if n := e.given.Load(); n != slots+queue {
		t.Errorf("the executor was given %d", n)
	}
}

// TestExecutorRefuses: what the executor does not take is answered 503, leaves
// no slot behind, and says nothing of why. // EX-19 OB-01
func TestExecutorRefuses(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	e := &executor{}
	w := start(t, b.tools(), func(c *troupe.Config) { c.Executor, c.Limits.Slots = e, 1 })
	for mode, name := range map[int32]string{1: "error", 2: "panic"} {
		e.mode.Store(mode)
		for range 3 {
			r := w.ask(t, toolCall(`"x"`, "quick", ""))
			checkReply(t, r, want{status: 503, code: "-32603", contains: []string{`"id":"x"`}, lacks: []string{"secret"}})
			if r.header.Get("Retry-After") != "" {
				t.Errorf("%s: Retry-After %q", name, r.header.Get("Retry-After"))
			}
		}
		checkReply(t, w.ask(t, request("1", "tools/list", "")), want{status: 200})
	}
	e.mode.Store(0)
	checkReply(t, w.ask(t, toolCall("1", "quick", "")), want{status: 200, contains: []string{"quick"}})
	checkReply(t, w.ask(t, toolCall("1", "panics", "")), want{status: 200, code: "-32603", lacks: []string{"disco"}})
	checkReply(t, w.ask(t, toolCall("1", "goexits", "")), want{status: 200, code: "-32603"})
	checkReply(t, w.ask(t, toolCall("1", "quick", "")), want{status: 200, contains: []string{"quick"}})
	eventually(t, "no slot is held", func() bool { g := w.Gauges(); return g.Running == 0 && g.Queued == 0 && g.Active == 0 })
	e.tasks.Wait()
	count := map[troupe.Outcome]int{}
	for _, o := range w.observed.outcomes(t, 12) {
		count[o]++
	}
	if count[troupe.OutcomeRejected] != 6 || count[troupe.OutcomeInternalError] != 2 || count[troupe.OutcomeComplete] != 4 {
		t.Errorf("outcomes %v", count)
	}
	if strings.Contains(w.log.String(), "x-marker") {
		t.Error(w.log.String())
	}
}

// pipelineKinds are the kinds of handlers, each as a feature that runs hook, and
// a request that reaches it.
func pipelineKinds(hook func(ctx context.Context) error) (features []troupe.Feature, requests map[string]message) {
	type variables struct {
		ID string `json:"id"`
	}
	contents := []troupe.ResourceContents{{Text: "ran"}}
	complete := func(ctx context.Context, _ troupe.Call, _ troupe.CompletionRequest) (troupe.Completion, error) {
		return troupe.Completion{Values: []string{"ran"}}, hook(ctx)
	}
	features = []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{Name: "tool"}, func(ctx context.Context, _ troupe.Call, _ struct{}) (string, error) {
			return "ran", hook(ctx)
		}),
		troupe.Prompt(troupe.PromptInfo{Name: "prompt"}, func(ctx context.Context, _ troupe.Call, _ struct {
			Name *string `json:"name,omitempty"`
		},
		) ([]troupe.PromptMessage, error) {
			return []troupe.PromptMessage{troupe.UserMessage(troupe.Text("ran"))}, hook(ctx)
		}),
		troupe.Resource(troupe.ResourceInfo{URI: "x://exact", Name: "exact"}, func(ctx context.Context, _ troupe.Call) ([]troupe.ResourceContents, error) {
			return contents, hook(ctx)
		}),
		troupe.ResourceTemplate(troupe.ResourceInfo{URI: "x://t/{id}", Name: "t"}, func(ctx context.Context, _ troupe.Call, _ variables) ([]troupe.ResourceContents, error) {
			return contents, hook(ctx)
		}),
		troupe.ResourceList(troupe.ListInfo{}, func(ctx context.Context, _ troupe.Call, _ troupe.ListRequest) (troupe.ResourcePage, error) {
			return troupe.ResourcePage{Resources: []troupe.ListedResource{{URI: "x://ran", Name: "ran"}}}, hook(ctx)
		}),
		troupe.Completer(troupe.CompleterInfo{Prompt: "prompt", Argument: "name"}, complete),
		troupe.Completer(troupe.CompleterInfo{Template: "x://t/{id}", Argument: "id"}, complete),
	}
	return features, map[string]message{
		"tool": toolCall("1", "tool", ""), "prompt": prompt("prompt", ""), "resource": read("x://exact"), "template": read("x://t/7"),
		"list":                 request("1", "resources/list", ""),
		"prompt's completer":   completion(`{"type":"ref/prompt","name":"prompt"}`, `{"name":"name","value":""}`, ""),
		"template's completer": completion(`{"type":"ref/resource","uri":"x://t/{id}"}`, `{"name":"id","value":""}`, ""),
	}
}

func allowAll(c *troupe.Config) { c.RequestLimiter = troupe.AllowAllRequests() }

// TestConcurrentHooks: each kind of handler is called while it, and each other
// kind, is running; all of them meet. // EX-09
func TestConcurrentHooks(t *testing.T) {
	t.Parallel()
	for _, lane := range []string{"fast lane", "slot workers", "executor"} {
		t.Run(lane, func(t *testing.T) {
			t.Parallel()
			const each = 3
			var here atomic.Int64
			var all int64
			together := make(chan struct{})
			features, requests := pipelineKinds(func(ctx context.Context) error {
				if here.Add(1) == all {
					close(together)
				}
				select {
				case <-together:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			all = int64(each * len(requests))
			e := &executor{}
			w := start(t, features, allowAll, func(c *troupe.Config) {
				c.DisableFastLane = lane == "slot workers"
				if lane == "executor" {
					c.Executor = e
				}
			})
			var clients sync.WaitGroup
			for kind, m := range requests {
				for range each {
					c := dial(t, w.addr)
					clients.Go(func() {
						c.send(t, m.raw(w.addr))
						if r, err := c.tryRead("POST"); err != nil || r.status != 200 || !strings.Contains(r.body, "ran") {
							t.Errorf("%s: %v, status %d: %s", kind, err, r.status, r.body)
						}
					})
				}
			}
			clients.Wait()
			e.tasks.Wait()
		})
	}
}

// TestEveryKindInPipeline: what holds of a tool's slot, queue, deadline and
// disconnect holds of each kind of handler. // C-12 CX-05 CX-07 EX-02 EX-03
// EX-05 EX-06 EX-07
func TestEveryKindInPipeline(t *testing.T) {
	t.Parallel()
	_, requests := pipelineKinds(nil)
	for kind, m := range requests {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			entered, canceled, release := make(chan struct{}, 8), make(chan error, 8), make(chan struct{})
			features, _ := pipelineKinds(func(ctx context.Context) error {
				entered <- struct{}{}
				select {
				case <-ctx.Done():
					canceled <- context.Cause(ctx)
					return ctx.Err()
				case <-release:
					return nil
				}
			})
			w := start(t, features, allowAll, func(c *troupe.Config) { c.Limits.Slots, c.Limits.Queue = 1, 1 })
			running, queued := dial(t, w.addr), dial(t, w.addr)
			running.send(t, m.raw(w.addr))
			<-entered
			queued.send(t, m.raw(w.addr))
			eventually(t, "one waits", func() bool { return w.Gauges().Queued == 1 })
			r := w.ask(t, m) // one beyond the queue
			checkReply(t, r, want{status: 503, code: "-32603", contains: []string{`"id":1`}})
			if r.header.Get("Retry-After") != "" {
				t.Error("Retry-After")
			}
			_ = running.Close() // its handler is canceled, and the other one has the slot
			select {
			case <-canceled:
			case <-time.After(patience):
				t.Fatal("the handler of a client that left was not canceled")
			}
			<-entered
			release <- struct{}{}
			checkReply(t, queued.read(t, "POST"), want{status: 200, contains: []string{"ran"}})
			eventually(t, "nothing is held", func() bool { g := w.Gauges(); return g.Running == 0 && g.Active == 0 })
			if n := w.Ended(troupe.OutcomeClientDisconnected); n != 1 {
				t.Errorf("client_disconnected %d times", n)
			}
			if err := w.stop(); err != nil {
				t.Error(err)
			}

			late := start(t, features, allowAll, func(c *troupe.Config) { c.Limits.Deadline = 50 * time.Millisecond })
			checkReply(t, late.ask(t, m), want{status: 200, code: "-32603", lacks: []string{"deadline"}})
			eventually(t, "the deadline is counted", func() bool { return late.Ended(troupe.OutcomeDeadlineExceeded) == 1 })
		})
	}
}

// TestDeadlineFromLastByte: the deadline counts from the request's last byte,
// not from its first, so a slow sender keeps its full time; and waiting in the
// queue is part of it. // EX-03
func TestDeadlineFromLastByte(t *testing.T) {
	t.Parallel()
	b := newBlocker(t)
	w := start(t, b.tools(), func(c *troupe.Config) { c.Limits.Deadline = 300 * time.Millisecond })
	c := dial(t, w.addr)
	raw := toolCall("1", "quick", "").raw(w.addr)
	c.send(t, raw[:len(raw)-1])
	wait := time.NewTimer(400 * time.Millisecond)
	<-wait.C
	c.send(t, raw[len(raw)-1:])
	checkReply(t, c.read(t, "POST"), want{status: 200, contains: []string{"quick"}})
	begun := time.Now()
	checkReply(t, w.ask(t, toolCall("1", "polite", "")), want{status: 200, code: "-32603"})
	if took := time.Since(begun); took < 290*time.Millisecond {
		t.Errorf("the deadline came after %v", took)
	}
	for _, e := range w.observed.all() {
		if e.Kind == troupe.RequestEnded && e.Method == "tools/call" && e.Outcome == troupe.OutcomeDeadlineExceeded && e.Duration < 290*time.Millisecond {
			t.Errorf("a duration of %v is reported", e.Duration)
		}
	}
}
