package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"whittle/algo"
	"whittle/internal/local"
	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/internal/shell"
	"whittle/oracle"
)

// Sandbox says how tests are kept from harming the machine. The zero value means not at all.
type Sandbox struct {
	On    bool     // if the kernel supports it; main must call [sandbox.Serve]
	Write []string // absolute paths that tests may write besides their own directories
	Net   bool     // tests may use the network and the services of this machine
}

// A SandboxError says that the test comes out differently in the sandbox, and why, and names
// the flags that help.
type SandboxError struct{ text string }

func (e *SandboxError) Error() string { return e.text }

// confine puts the programs of this session into a sandbox, if the kernel supports it. It
// checks that the outcome of the test on the input stays the same. Caches below the home
// directory that the test needs become writable. If the outcome still changes, the error is
// a [*SandboxError].
func (s *Run) confine(ctx context.Context) error {
	if !s.Sandbox.On {
		return nil
	}
	starter := s.host.sandboxes(s.Limits.Disk)
	box := &local.Sandbox{Starter: starter, Policy: sandbox.Policy{Write: s.Sandbox.Write, Net: s.Sandbox.Net}}
	level, err := starter.Level(box.Policy)
	if err != nil {
		return &oracle.EnvironmentError{Err: err}
	}
	s.SandboxLevel = level
	if level.None() {
		return nil
	}
	s.program.Sandbox = box
	if s.Remote != nil || s.Test.Server != "" || !level.Namespaces {
		return nil // workers, servers and Landlock alone allow no comparison
	}
	t := trial{Run: s, ctx: ctx}
	return t.settle(box)
}

// Boxed reports whether tests on this machine run in a sandbox.
func (s *Run) Boxed() bool { return s.program.Sandbox != nil }

// Confined reports whether tests change only their own directories.
func (s *Run) Confined() bool {
	return s.program.Sandbox != nil && s.Remote == nil && !s.Sandbox.Net && len(s.Sandbox.Write) == 0
}

// programs returns an executor for programs other than the test, with more writable
// directories.
func (s *Run) programs(write ...string) *local.Executor {
	e := &local.Executor{Work: s.program.Work, Reaper: s.program.Reaper, Sandbox: s.program.Sandbox}
	if e.Sandbox != nil && len(write) > 0 {
		box := *e.Sandbox
		box.Write = slices.Concat(box.Write, write)
		e.Sandbox = &box
	}
	return e
}

// launchIn returns a launch for servers that write below a directory; nil without a sandbox.
func launchIn(box *local.Sandbox, dir string) process.Launch {
	if box == nil {
		return nil
	}
	return func(argv []string, attr *syscall.ProcAttr) (int, error) { return box.Start(dir, argv, attr) }
}

// A trial compares a run of the test in the sandbox with a run that writes to copies of all
// directories. So even the comparison cannot harm the machine.
type trial struct {
	*Run
	ctx context.Context
}

// trialLimit is the time limit of each run. Two runs that exceed it count as equal.
const trialLimit = 30 * time.Second

// trialRepeats is how often both are run where they differ, since a test may be flaky.
const trialRepeats = 3

// settle compares the two, and explains a difference.
func (t *trial) settle(box *local.Sandbox) error {
	var free, boxed []oracle.Run
	var paths []string
	for range trialRepeats {
		outside, inside, written, err := t.both(box)
		if err != nil {
			return err
		}
		t.took, paths = inside.Elapsed, written
		free, boxed = append(free, outside), append(boxed, inside)
		for _, a := range free {
			if slices.ContainsFunc(boxed, func(b oracle.Run) bool { return !t.differ(a, b) }) {
				return t.connect(box, a)
			}
		}
	}
	return t.explain(box, free[trialRepeats-1], boxed[trialRepeats-1], paths)
}

// explain finds out whether the test needs the paths that it writes. Caches become writable;
// other paths are named in the error.
func (t *trial) explain(box *local.Sandbox, outside, inside oracle.Run, paths []string) error {
	caches, others := sorted(paths)
	for _, dir := range caches {
		os.MkdirAll(dir, 0o755) // in the sandbox that would not be possible
	}
	for _, write := range [][]string{caches, slices.Concat(caches, others)} {
		if len(write) == 0 {
			continue
		}
		tried := &local.Sandbox{Starter: box.Starter, Policy: sandbox.Policy{
			Write: slices.Concat(box.Write, write), Net: box.Net}}
		run, err := t.run(tried)
		if err != nil {
			return err
		}
		if t.differ(outside, run) {
			continue
		}
		if len(write) > len(caches) {
			return t.differs(outside, inside, need{write: others})
		}
		t.Warn("the test may write to " + strings.Join(shown(caches), ", ") + ", as it needs that")
		box.Policy = tried.Policy
		return t.connect(box, outside)
	}
	return t.differs(outside, inside, need{write: others})
}

// connect finds out whether the test needs the network, if it looks so: a script does not
// find the input interesting, or the output says so.
func (t *trial) connect(box *local.Sandbox, without oracle.Run) error {
	uninteresting := !t.Test.Inline && without.Outcome != algo.Interesting && !without.TimedOut
	if box.Net || !uninteresting && !unconnected.Match(without.Output) {
		return nil
	}
	with, paths, err := t.traced(&local.Sandbox{Starter: box.Starter, Policy: sandbox.Policy{Write: box.Write, Net: true}})
	if err != nil || !t.differ(with, without) {
		return err
	}
	_, others := sorted(paths)
	return t.differs(with, without, need{write: others, net: true})
}

// differs returns the error of a test that needs something.
func (t *trial) differs(outside, inside oracle.Run, n need) error {
	why, flags := n.explain()
	if flags == "" {
		return &SandboxError{fmt.Sprintf("the test comes out differently in the sandbox, %s; "+
			"if you trust it with this machine, run it without a sandbox: --no-sandbox", difference(outside, inside))}
	}
	return &SandboxError{fmt.Sprintf("the test comes out differently in the sandbox, %s: it %s; "+
		"allow that by %s, or run tests without a sandbox by --no-sandbox", difference(outside, inside), why, flags)}
}

// A need is a right that the sandbox denies to a test.
type need struct {
	write []string
	net   bool
}

// explain describes the need, and returns the flags for it.
func (n need) explain() (why, flags string) {
	var reasons, words []string
	if len(n.write) > 0 {
		reasons = append(reasons, "writes to "+strings.Join(shown(n.write), ", "))
		for _, dir := range n.write {
			words = append(words, "--allow-write "+shell.Quote(dir))
		}
	}
	if n.net {
		reasons = append(reasons, "needs the network or a service of this machine")
		words = append(words, "--allow-net")
	}
	return strings.Join(reasons, " and "), strings.Join(words, " ")
}

// sorted returns the caches to which paths belong, and the directories of other files.
func sorted(paths []string) (caches, others []string) {
	for _, path := range paths {
		if cache := sandbox.Cache(path); cache != "" {
			caches = append(caches, cache)
		} else {
			others = append(others, filepath.Dir(path))
		}
	}
	return outermost(caches), outermost(others)
}

// outermost drops paths that are below others.
func outermost(paths []string) (outer []string) {
	slices.Sort(paths)
	for _, p := range paths {
		if !slices.ContainsFunc(outer, func(o string) bool { return p == o || strings.HasPrefix(p, o+"/") }) {
			outer = append(outer, p)
		}
	}
	return outer
}

// shown returns at most three paths, by short names.
func shown(paths []string) (names []string) {
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

// spec is the test as it is compared.
func (t *trial) spec() oracle.Spec {
	spec := t.adaptive.Limit(t.Spec)
	if spec.Timeout == 0 || spec.Timeout > trialLimit {
		spec.Timeout = trialLimit
	}
	spec.KeepOutput = true
	return spec
}

// both runs the test with the right to write copies and in the sandbox, at once if it may.
func (t *trial) both(box *local.Sandbox) (outside, inside oracle.Run, paths []string, err error) {
	if t.near() == 1 {
		if outside, paths, err = t.traced(box); err == nil {
			inside, err = t.run(box)
		}
		return outside, inside, paths, err
	}
	done := make(chan error)
	go func() {
		var err error
		outside, paths, err = t.traced(box)
		done <- err
	}()
	inside, err = t.run(box)
	if other := <-done; err == nil {
		err = other
	}
	return outside, inside, paths, err
}

// traced runs the test where it may write anywhere, to copies, and returns the paths.
func (t *trial) traced(box *local.Sandbox) (oracle.Run, []string, error) {
	e := t.program
	e.Sandbox = box
	run, paths, err := e.Trace(t.ctx, t.spec(), t.Input.Bytes)
	return run, slices.DeleteFunc(paths, func(p string) bool { return strings.HasPrefix(p, t.program.Work+"/") }), err
}

// run runs the test in a sandbox.
func (t *trial) run(box *local.Sandbox) (oracle.Run, error) {
	e := t.program
	e.Sandbox = box
	return e.Run(t.ctx, t.spec(), t.Input.Bytes)
}

// unconnected matches messages about a missing network.
var unconnected = regexp.MustCompile(`(?i)network is unreachable|name resolution|could not resolve|` +
	`name or service not known|unknown host|\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b|no route to host`)

// denied matches messages about missing rights.
var denied = regexp.MustCompile(`(?i)read-only file ?system|operation not permitted|permission denied|` +
	`\b(EROFS|EACCES|EPERM)\b`)

// differ reports whether two runs of the test are not alike. Of a command, whose failure is
// recognised by its output, all that a sandbox may have done to that counts.
func (t *trial) differ(outside, inside oracle.Run) bool {
	if outside.TimedOut && (inside.TimedOut || !denied.Match(inside.Output)) {
		return false
	}
	if outside.Outcome != inside.Outcome || outside.ExitCode != inside.ExitCode || outside.Died != inside.Died ||
		outside.TimedOut != inside.TimedOut {
		return true
	}
	return t.Test.Inline && len(denied.FindAll(inside.Output, -1)) > len(denied.FindAll(outside.Output, -1))
}

// difference says how two runs differ.
func difference(outside, inside oracle.Run) string {
	for line := range bytes.Lines(inside.Output) {
		if (denied.Match(line) || unconnected.Match(line)) && !bytes.Contains(outside.Output, line) {
			return fmt.Sprintf("where it prints %q", strings.TrimSpace(string(line)))
		}
	}
	return fmt.Sprintf("where it ends with %s instead of %s", ending(inside), ending(outside))
}

// ending says how a run ended.
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
