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

// contradicted reports two outcomes of a file, and writes their outputs.
func (r *Run) contradicted(x chain.Contradiction) {
	if r.Out == nil {
		return
	}
	paths := flakyPaths(r.Out)
	kept := fmt.Sprintf("%s and %s have the two outputs", paths[0], paths[1])
	first := "The file was interesting before, when the output of the test was not kept, and not again since.\n"
	if x.Recalled {
		first = outcomeText(x.Interesting)
	}
	err := errors.Join(output.WriteAnew(paths[0], first), output.WriteAnew(paths[1], outcomeText(x.Other)))
	if err != nil {
		kept = fmt.Sprintf("the two outputs cannot be kept: %v", err)
	}
	outcomes := "interesting once and once not"
	if x.Other.TimedOut {
		outcomes = "interesting once, and once ran out of time"
	}
	r.Warn(fmt.Sprintf("the test is flaky: the same %s bytes were %s; %s; continuing with %d confirmations",
		count(len(x.Candidate)), outcomes, kept, r.Chain.Confirmations()))
}

func outcomeText(run oracle.Run) string {
	outcome := "not interesting"
	if run.Outcome == algo.Interesting {
		outcome = "interesting"
	}
	return fmt.Sprintf("The file was %s (%s) after %v. The output of the test:\n%s",
		outcome, diagnose.Ending(run), run.Elapsed.Round(time.Millisecond), run.Output)
}
