package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-mcp/troupe/wire"
)

// C-05, C-07, C-17, decision 62, spec section 9.6: completion/complete on the
// revisions, byte for byte; of more than 100 values the first 100.
func TestAppendCompletion(t *testing.T) {
	t.Parallel()
	zero, one, many := 0, 1, 150
	values := make([]string, 101)
	for i := range values {
		values[i] = fmt.Sprint("v", i)
	}
	hundred := `["` + strings.Join(values[:100], `","`) + `"]`
	cases := []struct {
		name       string
		completion wire.Completion
		p          *wire.Projection
		want       string
	}{
		{"nothing to suggest", wire.Completion{}, &modern, `{"values":[]}`},
		{"nothing, 2025", wire.Completion{}, &late, `{"values":[]}`},
		{"the spec's example", wire.Completion{Values: []string{"flask"}, Total: &one}, &modern, `{"values":["flask"],"total":1,"hasMore":false}`},
		{"values", wire.Completion{Values: []string{"a\"", "\u2028", ""}}, &late, `{"values":["a\"","\u2028",""]}`},
		{"a total of none", wire.Completion{Total: &zero}, &early, `{"values":[],"total":0,"hasMore":false}`},
		{"more", wire.Completion{Values: []string{"a"}, HasMore: true}, &early, `{"values":["a"],"hasMore":true}`},
		{"100 values", wire.Completion{Values: values[:100]}, &modern, `{"values":` + hundred + `}`},
		{"101 values", wire.Completion{Values: values}, &modern, `{"values":` + hundred + `,"hasMore":true}`},
		{"101 of 150", wire.Completion{Values: values, Total: &many}, &late, `{"values":` + hundred + `,"total":150,"hasMore":true}`},
	}
	for _, c := range cases {
		if err := wire.CheckCompletion(&c.completion); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		want := `{"jsonrpc":"2.0","id":9,"result":{"completion":` + c.want + `}}`
		if c.p == &modern {
			want = `{"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","completion":` + c.want + `,"_meta":{` + serverInfo + `}}}`
		}
		checkCatalog(t, []golden{{c.name, wire.AppendCompletion([]byte("x"), idOf(t, `9`), &c.completion, c.p), want}})
	}
}
