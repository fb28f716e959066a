package wire

import "unsafe"

// viewBytes reads a string as bytes without copying. They must not be written.
func viewBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
