package dispatch

import (
	"strings"
	"testing"
)

// TestStopping: a server that is stopping starts no call, still answers what
// the framework knows, and closes the connection with each answer (decision
// 65, D-6). // CX-24
func TestStopping(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	f.pipeline.Stop()
	status, body := f.ask(t, requestText("tools/call", "tool", callText(`{"message":"x"}`)))
	if status != 503 || !strings.Contains(body, "-32603") || f.handled.Load() != 0 {
		t.Errorf("call: status %d, handled %d: %s", status, f.handled.Load(), body)
	}
	status, body = f.ask(t, requestText("tools/list", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+metaText+`}}`))
	if status != 200 || !strings.Contains(body, `"tools":[`) {
		t.Errorf("list: status %d: %s", status, body)
	}
	waitFor(t, func() bool { return f.pipeline.config.Events.Active() == 0 })
	if n := f.pipeline.config.Events.Ended(OutcomeServerStopping); n != 1 {
		t.Errorf("server_stopping %d times", n)
	}
}
