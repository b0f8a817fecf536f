package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"whittle/algo"
	"whittle/internal/rate"
	"whittle/internal/server"
	"whittle/oracle"
)

// A Grade classifies a finding.
type Grade int

const (
	Good Grade = iota
	Note
	Bad // reductions would fail or mislead
)

func (g Grade) String() string { return [...]string{"ok", "note", "bad"}[g] }

// A Finding is one line of a report about a test.
type Finding struct {
	Grade  Grade
	Text   string
	Advice string // a sentence without its full stop; may be ""
}

func bad(c *Cause) Finding { return Finding{Bad, c.What, c.Advice} }

// Check examines a test, with parallel jobs where that matters, and reports findings as they appear. A bad finding ends
// the checks that depend on it.
func (t *Test) Check(ctx context.Context, jobs int, tell func(Finding)) error {
	before := t.surroundings()
	times, goOn, err := t.checkInput(ctx, jobs, tell)
	if err == nil && goOn {
		goOn, err = t.checkOthers(ctx, tell)
	}
	if err == nil && goOn {
		err = t.checkTogether(ctx, jobs, times, tell)
	}
	if err != nil {
		return err
	}
	t.checkTraces(before, tell)
	return nil
}

func (t *Test) checkInput(
	ctx context.Context, jobs int, tell func(Finding),
) (times []time.Duration, goOn bool, err error) {
	yes := 0
	var last oracle.Run // of the uninteresting ones
	for range runs {
		run, err := t.run(ctx, t.Input, nil)
		if err != nil {
			return nil, false, err
		}
		times = append(times, run.Elapsed)
		if run.Outcome == algo.Interesting {
			yes++
		} else if last = run; run.TimedOut {
			break // the others would take as long
		}
	}
	slices.Sort(times)
	if yes == runs {
		tell(Finding{Good, fmt.Sprintf("it finds %s interesting, %d times of %d, in %s (%s to %s)", t.ShownFile, yes, runs,
			short(times[runs/2]), short(times[0]), short(times[runs-1])), ""})
		if limit := t.limit(); limit > 0 && times[runs-1] > limit/2 && !t.Spec.Interesting.Timeout {
			tell(Finding{Note, fmt.Sprintf("the time limit of %v is close", limit),
				"raise it with --timeout: a test takes longer on a busy machine"})
		}
		return times, true, nil
	}
	if yes > 0 || !last.TimedOut {
		seen := rate.Count{Yes: yes, Runs: len(times)}
		if flaky, err := t.checkRates(ctx, jobs, seen, tell); flaky || err != nil {
			return nil, false, err
		}
	}
	tell(Finding{Bad, fmt.Sprintf("it does not find %s interesting as it is (%s)", t.ShownFile, Ending(last)), ""})
	cause, err := t.WhyNot(ctx, last)
	if err == nil && cause != nil {
		tell(bad(cause))
	} else if err == nil {
		tell(Finding{Note, "no experiment found the cause", "run it by hand in an empty directory with a copy of the file"})
	}
	return nil, false, err
}

// Ending describes how a test ended.
func Ending(r oracle.Run) string {
	switch {
	case r.TimedOut:
		return "killed after its time limit"
	case r.Exceeded == oracle.MemoryLimit:
		return "killed for using too much memory"
	case r.Exceeded == oracle.ProcessLimit:
		return "killed for starting too many processes"
	case r.Exceeded != oracle.NoLimit:
		return "killed for writing too much"
	case r.Signal != "":
		return "killed: " + r.Signal
	case r.Reply != "":
		return r.Reply
	}
	return fmt.Sprintf("exit code %d", r.ExitCode)
}

// CannotStart reports whether the test of a run cannot start.
func CannotStart(err error) bool {
	var path *fs.PathError
	var server *server.Error
	return errors.As(err, &path) && path.Op == "exec" || errors.As(err, &server)
}

func (t *Test) checkOthers(ctx context.Context, tell func(Finding)) (goOn bool, err error) {
	if len(t.Input) == 0 {
		tell(Finding{Bad, fmt.Sprintf("%s is empty: there is nothing to reduce", t.ShownFile), ""})
		return false, nil
	}
	yes, err := t.says(ctx, t.with(nil), nil)
	if err != nil {
		return false, err
	}
	if yes {
		cause, err := t.whyAlways(ctx)
		if err == nil {
			tell(bad(cause))
		}
		return false, err
	}
	tell(Finding{Good, "it does not find " + t.empty() + " interesting", ""})
	if yes, err = t.says(ctx, t.with(garbage), nil); !yes && err == nil {
		var broken []byte
		broken, err = t.Careless(func(c []byte) (bool, error) { return t.says(ctx, c, nil) })
		yes = broken != nil
	}
	switch {
	case err != nil:
		return false, err
	case yes:
		tell(Finding{Bad, "it finds garbage interesting: any broken file satisfies it",
			"search for the message of your bug, not for just any error"})
	default:
		tell(Finding{Good, "it does not find garbage interesting", ""})
	}
	return !yes, nil
}

func short(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

type trace struct {
	size    int64
	changed time.Time
}

// mostTraces limits the watched files of each directory.
const mostTraces = 10_000

// surroundings records the input, the original directories, and absolute paths in the test.
func (t *Test) surroundings() map[string]trace {
	all := map[string]trace{}
	note := func(path string) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			all[path] = trace{info.Size(), info.ModTime()}
		}
	}
	for _, w := range t.Words() {
		if filepath.IsAbs(w) {
			note(w)
		}
	}
	for _, dir := range t.directories() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			note(filepath.Join(dir, e.Name()))
		}
	}
	for _, file := range t.Files {
		n := 0
		filepath.WalkDir(file, func(path string, d fs.DirEntry, err error) error {
			if n++; err != nil || n > mostTraces {
				return fs.SkipAll
			}
			note(path)
			return nil
		})
	}
	return all
}

func (t *Test) checkTraces(before map[string]trace, tell func(Finding)) {
	now := t.surroundings()
	var written []string
	all := maps.Clone(before)
	maps.Copy(all, now)
	for path := range all {
		if now[path] != before[path] {
			written = append(written, path)
		}
	}
	slices.Sort(written)
	for _, path := range written {
		if slices.ContainsFunc(t.Files, func(file string) bool { return strings.HasPrefix(path+"/", file+"/") }) {
			tell(Finding{Bad, fmt.Sprintf("it changes %s itself", t.ShownFile),
				"make it write only to the current directory, and check your file: " + path})
			return
		}
	}
	if len(written) > 0 {
		more := ""
		if len(written) > 3 {
			more = fmt.Sprintf(" and %d more", len(written)-3)
		}
		some := strings.Join(written[:min(3, len(written))], ", ")
		tell(Finding{Note, fmt.Sprintf("it writes outside of its directory: %s%s", some, more),
			"tests run many times and in parallel: shared files may change their answers"})
	}
}

// checkTogether tests inputs and empty files at once. It repeats wrong answers one by one, since the test may be flaky.
func (t *Test) checkTogether(ctx context.Context, jobs int, times []time.Duration, tell func(Finding)) error {
	typical := times[len(times)/2]
	n := together(jobs, typical)
	turns, err := t.takeTurns(ctx, n, jobs)
	if err != nil {
		return err
	}
	alone := turns
	if turns.wrong > 0 && jobs > 1 {
		repeated := math.Log(0.001) / math.Log1p(-float64(turns.wrong)/float64(n)) // runs; with a probability of 99.9%
		for done := 0; done == 0 || alone.wrong == 0 && float64(done) < repeated; done += n {
			if alone, err = t.takeTurns(ctx, n, 1); err != nil {
				return err
			}
		}
	}
	switch {
	case alone.wrong > 0:
		if flaky, err := t.checkRates(ctx, jobs, alone.input, tell); flaky || err != nil {
			return err
		}
		tell(bad(&Cause{fmt.Sprintf("it is flaky: of %d runs on two files %d gave another answer than before",
			n, alone.wrong), steady}))
		return nil
	case turns.wrong > 0:
		tell(Finding{Bad, fmt.Sprintf("it gives other answers when %d run at once (%d of %d)", jobs, turns.wrong, n),
			"make it share nothing with other runs, such as a file in /tmp or a port: put files into the current directory " +
				`or "$TMPDIR". Or use -j 1`})
		return nil
	case turns.late > 0:
		tell(Finding{Bad, fmt.Sprintf("when %d run at once, %d of %d take longer than the time limit", jobs, turns.late, n),
			"raise the limit with --timeout, or use a smaller -j"})
		return nil
	case jobs > 1:
		tell(Finding{Good, fmt.Sprintf("%d at once give the same answers", jobs), ""})
	}
	tell(pace(n, turns.elapsed, typical))
	return nil
}

// together returns how many tests show disturbance: two for each job, or as many quick ones as
// take a second, at most 32.
func together(jobs int, each time.Duration) int {
	quick := int(time.Second/max(each, time.Millisecond)) * jobs
	return max(2*jobs, min(quick, 32))
}

type turns struct {
	wrong, late int
	input       rate.Count // of its first runs
	elapsed     time.Duration
}

func (t *Test) takeTurns(ctx context.Context, n, jobs int) (turns, error) {
	began := time.Now()
	runs, err := inParallel(n, jobs, func(i int) (oracle.Run, error) {
		if i%2 == 1 {
			return t.run(ctx, t.with(nil), nil)
		}
		return t.run(ctx, t.Input, nil)
	})
	r := turns{elapsed: time.Since(began)}
	for i, run := range runs {
		yes := run.Outcome == algo.Interesting
		if i%2 == 0 && r.input.Runs < commandRuns {
			r.input.Add(yes)
		}
		switch {
		case yes == (i%2 == 0):
		case run.TimedOut:
			r.late++
		default:
			r.wrong++
		}
	}
	return r, err
}

func inParallel(n, jobs int, run func(i int) (oracle.Run, error)) ([]oracle.Run, error) {
	runs := make([]oracle.Run, n)
	var all errgroup.Group
	all.SetLimit(jobs)
	for i := range n {
		all.Go(func() (err error) {
			runs[i], err = run(i)
			return err
		})
	}
	return runs, all.Wait()
}

func pace(n int, elapsed, typical time.Duration) Finding {
	rate := float64(n) / elapsed.Seconds()
	f := Finding{Good, fmt.Sprintf("about %.2g tests a second, so 1,000 tests take about %s",
		rate, short(time.Duration(1000/rate*float64(time.Second)))), ""}
	if rate > 99 {
		f.Text = fmt.Sprintf("about %.0f tests a second", rate)
	}
	if typical > 2*time.Second {
		f.Grade, f.Advice = Note, "a faster test makes a faster reduction: do the quickest checks first"
	}
	return f
}
