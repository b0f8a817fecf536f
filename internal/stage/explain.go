package stage

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"whittle/internal/chain"
	"whittle/internal/run"
	"whittle/internal/tool"
	"whittle/oracle"
)

// Explain finds the messages that a test script hides, as with 2>/dev/null. If the test of the input shows none, a step
// of the script runs after tests of large candidates, and its messages count as the test's. That is the first step that
// shows a message for the input, or else the first compiler.
func Explain(ctx context.Context, r *run.Run, doing func(step string)) error {
	if len(r.Test.Argv) == 0 || r.Spec.Interesting.Telling() || r.Input.Set != nil || r.Remote != nil || r.Spec.Stdin ||
		len(r.Input.Bytes) < chain.Large {
		return nil
	}
	shows := func(argv []string) (bool, error) {
		test := r.Bare()
		test.Spec.Argv = argv
		answer, err := test.Executor.Run(ctx, test.Spec, r.Input.Bytes)
		return len(answer.Reasons) > 0, err
	}
	if shown, err := shows(r.Spec.Argv); shown || err != nil {
		return err
	}
	doing("looking for the messages that the test hides")
	rec, err := Record(ctx, r, r.Spec.Arguments(), r.Input.Bytes)
	if err != nil {
		return err
	}
	var first []string
	for _, s := range rec.Steps[:min(len(rec.Steps), mostSteps)] {
		path, argv := s.source()
		if filepath.Base(path) != r.Spec.Name || !slices.Contains(argv, oracle.Placeholder) {
			continue
		}
		argv[0] = cmp.Or(inPath(argv[0]), argv[0])
		shown, err := shows(argv)
		if err != nil {
			return err
		}
		if compiles := tool.Find(argv[0]).Builds != nil; shown || compiles && first == nil {
			first = argv
		}
		if shown {
			break
		}
	}
	if first != nil {
		r.Warn(fmt.Sprintf("the test hides the messages of %s, which runs again after tests of large candidates",
			filepath.Base(first[0])))
		r.Chain.Explain(first)
	}
	return nil
}
