package local

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"whittle/algo"
	"whittle/internal/sandbox"
	"whittle/internal/shell"
	"whittle/oracle"
)

// An UnfitError is the advice about a test that cannot run, perhaps because of rights that the sandbox
// denies.
type UnfitError struct{ Advice string }

func (e *UnfitError) Error() string { return e.Advice }

// A Trial compares the test in the sandbox with a run that may write copies of all directories.
// So even the comparison cannot harm the machine. Two runs that exceed the time limit are equal.
type Trial struct {
	Program Executor
	Spec    oracle.Spec
	Input   []byte
	Command bool // output identifies the failure
	AtOnce  bool // both may run together
	Warn    func(text string)
	// Project is the directory of the input, or "". LeftOut has its paths that tests do not find.
	Project string
	LeftOut []string
	// Expect, if not nil, is a run of the command in its own directory, which is in Project.
	Expect *oracle.Run
	// Lacks, if not nil, returns a path in the directory of the command that a run outside of it misses, or "".
	Lacks func(run oracle.Run) string
	// Same reports whether the output of a command shows the same failure in two runs.
	Same func(a, b oracle.Run) bool

	Free *oracle.Run // after Settle, a run that may write, with the same outcome, or nil
}

// repeats is how often both run if they differ: a test may be flaky.
const repeats = 5

// Settle returns a run of the test in the sandbox. Caches below the home directory become
// writable if needed. If outcomes still differ, the error is an [*UnfitError].
//
// In a project, tests see their candidate at its path, too, unless that changes the outcome. It also returns the paths
// of LeftOut, or by Lacks, that the test needs. If the candidate fails in another way than the project, or than Expect,
// the error is an [*ApartError].
func (t *Trial) Settle(ctx context.Context, box *sandbox.Sandbox) (inside oracle.Run, needed []string, err error) {
	t.Spec.KeepOutput = true
	if t.Project != "" {
		box.Home = t.Project
		start := t.Project
		if strings.HasPrefix(start, sharedMemory+"/") {
			start = "" // hidden by the sandbox
		}
		outside, inside, written, err := t.both(ctx, box, start)
		if err == nil && t.Expect != nil && !t.same(*t.Expect, inside) {
			err = &ApartError{t.Project, *t.Expect, inside}
		}
		if err != nil || t.same(outside, inside) {
			t.Free = &outside
			return inside, nil, cmp.Or(err, t.connect(ctx, box, inside))
		}
		if more(denied, inside, outside) && len(written) > 0 {
			run, err := t.explain(ctx, box, outside, inside, written)
			if !errors.As(err, new(*UnfitError)) {
				return run, nil, err
			}
		}
		if needed, err = t.missing(ctx, box, outside); err != nil || needed != nil {
			return oracle.Run{}, needed, err
		}
		if err = t.apart(ctx, box, start, outside, inside); err != nil {
			return inside, nil, err
		}
		box.Home = "" // the command may start a program that is left out, for example
	}
	if inside, err = t.settle(ctx, box); err != nil || t.Lacks == nil {
		return inside, nil, err
	}
	return t.surround(ctx, box, inside)
}

// surround adds paths of the directory of the command to the candidate's, as long as runs miss one and then differ.
func (t *Trial) surround(ctx context.Context, box *sandbox.Sandbox, inside oracle.Run) (oracle.Run, []string, error) {
	var needed []string
	if t.Spec.Layout.Outside != nil {
		needed = t.Spec.Layout.Outside.Paths
	}
	for range most {
		path := t.Lacks(inside)
		if path == "" || slices.Contains(needed, path) {
			break
		}
		paths := append(slices.Clip(needed), path)
		t.Spec.Layout.Outside = &oracle.Outside{Root: t.Spec.Home, Paths: paths}
		t.Program.Keeper.Clear()
		run, err := t.run(ctx, box)
		if err != nil || bytes.Equal(run.Output, inside.Output) {
			t.Program.Keeper.Clear()
			return inside, needed, err
		}
		inside, needed = run, paths
	}
	return inside, needed, nil
}

// same reports whether a command fails in the same way, as far as the time limit tells.
func (t *Trial) same(outside, inside oracle.Run) bool {
	slow := outside.TimedOut || outside.Elapsed > t.Spec.Timeout/2
	return inside.TimedOut && slow || !t.differ(outside, inside) && t.Same(outside, inside)
}

// missing returns one path of LeftOut, or all, if the test needs that to fail as outside; else nil.
func (t *Trial) missing(ctx context.Context, box *sandbox.Sandbox, outside oracle.Run) (needed []string, err error) {
	if len(t.LeftOut) == 0 {
		return nil, nil
	}
	alternatives := [][]string{t.LeftOut}
	if n := len(t.LeftOut); n > 1 {
		for _, path := range t.LeftOut[:min(n, most)] {
			alternatives = append(alternatives, []string{path})
		}
	}
	layout := t.Spec.Layout
	defer func() { t.Spec.Layout = layout }()
	for _, paths := range alternatives {
		o := oracle.Outside{Root: t.Project}
		if layout.Outside != nil {
			o = *layout.Outside
		}
		o.Paths = append(slices.Clip(o.Paths), paths...)
		t.Spec.Layout.Outside = &o
		t.Program.Keeper.Clear()
		run, err := t.run(ctx, box)
		switch same := err == nil && t.same(outside, run); {
		case err != nil, !same && needed == nil:
			return nil, err
		case same && needed != nil:
			return paths, nil
		case needed == nil:
			needed = paths
		}
	}
	return needed, nil
}

// most is how many paths of LeftOut the test may get alone.
const most = 10

// settle compares runs on the input in the candidate's directory.
func (t *Trial) settle(ctx context.Context, box *sandbox.Sandbox) (inside oracle.Run, err error) {
	var free, boxed []oracle.Run
	var paths []string
	for range repeats {
		outside, inside, written, err := t.both(ctx, box, "")
		if err != nil {
			return inside, err
		}
		paths = written
		free, boxed = append(free, outside), append(boxed, inside)
		for _, a := range free {
			if slices.ContainsFunc(boxed, func(b oracle.Run) bool { return !t.differ(a, b) }) {
				t.Free = &a
				return inside, t.connect(ctx, box, a)
			}
		}
		if t.Command && more(denied, inside, outside) { // the test is not flaky
			break
		}
	}
	return t.explain(ctx, box, free[len(free)-1], boxed[len(boxed)-1], paths)
}

// explain finds the paths that the test must write. Caches become writable, and it returns a run with them; the error
// names others.
func (t *Trial) explain(
	ctx context.Context, box *sandbox.Sandbox, outside, inside oracle.Run, paths []string,
) (oracle.Run, error) {
	caches, others := split(paths)
	for _, dir := range caches {
		os.MkdirAll(dir, 0o755) // impossible from inside of the sandbox
	}
	for _, write := range [][]string{caches, slices.Concat(caches, others)} {
		if len(write) == 0 {
			continue
		}
		wider := *box
		wider.Write = slices.Concat(box.Write, write)
		run, err := t.run(ctx, &wider)
		if err != nil {
			return run, err
		}
		if t.differ(outside, run) {
			continue
		}
		if len(write) > len(caches) {
			return run, newUnfit(outside, inside, others, false)
		}
		t.Warn("the test may write to " + strings.Join(short(caches), ", ") + ", as it needs that")
		box.Policy = wider.Policy
		return run, t.connect(ctx, box, outside)
	}
	return inside, newUnfit(outside, inside, others, false)
}

// connect finds whether the test needs the network, if a script rejects the input or the output
// mentions connections.
func (t *Trial) connect(ctx context.Context, box *sandbox.Sandbox, without oracle.Run) error {
	uninteresting := !t.Command && without.Outcome != algo.Interesting && !without.TimedOut
	if box.Net || !uninteresting && !unconnected.Match(without.Output) {
		return nil
	}
	wider := *box
	wider.Net = true
	with, paths, err := t.traced(ctx, &wider, "")
	if err != nil || !t.differ(with, without) {
		return err
	}
	certain := t.Command && more(unconnected, without, with) // the test is not flaky
	for i := 0; i < repeats && !certain; i++ {
		again, err := t.run(ctx, box)
		if err != nil || t.differ(again, without) {
			return err
		}
		if again, err = t.run(ctx, &wider); err != nil || t.differ(again, with) {
			return err
		}
	}
	_, others := split(paths)
	return newUnfit(with, without, others, true)
}

func newUnfit(outside, inside oracle.Run, write []string, net bool) error {
	var reasons, flags []string
	if len(write) > 0 {
		reasons = append(reasons, "writes to "+strings.Join(short(write), ", "))
		for _, dir := range write {
			flags = append(flags, "--allow-write "+shell.Quote(dir))
		}
	}
	if net {
		reasons = append(reasons, "needs the network or a service of this machine")
		flags = append(flags, "--allow-net")
	}
	if flags == nil {
		return &UnfitError{fmt.Sprintf("the test comes out differently in the sandbox, %s; "+
			"if you trust it with this machine, run it without a sandbox: --no-sandbox", difference(outside, inside))}
	}
	return &UnfitError{fmt.Sprintf("the test comes out differently in the sandbox, %s: it %s; "+
		"allow that by %s, or run tests without a sandbox by --no-sandbox", difference(outside, inside),
		strings.Join(reasons, " and "), strings.Join(flags, " "))}
}

// split returns the caches with some of the paths, and the directories of others.
func split(paths []string) (caches, others []string) {
	for _, path := range paths {
		if cache := sandbox.Cache(path); cache != "" {
			caches = append(caches, cache)
		} else {
			others = append(others, filepath.Dir(path))
		}
	}
	return outermost(caches), outermost(others)
}

func outermost(paths []string) (outer []string) {
	slices.Sort(paths)
	for _, p := range paths {
		if !slices.ContainsFunc(outer, func(o string) bool { return p == o || strings.HasPrefix(p, o+"/") }) {
			outer = append(outer, p)
		}
	}
	return outer
}

// short returns at most three paths, with ~ for home.
func short(paths []string) (names []string) {
	home, _ := os.UserHomeDir()
	for i, p := range paths {
		if i == 3 {
			return append(names, fmt.Sprintf("%d other places", len(paths)-i))
		}
		if rest, ok := strings.CutPrefix(p, home+"/"); ok && home != "" {
			p = "~/" + rest
		}
		names = append(names, p)
	}
	return names
}

// both runs the test outside, in dir if it is not "", and inside of the sandbox.
func (t *Trial) both(
	ctx context.Context, box *sandbox.Sandbox, dir string,
) (outside, inside oracle.Run, paths []string, err error) {
	var group errgroup.Group
	if !t.AtOnce {
		group.SetLimit(1)
	}
	group.Go(func() (err error) {
		outside, paths, err = t.traced(ctx, box, dir)
		return err
	})
	group.Go(func() (err error) {
		inside, err = t.run(ctx, box)
		return err
	})
	return outside, inside, paths, group.Wait()
}

// traced runs the test with writable copies of all files, in dir if it is not "", and returns their paths.
func (t *Trial) traced(ctx context.Context, box *sandbox.Sandbox, dir string) (oracle.Run, []string, error) {
	e, pid := t.Program, 0
	free := *box
	if dir != "" {
		free.Home = ""
	}
	e.Sandbox, e.traced, e.start = &free, func(started int) { pid = started }, dir
	run, err := e.Run(ctx, t.Spec, t.Input)
	if err != nil {
		return run, nil, err
	}
	paths, err := box.Written(pid)
	return run, slices.DeleteFunc(paths, func(p string) bool {
		return strings.HasPrefix(p, e.Work+"/") || dir != "" && strings.HasPrefix(p, dir+"/")
	}), err
}

func (t *Trial) run(ctx context.Context, box *sandbox.Sandbox) (oracle.Run, error) {
	e := t.Program
	e.Sandbox, e.Reads = box, nil // its limit may end the test before it has read all
	return e.Run(ctx, t.Spec, t.Input)
}

// unconnected matches messages about the network.
var unconnected = regexp.MustCompile(`(?i)network is unreachable|name resolution|could not resolve|` +
	`name or service not known|unknown host|\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|no route to host`)

// denied matches messages about rights.
var denied = regexp.MustCompile(`(?i)read-only file ?system|operation not permitted|permission denied|` +
	`\b(EROFS|EACCES|EPERM)\b`)

// differ reports whether two runs differ. For a command, whose output identifies the failure,
// more messages about denied rights or about the network count.
func (t *Trial) differ(outside, inside oracle.Run) bool {
	if outside.TimedOut && (inside.TimedOut || !denied.Match(inside.Output)) {
		return false
	}
	if outside.Outcome != inside.Outcome || outside.ExitCode != inside.ExitCode || outside.Died != inside.Died ||
		outside.TimedOut != inside.TimedOut {
		return true
	}
	return t.Command && (more(denied, inside, outside) || more(unconnected, inside, outside))
}

func more(messages *regexp.Regexp, a, b oracle.Run) bool {
	return len(messages.FindAll(a.Output, -1)) > len(messages.FindAll(b.Output, -1))
}

func difference(outside, inside oracle.Run) string {
	for line := range bytes.Lines(inside.Output) {
		if (denied.Match(line) || unconnected.Match(line)) && !bytes.Contains(outside.Output, line) {
			return fmt.Sprintf("where it prints %q", strings.TrimSpace(string(line)))
		}
	}
	return fmt.Sprintf("where it ends with %s instead of %s", ending(inside), ending(outside))
}

func ending(run oracle.Run) string {
	switch {
	case run.Reply != "":
		return run.Reply
	case run.TimedOut:
		return "no end in time"
	case run.Died != 0:
		return "signal " + run.DiedBy()
	}
	return fmt.Sprintf("exit code %d", run.ExitCode)
}
