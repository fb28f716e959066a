package schema

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkStringEnd: time grows with the length of the text, whatever it is
// full of.
func BenchmarkStringEnd(b *testing.B) {
	for _, text := range []string{`x`, `\n`, `\u0041`, `\"`} {
		for _, n := range []int{1_000, 100_000} {
			doc := []byte(`"` + strings.Repeat(text, n/len(text)) + `"`)
			b.Run(fmt.Sprintf("text=%s/bytes=%d", strings.Trim(text, `\"`), n), func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				for b.Loop() {
					if end, _, ok := stringEnd(doc, 0); !ok || end != len(doc) {
						b.Fatal(end, ok)
					}
				}
			})
		}
	}
}
