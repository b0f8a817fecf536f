package main

import (
	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// journalFlags say where outcomes are kept, and for how long.
type journalFlags struct {
	journal                       string
	noJournal, fresh, keepJournal bool
}

func (f *journalFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.journal, "journal", "", "keep the outcomes of tests at this `path`, "+
		"to go on after an interruption (default small.reduced.c.journal)")
	c.Flags().BoolVar(&f.noJournal, "no-journal", false, "keep no journal")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "start over, whatever an earlier run has found")
	c.Flags().BoolVar(&f.keepJournal, "keep-journal", false, "do not remove the journal when all is done")
	usage.Group(c.Flags(), usage.Journal, "journal", "no-journal", "fresh", "keep-journal")
}

func (f *journalFlags) check() error {
	if f.noJournal && (f.journal != "" || f.keepJournal) {
		return usagef("--no-journal excludes --journal and --keep-journal")
	}
	return nil
}
