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
)

// flags are the values of the flags of all commands. The table lists the flags that a command
// has. The other fields keep their defaults, which are valid.
type flags struct {
	run.Config
	remote  remoteflags.Flags
	command *cobra.Command

	language, startRule     string
	exits, printed, signals string // --interesting-...
	retryExit               string
	memory, disk            string
	allowWrite              []string
	noSandbox               bool
	server, valid           string
	differs, also           []string
	seed                    uint64
	html                    string
	plain, verbose, quiet   bool
	caseInput               []string // of batch
	caseTest                string
	oneEach                 bool
	revisions, level, want  string // of isolate
	changesBy, good         string
	checkOnly, shrink       bool
}

// newFlags adds the flags of a command to it, and returns their values.
func newFlags(c *cobra.Command, of commands) *flags {
	f := &flags{
		command: c, seed: 1, noSandbox: os.Getenv("WHITTLE_NO_SANDBOX") != "", changesBy: isolation.Algorithms()[0],
		remote: remoteflags.Flags{CacheUse: remoteflags.Caches()[0], Loss: remoteflags.Losses()[0]},
		Config: run.Config{Frames: diagnose.Frames, Repeat: 1},
	}
	f.Format, f.remote.Jobs = run.FormatAuto, 64
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
