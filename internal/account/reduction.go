package account

import (
	"context"
	"errors"

	"whittle"
	"whittle/internal/reduction"
	"whittle/internal/report"
)

// OfReduction returns what is known of what a reduction has left. If it was interrupted, as
// the context says, nothing more is run.
func OfReduction(ctx context.Context, r *reduction.Run, result whittle.Result, o Options) (report.Facts, error) {
	o.Failure, o.Words, o.File = r.Failure.Signature, r.Words(), r.Best()
	q := begin(r.Session, o)
	q.facts.Before, q.facts.Early, q.facts.Course = q.size(r.Input.Bytes), r.Early(ctx, result), r.Course()
	if r.Test.Inline {
		q.facts.Given = q.shown(r.Test.Argv)
	}
	for _, g := range r.Guards {
		q.facts.Guards = append(q.facts.Guards, report.Guard{Name: "accepted by " + g.String(), Held: true})
	}
	for _, s := range r.Agree {
		q.facts.Guards = append(q.facts.Guards, report.Guard{Name: "agrees with one side: " + s.Name, Held: true})
	}
	for _, k := range r.Others.All() {
		q.facts.Others = append(q.facts.Others, report.Other{Title: k.Title, Path: k.Path, Size: report.Size{Bytes: k.Bytes}})
	}
	if ctx.Err() != nil {
		q.facts.Shown = r.Failure.Shown
		q.facts.Machine = system()
		q.facts.Notes = append(q.facts.Notes, "It was interrupted, and no other compilers were asked.")
		return q.facts, nil
	}
	err := q.find(ctx)
	if none := (*NoFailureError)(nil); errors.As(err, &none) { // it is flaky
		q.facts.Notes = append(q.facts.Notes, "For this report it was run once more, and did not fail.")
		err = nil
	}
	return q.facts, err
}
