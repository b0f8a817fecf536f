package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"whittle"
	"whittle/internal/diagnose"
	"whittle/internal/local"
	"whittle/internal/run"
	"whittle/oracle"
)

// check finds mistakes in the flags, and parses those with a syntax.
func (f *flags) check() error {
	for _, check := range []func() error{f.checkChoices, f.checkReading, f.checkNumbers, f.checkLimits,
		f.checkInteresting, f.checkTogether,
		func() error { return run.CheckFormatter(f.format) }} {
		if err := check(); err != nil {
			return err
		}
	}
	err := f.remote.Check(f.server != "", f.interesting, f.given())
	f.jobs = f.remote.Jobs(f.jobs)
	if err == nil && len(f.differs) > 0 && f.remote.Remote != nil {
		err = usagef("--differs runs its commands on this machine, and --remote does not; write a script with both: " +
			"whittle test FILE --differs ... >test.sh")
	}
	return err
}

// checkChoices checks the flags that have a list of values.
func (f *flags) checkChoices() error {
	for _, g := range f.table() {
		for _, e := range g.flags {
			if c, ok := e.value.(choice); ok && !c.open && *c.to != "" && !slices.Contains(c.values, *c.to) {
				return usagef("--%s %s: must be one of %s", e.name, *c.to, strings.Join(c.values, ", "))
			}
		}
	}
	return nil
}

// checkReading checks the flags that select a parser.
func (f *flags) checkReading() error {
	switch {
	case f.language != "" && len(f.grammar) > 0:
		return usagef("--language and --grammar exclude each other")
	case f.start != "" && len(f.grammar) == 0:
		return usagef("--start %s needs --grammar, a grammar with that rule", f.start)
	}
	return nil
}

// checkNumbers checks the ranges of numbers.
func (f *flags) checkNumbers() error {
	if !f.command.Flags().Changed("jobs") {
		f.jobs = runtime.NumCPU()
	}
	if !(f.p0 > 0 && f.p0 < 1) {
		return usagef("--p0 %v: must be greater than 0 and less than 1", f.p0)
	}
	if f.timeout <= 0 && f.command.Flags().Changed("timeout") {
		return usagef("--timeout %v: must be positive", f.timeout)
	}
	if f.maxTime < 0 {
		return usagef("--max-time %v: must not be negative", f.maxTime)
	}
	if f.frames < 1 || f.frames > diagnose.Frames {
		return usagef("--frames %d: must be from 1 to %d", f.frames, diagnose.Frames)
	}
	for _, n := range []struct {
		flag         string
		value, least int
	}{
		{"jobs", f.jobs, 1}, {"repeat", f.repeat, 1}, {"width", f.width, 0}, {"wide", f.wide, 0},
		{"max-tests", f.maxTests, 0}, {"target-tokens", f.targetTokens, 0},
	} {
		if n.value < n.least {
			return usagef("--%s %d: must be at least %d", n.flag, n.value, n.least)
		}
	}
	return nil
}

// checkLimits parses the limits of tests.
func (f *flags) checkLimits() error {
	f.sandbox.On = !f.noSandbox
	for _, path := range f.allowWrite {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return usagef("--allow-write %s: %w; create it first", path, err)
		}
		f.sandbox.Write = append(f.sandbox.Write, real)
	}
	f.limits = local.DefaultLimits()
	for _, limit := range []struct {
		flag, text string
		bytes      *uint64
	}{{"--memory-limit", f.memory, &f.limits.Memory}, {"--disk-limit", f.disk, &f.limits.Disk}} {
		switch limit.text {
		case "":
		case "none", "0":
			*limit.bytes = 0
		default:
			n, err := humanize.ParseBytes(limit.text)
			if err != nil || strings.HasPrefix(limit.text, "-") {
				return usagef("%s %s: must be a number of bytes, such as 500MB or 2GiB, or none", limit.flag, limit.text)
			}
			*limit.bytes = n
		}
	}
	return nil
}

// checkInteresting parses the flags that select interesting tests.
func (f *flags) checkInteresting() (err error) {
	f.interesting.Timeout = f.hangs
	if f.exits != "" {
		if f.interesting.ExitCodes, err = oracle.ParseExitCodes(f.exits); err != nil {
			return usagef("--interesting-exit: %w", err)
		}
	}
	if f.signals != "" {
		if f.interesting.Signals, err = oracle.ParseSignals(f.signals); err != nil {
			return usagef("--interesting-signal: %w", err)
		}
	}
	if f.printed != "" {
		if f.interesting.Output, err = regexp.Compile("(?m)" + f.printed); err != nil {
			return usagef("--interesting-output: %w", err)
		}
	}
	switch criteria := f.exits != "" || f.printed != "" || f.signals != "" || f.hangs; {
	case f.exits != "" && f.signals != "":
		return usagef("--interesting-exit and --interesting-signal exclude each other: a test ends in one of these ways")
	case f.hangs && (f.exits != "" || f.signals != ""):
		return usagef("--interesting-timeout excludes --interesting-exit and --interesting-signal: " +
			"a test that hangs does not end")
	case f.hangs && f.timeout == 0:
		return usagef("--interesting-timeout needs --timeout, the duration of a hang; for example --timeout 10s")
	case f.server != "" && f.stdin:
		return usagef("--stdin and --server exclude each other: a server reads paths from its standard input")
	case f.server != "" && criteria:
		return usagef("--server and --interesting-... exclude each other: a server itself answers that it is interesting")
	case len(f.differs) > 0 && (f.stdin || criteria):
		return usagef("--differs excludes --interesting-... and --stdin: a difference is interesting")
	}
	return nil
}

// checkTogether finds flags that exclude or need each other.
func (f *flags) checkTogether() error {
	switch {
	case f.wide > 0 && (f.algorithm != whittle.DefaultAlgorithm || f.width > 0):
		return usagef("--wide excludes --algorithm and --width: it has an algorithm of its own")
	case f.traceDiffs && f.trace == "":
		return usagef("--trace-diffs needs --trace, the path of the trace")
	case f.name != "" && (filepath.Base(f.name) != f.name || f.name == "." || f.name == ".."):
		return usagef("--name %s: must be the name of a file, without a directory", f.name)
	case f.inPlace && f.output != "":
		return usagef("--output and --in-place exclude each other")
	case f.inPlace && f.preprocess:
		return usagef("--preprocess and --in-place exclude each other: FILE would be replaced by another file")
	case f.verbose && f.quiet:
		return usagef("--verbose and --quiet exclude each other")
	case f.valid != "" && f.noValid:
		return usagef("--valid and --no-valid exclude each other")
	case f.noJournal && (f.journal != "" || f.keepJournal):
		return usagef("--no-journal excludes --journal and --keep-journal")
	}
	return nil
}

// interestingText returns the flags for interesting tests as given.
func (f *flags) interestingText() string {
	return fmt.Sprintf("%q %q %q %v", f.exits, f.printed, f.signals, f.hangs)
}

// anyProgram is the value of --valid without a command.
const anyProgram = "any"

// validity returns the check of candidates that the flags select.
func (f *flags) validity() run.Valid {
	v := run.Valid{Off: f.noValid, On: f.valid == anyProgram}
	if !v.On {
		v.Command = f.valid
	}
	return v
}
