package main

import (
	"context"

	"whittle/internal/session"
	"whittle/internal/shell"
	"whittle/internal/toolchain"
	"whittle/pass"
)

// Values of --format that are no command.
const (
	formatAuto = "auto"
	formatNone = "none"
)

// checkFormat finds mistakes in --format.
func (f *reduceFlags) checkFormat() error {
	if f.format == formatAuto || f.format == formatNone {
		return nil
	}
	return session.CheckFormatter(f.format)
}

// formatter returns the command that formats the result; "" is none. By default that is a
// formatter of this machine, where the test is the command that fails.
func (f *reduceFlags) formatter(s *session.Session) string {
	switch {
	case f.format == formatNone, f.format == formatAuto && (f.noRewrite || s.Input.Set != nil || !s.Test.Inline):
		return ""
	case f.format == formatAuto:
		return shell.Join(toolchain.Formatter(s.Input.ReadBy(), s.Spec.Name))
	}
	return f.format
}

// formats is the pass that formats the result.
func (r *reducing) formats(ctx context.Context, s *session.Session) pass.Pass {
	return pass.Format(func(file []byte) ([]byte, error) {
		return r.Within(file, func(file []byte) ([]byte, error) { return s.Format(ctx, r.formatter, file) })
	}, func(err error) {
		if ctx.Err() == nil {
			r.unformatted(err)
		}
	})
}

// unformatted says why the result is not formatted, if the user wanted that.
func (r *reducing) unformatted(err error) {
	if r.flags.format != formatAuto {
		r.report.line("--format %s: %v; the result stays as it is", r.flags.format, err)
	}
}
