package main

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// A session is the run of a command, with its messages.
type session struct {
	*run.Run
	flags   *flags
	inputs  []string        // the arguments
	limited context.Context // ends at a signal or after --max-time
	out     io.Writer
	report  *reporter
}

// withRun completes a command that runs a test on files. Only a signal ends the context of do.
func withRun(of commands, c *cobra.Command, do func(ctx context.Context, s *session) error) *cobra.Command {
	f := newFlags(c, of)
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := f.start(c.Context(), args, of)
		if err != nil {
			return err
		}
		defer s.Close()
		return s.ExplainServer(do(c.Context(), s))
	}
	return c
}

// start parses the command line, opens a run, and shows the progress of commands that take long.
func (f *flags) start(ctx context.Context, args []string, of commands) (*session, error) {
	parse := f.newCall
	if of == onIsolate {
		parse = f.isolateCall
	}
	call, err := parse(args)
	if err != nil {
		return nil, err
	}
	c, err := f.config(call.test)
	if err != nil {
		return nil, err
	}
	if of == onCheck {
		c.MaxTime = 0
	}
	reads := cmp.Or(strings.Join(call.inputs, ", "), f.revisions)
	r := newReporter(f.verbose, f.quiet, "reading "+printable.String(reads))
	c.Warn = r.warn
	if of&(onCheck|onTest) == 0 {
		r.follow()
	}
	limited, release := run.Limit(ctx, c.MaxTime)
	s := &session{run.New(limited, c), f, call.inputs, limited, f.command.OutOrStdout(), r}
	s.Later(release)
	s.Later(func() { r.end() })
	return s, nil
}

// attend confirms an interrupt, and prints the status on request.
func (s *session) attend() {
	s.Later(run.Attend(s.limited, s.report.warn, func() { s.report.say("%v", s.report.course) }))
}

// anyProgram is the value of --valid without a command.
const anyProgram = "any"

// config checks the flags and returns the configuration of a run with a test.
func (f *flags) config(test run.Test) (c run.Config, err error) {
	if err := f.check(); err != nil {
		return c, err
	}
	c = f.Config
	c.Test = test
	if c.Valid.On = f.valid == anyProgram; !c.Valid.On {
		c.Valid.Command = f.valid
	}
	c.Language, err = f.findLanguage()
	return c, err
}

// findLanguage returns the language that the flags select, or nil.
func (f *flags) findLanguage() (*grammars.Language, error) {
	if len(f.Grammar) > 0 {
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
