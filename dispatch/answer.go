package dispatch

import (
	"github.com/troupe-mcp/troupe/wire"
)

// answer writes the answer of an accepted request through the front end.
func (x *exchange) answer(f *wire.Failure) {
	if f != nil {
		x.answerFailure(f)
		return
	}
	x.closeWhenStopping()
	switch {
	case x.kind == wire.Notification:
		x.front.Bodyless(202, "")
	case x.operation.static != nil:
		x.front.Reply(200, wire.AppendResult(x.front.Scratch(), x.call.id, x.operation.static))
	default:
		x.front.Reply(200, x.call.response)
		x.call.recycle()
	}
}

// answerFailure writes a failure: without a body where the table says so and
// for notifications (P-40).
func (x *exchange) answerFailure(f *wire.Failure) {
	if f.Kind.Close() {
		x.front.CloseAfter()
	}
	x.closeWhenStopping()
	status := f.Kind.Status()
	if f.Kind.Bodyless() || x.kind == wire.Notification {
		x.front.Bodyless(status, x.allow)
		return
	}
	x.front.Reply(status, wire.AppendError(x.front.Scratch(), x.id(), f))
}

func (x *exchange) closeWhenStopping() {
	if x.pipeline.stopping.Load() {
		x.front.CloseAfter()
	}
}

func (x *exchange) id() wire.ID {
	if x.call != nil {
		return x.call.id
	}
	return x.message.ID()
}
