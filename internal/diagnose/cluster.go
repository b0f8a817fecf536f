package diagnose

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"whittle/algo"
	"whittle/internal/shell"
	"whittle/oracle"
)

// A Cluster runs a test on other machines.
type Cluster struct {
	Place    string // for the user
	Jobs     int    // at once
	Executor oracle.Executor
	Writable bool // we can write to its cache
	// Again opens an independent connection.
	Again func(ctx context.Context) (again oracle.Executor, close func(), err error)
}

// facts prints lines with a key and a value. Its arguments are programs.
//
//go:embed facts.sh
var facts string

type machine struct {
	name, libc string
	clock      time.Time
	has        []string
	tools      map[string]string // versions; "" if unknown
}

func (t *Test) lookAt(ctx context.Context, by oracle.Executor, programs []string) (machine, error) {
	m := machine{tools: map[string]string{}}
	spec := t.probe(facts)
	spec.Argv = append(spec.Argv, programs...)
	run, err := by.Run(ctx, spec, nil)
	for line := range strings.Lines(string(run.Output)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "machine":
			m.name = value
		case "libc":
			m.libc = value
		case "clock":
			seconds, _ := strconv.ParseInt(value, 10, 64)
			m.clock = time.Unix(seconds, 0)
		case "has":
			m.has = append(m.has, value)
		case "tool":
			name, version, _ := strings.Cut(value, " ")
			m.tools[name] = version
		}
	}
	return m, err
}

func (t *Test) probe(text string) oracle.Spec {
	return oracle.Spec{
		Argv: []string{"/bin/sh", "-c", text, "sh"}, Home: t.Spec.Home, Layout: oracle.Layout{Name: "probe"},
		Timeout: time.Minute, Limits: t.Spec.Limits, KeepOutput: true, Afresh: true,
	}
}

const mostPrograms = 40

func (t *Test) programs() (names []string) {
	var words []string
	for line := range strings.Lines(t.script()) {
		if line, _, _ = strings.Cut(line, " #"); !strings.HasPrefix(strings.TrimSpace(line), "#") {
			words = append(words, word.FindAllString(line, -1)...)
		}
	}
	if len(words) == 0 {
		words = append([]string{filepath.Base(t.Spec.Argv[0])}, t.Words()...)
	}
	for _, w := range words {
		known := slices.Contains(names, w) || strings.Contains(w, "/") || len(names) == mostPrograms
		if _, err := exec.LookPath(w); err == nil && !known {
			names = append(names, w)
		}
	}
	return names
}

// CheckCluster examines the machines of a cluster, and compares the test there and here. A finding
// is bad if the test cannot run there.
func (t *Test) CheckCluster(ctx context.Context, e Cluster, tell func(Finding)) error {
	programs := t.programs()
	began := time.Now()
	there, err := t.lookAt(ctx, e.Executor, programs)
	if err != nil {
		return err
	}
	middle := began.Add(time.Since(began) / 2)
	here, err := t.lookAt(ctx, &t.Executor, programs)
	if err != nil {
		return err
	}
	if err := t.checkLatency(ctx, e, tell); err != nil {
		return err
	}
	works, err := t.checkThere(ctx, e, tell)
	if err != nil {
		return err
	}
	t.compare(e, here, there, middle, works, tell)
	if err := t.checkCache(ctx, e, tell); err != nil {
		return err
	}
	return t.checkCapacity(ctx, e, tell)
}

func (t *Test) checkLatency(ctx context.Context, e Cluster, tell func(Finding)) error {
	var times, own []time.Duration
	for range runs {
		began := time.Now()
		run, err := e.Executor.Run(ctx, t.probe(":"), nil)
		if err != nil {
			return err
		}
		times, own = append(times, time.Since(began)), append(own, run.Elapsed)
	}
	slices.Sort(times)
	slices.Sort(own)
	tell(Finding{Good, fmt.Sprintf("the cluster %s answers: a test that does nothing takes %s, of which %s on the worker",
		e.Place, short(times[runs/2]), short(own[runs/2])), ""})
	return nil
}

func (t *Test) worksHere(ctx context.Context) (*Cause, error) {
	if !t.Here {
		return nil, nil
	}
	here, err := t.ask(ctx, t.Around(&t.Executor), t.Spec, t.Input)
	if here.Outcome != algo.Interesting || err != nil {
		return nil, err
	}
	return &Cause{fmt.Sprintf("it finds %s interesting on this machine, and not on the cluster", t.ShownFile),
		"run 'whittle check' with the same flags to see what is missing there"}, nil
}

// missing matches messages about programs for other machines.
var missing = regexp.MustCompile("(?i)exec format error|version [`'].*GLIBC.* not found|cannot execute binary file|" +
	"required file not found|error while loading shared libraries.*")

func (t *Test) checkThere(ctx context.Context, e Cluster, tell func(Finding)) (bool, error) {
	there, err := t.ask(ctx, e.Executor, t.Spec, t.Input)
	if err != nil || there.Outcome == algo.Interesting {
		return err == nil, err
	}
	here, err := t.ask(ctx, t.Around(&t.Executor), t.Spec, t.Input)
	if err != nil {
		return false, err
	}
	text := fmt.Sprintf("it finds %s interesting on this machine, and not on the cluster (%s", t.ShownFile, Ending(there))
	if here.Outcome != algo.Interesting {
		if Ending(here) == Ending(there) {
			return true, nil // the test is wrong, as other checks report
		}
		text = fmt.Sprintf("it ends differently on the cluster: %s here (%s there", Ending(here), Ending(there))
	}
	if there.Worker != "" {
		text += ", on the worker " + there.Worker
	}
	f := Finding{Bad, text + ")",
		"see the differences below; --remote-input sends files that it needs, --remote-env variables"}
	said := missing.FindString(string(there.Output))
	switch {
	case said != "" || there.ExitCode == 126:
		if said != "" {
			said = fmt.Sprintf(" (%s)", said)
		}
		f.Advice = "a program does not run there" + said + ": it was built for another machine or another libc; link it " +
			"statically, build it there, or name a container image by --remote-platform"
	case there.ExitCode == 127:
		f.Advice = "a command is not found there (exit code 127): send your files with --remote-input, or choose workers " +
			"that have it, for example by a container image in --remote-platform"
	case there.TimedOut:
		f.Advice = "raise the limit with --timeout"
	}
	tell(f)
	if last := strings.TrimSpace(string(there.Output)); last != "" {
		lines := strings.Split(last, "\n")
		tell(Finding{Note, "its last line of output there: " + lines[len(lines)-1], ""})
	}
	return false, nil
}

const farOff = 10 * time.Second

// compare reports differences. Missing programs are bad if the test does not work.
func (t *Test) compare(e Cluster, here, there machine, now time.Time, works bool, tell func(Finding)) {
	if here.name == there.name && here.libc == there.libc {
		tell(Finding{Good, fmt.Sprintf("its workers are %s with %s, as this machine is", there.name, there.libc), ""})
	} else {
		tell(Finding{Note, fmt.Sprintf("its workers are %s with %s, this machine is %s with %s",
			there.name, there.libc, here.name, here.libc),
			"programs that were built here may not run there, and tools may give other output"})
	}
	var gone []string
	for _, name := range []string{"/tmp", "/etc", "/proc"} {
		if slices.Contains(here.has, name) && !slices.Contains(there.has, name) {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		tell(Finding{Note, "its workers have no " + strings.Join(gone, " and no "),
			`use "$TMPDIR" for temporary files; without /etc there may be no cc: --remote-env CC=gcc`})
	}
	if off := there.clock.Sub(now).Round(time.Second); off.Abs() > farOff {
		tell(Finding{Note, fmt.Sprintf("its clock is off by %v", off), "tests that depend on the time " +
			"or on file times go wrong, and tokens may be refused: set the clock"})
	}
	var lacks, others []string
	for name, version := range here.tools {
		theirs, has := there.tools[name]
		if !has {
			lacks = append(lacks, name)
		} else if theirs != version {
			others = append(others, fmt.Sprintf("%s is %q there and %q here", name, theirs, version))
		}
	}
	slices.Sort(lacks)
	slices.Sort(others)
	grade := Note
	if !works {
		grade = Bad
	}
	if len(lacks) > 0 {
		tell(Finding{grade, "its workers lack programs that the test mentions: " + strings.Join(lacks, ", "),
			"choose workers that have them, for example by --remote-platform container-image=docker://...; " +
				"--remote-input sends your own files"})
	}
	for _, o := range others {
		tell(Finding{Note, o, "outcomes may differ: do not mix local and remote tests (-j), " +
			"and check every worker, for example by --remote-check " + shell.Quote("gcc --version | grep -q 13.2")})
	}
	if len(lacks)+len(others) == 0 && len(here.tools) > 0 {
		tell(Finding{Good, "its workers have the programs that the test mentions, in the same versions as this machine", ""})
	}
}

func (t *Test) checkCache(ctx context.Context, e Cluster, tell func(Finding)) error {
	cached := false
	for range 2 {
		other, end, err := e.Again(ctx)
		if err != nil {
			return err
		}
		spec := t.probe("test -s probe")
		spec.Afresh = false
		run, err := other.Run(ctx, spec, t.Input)
		end()
		if err != nil {
			return err
		}
		cached = run.Cached
	}
	if !cached {
		tell(Finding{Note, "its action cache is not used: each test runs, even if its outcome is known", ""})
		return nil
	}
	tell(Finding{Good, "its action cache answers repeated tests, also those of other users", ""})
	if e.Writable {
		tell(Finding{Note, "every client of the cluster can write to its action cache, and so forge outcomes",
			"allow only workers to write to it; --remote-cache write ignores its contents"})
	}
	return nil
}

const mostAtOnce = 64

// checkCapacity reports how many tests of one second end together with the first.
func (t *Test) checkCapacity(ctx context.Context, e Cluster, tell func(Finding)) error {
	together, cancel := context.WithCancel(ctx)
	defer cancel()
	afterFirst := sync.OnceFunc(func() { time.AfterFunc(time.Second*7/10, cancel) })
	asked := min(e.Jobs, mostAtOnce)
	var ended atomic.Int32
	runs, err := inParallel(asked, asked, func(int) (oracle.Run, error) {
		run, err := e.Executor.Run(together, t.probe("sleep 1"), nil)
		switch {
		case err == nil:
			ended.Add(1)
			afterFirst()
		case together.Err() != nil:
			return run, ctx.Err()
		default:
			cancel()
		}
		return run, err
	})
	if err != nil {
		return err
	}
	workers := map[string]bool{}
	for _, run := range runs {
		workers[run.Worker] = true
	}
	delete(workers, "")
	on := ""
	if len(workers) > 1 {
		on = fmt.Sprintf(" on %d workers", len(workers))
	}
	n := int(ended.Load())
	f := Finding{Good, fmt.Sprintf("%d of %d tests ran at the same time%s", n, asked, on), ""}
	if n < asked {
		f.Grade, f.Advice = Note, fmt.Sprintf(
			"more jobs than workers do not help: use --remote-jobs %d, or try again later", n)
	}
	tell(f)
	return nil
}
