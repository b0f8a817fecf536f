package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/includes"
	"whittle/internal/output"
	"whittle/internal/run"
	"whittle/internal/usage"
)

// reduceFlags are the flags of the reduce command.
type reduceFlags struct {
	driver, algorithm string
	runFlags
	guardFlags
	journalFlags
	stopFlags
	rules        []string
	noRewrite    bool
	output       string
	inPlace      bool
	force        bool
	reports      bool
	also         []string
	noOther      bool
	keepNames    bool
	keepFlags    bool
	preprocess   bool
	format       string
	p0           float64
	seed         uint64
	width        int
	wide         int
	targetTokens int
	name         string
	plain        bool
	traceDiffs   bool
}

// add adds the flags to a command.
func (f *reduceFlags) add(c *cobra.Command) {
	algorithms := whittle.Algorithms()
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.driver, "driver", whittle.DefaultDriver,
		"how to walk the tree, a `driver`: "+strings.Join(whittle.Drivers().Names(), ", "))
	flags.StringVar(&f.algorithm, "algorithm", whittle.DefaultAlgorithm,
		"how to minimise a list, an `algorithm`: "+strings.Join(algorithms.Names(), ", "))
	flags.StringVar(&f.name, "name", "", "the `name` that FILE has for the test, and by which it is read")
	usage.Group(flags, usage.Input, "name")
	f.runFlags.add(c)
	f.elsewhere.AddRemote(c)
	f.guardFlags.add(c)
	flags.StringArrayVar(&f.rules, "rules", nil, "rewrite by the rules in this file, a `path`, too; "+
		"may be given several times; see 'whittle rules check'")
	flags.BoolVar(&f.noRewrite, "no-rewrite", false, "only delete, and put nothing else in the place of what cannot go")
	f.stopFlags.add(c)
	flags.StringVarP(&f.output, "output", "o", "", "write the result to this `path`, - is standard output "+
		"(default small.reduced.c beside small.c, dir.reduced beside dir, reduced for several)")
	flags.BoolVar(&f.inPlace, "in-place", false, "replace each FILE, and keep the original as FILE.orig and the journal")
	flags.BoolVar(&f.keepNames, "keep-names", false, "keep names as they are (default a, b, c where the test allows it)")
	flags.BoolVar(&f.preprocess, "preprocess", false, "preprocess FILE by COMMAND first, "+
		"if it still fails then (default where FILE includes files of yours, and fails only so)")
	flags.BoolVar(&f.keepFlags, "keep-flags", false, "keep the arguments of COMMAND as they are "+
		"(default as few as show the same)")
	flags.StringVar(&f.format, "format", formatAuto, "format the result by this shell `command` "+
		"if the test allows it, as gofmt, clang-format, 'xmllint --format -', 'prettier --write {}': "+
		"of standard input, or of {} in place; or none "+
		"(for COMMAND the one of the language that is in PATH)")
	flags.IntVar(&f.width, "width", 0, fmt.Sprintf("how many deletions to try against the same file "+
		"before those that could go are made together, a `number`; 1 is one after the other (default %d, 1 for %s)",
		whittle.DefaultWidth, those(algorithms, func(e algo.Entry) bool { return e.Sequential })))
	flags.IntVar(&f.wide, "wide", 0, "search for so many `workers`: fewer steps of a test's duration, more tests; "+
		"what comes out depends on this number, not on -j (default as few tests as possible)")
	flags.Float64Var(&f.p0, "p0", whittle.DefaultP0,
		"initial `probability` of "+those(algorithms, func(e algo.Entry) bool { return e.P0 })+", between 0 and 1")
	flags.Uint64Var(&f.seed, "seed", 1, "a `number`; nothing is drawn at random")
	flags.MarkHidden("seed") // for commands of the time when an algorithm drew
	flags.IntVar(&f.targetTokens, "target-tokens", 0, "stop when no more than so many `tokens` are left "+
		"(default as few as possible)")
	usage.Group(flags, usage.Search, "driver", "algorithm", "rules", "no-rewrite", "width", "wide", "p0")
	flags.BoolVar(&f.reports, "report", false, "write small.report.md and small.report.html beside the result: "+
		"what other compilers make of it, where the bug is, how it went")
	flags.StringSliceVar(&f.also, "also", nil, "ask these `compilers` for the report, too, as gcc-11,gcc-13,clang-16")
	usage.Group(flags, usage.Output, "report", "also", "output", "in-place", "keep-names", "keep-flags",
		"preprocess", "format")
	flags.BoolVar(&f.force, "force", false, "go on with a test that finds an empty file or garbage interesting")
	flags.BoolVar(&f.noOther, "no-other", false, "do not keep candidates that fail in another way than FILE "+
		"(default the smallest of each failure in small.other)")
	usage.Group(flags, usage.Test, "force", "no-other")
	usage.Group(flags, usage.End, "target-tokens")
	f.journalFlags.add(c)
	f.addRecord(c)
	flags.BoolVar(&f.traceDiffs, "trace-diffs", false, "the trace has a diff of each step")
	flags.BoolVar(&f.plain, "plain", false, "show how it goes in one line, not in the whole terminal")
	usage.Group(flags, usage.Telling, "trace-diffs", "plain")
	f.runFlags.addReport(c)
	complete(c, "driver", whittle.Drivers().Names())
	complete(c, "algorithm", algorithms.Names())
}

// those joins the names of the algorithms of which a fact is true.
func those(algorithms algo.Table, fact func(algo.Entry) bool) string {
	var names []string
	for _, e := range algorithms {
		if fact(e) {
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, ", ")
}

// check finds mistakes in the flags.
func (f *reduceFlags) check() error {
	if _, err := whittle.Drivers().Find(f.driver); err != nil {
		return exitError{exitUsage, err}
	}
	if _, err := whittle.Algorithms().Find(f.algorithm); err != nil {
		return exitError{exitUsage, err}
	}
	switch {
	case !(f.p0 > 0 && f.p0 < 1):
		return usagef("--p0 %v: a probability between 0 and 1 is needed, and neither of them", f.p0)
	case f.wide < 0:
		return usagef("--wide %d: cannot be negative", f.wide)
	case f.wide > 0 && (f.algorithm != whittle.DefaultAlgorithm || f.width > 0):
		return usagef("--wide has an algorithm of its own, without --algorithm and --width; leave out one or the other")
	case f.width < 0:
		return usagef("--width %d: cannot be negative", f.width)
	case f.targetTokens < 0:
		return usagef("--target-tokens %d: cannot be negative", f.targetTokens)
	case f.traceDiffs && f.trace == "":
		return usagef("--trace-diffs needs --trace, the path of what it is for")
	case f.name != "" && (filepath.Base(f.name) != f.name || f.name == "." || f.name == ".."):
		return usagef("--name %s: the name of a file is needed, without a directory", f.name)
	case f.inPlace && f.output != "":
		return usagef("--output and --in-place exclude each other")
	case f.inPlace && f.preprocess:
		return usagef("--preprocess and --in-place exclude each other: FILE would become another")
	}
	if err := f.runFlags.check(); err != nil {
		return err
	}
	if len(f.differs) > 0 && (f.stdin || !f.interesting.IsZero()) {
		return usagef("--differs says itself what is interesting; leave --interesting-... and --stdin out")
	}
	if len(f.differs) > 0 && f.elsewhere.Remote != nil {
		return usagef("--differs runs its commands on this machine, and --remote does not; have both in a script: " +
			"whittle test FILE --differs ... >test.sh")
	}
	return cmp.Or(f.guardFlags.check(), f.journalFlags.check(), f.stopFlags.check(), f.checkFormat())
}

// flat reports whether the driver makes one flat list of a file, of its lines unless
// a language is given.
func (f *reduceFlags) flat() bool {
	driver, err := whittle.Drivers().Find(f.driver)
	return err == nil && driver.Flat
}

// input returns what is to be read. Of the standard input the result goes to the standard
// output.
func (f *reduceFlags) input(s *run.Run, paths []string) (*output.Input, error) {
	if !slices.Contains(paths, "-") {
		in, err := output.NewInput(f.inPlace, paths...)
		if err == nil {
			in.Name = f.name
		}
		return in, err
	}
	if len(paths) > 1 || f.inPlace {
		return nil, usagef("- is standard input, which is reduced alone, and not in place")
	}
	f.output = cmp.Or(f.output, "-")
	dir, err := os.MkdirTemp("", "whittle-input-")
	if err != nil {
		return nil, fmt.Errorf("cannot keep the standard input: %w", err)
	}
	s.Later(func() { os.RemoveAll(dir) })
	return output.NewStandardInput(os.Stdin, dir, cmp.Or(f.name, "stdin"), run.MaxSize)
}

// open reads the input of a session and finds the test.
func (f *reduceFlags) open(s *run.Run, call call) error {
	needed := f.needed(call)
	in, err := f.input(s, slices.Concat(call.inputs, needed))
	if err != nil {
		return err
	}
	several := in.Several()
	switch {
	case several && f.name != "":
		return usagef("--name is for one file; there are several")
	case several && f.stdin:
		return usagef("--stdin gives the test one file; there are several")
	case several && f.format != formatAuto && f.format != formatNone:
		return usagef("--format is for one file; there are several")
	case several && f.flat():
		return usagef("--driver list makes one flat list of a file; for several take another, as hdd")
	}
	if len(needed) > 0 {
		s.Prepared = fmt.Sprintf("%s needs %s, reduced with it", call.inputs[0], strings.Join(needed, ", "))
	}
	s.Repeat, s.Valid = f.repeat, f.guards()
	return f.read(s, in, several)
}

// needed returns the files of the user's own that the file to reduce needs, by what it says:
// they are not where a command runs, and are reduced with it.
func (f *reduceFlags) needed(call call) []string {
	if !call.test.Inline || len(call.inputs) > 1 || f.stdin || f.inPlace || f.flat() || f.name != "" ||
		f.format != formatAuto && f.format != formatNone {
		return nil
	}
	return includes.Files(cmp.Or(f.language, grammars.ForFile(call.inputs[0]).Name), call.inputs[0], disk.ReadPlain)
}

// read reads the input and finds the test for it.
func (f *reduceFlags) read(s *run.Run, in *output.Input, several bool) error {
	var input *run.Input
	var err error
	switch {
	case several:
		input, err = s.ReadAll(in)
	case f.flat():
		input, err = s.ReadFile(in, "to reduce", run.Lines)
	default:
		input, err = s.ReadFile(in, "to reduce", grammars.ForFile)
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
