package diagnose

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/internal/disk"
	"whittle/oracle"
)

const mostTests = 60

func adding(lay func(dir string, candidate []byte) error) change {
	return func(w *world) {
		base := w.Layout
		w.Write = func(dir string, candidate []byte) error {
			if err := base.Put(dir, candidate); err != nil {
				return err
			}
			return lay(dir, candidate)
		}
	}
}

func beside(units []unit) change {
	return adding(func(dir string, _ []byte) error {
		for _, u := range units {
			u.lay(dir)
		}
		return nil
	})
}

func (t *Test) needsFiles(ctx context.Context) (*Cause, error) {
	for _, dir := range t.directories() {
		units := t.units(dir)
		if len(units) == 0 {
			continue
		}
		switch found, err := t.cured(ctx, &Cause{}, beside(units)); {
		case err != nil:
			return nil, err
		case found != nil:
			return t.explainNeed(ctx, dir, units)
		}
	}
	return nil, nil
}

func (t *Test) directories() []string {
	dirs := []string{t.Dir, filepath.Dir(t.Spec.Argv[0])}
	if t.Spec.Home != "" {
		dirs[1] = t.Spec.Home
	}
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, wd)
	}
	slices.Sort(dirs)
	others := slices.DeleteFunc(slices.Compact(dirs), func(d string) bool { return d == t.Dir })
	return append([]string{t.Dir}, others...)
}

func (t *Test) explainNeed(ctx context.Context, dir string, units []unit) (*Cause, error) {
	needed, err := t.reduce(ctx, units)
	if err != nil || len(needed) == 0 { // a flaky test
		return nil, err
	}
	var names []string
	for _, u := range needed {
		name := filepath.ToSlash(u.target)
		for _, w := range t.Words() { // prefer ../build/gcc to ../build
			if strings.HasPrefix(filepath.Clean(w), name+"/") {
				name = filepath.Clean(w)
				break
			}
		}
		names = append(names, name)
	}
	if len(needed) == 1 && !disk.IsProgram(filepath.Join(dir, names[0])) {
		// Perhaps it reads that file instead of the candidate.
		ignored, err := t.says(ctx, t.with(nil), beside(needed))
		if err != nil {
			return nil, err
		}
		if ignored {
			return &Cause{fmt.Sprintf("it reads %s and not %s: next to that file, "+
				"it finds even an empty %s interesting", names[0], t.Spec.Name, t.Spec.Name),
				fmt.Sprintf("read %s in the current directory", t.Spec.Name)}, nil
		}
	}
	return t.missing(dir, names), nil
}

func (t *Test) missing(dir string, names []string) *Cause {
	list := strings.Join(names[:min(len(names), 5)], ", ")
	if len(names) > 5 {
		list += fmt.Sprintf(" and %d more", len(names)-5)
	}
	home := dir
	if t.Spec.Home == "" && dir == filepath.Dir(t.Spec.Argv[0]) {
		home = "$WHITTLE_TEST_DIR" // the user's shell would expand it in arguments
	}
	first := path.Clean(names[0])
	advice := fmt.Sprintf(`use the absolute path: "%s/%s"`, home, first)
	if len(names) > 1 {
		advice = fmt.Sprintf(`use absolute paths, such as "%s/%s"`, home, first)
	}
	if slices.ContainsFunc(names, func(name string) bool { return disk.IsProgram(filepath.Join(dir, name)) }) {
		return &Cause{fmt.Sprintf("it runs %s by a relative path, but tests run in fresh directories", list), advice}
	}
	isNamed := func(w string) bool { return strings.Contains(w, names[0]) }
	if t.Command && !slices.ContainsFunc(t.Words(), isNamed) {
		advice = "name it in COMMAND, if an option takes it, or reduce the project: whittle -- COMMAND"
	}
	if ext := filepath.Ext(names[0]); ext == ".h" || ext == ".hpp" || ext == ".hh" {
		advice = fmt.Sprintf(`add its directory to the include path: -I "%s"`, home)
	}
	return &Cause{fmt.Sprintf("it needs %s from %s, but tests run in fresh directories", list, dir), advice}
}

// reduce finds a minimal set of needed units.
func (t *Test) reduce(ctx context.Context, units []unit) ([]unit, error) {
	likely := slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return !u.named })
	if len(likely) < len(units) {
		if yes, err := t.says(ctx, t.Input, beside(likely)); err != nil {
			return nil, err
		} else if yes {
			units = likely
		}
	}
	kept := units
	for step, n := algo.DDMin(slices.Repeat([]int{1}, len(units))), 0; step != nil && n < mostTests; n++ {
		var some []unit
		for _, i := range step.Candidate {
			some = append(some, units[i])
		}
		outcome := algo.Uninteresting
		yes, err := t.says(ctx, t.Input, beside(some))
		if err != nil {
			return nil, err
		}
		if yes {
			outcome, kept = algo.Interesting, some
		}
		step = step.Next(outcome)
	}
	return kept, nil
}

// wantsDirectory runs the test below the path of an original one, and with this path replaced in the
// script.
func (t *Test) wantsDirectory(try func(*Cause, change) bool) {
	// Here the path does not matter.
	if !try(&Cause{"it fails because of the hidden directory for temporary files next to the candidate",
		"make it ignore hidden files"}, below("/elsewhere")) {
		return
	}
	for _, dir := range t.directories() {
		changes := []change{below(dir)}
		if text := t.script(); strings.Contains(text, dir) {
			changes = append(changes, t.edited(strings.ReplaceAll(text, dir, "$PWD")))
		}
		for _, change := range changes {
			if !try(&Cause{fmt.Sprintf("it works only in the directory %s", dir),
				"make it independent of the current directory: each test runs in a fresh one"}, change) {
				return
			}
		}
	}
}

func below(path string) change {
	return func(w *world) {
		base := w.Layout
		path := "." + path
		w.Write = func(dir string, candidate []byte) error {
			inner := filepath.Join(dir, path)
			if err := os.MkdirAll(inner, 0o700); err != nil {
				return err
			}
			return base.Put(inner, candidate)
		}
		if w.Home == "" {
			w.Home = filepath.Dir(w.Argv[0])
		}
		w.Name = filepath.Join(path, base.Name) // for Stdin
		argv := slices.Clone(w.Argv)
		for i := range argv[1:] { // it runs next to the candidate
			argv[i+1] = strings.ReplaceAll(argv[i+1], oracle.Placeholder, base.Name)
		}
		w.Argv = slices.Concat([]string{"/bin/sh", "-c", `cd "$0" && exec "$@"`, path}, argv)
	}
}

// runsPrograms leaves a noexec file system.
func (t *Test) runsPrograms(try func(*Cause, change) bool) {
	if !disk.NoExec(t.Executor.Work) {
		return
	}
	for _, place := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", t.Dir} {
		if disk.NoExec(place) {
			continue
		}
		work, err := os.MkdirTemp(place, "whittle-noexec-")
		if err != nil {
			continue
		}
		defer disk.RemoveTree(work)
		try(&Cause{"it runs a program that it builds in its directory, on a file system without execution (noexec): " +
			filepath.Dir(t.Executor.Work),
			"choose a directory where programs may run: --work-dir " + place}, func(w *world) { w.Work = work })
		return
	}
}

// whyUnknown finds out whether the failure is recognised next to copies of the files of a directory.
func (t *Test) whyUnknown(ctx context.Context, first oracle.Run) (*Cause, error) {
	there, dir, units, err := t.recognisedBeside(ctx, first)
	if there == nil || err != nil {
		return nil, err
	}
	return there.explainNeed(ctx, dir, units)
}

// recognisedBeside returns a test with the criterion of a failure that is recognised next to copies of the files of a
// directory, and not without; else nil.
func (t *Test) recognisedBeside(ctx context.Context, first oracle.Run) (*Test, string, []unit, error) {
	if t.Fixed != nil || t.Project || !t.Command || first.TimedOut || first.Exceeded != oracle.NoLimit {
		return nil, "", nil, nil
	}
	for _, dir := range slices.Compact([]string{t.Spec.Home, t.Dir}) {
		units := t.units(dir)
		if len(units) == 0 {
			continue
		}
		w := world{Spec: t.Spec, Executor: t.Executor}
		w.Keeper = nil
		beside(units)(&w)
		there := *t
		there.Spec, there.Executor, there.Seen = w.Spec, w.Executor, nil
		found, err := there.Recognise(ctx)
		if err != nil && !errors.As(err, new(*UnknownError)) {
			return nil, "", nil, err
		} else if err == nil && !found.Criteria.Hold(first) {
			there = *t
			there.Spec.Interesting = found.Criteria
			return &there, dir, units, nil
		} // else it needs no files
	}
	return nil, "", nil, nil
}

// Needed returns files of a directory without which a command does not fail in a way that identifies its failure, as in
// the run first. It returns nil if these are programs or elsewhere, or after some time.
func (t *Test) Needed(ctx context.Context, first oracle.Run) (dir string, names []string, err error) {
	_, err = within(ctx, causeLimit(first), func(ctx context.Context) (*Cause, error) {
		there, at, units, err := t.recognisedBeside(ctx, first)
		if there == nil || err != nil {
			return nil, err
		}
		needed, err := there.reduce(ctx, units)
		if slices.ContainsFunc(needed, func(u unit) bool { return !filepath.IsLocal(u.target) || disk.IsProgram(u.source) }) {
			return nil, err
		}
		for _, u := range needed {
			dir, names = at, append(names, u.target)
		}
		return nil, err
	})
	return dir, names, err
}
