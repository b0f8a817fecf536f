package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whittle"
	"whittle/internal/diagnose"
	"whittle/internal/isolation"
	"whittle/internal/remoteflags"
	"whittle/internal/run"
	"whittle/internal/usage"
	"whittle/oracle"
)

// flags are the values of the flags of all commands. The table lists the flags that a command
// has. The other fields keep their defaults, which are valid.
type flags struct {
	// Input
	name, language     string
	grammar            []string
	start              string
	caseInput          []string
	caseTest           string
	oneEach            bool
	revisions, level   string // of isolate
	want, changesBy    string
	checkOnly, shrink  bool
	also, differs      []string
	stdin              bool
	exits, printed     string
	signals            string
	hangs              bool
	frames             int
	server, valid      string
	noValid            bool
	force, noOther     bool
	jobs               int
	timeout            time.Duration
	memory, disk       string
	workDir            string
	noSandbox          bool
	allowWrite         []string
	repeat             int
	reports, inPlace   bool
	output, good, html string
	keepNames          bool
	keepFlags          bool
	preprocess         bool
	format             string
	driver, algorithm  string
	rules              []string
	noRewrite          bool
	width, wide        int
	p0                 float64
	seed               uint64
	maxTests           int
	maxTime            time.Duration
	targetTokens       int
	journal            string
	noJournal, fresh   bool
	keepJournal        bool
	stats, trace       string
	traceDiffs, plain  bool
	verbose, quiet     bool
	remote             remoteflags.Flags

	command     *cobra.Command
	interesting oracle.Criteria // valid after check
	limits      oracle.Limits   // valid after check
	sandbox     run.Sandbox     // valid after check
}

// newFlags adds the flags of a command to it, and returns their values.
func newFlags(c *cobra.Command, of commands) *flags {
	f := &flags{
		command: c, frames: diagnose.Frames, repeat: 1, format: run.FormatAuto,
		noSandbox: os.Getenv("WHITTLE_NO_SANDBOX") != "",
		driver:    whittle.DefaultDriver, algorithm: whittle.DefaultAlgorithm, p0: whittle.DefaultP0, seed: 1,
		changesBy: isolation.Algorithms()[0],
		remote:    remoteflags.Flags{Cache: remoteflags.Caches()[0], Lost: remoteflags.Losses()[0], RemoteJobs: 64},
	}
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
	return f
}

// add adds a flag to a command.
func (e flagEntry) add(c *cobra.Command, heading string, hidden bool) {
	set := c.Flags()
	name, short, _ := strings.Cut(e.name, ",")
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
	case optional:
		set.StringVarP(p.to, name, short, *p.to, e.help)
		set.Lookup(name).NoOptDefVal = p.bare
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
