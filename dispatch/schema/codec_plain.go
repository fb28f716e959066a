//go:build (!amd64 && !arm64) || go1.28 || stdjson

package schema

import "reflect"

var active = &stdCodec

// Prepare compiles the codec for t ahead of its first use.
func Prepare(reflect.Type) error { return nil }
