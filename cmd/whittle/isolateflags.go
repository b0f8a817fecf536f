package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/internal/isolation"
	"whittle/internal/run"
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
	flags.StringVar(&f.want, "want", "", "the `answer`: change, the fewest changes that make OLD behave like NEW; or "+
		"difference, two versions that differ in as few as possible (default change, for two files difference)")
	flags.StringVar(&f.level, "level", "", "how fine changes are, a `level`: "+strings.Join(isolate.LevelNames[1:], ", ")+
		" (default hunk, for two files token)")
	flags.StringVar(&f.algorithm, "algorithm", isolation.Algorithms()[0],
		"how to find the fewest changes, an `algorithm`: "+strings.Join(isolation.Algorithms(), ", "))
	f.runFlags.add(c)
	f.elsewhere.AddRemote(c)
	f.stopFlags.add(c)
	flags.StringVarP(&f.output, "output", "o", "", "write the version that behaves like NEW to this `path`")
	flags.StringVar(&f.good, "good", "", "write the other version to this `path`")
	flags.BoolVar(&f.checkOnly, "check", false, "only find out whether OLD and NEW are told apart, three times each")
	flags.BoolVar(&f.shrink, "shrink", false, "then reduce both files together, as long as they are told apart")
	usage.Group(flags, usage.Input, "git", "level")
	usage.Group(flags, usage.Search, "want", "algorithm", "check", "shrink")
	usage.Group(flags, usage.Output, "output", "good")
	f.journalFlags.add(c)
	f.addRecord(c)
	f.addReport(c)
	complete(c, "want", []string{wantChange, wantDifference})
	complete(c, "level", isolate.LevelNames[1:])
	complete(c, "algorithm", isolation.Algorithms())
}

// by returns the algorithm; nil looks for the smallest difference.
func (f *isolateFlags) by() isolate.Algorithm {
	if f.want == wantDifference {
		return nil
	}
	return isolation.AlgorithmOf(f.algorithm)
}

// check finds mistakes in the flags.
func (f *isolateFlags) check() error {
	switch {
	case f.want != "" && f.want != wantChange && f.want != wantDifference:
		return usagef("--want %s: it is change or difference", f.want)
	case f.level != "" && !slices.Contains(isolate.LevelNames[1:], f.level):
		return usagef("--level %s: it is one of %s", f.level, strings.Join(isolate.LevelNames[1:], ", "))
	case !slices.Contains(isolation.Algorithms(), f.algorithm):
		return usagef("no algorithm %q; there are %s", f.algorithm, strings.Join(isolation.Algorithms(), ", "))
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
	c := call{test: run.Test{Inline: dash >= 0, Server: f.server}}
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
func (f *isolateFlags) read(ctx context.Context, s *run.Run, inputs []string) (*versions.Pair, error) {
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
	for _, path := range inputs {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no %s to compare", path)
		}
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
