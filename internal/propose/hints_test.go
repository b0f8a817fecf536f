package propose

import (
	"slices"
	"testing"
)

// The proposals are all hints together, then halves, then each alone; hints with other operations are left out.
func TestHints(t *testing.T) {
	const head = `{"format":"cvise_hints_v0","pass":"x"}` + "\n" + `["y", "@fileref", "rm", "small"]` + "\n"
	for _, c := range []struct {
		output string
		want   []string
	}{
		{"any text\n", []string{"any text\n"}},
		{`{"format": "other"}` + "\n\n\n", []string{`{"format": "other"}` + "\n\n\n"}},
		{head, nil},
		{head + `{"p":[{"l":0,"r":2}]}` + "\n", []string{"cdef"}},
		{head + `{"p":[{"l":0,"r":2},{"l":4,"r":5,"v":0}]}` + "\n" + `{"t":3,"p":[{"l":1,"r":3}]}` + "\n",
			[]string{"cdyf", "cdyf", "adef"}},
		{head + `{"t":1,"p":[{"l":0,"r":2}]}` + "\n" + `{"p":[{"l":0,"r":2,"o":2}]}` + "\n" + `{"p":[{"p":0,"o":2}]}` + "\n" +
			`{"p":[{"l":3,"r":2}]}` + "\n" + `{"p":[{"l":3,"r":9}]}` + "\n" + `{"p":[{"l":-1,"r":2}]}` + "\n" +
			`{"p":[{"l":1,"r":2,"v":9}]}` + "\n" + "garbage\n", nil},
	} {
		var got []string
		for _, p := range proposals([]byte("abcdef"), []byte(c.output)) {
			got = append(got, string(p()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.output, got, c.want)
		}
	}
}
