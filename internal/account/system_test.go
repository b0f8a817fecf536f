package account

import (
	"fmt"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	var long []string
	for i := range 200 {
		long = append(long, fmt.Sprint("line ", i))
	}
	output := []byte(strings.Join(long, "\n") + "\n")
	for _, c := range []struct {
		output      []byte
		shown       []string
		first, last string
		lines       int
	}{
		{nil, nil, "", "", 0},
		{[]byte("a\nb\n"), []string{"b"}, "a", "b", 2},
		{output, nil, "[…]", "line 199", 81},
		{output, []string{"line 50", "line 51"}, "[…]", "[…]", 82},
		{output, []string{"line 2"}, "line 0", "[…]", 81},
		{output, []string{"line 198"}, "[…]", "line 199", 9},
		{output, []string{"not there"}, "[…]", "line 199", 81},
	} {
		got := excerpt(c.output, c.shown)
		if len(got) != c.lines || c.lines > 0 && (got[0] != c.first || got[len(got)-1] != c.last) {
			t.Errorf("%q: %q", c.shown, got)
		}
		for _, s := range c.shown {
			if strings.HasPrefix(s, "line") && !strings.Contains(strings.Join(got, "\n")+"\n", s+"\n") {
				t.Errorf("%s is not in %q", s, got)
			}
		}
	}
}
