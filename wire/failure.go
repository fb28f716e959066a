package wire

import "strconv"

// A Failure is a condition with what belongs to the single case.
type Failure struct {
	Kind FailureKind
	// Code and Message are those of an ApplicationError.
	Code    int
	Message string
	// Data is valid JSON; empty leaves it out.
	Data []byte
}

// AppendError appends a JSON-RPC error response. Without an id the member is
// left out (decision 33).
func AppendError(dst []byte, id ID, f *Failure) []byte {
	dst = append(dst, `{"jsonrpc":"2.0",`...)
	if !id.IsZero() {
		dst = append(AppendID(append(dst, `"id":`...), id), ',')
	}
	code, message := f.Kind.Code(), f.Kind.Message()
	if f.Kind == ApplicationError {
		code, message = f.Code, f.Message
	}
	dst = strconv.AppendInt(append(dst, `"error":{"code":`...), int64(code), 10)
	dst = AppendString(append(dst, `,"message":`...), message)
	if len(f.Data) > 0 {
		dst = AppendCompact(append(dst, `,"data":`...), f.Data)
	}
	return append(dst, "}}"...)
}

// ReservedCode reports whether applications may not author a code: those of
// JSON-RPC and MCP, and the two of our own.
func ReservedCode(code int) bool {
	return code >= -32768 && code <= -32000 || code == RateLimited.Code() || code == UnknownMirror.Code()
}

// MissingCapabilityData is the data of a missing capability:
// {"requiredCapabilities":…}, an object of the client's capabilities that the
// target needs, as valid JSON (spec section 4).
func MissingCapabilityData(required []byte) []byte {
	return append(append([]byte(`{"requiredCapabilities":`), required...), '}')
}
