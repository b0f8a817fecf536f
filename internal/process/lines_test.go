package process

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCounter(t *testing.T) {
	patterns := []*regexp.Regexp{regexp.MustCompile("^ice"), regexp.MustCompile("error$"), regexp.MustCompile("^$")}
	long := strings.Repeat("x", 3*lineLimit)
	for _, tt := range []struct {
		text string
		want []int
	}{
		{"", []int{0, 0, 0}},
		{"ice", []int{1, 0, 0}},
		{"ice\nnice\nice error\n\n", []int{2, 1, 1}},
		{"an error\r\n\r\nice\r", []int{1, 1, 1}},
		{long + " error\n" + "ice" + long + "\nice error", []int{2, 1, 0}}, // the end is ignored
	} {
		for _, piece := range []int{1, 2, 7, 1 << 20} {
			c := NewCounter(patterns)
			for rest := tt.text; rest != ""; {
				n := min(piece, len(rest))
				c.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			if got := c.Counts(); !slices.Equal(got, tt.want) {
				t.Errorf("%.40q in pieces of %d: %v, want %v", tt.text, piece, got, tt.want)
			}
		}
	}
}
