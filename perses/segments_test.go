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
		tree, plan := parsed(t, "rust", source), by(grain.Entry().With(algo.Params{}))
		best, asked := run(QueueUntil().Search(tree, pass.Gate{}, plan), source, interesting)
		if want := fmt.Sprintf("a!(A%d(%d) as u8 => x, );\n", n/2, n/2); strings.ReplaceAll(best, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%d arguments: %s", n, best)
		}
		if most := 60 + 4*bits.Len(uint(n)); asked > most {
			t.Errorf("%d arguments: %d questions, want at most %d", n, asked, most)
		}
	}
	source := "a!(A(0) as u8 => x, B(1) as u8 => x);\n"
	for step := Queue().Search(parsed(t, "rust", source), pass.Gate{}, by(algo.DDMin)); !step.Ended(); {
		if step.About.List.Kind == "segments" {
			t.Fatal("the pass of the paper has segments")
		}
		step = step.Next(algo.Uninteresting)
	}
}
