package chain

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/oracle"
)

// told says its argument and the size of the candidate.
type told struct{ outcome algo.Outcome }

func (e told) Run(_ context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	run := oracle.Run{Outcome: e.outcome}
	if spec.Argv[0] == "compiler" || strings.Contains(string(candidate), "loud") {
		run.Reasons = []string{spec.Argv[0]}
	}
	return run, nil
}

// The messages of a large candidate come from the program, unless the test shows some. The outcome is the test's.
func TestExplained(t *testing.T) {
	e := &explained{told{algo.Uninteresting}, told{algo.Interesting}, []string{"compiler"}}
	reason := func([]byte) string { return "" }
	large := strings.Repeat("x", Large)
	for _, x := range []struct {
		candidate string
		reason    func([]byte) string
		want      []string
	}{
		{large, reason, []string{"compiler"}},
		{large + "loud", reason, []string{"test"}},
		{large[1:], reason, nil},
		{large, nil, nil}, // nobody asks
	} {
		run, err := e.Run(context.Background(), oracle.Spec{Argv: []string{"test"}, Reason: x.reason}, []byte(x.candidate))
		if err != nil || run.Outcome != algo.Uninteresting || !slices.Equal(run.Reasons, x.want) {
			t.Errorf("%d bytes: %+v, %v; want %q", len(x.candidate), run, err, x.want)
		}
	}
}
