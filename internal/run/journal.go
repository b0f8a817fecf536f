package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/internal/journal"
	"whittle/internal/output"
)

// retestAfter is the age of a journal after which the input is tested again: the environment may
// have changed.
const retestAfter = time.Minute

// Replay adapts the time limit to the journal, and forgets the outcome of the input if the journal
// is old.
func (r *Run) Replay(input []byte) {
	if time.Since(r.Journal.Modified) > retestAfter && !r.Chain.Measured() {
		r.Journal.Forget(input)
	}
	r.Chain.Timeout.Resume(r.Journal.Slowest)
}

func (r *Run) identity() journal.Identity {
	// Files in the command, such as a script, belong to the test.
	test := [][]byte{fmt.Appendf(nil, "%q in %q, %v", r.Spec.Argv, r.Spec.Home, r.Spec.Stdin)}
	if len(r.Retry.Exits) > 0 { // they change the meaning of exit codes
		test = append(test, fmt.Append(nil, "--retry-exit ", r.Retry.Exits))
	}
	words := strings.Fields(r.Test.Server)
	for _, word := range r.Spec.Argv {
		if filepath.IsAbs(word) {
			words = append(words, word)
		}
	}
	if o := r.Spec.Layout.Outside; o != nil && r.Test.Project == nil { // of a configuration
		for _, path := range o.Paths {
			words = append(words, filepath.Join(o.Root, path))
		}
	}
	for _, word := range words {
		info, err := os.Stat(word)
		reduced := slices.ContainsFunc(r.Input.Paths, func(path string) bool { return output.Within(word, path) })
		if err == nil && info.Mode().IsRegular() && !reduced {
			content, _ := os.ReadFile(word)
			test = append(test, content)
		}
	}
	if r.Remote != nil {
		test = append(test, r.Remote.Identity()...)
	}
	var guards []byte
	for _, g := range r.Guards {
		guards = fmt.Appendf(guards, "%q %v\n", g.Program.Version, g.Allowed)
	}
	for _, stage := range r.Chain.Stages() {
		guards = fmt.Appendf(guards, "%q\n", stage.Argv)
	}
	if r.Crash != nil {
		guards = fmt.Appendf(guards, "%q %s\n", r.Crash.Stage.Command(nil), r.Crash.Stage.Interesting)
	}
	var id journal.Identity
	id.Add("input", []byte(r.Spec.Layout.Name), fmt.Append(nil, r.Spec.Layout.Mode), r.Input.Bytes)
	id.Add("test", test...)
	id.Add("--interesting", []byte(r.InterestingText), []byte(r.Failure.Called()))
	id.Add("--timeout", []byte(r.Spec.Timeout.String()))
	id.Add("--memory-limit or --disk-limit", fmt.Append(nil, r.Limits))
	id.Add("--repeat or --stress", fmt.Append(nil, r.Repeat, r.Stress))
	id.Add("--valid, or the compilers of this machine", guards)
	id.Add("--keep-flags", fmt.Append(nil, r.Shrinks))
	id.Seal()
	return id
}
