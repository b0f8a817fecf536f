package account

import (
	"context"
	"errors"
	"time"

	"whittle"
	"whittle/internal/report"
	"whittle/internal/run"
)

// lastRun limits a run of the command after an interrupt.
const lastRun = 600 * time.Millisecond // less than interrupt.Grace

// OfReduction returns the facts about the result of a reduction. When ctx is done, by an
// interrupt, it only runs the command once more, for a moment; late ends that, too.
func OfReduction(ctx, late context.Context, r *run.Run, result whittle.Result, o Options,
) (report.Facts, error) {
	o.Failure, o.Words, o.File = r.Failure.Signature, r.Words(), r.Best()
	q := begin(r, o)
	q.facts.Before, q.facts.Early, q.facts.Course = q.size(r.Input.Bytes), r.Early(ctx, result), r.Course()
	if r.Test.Inline {
		q.facts.Given = q.shown(r.Test.Argv)
	}
	for _, g := range r.Guards {
		q.facts.Guards = append(q.facts.Guards, "accepted by "+g.String())
	}
	if r.Crash != nil && r.Crash.Title != "" {
		q.facts.Guards = append(q.facts.Guards, "the same place of the crash, by "+r.Crash.By+": "+r.Crash.Title)
	}
	for _, s := range r.Agree {
		q.facts.Guards = append(q.facts.Guards, s.Name+" agrees with one of the two commands")
	}
	for _, k := range r.Others.All() {
		q.facts.Others = append(q.facts.Others, report.Other{Title: k.Title, Path: k.Path, Size: report.Size{Bytes: k.Bytes}})
	}
	err := q.find(ctx)
	if ctx.Err() != nil {
		q.interrupted(late, r.Failure.Shown)
		return q.facts, nil
	}
	if none := (*NoFailureError)(nil); errors.As(err, &none) { // flaky
		q.facts.Notes = append(q.facts.Notes, "For this report it was run once more, and did not fail.")
		err = nil
	}
	return q.facts, err
}

// interrupted completes an interrupted report. shown is the output for the input.
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
		q.facts.Runs, _ = q.answers(ctx)
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
