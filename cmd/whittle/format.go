package main

import (
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
)

// Values of --format that are no command.
const (
	formatAuto = "auto"
	formatNone = "none"
)

// formats reports whether --format is a command.
func (f *flags) formats() bool { return f.format != formatAuto && f.format != formatNone }

// checkFormat checks --format.
func (f *flags) checkFormat() error {
	if !f.formats() {
		return nil
	}
	return run.CheckFormatter(f.format)
}

// formatter returns the command that formats the result; "" is none. By default that is a
// formatter of this machine, where the test is the command that fails.
func (f *flags) formatter(s *run.Run) string {
	switch {
	case f.format == formatNone, f.format == formatAuto && (f.noRewrite || s.Input.Set != nil || !s.Test.Inline):
		return ""
	case f.format == formatAuto:
		return shell.Join(tool.Formatter(s.Input.ReadBy(), s.Spec.Name))
	}
	return f.format
}
