package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/algo/c2d2"
	"whittle/algo/grain"
	"whittle/internal/session"
	"whittle/internal/usage"
	"whittle/internal/versions"
	"whittle/isolate"
)

// isolateFlags are the flags of the isolate command.
type isolateFlags struct {
	runFlags
	journalFlags
	stopFlags
	revisions    string
	want, level  string // "" is a default
	algorithm    string
	output, good string // the paths of the two results; "" is none
	shrink       bool
	checkOnly    bool // find out whether the versions are what they must be, and no more
}

// What is wanted.
const (
	wantChange     = "change"
	wantDifference = "difference"
)

// add adds the flags to a command.
func (f *isolateFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.revisions, "git", "", "compare these `revisions` of the repository, OLD..NEW; OLD alone is "+
		"compared with the work tree")
	flags.StringVar(&f.want, "want", "", "the `answer`: change, the fewest changes that make OLD interesting; or "+
		"difference, two versions that differ in as few as possible (default change, for two files difference)")
	flags.StringVar(&f.level, "level", "", "how fine changes are, a `level`: "+strings.Join(isolate.LevelNames[1:], ", ")+
		" (default hunk, for two files token)")
	flags.StringVar(&f.algorithm, "algorithm", isolateAlgorithms[0].name,
		"how to find the fewest changes, an `algorithm`: "+strings.Join(isolateNames(), ", "))
	f.runFlags.add(c)
	f.stopFlags.add(c)
	flags.StringVarP(&f.output, "output", "o", "", "write the interesting version to this `path`")
	flags.StringVar(&f.good, "good", "", "write the other version to this `path`")
	flags.BoolVar(&f.checkOnly, "check", false, "only find out whether TEST tells OLD and NEW apart, three times each")
	flags.BoolVar(&f.shrink, "shrink", false, "then reduce both files together, as long as TEST tells them apart")
	usage.Group(flags, usage.Input, "git", "level")
	usage.Group(flags, usage.Search, "want", "algorithm", "check", "shrink")
	usage.Group(flags, usage.Output, "output", "good")
	f.journalFlags.add(c)
	f.addRecord(c)
	f.addReport(c)
	complete(c, "want", []string{wantChange, wantDifference})
	complete(c, "level", isolate.LevelNames[1:])
	complete(c, "algorithm", isolateNames())
}

// An isolateAlgorithm is a row of the table of those that find the fewest changes.
type isolateAlgorithm struct {
	name string
	by   isolate.Algorithm
}

// isolateAlgorithms is the table, the default first: that and c2d2 make use of what the
// changes need, the others do not.
var isolateAlgorithms = tableOfIsolate()

func tableOfIsolate() []isolateAlgorithm {
	p := algo.Params{P0: whittle.DefaultP0, Seed: 1}
	table := []isolateAlgorithm{
		{"grain", func(l isolate.List) *algo.Step[[]int] {
			coupled := grain.Coupled(l.Needs)
			if !l.Last { // what is finer tells more
				return coupled(l.Weights)
			}
			c := c2d2.Thrifty()
			c.Needs = l.Needs
			return c.After(coupled, p)(l.Weights)
		}},
		{"c2d2", func(l isolate.List) *algo.Step[[]int] { return c2d2.New(l.Needs, p)(l.Weights) }},
		{"c2d2-alone", func(l isolate.List) *algo.Step[[]int] { return c2d2.New(nil, p)(l.Weights) }},
	}
	for _, e := range whittle.Algorithms() {
		if slices.ContainsFunc(table, func(a isolateAlgorithm) bool { return a.name == e.Name }) {
			continue
		}
		table = append(table, isolateAlgorithm{e.Name, func(l isolate.List) *algo.Step[[]int] {
			if l.Last {
				return algo.ThenEach(e.Adaptive(p))(l.Weights)
			}
			return e.Adaptive(p)(l.Weights)
		}})
	}
	return table
}

func isolateNames() (names []string) {
	for _, a := range isolateAlgorithms {
		names = append(names, a.name)
	}
	return names
}

// by returns the algorithm; nil looks for the smallest difference.
func (f *isolateFlags) by() isolate.Algorithm {
	i := slices.IndexFunc(isolateAlgorithms, func(a isolateAlgorithm) bool { return a.name == f.algorithm })
	if i < 0 || f.want == wantDifference {
		return nil
	}
	return isolateAlgorithms[i].by
}

// check finds mistakes in the flags.
func (f *isolateFlags) check() error {
	switch {
	case f.want != "" && f.want != wantChange && f.want != wantDifference:
		return usagef("--want %s: it is change or difference", f.want)
	case f.level != "" && !slices.Contains(isolate.LevelNames[1:], f.level):
		return usagef("--level %s: it is one of %s", f.level, strings.Join(isolate.LevelNames[1:], ", "))
	case !slices.Contains(isolateNames(), f.algorithm):
		return usagef("no algorithm %q; there are %s", f.algorithm, strings.Join(isolateNames(), ", "))
	}
	if err := f.runFlags.check(); err != nil {
		return err
	}
	return cmp.Or(f.journalFlags.check(), f.stopFlags.check())
}

// call takes the arguments apart.
func (f *isolateFlags) call(command string, args []string, dash int) (call, error) {
	if f.revisions == "" {
		c, err := newCall(command, args, dash, f.server)
		if n := len(c.inputs); err == nil && n != 2 {
			err = usagef("isolate compares two versions, OLD and NEW, and got %s; see 'whittle isolate --help'",
				english.Plural(n, "file", ""))
		}
		return c, err
	}
	c := call{test: session.Test{Inline: dash >= 0, Server: f.server}}
	wanted := 1
	if f.server != "" {
		wanted = 0
	} else if dash >= 0 {
		args, wanted = slices.Concat(args[:dash], args[dash:]), max(len(args), 1)
	}
	if len(args) != wanted || dash > 0 {
		return c, usagef("isolate --git needs a TEST and nothing else, and got %s; see 'whittle isolate --help'",
			english.Plural(len(args), "argument", ""))
	}
	c.test.Argv = args
	return c, nil
}

// read reads the two versions.
func (f *isolateFlags) read(ctx context.Context, s *session.Session, inputs []string) (*versions.Pair, error) {
	level := func(usual string) string {
		if f.level == "" {
			f.level = usual
		}
		return f.level
	}
	want := func(usual string) {
		if f.want == "" {
			f.want = usual
		}
	}
	if f.revisions != "" {
		want(wantChange)
		return versions.Revisions(ctx, s, ".", f.revisions, level("hunk"))
	}
	isDir := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	switch old, new := inputs[0], inputs[1]; {
	case isDir(old) && isDir(new):
		want(wantChange)
		return versions.Directories(s, old, new, level("hunk"))
	case isDir(old) || isDir(new):
		return nil, usagef("one of %s and %s is a directory; isolate compares two files, or two directories", old, new)
	case f.level == "file":
		return nil, usagef("--level file: two files are compared in parts; take hunk, line or token")
	}
	want(wantDifference)
	return versions.Files(s, inputs[0], inputs[1], level("token"))
}
