package run

import (
	"errors"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/oracle"
)

func flakyPaths(out *output.Output) []string {
	return []string{out.Sidecar(".flaky-1.txt"), out.Sidecar(".flaky-2.txt")}
}

// keepOutputs writes two contradicting outputs.
func keepOutputs(x chain.Contradiction, paths []string) error {
	first := "The file was interesting before, when the output of the test was not kept, and not again since.\n"
	if x.Recalled {
		first = outcomeText(x.Interesting)
	}
	return errors.Join(output.WriteAnew(paths[0], first), output.WriteAnew(paths[1], outcomeText(x.Other)))
}

func outcomeText(run oracle.Run) string {
	outcome := "not interesting"
	if run.Outcome == algo.Interesting {
		outcome = "interesting"
	}
	return fmt.Sprintf("The file was %s (%s) after %v. The output of the test:\n%s",
		outcome, diagnose.Ending(run), run.Elapsed.Round(time.Millisecond), run.Output)
}
