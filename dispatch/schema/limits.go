package schema

// Limits bounds the compilation of a schema and its evaluation. A zero field
// takes its default.
type Limits struct {
	// Bytes is the longest schema text. Defaults to 1 MiB.
	Bytes int
	// Nodes is the number of subschemas, the root included. Defaults to 4,096.
	Nodes int
	// Depth is the nesting of JSON values in the schema text that hold or are
	// subschemas, the root being 1; values inside enum, const, default and
	// examples may nest as deep again. Defaults to 64.
	Depth int
	// Keywords is the number of keywords over all subschemas. Defaults to 32,768.
	Keywords int
	// Operations is the budget of one evaluation: one for each value that
	// meets a subschema, for each member and element, for each comparison with
	// a constant, and for every 64 bytes passed over. A spent budget is an
	// ordinary violation. Defaults to 1,000,000.
	Operations int
	// Pending is the nesting of evaluations: of instance values that meet a
	// subschema and of allOf, anyOf, if and $ref inside one another. Beyond it
	// the budget counts as spent. Defaults to 128.
	Pending int
}

// Defaults of Limits, from the table of default limits (decision 8).
const (
	DefaultBytes      = 1 << 20
	DefaultNodes      = 4096
	DefaultDepth      = 64
	DefaultKeywords   = 32768
	DefaultOperations = 1_000_000
	DefaultPending    = 128
)

// withDefaults returns l with its zero and negative fields replaced.
func (l Limits) withDefaults() Limits {
	pick := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	pick(&l.Bytes, DefaultBytes)
	pick(&l.Nodes, DefaultNodes)
	pick(&l.Depth, DefaultDepth)
	pick(&l.Keywords, DefaultKeywords)
	pick(&l.Operations, DefaultOperations)
	pick(&l.Pending, DefaultPending)
	return l
}
