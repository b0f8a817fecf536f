package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/isolation"
	"whittle/internal/local"
	"whittle/internal/propose"
	"whittle/internal/remoteflags"
	"whittle/internal/run"
	"whittle/internal/stage"
	"whittle/internal/usage"
	"whittle/internal/valid"
	"whittle/oracle"
)

// flags are the values of the flags of all commands. The table lists the flags that a command
// has. The other fields keep their defaults, which are valid.
type flags struct {
	run.Config
	remote  remoteflags.Flags
	command *cobra.Command
	around  *stage.Surroundings // of the project that the user gave; may be nil

	language, startRule        string
	exits, printed, signals    string // --interesting-...
	retryExit, memory, disk    string
	html, build, server        string
	differs, also, allowWrite  []string
	seed                       uint64
	plain, verbose, quiet      bool
	stage, noNarrow, noSandbox bool
	caseInput                  []string // of batch
	caseTest                   string
	oneEach                    bool
	revisions, level, want     string // of isolate
	changesBy, good            string
	checkOnly, shrink          bool
}

// newFlags adds the flags of a command to it, and returns their values.
func newFlags(c *cobra.Command, of commands) *flags {
	f := &flags{
		command: c, seed: 1, noSandbox: os.Getenv("WHITTLE_NO_SANDBOX") != "", changesBy: isolation.Algorithms()[0],
		remote: remoteflags.Flags{CacheUse: remoteflags.Caches()[0], Loss: remoteflags.Losses()[0]},
		Config: run.Config{Frames: diagnose.Frames, Repeat: 1, FlakyError: chain.FlakyError},
	}
	f.Format, f.Propose.Share, f.remote.Jobs = run.FormatAuto, propose.Share, 64
	f.Search = whittle.Options{Driver: whittle.DefaultDriver, Algorithm: whittle.DefaultAlgorithm, P0: whittle.DefaultP0}
	c.Flags().SortFlags = false
	for _, g := range f.table() {
		for _, entry := range g.flags {
			if entry.on&(of|hide(of)) != 0 {
				entry.add(c, g.heading, entry.on&of == 0)
			}
		}
	}
	if of&onRemote != 0 {
		c.PreRunE = func(*cobra.Command, []string) error { return remoteFromEnvironment(c.Flags()) }
	}
	c.MarkFlagFilename("grammar", "g4")
	usage.MarkOptional(c, "valid", valid.Any)
	return f
}

func (e flagEntry) add(c *cobra.Command, heading string, hidden bool) {
	set := c.Flags()
	name, short, _ := strings.Cut(e.name, ",")
	if limited, ok := e.value.(checked); ok {
		e.value = limited.value
	}
	switch p := e.value.(type) {
	case *bool:
		set.BoolVarP(p, name, short, *p, e.help)
	case *int:
		set.IntVarP(p, name, short, *p, e.help)
	case *uint64:
		set.Uint64VarP(p, name, short, *p, e.help)
	case *float64:
		set.Float64VarP(p, name, short, *p, e.help)
	case *time.Duration:
		usage.Duration(set, p, name, e.help)
	case *string:
		set.StringVarP(p, name, short, *p, e.help)
	case *[]string:
		set.StringArrayVarP(p, name, short, *p, e.help)
	case list:
		set.StringSliceVarP(p.to, name, short, nil, e.help)
	case choice:
		set.StringVarP(p.to, name, short, *p.to, e.help)
		c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(p.values, cobra.ShellCompDirectiveNoFileComp))
	}
	added := set.Lookup(name)
	added.Hidden = hidden
	usage.Group(added, heading)
}

// given returns the names of the flags on the command line.
func (f *flags) given() (names []string) {
	f.command.Flags().Visit(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	return names
}

// has reports whether a flag has another value than its default.
func (f *flags) has(name string) bool {
	flag := f.command.Flags().Lookup(name)
	return flag != nil && flag.Value.String() != flag.DefValue
}

// remoteFromEnvironment sets the flags --remote... that were not given from their variables. The
// variable of a flag that may be repeated has a value per line.
func remoteFromEnvironment(set *pflag.FlagSet) (err error) {
	set.VisitAll(func(flag *pflag.Flag) {
		variable := "WHITTLE_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		value := os.Getenv(variable)
		if value == "" || flag.Changed || err != nil || !strings.HasPrefix(flag.Name, "remote") {
			return
		}
		values := []string{value}
		if flag.Value.Type() == "stringArray" {
			values = slices.DeleteFunc(strings.Split(value, "\n"), func(v string) bool { return strings.TrimSpace(v) == "" })
		}
		if flag.Name == "remote-header" {
			os.Unsetenv(variable) // tests must not see it
		}
		for _, v := range values {
			if e := flag.Value.Set(v); e != nil {
				err = fmt.Errorf("%s: %w", variable, e)
			}
		}
	})
	return err
}

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
	{"stress", "excludes", "differs remote repeat server", ""},
	{"differs", "excludes", "interesting-exit interesting-output interesting-signal interesting-timeout stdin",
		": a difference is interesting"},
	{"wide", "excludes", "algorithm width", ": it has an algorithm of its own"},
	{"trace-diffs", "needs", "trace", ", the path of the trace"},
	{"output", "excludes", "in-place", ""},
	{"preprocess", "excludes", "in-place", ": FILE would be replaced by another file"},
	{"keep-build", "excludes", "clean-build server", ""},
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
