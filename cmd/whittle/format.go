package main

import (
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
)

// The values of --format that are not commands.
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

// formatter returns the command that formats the result, or "". The default is a formatter on this
// machine, if the test is a COMMAND.
func (f *flags) formatter(s *run.Run) string {
	switch {
	case f.format == formatNone, f.format == formatAuto && (f.noRewrite || s.Input.Set != nil || !s.Test.Inline):
		return ""
	case f.format == formatAuto:
		return shell.Join(tool.Formatter(s.Input.ReadBy(), s.Spec.Name))
	}
	return f.format
}
