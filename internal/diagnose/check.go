package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/algo"
	"whittle/internal/server"
	"whittle/oracle"
)

// A Grade says how good a finding is.
type Grade int

const (
	Good Grade = iota
	Note       // worth knowing
	Bad        // a reduction would fail or mislead
)

func (g Grade) String() string { return [...]string{"ok", "note", "bad"}[g] }

// A Finding is one line of a check-up.
type Finding struct {
	Grade  Grade
	Text   string
	Advice string // a sentence without its full stop, "" if there is none
}

func bad(c *Cause) Finding { return Finding{Bad, c.What, c.Advice} }

// Check examines a test from all sides, jobs at once where that matters, and
// tells each finding as soon as there is one. What could not be examined because
// of a bad finding is left out.
func (t *Test) Check(ctx context.Context, jobs int, tell func(Finding)) error {
	before := t.surroundings()
	times, goOn, err := t.checkInput(ctx, tell)
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

// checkInput asks several times about the input.
func (t *Test) checkInput(ctx context.Context, tell func(Finding)) (times []time.Duration, goOn bool, err error) {
	yes := 0
	var last oracle.Run // that said no
	for range runs {
		run, err := t.run(ctx, t.Input)
		if cannotStart(err) {
			tell(Finding{Bad, err.Error(), ""})
			return nil, false, nil
		}
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
	switch {
	case yes == runs:
		tell(Finding{Good, fmt.Sprintf("it finds %s interesting, %d times of %d, in %s (%s to %s)", t.ShownFile, yes, runs,
			short(times[runs/2]), short(times[0]), short(times[runs-1])), ""})
		if limit := t.limit(); limit > 0 && times[runs-1] > limit/2 && !t.Spec.Interesting.Timeout {
			tell(Finding{Note, fmt.Sprintf("the time limit of %v is close", limit),
				"give it more by --timeout: on a busy machine a test takes longer"})
		}
		return times, true, nil
	case yes > 0:
		tell(bad(flaky(yes, len(times))))
		return nil, false, nil
	}
	tell(Finding{Bad, fmt.Sprintf("it does not find %s interesting as it is (%s)", t.ShownFile, Ending(last)), ""})
	cause, err := t.WhyNot(ctx, last)
	if err == nil && cause != nil {
		tell(bad(cause))
	} else if err == nil {
		tell(Finding{Note, "no experiment found out why", "run it by hand in an empty directory with a copy of the file"})
	}
	return nil, false, err
}

// Ending tells how a test ended.
func Ending(r oracle.Run) string {
	switch {
	case r.TimedOut:
		return "killed, as its time was over"
	case r.Exceeded == oracle.MemoryLimit:
		return "killed, as it used too much memory"
	case r.Exceeded == oracle.ProcessLimit:
		return "killed, as it started too many processes"
	case r.Exceeded != oracle.NoLimit:
		return "killed, as it wrote too much"
	case r.Signal != "":
		return "killed: " + r.Signal
	case r.Reply != "":
		return r.Reply
	}
	return fmt.Sprintf("exit code %d", r.ExitCode)
}

// cannotStart reports whether it is the test that cannot be run, and not the
// environment that fails.
func cannotStart(err error) bool {
	var path *fs.PathError
	var server *server.Error
	return errors.As(err, &path) && path.Op == "exec" || errors.As(err, &server)
}

// checkOthers asks about what cannot have the problem.
func (t *Test) checkOthers(ctx context.Context, tell func(Finding)) (goOn bool, err error) {
	if len(t.Input) == 0 {
		tell(Finding{Bad, fmt.Sprintf("%s is empty: there is nothing to reduce", t.ShownFile), ""})
		return false, nil
	}
	yes, err := t.says(ctx, t.with(nil))
	if err != nil {
		return false, err
	}
	if yes {
		cause, err := t.WhyAlways(ctx)
		if err == nil {
			tell(bad(cause))
		}
		return false, err
	}
	tell(Finding{Good, "it does not find " + t.empty() + " interesting", ""})
	yes, err = t.says(ctx, t.with(garbage))
	switch {
	case err != nil:
		return false, err
	case yes:
		tell(Finding{Bad, "it finds garbage interesting: any broken file will do for it",
			"search for the message of your bug, not for just any error"})
	default:
		tell(Finding{Good, "it does not find garbage interesting", ""})
	}
	return !yes, nil
}

// short is a duration to read.
func short(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// trace is what tells that a file was written to.
type trace struct {
	size    int64
	changed time.Time
}

// mostTraces is how many files are looked after in each directory to reduce.
const mostTraces = 10_000

// surroundings notes the input, what else is in the original directories, and the
// files that the script mentions by their absolute paths.
func (t *Test) surroundings() map[string]trace {
	all := map[string]trace{}
	note := func(path string, info fs.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() {
			all[path] = trace{info.Size(), info.ModTime()}
		}
	}
	for _, w := range t.words() {
		if filepath.IsAbs(w) {
			info, err := os.Stat(w)
			note(w, info, err)
		}
	}
	for _, dir := range t.directories() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			info, err := e.Info()
			note(filepath.Join(dir, e.Name()), info, err)
		}
	}
	for _, file := range t.Files {
		n := 0
		filepath.WalkDir(file, func(path string, d fs.DirEntry, err error) error {
			if n++; err != nil || n > mostTraces {
				return fs.SkipAll
			}
			info, err := os.Stat(path)
			note(path, info, err)
			return nil
		})
	}
	return all
}

// checkTraces looks what the tests have written where they should not.
func (t *Test) checkTraces(before map[string]trace, tell func(Finding)) {
	now := t.surroundings()
	var written []string
	for path, old := range before {
		if now[path] != old { // or it is gone
			written = append(written, path)
		}
	}
	for path := range now {
		if _, known := before[path]; !known {
			written = append(written, path)
		}
	}
	slices.Sort(written)
	for _, path := range written {
		if slices.ContainsFunc(t.Files, func(file string) bool { return strings.HasPrefix(path+"/", file+"/") }) {
			tell(Finding{Bad, fmt.Sprintf("it changes %s itself", t.ShownFile),
				"let it write in the current directory only; and look after your file: " + path})
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
			"tests run at once and many times: what they share may mix up their answers"})
	}
}
