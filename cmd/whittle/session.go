package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/stage"
	"whittle/internal/usage"
	"whittle/internal/valid"
	"whittle/oracle"
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
		return stage.Widen(args, c.ArgsLenAtDash(), func(around *stage.Surroundings) error {
			f.around = around
			s, err := f.start(c.Context(), args, of)
			if err != nil {
				return err
			}
			defer s.Close()
			return s.ExplainServer(do(c.Context(), s))
		})
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
	c.Report = c.Report || of == onReduce && c.Test.Project != nil
	switch {
	case of == onReduce && len(f.also) > 0 && !c.Report:
		return nil, usagef("--also needs --report")
	case of == onReduce && f.stage && !c.Test.Inline:
		return nil, usagef("--stage needs a COMMAND after --")
	}
	reads := cmp.Or(strings.Join(call.inputs, ", "), f.revisions)
	r := newReporter(f.verbose, f.quiet, "reading "+printable.String(reads))
	c.Warn = r.warn
	if of&(onCheck|onTest) == 0 {
		r.follow()
	}
	limited, release := run.Limit(ctx, c.MaxTime)
	if text := f.around.String(); text != "" {
		r.line("%s", text)
	}
	s := &session{run.New(limited, c), f, call.inputs, limited, f.command.OutOrStdout(), r}
	s.Later(release)
	s.Later(func() { r.end() })
	return s, nil
}

// attend confirms an interrupt, and prints the status on request.
func (s *session) attend() {
	s.Later(run.Attend(s.limited, s.report.warn, func() { s.report.say("%v", s.report.course) }))
}

// config checks the flags and returns the configuration of a run with a test.
func (f *flags) config(test run.Test) (c run.Config, err error) {
	if err := f.check(); err != nil {
		return c, err
	}
	c = f.Config
	c.Test = test
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

// call is a test and the files to use it for, as the arguments of a command give them.
type call struct {
	test   run.Test
	inputs []string
}

// newCall parses the arguments of a command: TEST FILE..., or FILE... -- COMMAND ARG..., or -- COMMAND ARG..., or
// FILE... alone with a server or --differs. dash is the number of arguments before --, or -1.
func (f *flags) newCall(args []string) (c call, err error) {
	command, dash, server := f.command.Name(), f.command.ArgsLenAtDash(), f.server
	if len(f.differs) > 0 {
		return f.differing(args, dash)
	}
	c.test.Inline, c.test.Server = dash > 0, server
	switch {
	case f.build != "" && len(args) == 1 && dash < 0 && server == "":
		c.test.Inline, c.inputs = true, args
		c.test.Argv, err = project.FromDatabase(f.build, args[0])
		return c, err
	case f.build != "":
		return c, usagef("-p takes the command of one FILE from a compilation database: whittle -p build src/small.c")
	case dash == 0 && project.Runs(command, args):
		c.inputs, c.test.Argv, c.test.Inline = []string{"."}, shell.Command(args), true
	case dash == 0 && (len(args) < 2 || !disk.Exists(args[1])): // -- TEST FILE is valid
		return c, usagef("there is no FILE before --; for example: whittle %s small.c -- gcc -c {}", command)
	case server != "" && dash >= 0:
		return c, usagef("--server and a command after -- are two tests; remove one of them")
	case server != "" && len(args) == 0:
		return c, usagef("%[1]s needs a FILE for the server to test; see 'whittle %[1]s --help'", command)
	case server != "":
		c.inputs = args
	case c.test.Inline:
		c.inputs, c.test.Argv = args[:dash], shell.Command(args[dash:])
		if len(c.test.Argv) == 0 {
			return c, usagef("there is no command after --; for example: whittle %s small.c -- gcc -c {}", command)
		}
	case len(args) < 2:
		return c, usagef("%[1]s needs TEST FILE, or FILE -- COMMAND, and got %[2]s; see 'whittle %[1]s --help'",
			command, english.Plural(len(args), "argument", ""))
	case !disk.Exists(args[1]) && isPlainFile(args[0]):
		return c, usagef("there is no file %s; a command comes after --, as in: whittle %s %s -- %s",
			args[1], command, shell.Quote(args[0]), shell.Join(args[1:]))
	default:
		c.test.Argv, c.inputs = args[:1], args[1:]
	}
	if c.test.Inline {
		c.inputs, c.test.Argv, c.test.Expect = f.around.Of(c.inputs, c.test.Argv)
		c.test.Project, c.inputs, c.test.Argv, err = project.Find(command, c.inputs, c.test.Argv, f.InPlace)
	}
	return c, err
}

func isPlainFile(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode()&0o111 == 0
}

// differing returns the call of two commands. The second command may be among the arguments.
func (f *flags) differing(args []string, dash int) (call, error) {
	commands, inputs := f.differs, args
	isCommand := func(arg string) bool {
		return !disk.Exists(arg) && (strings.Contains(arg, oracle.Placeholder) || strings.Contains(arg, " "))
	}
	if i := slices.IndexFunc(args, isCommand); len(commands) == 1 && i >= 0 {
		commands, inputs = []string{commands[0], args[i]}, slices.Delete(slices.Clone(args), i, i+1)
	}
	switch {
	case len(commands) != 2:
		return call{}, usagef("--differs needs two commands, and got %d; for example: "+
			"whittle small.c --differs 'gcc -O0 {}' 'gcc -O2 {}'", len(commands))
	case f.server != "" || dash >= 0:
		return call{}, usagef("--differs excludes --server and a command after --: each of them is a test")
	case commands[0] == commands[1]:
		return call{}, usagef("--differs: the two commands are the same")
	case len(inputs) == 0:
		return call{}, usagef("%[1]s needs a FILE for the two commands; see 'whittle %[1]s --help'", f.command.Name())
	}
	return call{run.Test{Differs: &valid.DiffTest{commands[0], commands[1]}}, inputs}, nil
}

// isolateCall parses the arguments of isolate.
func (f *flags) isolateCall(args []string) (call, error) {
	if f.revisions == "" {
		c, err := f.newCall(args)
		if n := len(c.inputs); err == nil && n != 2 {
			err = usagef("isolate compares two versions, OLD and NEW, by a TEST before them or a COMMAND after --, "+
				"and got %s; see 'whittle isolate --help'",
				english.Plural(n, "file", ""))
		}
		return c, err
	}
	dash := f.command.ArgsLenAtDash()
	c := call{test: run.Test{Inline: dash >= 0, Server: f.server, Argv: args}}
	wanted := 1
	if f.server != "" {
		wanted = 0
	} else if dash >= 0 {
		wanted = max(len(args), 1)
	}
	if len(args) != wanted || dash > 0 {
		return c, usagef("isolate --git needs only a TEST, and got %s; see 'whittle isolate --help'",
			english.Plural(len(args), "argument", ""))
	}
	return c, nil
}
