package run

import (
	"bytes"
	"context"
	"slices"

	"whittle/grammars"
	"whittle/internal/coverage"
	"whittle/internal/failure"
	"whittle/pass"
)

// A recorder runs the test of a candidate once more to record how it runs. It remembers the last record.
type recorder struct {
	run       *Run
	candidate []byte
	marks     []pass.Mark
	raised    pass.Raised
}

// record returns empty values if no interpreter records.
func (r *recorder) record(ctx context.Context, candidate []byte) ([]pass.Mark, pass.Raised) {
	records := func(l grammars.Language) bool { return coverage.Records(l.Name) }
	if !slices.ContainsFunc(r.run.languages(), records) {
		return nil, pass.Raised{}
	}
	if !bytes.Equal(candidate, r.candidate) {
		record, starts := r.test(ctx, candidate)
		r.candidate = candidate
		r.marks, r.raised = record.Of(candidate, starts)
		if r.run.Failure.Kind == failure.WrongValue {
			r.raised = pass.Raised{} // any assertion fails with the right constants
		}
	}
	return r.marks, r.raised
}

// test returns the record of a test and the start of each file in the candidate, which may have arguments, too. The
// record is empty for a test server. With a cluster, the test runs on this machine, so the steps stay the same.
func (r *recorder) test(ctx context.Context, candidate []byte) (coverage.Record, map[string]int) {
	if r.run.Test.Server != "" {
		return coverage.Record{}, nil
	}
	called, _ := r.run.list.Open(candidate)
	starts := map[string]int{r.run.Spec.Layout.Name: 0}
	if set := r.run.Input.Set; set != nil {
		starts = set.Starts(called.File)
	}
	for path := range starts {
		starts[path] += bytes.Index(candidate, called.File)
	}
	return coverage.Run(ctx, r.run.program, called.Spec(r.run.Spec), called.File), starts
}
