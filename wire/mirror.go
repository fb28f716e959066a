package wire

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

var (
	sentinelPrefix = []byte("=?base64?")
	sentinelSuffix = []byte("?=")
)

// DecodeMirror returns the text of a mirrored header's value, from which
// optional whitespace has been trimmed: the value itself, or what its sentinel
// form =?base64?…?= stands for (spec section 3.2, decision 13). It reports
// false for bytes that no such header may have, and for a sentinel that does
// not decode to UTF-8. Plain values are returned as views.
func DecodeMirror(value []byte) (text []byte, ok bool) {
	for _, c := range value {
		if (c < 0x20 || c > 0x7e) && c != '\t' {
			return nil, false
		}
	}
	if len(value) < len(sentinelPrefix)+len(sentinelSuffix) ||
		!bytes.HasPrefix(value, sentinelPrefix) || !bytes.HasSuffix(value, sentinelSuffix) {
		return value, true
	}
	payload := value[len(sentinelPrefix) : len(value)-len(sentinelSuffix)]
	text = make([]byte, base64.StdEncoding.DecodedLen(len(payload)))
	n, err := base64.StdEncoding.Strict().Decode(text, payload)
	if err != nil || !utf8.Valid(text[:n]) {
		return nil, false
	}
	return text[:n], true
}

// EncodeMirror returns the value that mirrors a text: the text itself where a
// header can carry it, else its sentinel form.
func EncodeMirror(text string) string {
	plain := text == "" || text[0] != ' ' && text[0] != '\t' && text[len(text)-1] != ' ' && text[len(text)-1] != '\t'
	for i := 0; i < len(text) && plain; i++ {
		plain = text[i] >= 0x20 && text[i] <= 0x7e
	}
	if plain && !bytes.HasPrefix([]byte(text), sentinelPrefix) {
		return text
	}
	return string(sentinelPrefix) + base64.StdEncoding.EncodeToString([]byte(text)) + string(sentinelSuffix)
}
