package main

import (
	"github.com/dustin/go-humanize/english"

	"whittle/search/journal"
)

// resumes says what is known from a journal.
func (r *reporter) resumes(j *journal.Journal) {
	if j == nil {
		return
	}
	j.Lost = func(err error) { r.line("cannot write to the journal: %v; going on without it", err) }
	if n := j.Torn(); n > 0 {
		r.detail("%s ends with %s that are no outcome, and are dropped", j.Path(), english.Plural(int(n), "byte", ""))
	}
	if n := j.Known(); n > 0 {
		r.line("resuming: %s known from %s", english.Plural(n, "outcome", ""), j.Path())
	}
}

// begins makes the journal ours, now that it is needed.
func (r *reporter) begins(j *journal.Journal) error {
	if j.Foreign() == "" {
		return j.Begin()
	}
	foreign := j.Foreign()
	if err := j.Begin(); err != nil {
		return err
	}
	r.line("%s is of %s; it is kept as %s", j.Path(), foreign, j.Aside())
	return nil
}

// parts closes the journal and says to those who interrupted that it remains.
func (r *reporter) parts(j *journal.Journal, keep, interrupted bool) {
	known := j.Known()
	if err := j.Close(keep); err != nil {
		r.line("%v", err)
	} else if interrupted && known > 0 {
		r.line("the same command goes on from here")
	}
}
