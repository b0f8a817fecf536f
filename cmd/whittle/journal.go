package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/search/journal"
	"whittle/sink"
)

// retestAfter is how long a reduction may have stood still before its input is
// tested again: the surroundings of the test may have changed.
const retestAfter = time.Minute

// journalFlags say where outcomes are kept, and for how long.
type journalFlags struct {
	journal                       string
	noJournal, fresh, keepJournal bool
}

func (f *journalFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.journal, "journal", "", "keep the outcomes of tests at this `path`, to go on after an interruption (default small.reduced.c.journal)")
	c.Flags().BoolVar(&f.noJournal, "no-journal", false, "keep no journal")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "start over, whatever an earlier run has found")
	c.Flags().BoolVar(&f.keepJournal, "keep-journal", false, "do not remove the journal when all is done")
}

func (f *journalFlags) check() error {
	if f.noJournal && (f.journal != "" || f.keepJournal) {
		return usagef("--no-journal excludes --journal and --keep-journal")
	}
	return nil
}

// identity gives what the outcomes of tests depend on.
func (f *reduceFlags) identity(call call, s *subject) journal.Identity {
	command := s.command
	// Files that a test names are a part of it, as far as they can be read: a
	// script, or that of an interpreter.
	test := [][]byte{fmt.Appendf(nil, "%q in %q, %v", command.Argv, command.Home, command.Stdin)}
	words := strings.Fields(call.server) // of a shell in the current directory
	for _, word := range command.Argv {
		if filepath.IsAbs(word) {
			words = append(words, word)
		}
	}
	for _, word := range words {
		info, err := os.Stat(word)
		reduced := slices.ContainsFunc(s.Paths, func(path string) bool { return sink.Within(word, path) })
		if err == nil && info.Mode().IsRegular() && !reduced {
			content, _ := os.ReadFile(word)
			test = append(test, content)
		}
	}
	var id journal.Identity
	id.Add("input", []byte(command.Name), fmt.Append(nil, command.Mode), s.Bytes)
	id.Add("test", test...)
	id.Add("--interesting", fmt.Appendf(nil, "%q %q %q %v", f.exits, f.printed, f.signalled, f.hangs))
	id.Add("--timeout", []byte(f.timeout.String()))
	id.Add("--memory-limit or --disk-limit", fmt.Append(nil, f.limits))
	id.Add("--repeat", fmt.Append(nil, f.repeat))
	id.Seal()
	return id
}

// journalPath is where the journal is: beside the result unless a flag says
// otherwise.
func (f *reduceFlags) journalPath(out *sink.Output) string {
	return cmp.Or(f.journal, out.Beside(".journal"))
}

// openJournal opens the journal of a reduction. It is nil if there is to be none, or can be none.
func (f *reduceFlags) openJournal(out *sink.Output, call call, s *subject) (*journal.Journal, error) {
	if f.noJournal {
		return nil, nil
	}
	j, err := journal.Open(f.journalPath(out), f.identity(call, s), f.fresh)
	switch {
	case errors.Is(err, disk.ErrInUse):
		return nil, usagef("%w; wait for its end, or give this one another with --journal", err)
	case err != nil && f.journal != "":
		return nil, err
	case err != nil && !f.quiet:
		fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %v; going on without it\n", err)
	}
	return j, nil
}

// resumes tells what is known from a journal.
func (t *talk) resumes(j *journal.Journal, input []byte) {
	if j == nil {
		return
	}
	j.Lost = func(err error) { t.line("cannot write to the journal: %v; going on without it", err) }
	if n := j.Torn(); n > 0 {
		t.detail("%s ends with %s that are no outcome, and are dropped", j.Path(), english.Plural(int(n), "byte", ""))
	}
	if n := j.Known(); n > 0 {
		t.line("resuming: %s known from %s", english.Plural(n, "outcome", ""), j.Path())
	}
	if time.Since(j.Modified()) > retestAfter {
		j.Forget(input)
	}
}

// begins makes the journal ours, now that it is needed.
func (t *talk) begins(j *journal.Journal) error {
	if j.Foreign() == "" {
		return j.Begin()
	}
	foreign := j.Foreign()
	if err := j.Begin(); err != nil {
		return err
	}
	t.line("%s is of %s; it is kept as %s", j.Path(), foreign, j.Aside())
	return nil
}

// parts closes the journal and tells those who interrupted that it remains.
func (t *talk) parts(j *journal.Journal, keep, interrupted bool) {
	known := j.Known()
	if err := j.Close(keep); err != nil {
		t.line("%v", err)
	} else if interrupted && known > 0 {
		t.line("the same command goes on from here")
	}
}
