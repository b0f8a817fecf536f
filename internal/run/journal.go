package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/internal/disk"
	"whittle/internal/journal"
	"whittle/internal/output"
)

// retestAfter is how long a reduction may have stood still before its input is
// tested again: the surroundings of the test may have changed.
const retestAfter = time.Minute

// OpenJournal opens the journal at path. With fresh it forgets what an earlier run has
// found.
func (s *Run) OpenJournal(path string, fresh bool) (*journal.Journal, error) {
	j, err := journal.Open(path, s.identity(), fresh)
	if errors.Is(err, disk.ErrInUse) {
		return nil, fmt.Errorf("%w; wait for its end, or give this one another with --journal", err)
	}
	return j, err
}

// Replay goes on from what a journal knows: the time limit adapts to it, and the input
// as a candidate is tested again if that was long ago.
func (s *Run) Replay(j *journal.Journal, input []byte) {
	if j == nil {
		return
	}
	if time.Since(j.Modified()) > retestAfter {
		j.Forget(input)
	}
	s.Chain.Timeout.Resume(j.Slowest())
}

// identity returns what the outcomes of tests depend on.
func (s *Run) identity() journal.Identity {
	// Files that a test names are a part of it, as far as they can be read: a
	// script, or that of an interpreter.
	test := [][]byte{fmt.Appendf(nil, "%q in %q, %v", s.Spec.Argv, s.Spec.Home, s.Spec.Stdin)}
	if len(s.Retry.Exits) > 0 { // an exit code means something else
		test = append(test, fmt.Append(nil, "--retry-exit ", s.Retry.Exits))
	}
	words := strings.Fields(s.Test.Server) // of a shell in the current directory
	for _, word := range s.Spec.Argv {
		if filepath.IsAbs(word) {
			words = append(words, word)
		}
	}
	for _, word := range words {
		info, err := os.Stat(word)
		reduced := slices.ContainsFunc(s.Input.Paths, func(path string) bool { return output.Within(word, path) })
		if err == nil && info.Mode().IsRegular() && !reduced {
			content, _ := os.ReadFile(word)
			test = append(test, content)
		}
	}
	if s.Remote != nil {
		test = append(test, s.identityThere()...)
	}
	var guards []byte
	for _, g := range s.Guards {
		guards = fmt.Appendf(guards, "%q %v\n", g.Program.Version, g.Allowed)
	}
	for _, stage := range s.Chain.Stages() {
		guards = fmt.Appendf(guards, "%q\n", stage.Argv)
	}
	if s.Crash != nil {
		guards = fmt.Appendf(guards, "%q %s\n", s.Crash.Stage.Command(nil), s.Crash.Stage.Interesting)
	}
	var id journal.Identity
	id.Add("input", []byte(s.Spec.Layout.Name), fmt.Append(nil, s.Spec.Layout.Mode), s.Input.Bytes)
	id.Add("test", test...)
	id.Add("--interesting", []byte(s.InterestingText), []byte(s.Failure.Called()))
	id.Add("--timeout", []byte(s.Spec.Timeout.String()))
	id.Add("--memory-limit or --disk-limit", fmt.Append(nil, s.Limits))
	id.Add("--repeat", fmt.Append(nil, s.Repeat))
	id.Add("--valid, or the compilers of this machine", guards)
	id.Add("--keep-flags", fmt.Append(nil, s.Shrinks))
	id.Seal()
	return id
}
