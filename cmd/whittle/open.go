package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/includes"
	"whittle/internal/interrupt"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// begin opens a session, which the caller closes.
func (f *flags) begin(ctx context.Context, test run.Test) (*run.Run, error) {
	language, err := f.findLanguage()
	if err != nil {
		return nil, err
	}
	return run.New(run.Config{
		Test: test, Language: language, Grammar: f.grammar,
		Stdin: f.stdin, Interesting: f.interesting, InterestingText: f.interestingText(), Frames: f.frames,
		Timeout: f.timeout, Limits: f.limits, Sandbox: f.sandbox, WorkDir: f.workDir, Jobs: f.jobs,
		Retry: f.elsewhere.Retry, Remote: f.elsewhere.Remote,
		Host: f.shared.Host, Turn: f.shared.Turn, Late: interrupt.Late(ctx),
		Warn: func(text string) {
			switch {
			case f.quiet:
			case f.shared.Warn != nil:
				f.shared.Warn(text)
			default:
				fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %s\n", text)
			}
		},
	}), nil
}

// findLanguage returns the language that the flags select, or nil.
func (f *flags) findLanguage() (*grammars.Language, error) {
	if len(f.grammar) > 0 {
		l, err := f.openGrammar()
		return &l, err
	}
	if f.language == "" {
		return nil, nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return nil, usagef("no language %q%s; see 'whittle languages'",
			f.language, usage.DidYouMean(f.language, languageNames()))
	}
	return &l, nil
}

// open reads the input of a reduction and finds the test.
func (f *flags) open(s *run.Run, call call) error {
	needed := f.needed(call)
	in, err := f.input(s, slices.Concat(call.inputs, needed))
	if err != nil {
		return err
	}
	if in.Several() {
		switch {
		case f.name != "":
			return usagef("--name is for one file; there are several")
		case f.stdin:
			return usagef("--stdin is for one file; there are several")
		case f.formats():
			return usagef("--format is for one file; there are several")
		case f.flat():
			return usagef("--driver list is for one file; there are several; use another driver, such as hdd")
		}
	}
	if len(needed) > 0 {
		s.Prepared = fmt.Sprintf("%s needs %s, reduced with it", call.inputs[0], strings.Join(needed, ", "))
	}
	s.Repeat, s.Valid = f.repeat, f.validity()
	return f.read(s, in, "to reduce")
}

// input returns the input of a reduction. The result of standard input goes to standard output.
func (f *flags) input(s *run.Run, paths []string) (*output.Input, error) {
	if !slices.Contains(paths, "-") {
		in, err := output.NewInput(f.inPlace, paths...)
		if err == nil {
			in.Name = f.name
		}
		return in, err
	}
	if len(paths) > 1 || f.inPlace {
		return nil, usagef("-, standard input, excludes other files and --in-place")
	}
	f.output = cmp.Or(f.output, "-")
	dir, err := os.MkdirTemp("", "whittle-input-")
	if err != nil {
		return nil, fmt.Errorf("cannot store the standard input: %w", err)
	}
	s.Later(func() { os.RemoveAll(dir) })
	return output.NewStandardInput(os.Stdin, dir, cmp.Or(f.name, "stdin"), run.MaxSize)
}

// needed returns the user's files that the file to reduce includes. They are not in the
// directory of a test unless they are reduced, too.
func (f *flags) needed(call call) []string {
	if !call.test.Inline || len(call.inputs) > 1 || f.stdin || f.inPlace || f.flat() || f.name != "" || f.formats() {
		return nil
	}
	return includes.Files(cmp.Or(f.language, grammars.ForFile(call.inputs[0]).Name), call.inputs[0], disk.ReadPlain)
}

// read reads the input and finds the test for it. purpose completes "there is no file".
func (f *flags) read(s *run.Run, in *output.Input, purpose string) error {
	var input *run.Input
	var err error
	switch {
	case in.Several():
		input, err = s.ReadAll(in)
	case f.flat():
		input, err = s.ReadFile(in, purpose, run.Lines)
	default:
		input, err = s.ReadFile(in, purpose, grammars.ForFile)
	}
	if err != nil {
		return err
	}
	if err := f.find(s, input); err != nil {
		return err
	}
	s.MakeAvailable()
	return nil
}

// find finds the test for an input. The input must be smaller than --disk-limit.
func (f *flags) find(s *run.Run, in *run.Input) error {
	if err := s.Find(in); err != nil {
		return err
	}
	if disk := f.limits.Disk; disk > 0 && uint64(len(in.Bytes)) > disk {
		return usagef("%s has %s, more than the limit of %s for a test; raise --disk-limit",
			in, humanize.IBytes(uint64(len(in.Bytes))), humanize.IBytes(disk))
	}
	return nil
}

// flat reports whether the driver reads a file as one flat list: of lines, unless the user gives
// a language.
func (f *flags) flat() bool {
	driver, err := whittle.Drivers().Find(f.driver)
	return err == nil && driver.Flat
}

// attend answers signals until the session is closed: it confirms an interrupt, and prints the
// status on request.
func attend(ctx context.Context, s *run.Run, r *reporter) {
	heard := context.AfterFunc(ctx, func() {
		if !interrupt.TimeOver(ctx) {
			r.line("finishing; a second interrupt exits at once")
		}
	})
	s.Later(func() { heard() })
	s.Later(interrupt.OnStatus(r.status))
}
