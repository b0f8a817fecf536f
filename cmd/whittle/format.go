package main

import (
	"context"

	"whittle/internal/session"
	"whittle/pass"
)

// format is the pass that formats the result.
func (r *reducing) format(ctx context.Context, s *session.Session) pass.Pass {
	return pass.Format(func(file []byte) ([]byte, error) {
		return r.Within(file, func(file []byte) ([]byte, error) { return s.Format(ctx, r.flags.format, file) })
	}, func(err error) {
		if ctx.Err() == nil {
			r.unformatted(err)
		}
	})
}

// unformatted says why the result is not formatted.
func (r *reducing) unformatted(err error) {
	r.report.line("--format %s: %v; the result stays as it is", r.flags.format, err)
}
