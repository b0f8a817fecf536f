package perses

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/pass"
)

// An argument of a macro goes with all its tokens and a comma.
func TestSegments(t *testing.T) {
	matches := regexp.MustCompile(`^a!\((A\d+\(\d+\)asu8=>x,)*\);\n$`)
	for _, n := range []int{4, 16, 64} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "A%d(%d) as u8 => x, ", i, i)
		}
		source := "a!(" + b.String() + ");\n"
		interesting := func(s string) bool {
			return strings.Contains(s, fmt.Sprintf("A%d(", n/2)) && matches.MatchString(strings.ReplaceAll(s, " ", ""))
		}
		step := Queue().Search(parsed(t, "rust", source), pass.Gate{}, by(grain.Entry().With(algo.Params{})))
		best, asked := run(step, source, interesting)
		if want := fmt.Sprintf("a!(A%d(%d) as u8 => x, );\n", n/2, n/2); strings.ReplaceAll(best, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%d arguments: %s", n, best)
		}
		if most := 60 + 4*bits.Len(uint(n)); asked > most {
			t.Errorf("%d arguments: %d questions, want at most %d", n, asked, most)
		}
	}
}
