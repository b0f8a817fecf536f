package diagnose

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/printable"
	"whittle/oracle"
)

// An explanation shows so much output.
const (
	shownLines = 20
	shownBytes = 2000
)

// Said describes the end of an output. where is "" or begins with a space.
func Said(where string, output []byte) string {
	said := strings.TrimSpace(string(output))
	if cut := len(said) - shownBytes; cut > 0 {
		said = "..." + said[cut:]
	}
	if lines := strings.Split(said, "\n"); len(lines) > shownLines {
		said = strings.Join(lines[len(lines)-shownLines:], "\n")
	}
	if said = printable.String(said); said == "" {
		return "It said nothing" + where + "."
	}
	return "The last it said" + where + ":\n  " + strings.ReplaceAll(said, "\n", "\n  ")
}

// Exceeded describes the limit that a test exceeded, with its flag.
func Exceeded(run oracle.Run, limits oracle.Limits) string {
	switch run.Exceeded {
	case oracle.MemoryLimit:
		return "killed: it used more than " + humanize.IBytes(limits.Memory) + " of memory, see --memory-limit"
	case oracle.ProcessLimit:
		return fmt.Sprintf("killed: it had more than %d processes at once", oracle.MaxProcesses)
	case oracle.DiskLimit:
		return "killed: its files took more than " + humanize.IBytes(limits.Disk) + ", see --disk-limit"
	case oracle.FileSizeLimit:
		return "killed: it wrote a file of more than " + humanize.IBytes(limits.Disk) + ", see --disk-limit"
	}
	return ""
}

// Contradiction describes two runs of the same file, in words and by their outputs.
func Contradiction(x chain.Contradiction) (text string, outputs [2]string) {
	outputs[0] = "The file was interesting before, when the output of the test was not kept, and not again since.\n"
	if x.Recalled {
		outputs[0] = outcome(x.Interesting)
	}
	outputs[1] = outcome(x.Other)
	outcomes := "interesting once and once not"
	if x.Other.TimedOut {
		outcomes = "interesting once, and once ran out of time"
	}
	size := humanize.Comma(int64(len(x.Candidate)))
	return fmt.Sprintf("the test is flaky: the same %s bytes were %s", size, outcomes), outputs
}

func outcome(run oracle.Run) string {
	outcome := "not interesting"
	if run.Outcome == algo.Interesting {
		outcome = "interesting"
	}
	return fmt.Sprintf("The file was %s (%s) after %v. The output of the test:\n%s",
		outcome, Ending(run), run.Elapsed.Round(time.Millisecond), run.Output)
}

// Failed returns an error if a program did not end with exit code 0. It says why, as a clause that begins with "it".
func Failed(run oracle.Run) error {
	how := ""
	switch {
	case run.TimedOut:
		return fmt.Errorf("it had not ended after %v", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		return fmt.Errorf("it used too much %s", run.Exceeded.What())
	case run.Signal != "":
		how = "it was ended by a signal, " + run.Signal
	case run.ExitCode != 0:
		how = fmt.Sprintf("it ended with exit code %d", run.ExitCode)
	default:
		return nil
	}
	if said, _, _ := strings.Cut(strings.TrimSpace(string(run.Output)), "\n"); said != "" {
		how += ": " + said
	}
	return errors.New(how)
}
