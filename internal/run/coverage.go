package run

import (
	"context"
	"errors"
	"slices"

	"whittle/grammars"
	"whittle/internal/coverage"
	"whittle/pass"
)

// ran marks the bytes of a candidate by one more test. It returns nil if no interpreter records.
func (r *Run) ran(ctx context.Context, candidate []byte) []pass.Mark {
	called, _ := r.list.Open(candidate)
	records := func(l grammars.Language) bool { return coverage.Records(l.Name) }
	marks, _ := r.within(candidate, func(file []byte) ([]byte, error) {
		if r.Test.Server != "" || !slices.ContainsFunc(r.languages(), records) {
			return nil, errors.ErrUnsupported
		}
		marks := coverage.Marks(ctx, r.program, called.Spec(r.Spec), file)
		if r.Input.Set == nil {
			return marks[r.Spec.Layout.Name], nil
		}
		return coverage.Archive(r.Input.Set, file, marks)
	})
	return marks
}
