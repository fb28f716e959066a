package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/troupe-mcp/troupe"
)

// A catalogue is what the reference server offers. Its tools count how often
// they saw their context canceled, so that clients can ask.
type catalogue struct {
	canceledSlow, canceledStubborn atomic.Int64
}

// full is the catalogue for clients, the conformance suite and curious people:
// the suite's names first, in the order of its tables, then the rest.
func (c *catalogue) full() []troupe.Feature {
	features := append(suiteTools(), c.calls()...)
	features = append(features,
		troupe.Tool(troupe.ToolInfo{
			Name: "stubborn", Description: "Waits without minding cancellation, then answers.",
		}, c.stubborn),
		troupe.Tool(troupe.ToolInfo{
			Name: "cancellations", Description: "Tells how often calls of slow, stubborn and progress were canceled since the start.",
		}, c.cancellations),
		troupe.Tool(troupe.ToolInfo{
			Name: "fail", Description: "Fails in the way that is asked for.", InputSchema: failInput, OutputSchema: failOutput,
		}, fail),
		troupe.Tool(troupe.ToolInfo{Name: "big", Description: "Answers with a text of the given size."}, big),
		troupe.Tool(troupe.ToolInfo{Name: "whoami", Description: "Tells what the server knows about the caller."}, whoami),
	)
	features = append(features, benchTools()...)
	features = append(features, suiteResources()...)
	features = append(features, items(9)...)
	features = append(features, itemTemplate()...)
	features = append(features, suitePrompts()...)
	return append(features, prompts()...)
}

// bench is the catalogue that benchmarks run against: what every rival offers.
func (c *catalogue) bench() []troupe.Feature {
	return append(append(c.calls(), benchTools()...), items(1)...)
}

// calls are the tools that both catalogues share.
func (c *catalogue) calls() []troupe.Feature {
	return []troupe.Feature{
		troupe.Tool(troupe.ToolInfo{Name: "echo", Description: "Sends the message back."}, echo),
		troupe.Tool(troupe.ToolInfo{Name: "sum", Description: "Adds two integers."}, sum),
		troupe.Tool(troupe.ToolInfo{Name: "slow", Description: "Waits, then answers; stops at once when canceled."}, c.slow),
	}
}

type echoIn struct {
	Message string `json:"message" jsonschema:"the text to send back"`
}

func echo(_ context.Context, _ troupe.Call, in echoIn) (string, error) { return in.Message, nil }

type sumIn struct {
	A int64 `json:"a" jsonschema:"first addend"`
	B int64 `json:"b" jsonschema:"second addend"`
}

type sumOut struct {
	Sum int64 `json:"sum" jsonschema:"a plus b"`
}

func sum(_ context.Context, _ troupe.Call, in sumIn) (sumOut, error) {
	if in.B > 0 && in.A > math.MaxInt64-in.B || in.B < 0 && in.A < math.MinInt64-in.B {
		return sumOut{}, troupe.ToolError("the sum overflows a 64-bit integer")
	}
	return sumOut{in.A + in.B}, nil
}

type waitIn struct {
	MS int64 `json:"ms,omitempty" jsonschema:"how long to wait, in milliseconds, 0 to 120000"`
}

// longestWait bounds slow and stubborn, in milliseconds.
const longestWait = 120_000

func (in waitIn) duration() (time.Duration, error) {
	if in.MS < 0 || in.MS > longestWait {
		return 0, troupe.ToolError(fmt.Sprintf("ms must be between 0 and %d", longestWait))
	}
	return time.Duration(in.MS) * time.Millisecond, nil
}

func (c *catalogue) slow(ctx context.Context, _ troupe.Call, in waitIn) (string, error) {
	d, err := in.duration()
	if err != nil {
		return "", err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return "slept", nil
	case <-ctx.Done():
		c.canceledSlow.Add(1)
		return "", ctx.Err()
	}
}

func (c *catalogue) stubborn(ctx context.Context, _ troupe.Call, in waitIn) (string, error) {
	d, err := in.duration()
	if err != nil {
		return "", err
	}
	<-time.After(d)
	if ctx.Err() != nil {
		c.canceledStubborn.Add(1)
	}
	return "slept", nil
}

type cancellationsOut struct {
	Slow     int64 `json:"slow"`
	Stubborn int64 `json:"stubborn"`
	Progress int64 `json:"progress"`
}

func (c *catalogue) cancellations(context.Context, troupe.Call, struct{}) (cancellationsOut, error) {
	return cancellationsOut{Slow: c.canceledSlow.Load(), Stubborn: c.canceledStubborn.Load()}, nil
}

type failIn struct {
	Kind string `json:"kind"`
}

var (
	failInput = json.RawMessage(`{"type":"object","properties":{"kind":{"type":"string","description":"how to fail",` +
		`"enum":["error","tool-error","panic","goexit","rpc","bad-output","nil"]}},"required":["kind"],"additionalProperties":false}`)
	failOutput = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`)
)

var errDeliberate = errors.New("deliberate failure")

func fail(_ context.Context, _ troupe.Call, in failIn) (*troupe.ToolResult, error) {
	switch in.Kind {
	case "tool-error":
		return nil, troupe.ToolError("deliberate tool error")
	case "panic":
		panic(errDeliberate)
	case "goexit":
		runtime.Goexit()
	case "rpc":
		return nil, &troupe.Error{Code: 1234, Message: "deliberate application error", Data: map[string]any{"kind": "rpc"}}
	case "bad-output":
		return &troupe.ToolResult{Structured: map[string]any{"ok": "not a boolean"}}, nil
	case "nil":
		return nil, nil
	}
	return nil, errDeliberate
}

type bigIn struct {
	Bytes int64 `json:"bytes,omitempty" jsonschema:"how many bytes, 0 to 16777216"`
}

func big(_ context.Context, _ troupe.Call, in bigIn) (string, error) {
	if in.Bytes < 0 || in.Bytes > 16<<20 {
		return "", troupe.ToolError("bytes must be between 0 and 16777216")
	}
	return strings.Repeat("x", int(in.Bytes)), nil
}

type clientOut struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type whoamiOut struct {
	Account  string    `json:"account"`
	Tenant   string    `json:"tenant"`
	Scopes   []string  `json:"scopes"`
	Client   clientOut `json:"client"`
	Revision string    `json:"revision"`
	Session  bool      `json:"session"`
}

func whoami(_ context.Context, call troupe.Call, _ struct{}) (whoamiOut, error) {
	client := call.Client()
	return whoamiOut{
		Scopes: []string{}, Client: clientOut{client.Name, client.Version}, Revision: call.Version().String(),
	}, nil
}

// benchToolCount is how many dummy tools make tools/list realistically long.
const benchToolCount = 50

type benchIn struct {
	Query  string `json:"query,omitempty" jsonschema:"the text to look for"`
	Limit  int64  `json:"limit,omitempty" jsonschema:"how many rows to return at most"`
	Strict bool   `json:"strict,omitempty" jsonschema:"whether matching is case sensitive"`
}

func benchTools() []troupe.Feature {
	features := make([]troupe.Feature, benchToolCount)
	for i := range features {
		name := fmt.Sprintf("bench_tool_%02d", i)
		features[i] = troupe.Tool(troupe.ToolInfo{
			Name: name, Description: fmt.Sprintf("Dummy tool number %d, present only so that tools/list has a realistic size.", i),
		}, func(context.Context, troupe.Call, benchIn) (string, error) { return name, nil })
	}
	return features
}
