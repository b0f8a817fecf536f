package main

import (
	"runtime"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/parsers"
	"whittle/internal/printable"
)

// runFlags are those of all commands that test files: how a file is read, what
// runs, and what is told.
type runFlags struct {
	language string
	grammarFlags
	testFlags
	serverFlags
	limitFlags
	jobs           int
	verbose, quiet bool

	parsers *parsers.Pool // of the command
}

func (f *runFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.language, "language", "", "read FILE as this `language`, see 'whittle languages' (default by the name of FILE, else structure)")
	f.grammarFlags.add(c)
	f.testFlags.add(c)
	f.serverFlags.add(c)
	flags.IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "`tests` to run at once; the result is the same for every number")
	f.limitFlags.add(c)
	var names []string
	for _, l := range grammars.All() {
		names = append(names, l.Name)
	}
	complete(c, "language", names)
}

// addTalk adds those that come last.
func (f *runFlags) addTalk(c *cobra.Command) {
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "tell of each step")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "tell of nothing but errors")
}

// complete tells shells what a flag may be.
func complete(c *cobra.Command, flag string, names []string) {
	c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// check finds mistakes in the flags.
func (f *runFlags) check() error {
	switch {
	case f.language != "" && len(f.grammar) > 0:
		return usagef("--language and --grammar exclude each other")
	case f.start != "" && len(f.grammar) == 0:
		return usagef("--start %s: it is a rule of the grammar that --grammar gives, and there is none", f.start)
	case f.jobs < 1:
		return usagef("--jobs %d: at least one test must run at once", f.jobs)
	case f.verbose && f.quiet:
		return usagef("--verbose and --quiet exclude each other")
	}
	if err := f.limitFlags.check(); err != nil {
		return err
	}
	if err := f.testFlags.check(f.timeout > 0); err != nil {
		return err
	}
	return f.serverFlags.check(f.testFlags)
}

// findLanguage gives the language to read the file as; byName is for one that no
// flag gives.
func (f *runFlags) findLanguage(file string, byName func(string) grammars.Language) (grammars.Language, error) {
	if len(f.grammar) > 0 {
		return f.grammarFlags.open(f.quiet)
	}
	if f.language == "" {
		return byName(file), nil
	}
	l, ok := grammars.Find(f.language)
	if !ok {
		return l, usagef("no language %q; 'whittle languages' lists those there are", f.language)
	}
	return l, nil
}

// reading is how a file of the subject is read: by the language, by children
// where that is wise, and by structure where the language refuses it.
func (f *runFlags) reading(s *subject, l grammars.Language, path string, content []byte) *grammars.Reading {
	return grammars.NewReading(l.In(f.parsers.Pool), printable.String(path), content, func(text string) { s.warn(text) })
}

// readFile reads an input that is one file; purpose is for sink.ReadFile.
func (f *runFlags) readFile(s *subject, purpose string, byName func(string) grammars.Language) (err error) {
	path := s.Paths[0]
	if s.language, err = f.findLanguage(path, byName); err != nil {
		return err
	}
	if s.heavy, err = weighFile(path, s.Source(path), s.language); err != nil {
		return err
	}
	if err := s.ReadFile(purpose); err != nil {
		return err
	}
	s.reading = f.reading(s, s.language, path, s.Bytes)
	s.language.Language = s.reading
	return nil
}

// prepare finds the test of a call, and gives it what the flags say.
func (f *runFlags) prepare(s *subject, call call) (err error) {
	if s.command, err = call.command(s.Mode); err != nil {
		return err
	}
	if disk := f.limits.Disk; disk > 0 && uint64(len(s.Bytes)) > disk {
		return usagef("%s has %s, and a test may write %s: give it more by --disk-limit", s, humanize.IBytes(uint64(len(s.Bytes))), humanize.IBytes(disk))
	}
	s.command.Layout = s.Layout()
	s.command.Stdin, s.command.Interesting = f.stdin, f.interesting
	f.limitFlags.apply(s.command, f.jobs)
	return nil
}

// linesForUnknown is the language by the file's name, and lines where that says
// nothing.
func linesForUnknown(file string) grammars.Language {
	if l := grammars.ForFile(file); l.Name != "structure" {
		return l
	}
	return lines()
}

func lines() grammars.Language {
	l, _ := grammars.Find("lines")
	return l
}
