package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"whittle/internal/local"
	"whittle/internal/run"
	"whittle/oracle"
)

// relations are flags that exclude all of some others, or need one of them.
var relations = []struct{ flag, verb, others, why string }{
	{"language", "excludes", "grammar", ""},
	{"start", "needs", "grammar", ", a grammar with that rule"},
	{"interesting-exit", "excludes", "interesting-signal", ": a test ends in one of these ways"},
	{"interesting-timeout", "excludes", "interesting-exit interesting-signal", ": a test that hangs does not end"},
	{"interesting-timeout", "needs", "timeout", ", the duration of a hang; for example --timeout 10s"},
	{"stdin", "excludes", "server", ": a server reads paths from its standard input"},
	{"server", "excludes", "interesting-exit interesting-output interesting-signal interesting-timeout",
		": a server itself answers that it is interesting"},
	{"server", "excludes", "retry-exit", ": a server answers by words; one that cannot should exit and is started again"},
	{"differs", "excludes", "interesting-exit interesting-output interesting-signal interesting-timeout stdin",
		": a difference is interesting"},
	{"wide", "excludes", "algorithm width", ": it has an algorithm of its own"},
	{"trace-diffs", "needs", "trace", ", the path of the trace"},
	{"output", "excludes", "in-place", ""},
	{"preprocess", "excludes", "in-place", ": FILE would be replaced by another file"},
	{"verbose", "excludes", "quiet", ""},
	{"valid", "excludes", "no-valid", ""},
	{"no-journal", "excludes", "journal keep-journal", ""},
}

func (f *flags) checkRelations() error {
	for _, r := range relations {
		others := strings.Fields(r.others)
		if !f.has(r.flag) || slices.ContainsFunc(others, f.has) == (r.verb == "needs") {
			continue
		}
		named := strings.Fields("--" + strings.Join(others, " --"))
		text := fmt.Sprintf("--%s %s %s", r.flag, r.verb, english.WordSeries(named, "and"))
		if r.verb == "excludes" && len(others) == 1 {
			text = fmt.Sprintf("--%s and --%s exclude each other", r.flag, r.others)
		}
		return usagef("%s%s", text, r.why)
	}
	return nil
}

// check finds mistakes in the flags, and parses those with a syntax.
func (f *flags) check() error {
	if !f.command.Flags().Changed("jobs") {
		f.Jobs = runtime.NumCPU()
	}
	checks := []func() error{f.checkValues, f.checkRelations, f.parseLimits, f.parseInteresting, f.parseRemote}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return run.CheckFormatter(f.Format)
}

// checkValues checks the conditions that the table has for values.
func (f *flags) checkValues() error {
	for _, g := range f.table() {
		for _, e := range g.flags {
			name, _, _ := strings.Cut(e.name, ",")
			switch v := e.value.(type) {
			case choice:
				if !v.open && *v.to != "" && !slices.Contains(v.values, *v.to) {
					return usagef("--%s %s: must be one of %s", name, *v.to, strings.Join(v.values, ", "))
				}
			case checked:
				if !v.ok {
					return usagef("--%s %v: must %s", name, reflect.ValueOf(v.value).Elem(), v.must)
				}
			}
		}
	}
	return nil
}

func (f *flags) parseLimits() error {
	f.Sandbox.On = !f.noSandbox
	for _, path := range f.allowWrite {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return usagef("--allow-write %s: %w; create it first", path, err)
		}
		f.Sandbox.Write = append(f.Sandbox.Write, real)
	}
	f.Limits = local.DefaultLimits()
	for _, limit := range []struct {
		flag, text string
		bytes      *uint64
	}{{"--memory-limit", f.memory, &f.Limits.Memory}, {"--disk-limit", f.disk, &f.Limits.Disk}} {
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

// parseInteresting parses the flags that select interesting tests and tests to repeat.
func (f *flags) parseInteresting() (err error) {
	i, exits := &f.Interesting, oracle.ParseExitCodes
	f.InterestingText = fmt.Sprintf("%q %q %q %v", f.exits, f.printed, f.signals, i.Timeout)
	lines := func(text string) (*regexp.Regexp, error) { return regexp.Compile("(?m)" + text) }
	err = cmp.Or(
		parseFlag("interesting-exit", f.exits, exits, &i.ExitCodes),
		parseFlag("interesting-signal", f.signals, oracle.ParseSignals, &i.Signals),
		parseFlag("interesting-output", f.printed, lines, &i.Output),
		parseFlag("retry-exit", f.retryExit, exits, &f.Retry.Exits),
	)
	codes := i.ExitCodes
	if i.IsZero() {
		codes = []int{0}
	}
	tested := func(code int) bool { return !slices.Contains(f.Retry.Exits, code) }
	if err != nil || f.retryExit == "" || len(codes) == 0 || slices.ContainsFunc(codes, tested) {
		return err
	}
	return usagef("--retry-exit %s: exit code %v is interesting, and cannot say that nothing was tested",
		f.retryExit, oracle.Criteria{ExitCodes: codes})
}

// parseFlag parses the text of a flag, unless it is empty.
func parseFlag[T any](flag, text string, by func(string) (T, error), to *T) (err error) {
	if text == "" {
		return nil
	}
	if *to, err = by(text); err != nil {
		return usagef("--%s: %w", flag, err)
	}
	return nil
}

// parseRemote parses the flags of tests that run elsewhere, and sets the number of tests at once.
func (f *flags) parseRemote() (err error) {
	f.remote.Lost = f.Retry.Patience
	if f.Remote, err = f.remote.Config(f.given()); f.Remote == nil || err != nil {
		return err
	}
	switch {
	case f.server != "":
		return usagef("--server runs on this machine, and --remote does not; give the test as a script or a command, " +
			"or use --remote none")
	case len(f.differs) > 0:
		return usagef("--differs runs its commands on this machine, and --remote does not; write a script with both: " +
			"whittle test FILE --differs ... >test.sh")
	case !slices.Contains(f.given(), "jobs"):
		f.Jobs = 0
	}
	f.Jobs += f.Remote.Jobs
	return nil
}
