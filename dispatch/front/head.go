package front

// A Field is what a request's head says under one field name.
type Field struct {
	// Value is the first field line's value without optional whitespace around
	// it; nil when the field is absent. It is a view into the request and valid
	// only inside Handler.Serve.
	Value []byte
	// Count is the number of field lines.
	Count int
}

// Head is what the pipeline reads from a request's head. Field names are
// matched without case, values are left as they were sent.
//
// Fields whose repetition is a fault of the head (decision 64) have a Count of
// at most 1 here: Host, Content-Type, Content-Length, Transfer-Encoding,
// Authorization, Origin, Expect and Access-Control-Request-Method. The Mcp
// fields may be repeated, which is a later group's fault; the rest are lists
// whose lines [Exchange.Values] gives.
type Head struct {
	ProtocolVersion Field // MCP-Protocol-Version
	McpMethod       Field // Mcp-Method
	McpName         Field // Mcp-Name
	SessionID       Field // Mcp-Session-Id
	LastEventID     Field // Last-Event-ID

	Host             Field
	Origin           Field
	Authorization    Field
	Accept           Field
	AcceptLanguage   Field
	ContentType      Field
	ContentEncoding  Field
	ContentLength    Field
	TransferEncoding Field
	Expect           Field

	// Of a CORS preflight.
	RequestMethod  Field // Access-Control-Request-Method
	RequestHeaders Field // Access-Control-Request-Headers

	Params int // number of Mcp-Param-* field lines
	Fields int // number of field lines in all
}
