package wire

// A FailureKind is one condition under which a request is refused or fails.
type FailureKind uint8

// The conditions before there is a JSON-RPC message (decisions 2, 64). They
// are answered without a body.
const (
	NoFailure FailureKind = iota
	BadHead
	NotFound
	MethodNotAllowed
	NotAcceptable
	ReadTimeout
	BodyTooLarge
	TargetTooLong
	UnsupportedMedia
	ExpectationFailed
	Misdirected
	Forbidden
	HeadersTooLarge
	ConnectionLimit
	BodyBudget
	HooksBusy

	// The conditions of a message (requirements ER).
	ParseError
	InvalidRequest
	HeaderMismatch
	UnsupportedVersion
	MissingCapability
	InvalidParams
	UnknownTarget
	MethodNotFound
	RateLimited
	UnknownMirror
	Capacity
	QueuedDeadline
	PolicyDeadline
	FrameworkDeadline
	ExecutionFailed
	ApplicationError
	ProtectorUnavailable
	PolicyFailed
	Stopping

	failureKinds
)

type failureRow struct {
	status     int
	status2025 int // where a 2025 revision has its own; RPC outcomes are 200 there
	code       int // 0: bodyless
	message    string
	close      bool
}

// failures is the table from condition to what is sent (ER-01 to ER-18,
// ER-23; precedence section 4).
var failures = [failureKinds]failureRow{
	NoFailure: {status: 200},

	BadHead:           {status: 400, close: true},
	NotFound:          {status: 404},
	MethodNotAllowed:  {status: 405},
	NotAcceptable:     {status: 406},
	ReadTimeout:       {status: 408, close: true},
	BodyTooLarge:      {status: 413, close: true},
	TargetTooLong:     {status: 414, close: true},
	UnsupportedMedia:  {status: 415},
	ExpectationFailed: {status: 417, close: true},
	Misdirected:       {status: 421},
	Forbidden:         {status: 403},
	HeadersTooLarge:   {status: 431, close: true},
	ConnectionLimit:   {status: 503, close: true},
	BodyBudget:        {status: 503, close: true},
	HooksBusy:         {status: 503},

	ParseError:           {status: 400, code: -32700, message: "Parse error"},
	InvalidRequest:       {status: 400, code: -32600, message: "Invalid Request"},
	HeaderMismatch:       {status: 400, code: -32020, message: "Header mismatch"},
	UnsupportedVersion:   {status: 400, code: -32022, message: "Unsupported protocol version"},
	MissingCapability:    {status: 400, status2025: 200, code: -32021, message: "Missing required client capability"},
	InvalidParams:        {status: 400, status2025: 200, code: -32602, message: "Invalid params"},
	UnknownTarget:        {status: 400, status2025: 200, code: -32602, message: "Unknown target"},
	MethodNotFound:       {status: 404, status2025: 200, code: -32601, message: "Method not found"},
	RateLimited:          {status: 429, code: -31999, message: "Rate limit exceeded"},
	UnknownMirror:        {status: 400, code: -31998, message: "Unknown mirrored header"},
	Capacity:             {status: 503, code: -32603, message: "Server is at capacity"},
	QueuedDeadline:       {status: 503, code: -32603, message: "Server is at capacity"},
	PolicyDeadline:       {status: 504, code: -32603, message: "Internal error"},
	FrameworkDeadline:    {status: 504},
	ExecutionFailed:      {status: 200, code: -32603, message: "Internal error"},
	ApplicationError:     {status: 400, status2025: 200},
	ProtectorUnavailable: {status: 503, code: -32603, message: "Internal error"},
	PolicyFailed:         {status: 500, code: -32603, message: "Internal error"},
	Stopping:             {status: 503, code: -32603, message: "Server is stopping", close: true},
}

// Status returns the HTTP status.
func (k FailureKind) Status() int { return failures[k].status }

// Status2025 returns the HTTP status on a 2025 revision (ER-23).
func (k FailureKind) Status2025() int {
	if s := failures[k].status2025; s != 0 {
		return s
	}
	return failures[k].status
}

// Code returns the JSON-RPC code; 0 for bodyless failures and for
// ApplicationError, whose code is the application's.
func (k FailureKind) Code() int { return failures[k].code }

// Message returns the fixed text of the error.
func (k FailureKind) Message() string { return failures[k].message }

// Bodyless reports whether the failure is answered without a body.
func (k FailureKind) Bodyless() bool { return failures[k].code == 0 && k != ApplicationError }

// Close reports whether the connection ends with the answer.
func (k FailureKind) Close() bool { return failures[k].close }
