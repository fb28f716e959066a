package socket

// A framer finds the end of one HTTP/1 request in a stream of bytes. It
// is pure: no I/O, no clock, no allocation. It is fed every byte once,
// in pieces of any size, and its verdict does not depend on where the pieces
// were cut.
//
// Invariants: headBytes <= limits.HeaderBytes, fields <= limits.Headers,
// decoded <= limits.Body.
type framer struct {
	limits *Limits

	state  frameState
	kind   fieldKind // of the field being read
	part   uint8     // within a special value: before, within, after
	match  uint8     // bytes of a literal matched so far
	method uint8     // length of the method so far

	v10        bool // HTTP/1.0
	hasLength  bool
	chunked    bool
	hasExpect  bool
	continues  bool // Expect: 100-continue
	skippedCR  bool // within the empty line before a request line
	skippedEnd bool // one empty line has been dropped

	target    int // length of the target so far
	headBytes int
	fields    int
	length    int // Content-Length, saturated at limits.Body+1
	decoded   int // body bytes announced so far
	rest      int // bytes left in the body or the chunk
	digits    int // of the chunk size
	extension int // bytes of chunk extensions so far

	nameLen int
	name    [17]byte // lower case start of a field name that was cut
}

type frameState uint8

const (
	atMethod    frameState = iota
	inMethod               // at least one byte
	inTarget               // after the first space
	inVersion              // after the second space
	atLineEnd              // LF of the request line
	atField                // start of a field line or of the empty line
	inName                 // field name
	inValue                // ordinary value
	inSpecial              // value of a field that frames the message
	atFieldEnd             // LF of a field line
	atHeadEnd              // LF of the empty line
	inBody                 // Content-Length
	atChunk                // first digit of a chunk size
	inChunkSize            // further digits
	inExtension            // chunk extensions
	atSizeEnd              // LF after a chunk size
	inChunk                // chunk data
	atDataCR               // CR after chunk data
	atDataEnd              // LF after chunk data
	atLastCR               // CR that ends a body without trailers
	atLastEnd              // its LF
	complete
	failed
)

type fieldKind uint8

const (
	ordinary fieldKind = iota
	contentLength
	transferEncoding
	expectation
)

const (
	before uint8 = iota
	within
	after
)

// Verdicts of feed. Any other value is the HTTP status of a fault.
const (
	feedMore = 0 // every byte was consumed and the request goes on
	feedDone = 1 // the request ended with the last byte consumed
)

const (
	codingChunked  = "chunked"
	expectContinue = "100-continue"
	versionPrefix  = "HTTP/1."
	version11      = "HTTP/1.1\r\n"
)

func (f *framer) reset() { *f = framer{limits: f.limits} }

// started reports whether a byte of a request has been consumed.
func (f *framer) started() bool { return f.state != atMethod }

// inBody reports whether the head is complete and the body is not.
func (f *framer) inBody() bool { return f.state >= inBody && f.state < complete }

// want returns how many bytes are certainly left, or 0 when that is unknown.
func (f *framer) want() int {
	if f.state == inBody {
		return f.rest
	}
	return 0
}

// skip drops one empty line before a request line (RFC 9112 section 2.2) and
// returns how many bytes at the start of b belong to it.
func (f *framer) skip(b []byte) int {
	n := 0
	if f.state != atMethod || f.skippedEnd {
		return 0
	}
	if !f.skippedCR && len(b) > 0 && b[0] == '\r' {
		f.skippedCR = true
		n = 1
	}
	if f.skippedCR && n < len(b) {
		f.skippedEnd = true
		if b[n] == '\n' {
			f.skippedCR = false
			n++
		}
	}
	return n
}

// feed consumes bytes of b and returns how many, with a verdict. After a
// verdict other than feedMore the framer must be reset.
func (f *framer) feed(b []byte) (n, verdict int) {
	i := 0
	for i < len(b) {
		switch f.state {
		case atMethod:
			if f.skippedCR || !token[b[i]] { // a lone CR, TLS, a stray line end
				return f.fail(i, 400)
			}
			f.state = inMethod

		case inMethod:
			room := min(len(b)-i, maxMethod-int(f.method))
			j := scanToken(b[i : i+room])
			f.method += uint8(j)
			i += j
			if i == len(b) {
				return i, feedMore
			}
			if b[i] != ' ' {
				return f.fail(i, 400)
			}
			i++
			f.state = inTarget

		case inTarget:
			room := min(len(b)-i, f.limits.Target-f.target)
			j := scanTarget(b[i : i+room])
			f.target += j
			i += j
			if i == len(b) {
				return i, feedMore
			}
			if b[i] != ' ' {
				if j == room && b[i]-0x21 <= 0x7e-0x21 {
					return f.fail(i, 414)
				}
				return f.fail(i, 400)
			}
			if f.target == 0 {
				return f.fail(i, 400)
			}
			i++
			if len(b)-i >= len(version11) && string(b[i:i+len(version11)]) == version11 {
				i += len(version11)
				f.state = atField
				continue
			}
			f.state, f.match = inVersion, 0

		case inVersion:
			c := b[i]
			switch {
			case int(f.match) < len(versionPrefix):
				if c != versionPrefix[f.match] {
					return f.fail(i, 400)
				}
			case int(f.match) == len(versionPrefix):
				if c != '0' && c != '1' {
					return f.fail(i, 400)
				}
				f.v10 = c == '0'
			default:
				if c != '\r' {
					return f.fail(i, 400)
				}
				f.state = atLineEnd
			}
			f.match++
			i++

		case atLineEnd:
			if b[i] != '\n' {
				return f.fail(i, 400)
			}
			i++
			f.state = atField

		case atField:
			if i = f.lines(b, i); i == len(b) {
				return i, feedMore
			}
			c := b[i]
			if c == '\r' {
				i++
				f.state = atHeadEnd
				continue
			}
			if !token[c] { // folding, an empty name, a bare LF, a control byte
				return f.fail(i, 400)
			}
			if f.fields == f.limits.Headers {
				return f.fail(i, 431)
			}
			f.fields++
			f.nameLen = 0
			f.state = inName

		case inName:
			room := min(len(b)-i, f.limits.HeaderBytes-f.headBytes)
			j := scanToken(b[i : i+room])
			name := b[i : i+j]
			f.headBytes += j
			i += j
			if j == room {
				if i < len(b) {
					return f.fail(i, 431)
				}
				f.keepName(name)
				return i, feedMore
			}
			if b[i] != ':' {
				return f.fail(i, 400)
			}
			f.headBytes++
			i++
			if f.nameLen > 0 {
				f.keepName(name)
				if f.nameLen <= len(f.name) {
					f.kind = kindOf(f.name[:f.nameLen])
				} else {
					f.kind = ordinary
				}
			} else {
				f.kind = kindOf(name)
			}
			if f.kind == ordinary {
				f.state = inValue
				continue
			}
			if !f.special() {
				return f.fail(i, 400)
			}
			f.state, f.part, f.match = inSpecial, before, 0

		case inValue:
			room := min(len(b)-i, f.limits.HeaderBytes-f.headBytes)
			j := scanText(b[i : i+room])
			f.headBytes += j
			i += j
			if j == room {
				if i < len(b) {
					return f.fail(i, 431)
				}
				return i, feedMore
			}
			if b[i] != '\r' {
				return f.fail(i, 400)
			}
			f.headBytes++
			i++
			f.state = atFieldEnd

		case inSpecial:
			if f.headBytes == f.limits.HeaderBytes {
				return f.fail(i, 431)
			}
			if !f.specialByte(b[i]) {
				return f.fail(i, 400)
			}
			f.headBytes++
			i++

		case atFieldEnd:
			if f.headBytes == f.limits.HeaderBytes {
				return f.fail(i, 431)
			}
			if b[i] != '\n' {
				return f.fail(i, 400)
			}
			f.headBytes++
			i++
			f.state = atField

		case atHeadEnd:
			if b[i] != '\n' {
				return f.fail(i, 400)
			}
			i++
			if verdict := f.headEnd(); verdict != feedMore {
				return i, verdict
			}

		default:
			var done bool
			if i, verdict, done = f.body(b, i); done {
				return i, verdict
			}
		}
	}
	return i, feedMore
}

// headEnd decides how the body is framed.
func (f *framer) headEnd() int {
	switch {
	case f.length > f.limits.Body:
		f.state = failed
		return 413
	case f.hasExpect && !f.continues && !f.v10:
		f.state = failed
		return 417
	case f.chunked:
		f.state = atChunk
	case f.length > 0:
		f.state, f.rest, f.decoded = inBody, f.length, f.length
	default:
		f.state = complete
		return feedDone
	}
	return feedMore
}

func (f *framer) fail(i, status int) (int, int) {
	f.state = failed
	return i, status
}
