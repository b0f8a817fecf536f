package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A place follows the names that it belongs to. The numbers of reasons and of clues are limited.
func TestReasons(t *testing.T) {
	many, most := "", []string{}
	clues, some := "", []string{}
	for i := range 2 * mostReasons {
		many += fmt.Sprintf("a.c:%d n%d\n", i, i)
		clues += fmt.Sprintf("@a.c:%d\n", i)
		if i < mostClues {
			some = append(some, fmt.Sprintf("@a.c:%d", i))
		}
		if i < mostReasons {
			most = append(most, fmt.Sprintf("a.c:%d n%d", i, i))
		}
	}
	for output, want := range map[string][]string{
		"":                                       nil,
		"a.c:1 x\n\na.c:2 y":                     {"a.c:1 x", "a.c:2 y"},
		"- x\na.c:1\n- y\nother\na.c:2\na.c:3\n": {"a.c:1 x", "a.c:2 y", "a.c:3"},
		"a.c:1 x\na.c:2 x\na.c:2 x\na.c:5 y\n":   {"a.c:1 x", "a.c:2 x", "a.c:5 y"},
		"-\n>a.c:1\n>a.c:2\n- x\n>a.c:3\n-\n":    {"a.c:1", "a.c:3 x"},
		"@-\n>a.c:1\n@-\nb.c:1 x\n@-\n":          {"@a.c:1", "b.c:1 x"},
		">- f g\n@a.c:1\n@a.c:2\n>- h\na.c:3\n":  {"@a.c:1 f g", "@a.c:2", "a.c:3"},
		many:                                     most,
		clues:                                    some,
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			r := Reasons{Of: func(line []byte) string {
				if text := string(line); strings.ContainsAny(text, ":-") {
					return text
				}
				return ""
			}}
			for part := range slices.Chunk([]byte(output), size) {
				if n, err := r.Write(part); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if got := r.All(); !slices.Equal(got, want) {
				t.Errorf("%.60q in parts of %d: %q, want %q", output, size, got, want)
			}
		}
	}
}
