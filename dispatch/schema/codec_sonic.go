//go:build (amd64 || arm64) && !go1.28 && !stdjson

package schema

import (
	"reflect"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"
)

// sonicDecoder matches names with case and refers to nothing of its input but,
// in spite of CopyString, to the numbers that it puts into an any.
var sonicDecoder = sonic.Config{CopyString: true, CaseSensitive: true, UseNumber: true}.Froze()

// sonicOptions: keys of maps sorted, so that equal results are equal text;
// invalid UTF-8 replaced; the output of MarshalJSON checked and compacted.
const sonicOptions = encoder.SortMapKeys | encoder.ValidateString | encoder.CompactMarshaler

var sonicCodec = codec{
	name:   "sonic",
	alias:  true,
	decode: sonicDecoder.UnmarshalFromString,
	encode: func(dst []byte, v any) ([]byte, error) {
		out := dst
		if err := encoder.EncodeInto(&out, v, sonicOptions); err != nil {
			return dst, err
		}
		return out, nil
	},
}

var active = &sonicCodec

// Prepare compiles the codec for t ahead of its first use.
func Prepare(t reflect.Type) error { return sonic.Pretouch(t) }
