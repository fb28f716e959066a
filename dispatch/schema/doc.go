// Package schema turns Go types into JSON Schema text, schema text into
// checking programs, and checked documents into Go values and back.
//
// It owns: the inference of a schema from a Go type ([Infer]); the profile of
// JSON Schema 2020-12 that a schema written by hand may use, and its bounds
// ([Compile], [Limits]); the evaluation of a compiled [Program] against a JSON
// document, within a budget of operations ([Program.Check]); the wording of a
// violation for a model ([Violation]); and the codec between documents and Go
// values ([Decode], [Encode]).
//
// It leaves alone: JSON syntax (documents have passed the wire package's
// scanner; what Check meets of malformed text is reported, never read past),
// results and errors as they travel, and the question of who is answered what.
//
// The profile ("Profile 1") is
//
//	$schema $defs $anchor $ref $comment properties additionalProperties items
//	allOf anyOf if then else type enum const required minimum maximum title
//	description default examples deprecated readOnly writeOnly format
//	x-mcp-header
//
// and every other keyword is refused by Compile. References are local, format
// is an annotation, numbers are compared by value and exactly, names with
// their case and after unescaping.
//
// The package has no goroutine. A Program is immutable and may be shared.
package schema
