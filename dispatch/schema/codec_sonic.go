//go:build (amd64 || arm64) && !go1.28 && !stdjson

package schema

import (
	"reflect"
	"sync"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/decoder"
	"github.com/bytedance/sonic/encoder"
)

// sonicDecoders are idle decoders. They match names with case and copy strings.
var sonicDecoders = sync.Pool{New: func() any {
	d := decoder.NewDecoder("")
	d.SetOptions(decoder.OptionCopyString | decoder.OptionCaseSensitive | decoder.OptionUseNumber)
	return d
}}

func decodeSonic(doc string, into any) error {
	d := sonicDecoders.Get().(*decoder.Decoder)
	d.Reset(doc)
	err := d.Decode(into)
	if err == nil {
		err = d.CheckTrailings()
	}
	d.Reset("") // a decoder that a panic has passed through is not put back
	sonicDecoders.Put(d)
	return err
}

// sonicOptions: keys of maps sorted, so that equal results are equal text;
// invalid UTF-8 replaced; the output of MarshalJSON checked and compacted.
const sonicOptions = encoder.SortMapKeys | encoder.ValidateString | encoder.CompactMarshaler

var sonicCodec = codec{
	name:   "sonic",
	decode: decodeSonic,
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
