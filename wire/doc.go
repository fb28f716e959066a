// Package wire turns bytes into values and back: strict JSON with the spans of
// what matters, JSON-RPC envelopes and ids, revisions, mirrored headers, the
// table of failures, and encoders of results.
//
// It has no goroutine and no state, imports nothing of this module, and does
// not know what a message means to anybody. A Message is scratch that its
// owner uses again; values that it hands out are spans of the document that
// was scanned.
//
// The package is here to read; only the root package is promised to anyone.
package wire
