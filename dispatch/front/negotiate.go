package front

import "github.com/troupe-mcp/troupe/wire"

// Negotiate is group 4, in its order: the method is POST (T-07, T-09, T-10),
// the body is JSON (T-12, T-46), the client accepts both kinds of answers
// (T-13), the body is not compressed (T-14 to T-18). It reports true when all
// of it holds, else which check failed first: [wire.MethodNotAllowed],
// [wire.UnsupportedMedia] or [wire.NotAcceptable]. It answers nothing.
func (x *Exchange) Negotiate() (wire.FailureKind, bool) {
	h := &x.head
	switch {
	case string(x.Method()) != "POST":
		return wire.MethodNotAllowed, false
	case string(h.ContentType.Value) != "application/json" && !jsonContent(h.ContentType.Value):
		return wire.UnsupportedMedia, false
	case !x.acceptsBoth():
		return wire.NotAcceptable, false
	case h.ContentEncoding.Count > 0 && !x.unencoded():
		return wire.UnsupportedMedia, false
	}
	return 0, true
}

// acceptsBoth combines the Accept lines. No line at all accepts everything
// (decision 64); a line with nothing in it accepts nothing.
func (x *Exchange) acceptsBoth() bool {
	field := &x.head.Accept
	switch field.Count {
	case 0:
		return true
	case 1:
		switch string(field.Value) { // what clients send
		case "application/json, text/event-stream", "text/event-stream, application/json", "*/*":
			return true
		}
		return permission(0).accept(field.Value).both()
	}
	var p permission
	for line := range x.Values("accept") {
		p = p.accept(line)
	}
	return p.both()
}

func (x *Exchange) unencoded() bool {
	for line := range x.Values("content-encoding") {
		if !identityCoding(line) {
			return false
		}
	}
	return true
}
