package run

import (
	"errors"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/oracle"
)

// flakyOutputs are what is behind the name of the result in those of two outputs of
// a flaky test.
var flakyOutputs = [...]string{".flaky-1.txt", ".flaky-2.txt"}

// FlakyPaths returns where two outputs of a flaky test go.
func FlakyPaths(out *output.Output) []string {
	return []string{out.Beside(flakyOutputs[0]), out.Beside(flakyOutputs[1])}
}

// KeepOutputs keeps the two outputs of a test that contradicted itself.
func KeepOutputs(x oracle.Contradiction, out *output.Output) error {
	paths := FlakyPaths(out)
	first := "The file was interesting before, when the output of the test was not kept, and not again since.\n"
	if x.Recalled {
		first = outcomeText(x.Interesting)
	}
	return errors.Join(output.WriteAnew(paths[0], first), output.WriteAnew(paths[1], outcomeText(x.Other)))
}

// outcomeText is a test's outcome and output, for a file.
func outcomeText(r oracle.Run) string {
	outcome := "not interesting"
	if r.Outcome == algo.Interesting {
		outcome = "interesting"
	}
	return fmt.Sprintf("The file was %s (%s) after %v. The output of the test:\n%s",
		outcome, diagnose.Ending(r), r.Elapsed.Round(time.Millisecond), r.Output)
}
