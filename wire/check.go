package wire

import (
	"errors"
	"unicode/utf8"
)

// maxDocument bounds a result's JSON, in bytes (soklet-notes section 2).
const maxDocument = 4 << 20

// Why a result is not sent (decision 52).
var (
	errLongText    = errors.New("result: a text is longer than the bound")
	errManyContent = errors.New("result: too many content blocks")
	errLarge       = errors.New("result: larger than 4 MiB")
	errMetaShape   = errors.New("result: _meta is not an object with valid keys")
)

// CheckResult reports what of a JSON text that an application made is not
// strict JSON within the bounds, of 4 MiB at most (decision 52).
func CheckResult(raw []byte, b *Bounds) error {
	if len(raw) > maxDocument {
		return errLarge
	}
	var s scanner
	var room [32]keyEntry
	s.keys.entries = room[:0]
	s.reset(raw, b)
	return s.run(nil)
}

// CheckCallResult reports what of a result is out of bounds (decision 52).
// Structured content and metadata must be strict JSON within the bounds, each
// text and the number of blocks are bounded, and so is the JSON of them all.
func CheckCallResult(r *CallResult, b *Bounds) error {
	if len(r.Content)*nodesOfBlock > b.Nodes {
		return errManyContent
	}
	total, texts := len(r.Structured)+len(r.Meta)+len(r.Content)*len(textBlock), 0
	plain := true
	for i := range r.Content {
		if r.Content[i].more != nil {
			plain = false
			if err := r.Content[i].check(); err != nil {
				return err
			}
		}
		text := r.Content[i].text
		if len(text) > b.String && utf16Length(text) > b.String {
			return errLongText
		}
		texts += len(text)
	}
	if total+texts*longestEscape > maxDocument { // else no need to look closer
		for i := range r.Content {
			total += encodedLength(r.Content[i].text)
		}
		if total > maxDocument {
			return errLarge
		}
	}
	if !plain {
		if err := checkContent(r.Content, b); err != nil {
			return err
		}
	}
	if len(r.Structured) > 0 {
		if err := CheckResult(r.Structured, b); err != nil {
			return err
		}
	}
	if len(r.Meta) > 0 {
		if err := CheckResult(r.Meta, b); err != nil {
			return err
		}
		return checkMeta(r.Meta)
	}
	return nil
}

const (
	textBlock     = `{"type":"text","text":""},`
	nodesOfBlock  = 5 // the block, two keys, two values
	longestEscape = 6 // of a byte
)

func checkMeta(meta []byte) error {
	object := rootOf(meta)
	ok := object.Kind == Object
	Members(meta, object, func(key, _ Value) bool {
		ok = ValidMetaKey(key.Text(meta))
		return ok
	})
	if !ok {
		return errMetaShape
	}
	return nil
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x10000 {
			n++
		}
	}
	return n
}

// encodedLength returns how many bytes AppendString makes of a text, without
// its quotes.
func encodedLength(s string) int {
	n := 0
	for len(s) > 0 {
		plain := plainString(s)
		if n, s = n+plain, s[plain:]; s == "" {
			break
		}
		if s[0] < utf8.RuneSelf {
			var room [longestEscape]byte
			n, s = n+len(appendEscape(room[:0], s[0])), s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			n += longestEscape
		} else {
			n += size
		}
		s = s[size:]
	}
	return n
}

// checkContent checks the bounds of blocks that are not plain text by what they
// are encoded to.
func checkContent(content []Content, b *Bounds) error {
	encoded := []byte{'['}
	for i := range content {
		encoded = appendContent(appendComma(encoded, 1), &content[i], &Projection{Revision: V20260728})
		if len(encoded) > maxDocument {
			return errLarge
		}
	}
	return CheckResult(append(encoded, ']'), b)
}

// CheckResponse reports what of an encoded response is out of bounds (decision
// 52).
func CheckResponse(response []byte, b *Bounds) error { return CheckResult(response, b) }
