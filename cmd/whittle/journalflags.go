package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/internal/session"
	"whittle/search/journal"
	"whittle/sink"
)

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

// journalPath is where the journal is: beside the result unless a flag says
// otherwise.
func (f *reduceFlags) journalPath(out *sink.Output) string {
	return cmp.Or(f.journal, out.Beside(".journal"))
}

// openJournal opens the journal of a reduction. It is nil if there is to be none, or
// can be none.
func (f *reduceFlags) openJournal(s *session.Session, out *sink.Output) (*journal.Journal, error) {
	if f.noJournal {
		return nil, nil
	}
	j, err := s.OpenJournal(f.journalPath(out), f.fresh)
	if err == nil || f.journal != "" || errors.Is(err, disk.ErrInUse) {
		return j, err
	}
	if !f.quiet {
		fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %v; going on without it\n", err)
	}
	return nil, nil
}
