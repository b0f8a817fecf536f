package account

import (
	"context"
	"errors"
	"time"

	"whittle"
	"whittle/internal/reduction"
	"whittle/internal/report"
)

// lastRun is the time that the command may take after the end of a run, to show what it prints.
const lastRun = 600 * time.Millisecond // less than interrupt.Grace

// OfReduction returns what is known of what a reduction has left. Once ctx is done, as by an
// interrupt, only the command itself is run again, for a moment; with late that ends, too.
func OfReduction(ctx, late context.Context, r *reduction.Run, result whittle.Result, o Options,
) (report.Facts, error) {
	o.Failure, o.Words, o.File = r.Failure.Signature, r.Words(), r.Best()
	q := begin(r.Run, o)
	q.facts.Before, q.facts.Early, q.facts.Course = q.size(r.Input.Bytes), r.Early(ctx, result), r.Course()
	if r.Test.Inline {
		q.facts.Given = q.shown(r.Test.Argv)
	}
	for _, g := range r.Guards {
		q.facts.Guards = append(q.facts.Guards, report.Guard{Name: "accepted by " + g.String(), Held: true})
	}
	if r.Crash != nil && r.Crash.Title != "" {
		place := "the same place of the crash, by " + r.Crash.By + ": " + r.Crash.Title
		q.facts.Guards = append(q.facts.Guards, report.Guard{Name: place, Held: true})
	}
	for _, s := range r.Agree {
		agrees := s.Name + " agrees with one of the two commands"
		q.facts.Guards = append(q.facts.Guards, report.Guard{Name: agrees, Held: true})
	}
	for _, k := range r.Others.All() {
		q.facts.Others = append(q.facts.Others, report.Other{Title: k.Title, Path: k.Path, Size: report.Size{Bytes: k.Bytes}})
	}
	err := q.find(ctx)
	if ctx.Err() != nil {
		q.interrupted(late, r.Failure.Shown)
		return q.facts, nil
	}
	if none := (*NoFailureError)(nil); errors.As(err, &none) { // it is flaky
		q.facts.Notes = append(q.facts.Notes, "For this report it was run once more, and did not fail.")
		err = nil
	}
	return q.facts, err
}

// interrupted completes a report that was interrupted. If the command was not run for it, it
// is run now; shown is what it printed for the input.
func (q *inquiry) interrupted(late context.Context, shown []string) {
	note := "It was interrupted, and not all experiments were made."
	if len(q.facts.Compilers) == 0 {
		note = "It was interrupted, and no other compilers were asked."
	}
	q.facts.Notes = append(q.facts.Notes, note)
	if len(q.facts.Runs) > 0 {
		return
	}
	ctx, cancel := context.WithTimeout(late, lastRun)
	defer cancel()
	if q.Test.Differs != nil {
		q.facts.Runs, _ = q.answers(ctx) // a command that has not ended says so
		return
	}
	if a, err := q.question.Ask(ctx, q.asked.Words); err == nil {
		q.tell(a.Run)
		return
	}
	q.command(shown)
	if len(shown) > 0 {
		q.facts.Notes = append(q.facts.Notes, "The output is that for the original file.")
	}
}
