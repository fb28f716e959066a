package wire_test

import (
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// Spec section 5, V-63: the grammar of _meta keys; V-53: that of extensions,
// which must have a prefix.
func TestMetaKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text           string
		key, extension bool
	}{
		{"progressToken", true, false},
		{"a", true, false},
		{"7", true, false},
		{"a.b_c-d", true, false},
		{"", true, false}, // the name may be empty
		{"-a", false, false},
		{"a-", false, false},
		{"_a", false, false},
		{"a.", false, false},
		{".a", false, false},
		{"a b", false, false},
		{"a!", false, false},
		{"é", false, false},
		{"a\x00", false, false},
		{"a\n", false, false},
		{"io.modelcontextprotocol/protocolVersion", true, true},
		{"io.modelcontextprotocol/", true, true},
		{"com.example/x", true, true},
		{"com.example/x.y_z-1", true, true},
		{"com.example/-x", false, false},
		{"com.example/x/y", false, false},
		{"com.example//x", false, false},
		{"example/x", true, true},
		{"a/b", true, true},
		{"a-b.c1/x", true, true},
		{"/x", false, false},
		{"/", false, false},
		{"./x", false, false},
		{"com./x", false, false},
		{".com/x", false, false},
		{"com..example/x", false, false},
		{"1com/x", false, false},
		{"com.1x/x", false, false},
		{"-com/x", false, false},
		{"com-/x", false, false},
		{"co_m/x", false, false},
		{"com.exämple/x", false, false},
		{"com.example /x", false, false},
		{strings.Repeat("a.", 500) + "a/" + strings.Repeat("b", 500), true, true},
	} {
		if got := wire.ValidMetaKey([]byte(c.text)); got != c.key {
			t.Errorf("ValidMetaKey(%q) = %v", c.text, got)
		}
		if got := wire.ValidExtensionID([]byte(c.text)); got != c.extension {
			t.Errorf("ValidExtensionID(%q) = %v", c.text, got)
		}
	}
}
