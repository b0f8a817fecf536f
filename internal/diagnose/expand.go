package diagnose

import (
	"context"
	"slices"

	"whittle/algo"
	"whittle/internal/tool"
	"whittle/oracle"
)

// Expand is [tool.Expand] of the command. The word is "" if the command with the passes is not interesting.
func (t *Test) Expand(ctx context.Context) (at int, word string, err error) {
	with := func(command []string) (run oracle.Run) {
		other := *t
		if other.Spec.Argv = command; err == nil {
			run, err = other.run(ctx, t.Input, nil)
		}
		return run
	}
	at, word = tool.Expand(t.Spec.Argv, func(command []string) []byte {
		if run := with(command); run.Ended(0) {
			return run.Output
		}
		return nil
	})
	if word != "" {
		command := slices.Clone(t.Spec.Argv)
		if command[at] = word; with(command).Outcome != algo.Interesting {
			word = ""
		}
	}
	return at, word, err
}
