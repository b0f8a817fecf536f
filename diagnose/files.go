package diagnose

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/oracle"
)

// Bounds of what is copied for an experiment. What is larger is linked.
const (
	copyBytes = 32 << 20
	copyFiles = 2000
	mostUnits = 500
	mostTests = 60 // to find out which units are needed
)

// A unit is a file or a directory of the user that a test may need.
type unit struct {
	source string // absolute
	target string // where the test looks for it, relative to its directory
	link   bool   // it is too large for a copy
}

// unitsIn gives the content of a directory but for the input.
func (t *Test) unitsIn(dir string) []unit {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var units []unit
	for _, e := range entries {
		if e.Name() != t.Command.Name && e.Name() != ".git" && len(units) < mostUnits {
			units = append(units, unit{source: filepath.Join(dir, e.Name()), target: e.Name()})
		}
	}
	return t.bounded(units)
}

// unitsAbove gives what the test mentions by a path that leads upwards from
// dir, each with the directories below which it is.
func (t *Test) unitsAbove(dir string) []unit {
	var units []unit
	for _, w := range t.words() {
		w = filepath.Clean(w)
		up := 0
		for strings.HasPrefix(w[3*up:], "../") {
			up++
		}
		if up == 0 || up > 3 {
			continue
		}
		name, _, _ := strings.Cut(w[3*up:], "/")
		u := unit{source: filepath.Join(dir, w[:3*up]+name), target: w[:3*up] + name}
		if _, err := os.Stat(filepath.Join(dir, w)); err == nil && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	return t.bounded(units)
}

// bounded says which units are to be linked: those that do not fit, and the one
// in which the tests run.
func (t *Test) bounded(units []unit) []unit {
	bytes, files := int64(0), 0
	for i := range units {
		b, f := size(units[i].source)
		within := strings.HasPrefix(t.Command.Work+"/", units[i].source+"/")
		if within || bytes+b > copyBytes || files+f > copyFiles {
			units[i].link = true
			continue
		}
		bytes, files = bytes+b, files+f
	}
	return units
}

// size measures a tree, as far as it may be copied.
func size(path string) (bytes int64, files int) {
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if files++; files > copyFiles {
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && d.Type().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes, files
}

// lay puts the unit where the test that runs in dir looks for it. What is there
// already stays; what cannot be read or written is left out, as are devices.
func (u unit) lay(dir string) {
	target := filepath.Join(dir, u.target)
	if u.link {
		os.Symlink(u.source, target)
		return
	}
	filepath.WalkDir(u.source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		to := filepath.Join(target, strings.TrimPrefix(path, u.source))
		switch info, err := os.Stat(path); {
		case err != nil:
		case d.IsDir():
			os.Mkdir(to, 0o700)
		case info.IsDir():
			os.Symlink(path, to)
		case info.Mode().IsRegular():
			if content, err := os.ReadFile(path); err == nil {
				writeNew(to, content, info.Mode().Perm()|0o600)
			}
		}
		return nil
	})
}

func writeNew(path string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// beside lays units beside the candidate.
func beside(units []unit) change {
	return func(c *oracle.Command, _ string) error {
		base := c.Layout
		c.Write = func(dir string, candidate []byte) error {
			if err := base.Put(dir, candidate); err != nil {
				return err
			}
			for _, u := range units {
				u.lay(dir)
			}
			return nil
		}
		return nil
	}
}

// needsFiles lays copies of what is in the original directories beside the
// candidate, and finds out what of it the test needs.
func (t *Test) needsFiles(ctx context.Context) (*Cause, error) {
	for _, dir := range t.directories() {
		units := append(t.unitsAbove(dir), t.unitsIn(dir)...)
		if len(units) == 0 {
			continue
		}
		found, err := t.turns(ctx, t.Input, true, beside(units))
		if err != nil {
			return nil, err
		}
		if found {
			return t.explainNeed(ctx, dir, units)
		}
	}
	return nil, nil
}

// directories gives those where the test may have worked: of the test, of the
// file, and the current one.
func (t *Test) directories() []string {
	dirs := []string{filepath.Dir(t.File), filepath.Dir(t.Command.Argv[0])}
	if t.Command.Home != "" {
		dirs[1] = t.Command.Home
	}
	if wd, err := os.Getwd(); err == nil {
		dirs = append(dirs, wd)
	}
	slices.Sort(dirs[1:])
	var distinct []string
	for _, d := range dirs {
		if !slices.Contains(distinct, d) {
			distinct = append(distinct, d)
		}
	}
	return distinct
}

// explainNeed reduces the units to those that are needed, and tells what for.
func (t *Test) explainNeed(ctx context.Context, dir string, units []unit) (*Cause, error) {
	needed, err := t.reduce(ctx, units)
	if err != nil {
		return nil, err
	}
	var names []string
	programs := false
	for _, u := range needed {
		name := filepath.ToSlash(u.target)
		for _, w := range t.words() { // ../build/gcc says more than ../build
			if strings.HasPrefix(filepath.Clean(w), name+"/") {
				name = filepath.Clean(w)
				break
			}
		}
		names = append(names, name)
		info, err := os.Stat(filepath.Join(dir, name))
		programs = programs || err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	}
	if len(needed) == 1 && !programs {
		// Perhaps it reads that file, and not the candidate.
		ignored, err := t.says(ctx, nil, beside(needed))
		if err != nil {
			return nil, err
		}
		if ignored {
			return &Cause{fmt.Sprintf("it looks at %s and not at %s: with that beside it, it says yes even if %s is empty", names[0], t.Command.Name, t.Command.Name),
				fmt.Sprintf("read %s in the current directory", t.Command.Name)}, nil
		}
	}
	list := strings.Join(names[:min(len(names), 5)], ", ")
	if len(names) > 5 {
		list += fmt.Sprintf(" and %d more", len(names)-5)
	}
	home := dir
	if dir == filepath.Dir(t.Command.Argv[0]) || dir == t.Command.Home {
		home = "$WHITTLE_TEST_DIR"
	}
	advice := fmt.Sprintf(`name it by its absolute path: "%s/%s"`, home, names[0])
	if len(names) > 1 {
		advice = fmt.Sprintf(`name them by their absolute paths, as "%s/%s"`, home, names[0])
	}
	if programs {
		return &Cause{fmt.Sprintf("it runs %s by a relative path, and runs itself in a fresh directory", list), advice}, nil
	}
	if ext := filepath.Ext(names[0]); ext == ".h" || ext == ".hpp" || ext == ".hh" {
		advice = fmt.Sprintf(`tell the compiler where it is: -I "%s"`, home)
	}
	return &Cause{fmt.Sprintf("it needs %s of %s, and runs in a fresh directory", list, dir), advice}, nil
}

// reduce finds units without any of which the test says no, by delta debugging.
func (t *Test) reduce(ctx context.Context, units []unit) ([]unit, error) {
	weights := make([]int, len(units))
	for i := range weights {
		weights[i] = 1
	}
	search, err := algo.New("ddmin", 0.5)
	if err != nil {
		return nil, err
	}
	if likely := t.mentioned(units); len(likely) < len(units) {
		if yes, err := t.says(ctx, t.Input, beside(likely)); err != nil {
			return nil, err
		} else if yes {
			units, weights = likely, weights[:len(likely)]
		}
	}
	kept := units
	for step, n := search(weights), 0; step != nil && n < mostTests; n++ {
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

// mentioned gives the units that the test or the input names.
func (t *Test) mentioned(units []unit) []unit {
	var some []unit
	words := t.words()
	for _, u := range units {
		name := filepath.Base(u.target)
		if bytes.Contains(t.Input, []byte(name)) || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, name) }) {
			some = append(some, u)
		}
	}
	return some
}

// wantsDirectory runs the test in a directory whose path ends like that of an
// original one, and with the path in the script replaced by where it runs.
func (t *Test) wantsDirectory(ctx context.Context) (*Cause, error) {
	for _, dir := range t.directories() {
		changes := []change{below(dir)}
		if text := t.script(); strings.Contains(text, dir) {
			changes = append(changes, t.edited(strings.ReplaceAll(text, dir, "$PWD")))
		}
		for _, change := range changes {
			found, err := t.turns(ctx, t.Input, true, change)
			if err != nil {
				return nil, err
			}
			if found {
				return &Cause{fmt.Sprintf("it works only in a directory called %s", dir),
					"let it not ask where it is: each test runs in a fresh directory"}, nil
			}
		}
	}
	return nil, nil
}

// below lays the candidate into a directory that is called as path, somewhere
// below the test's own, and runs the test there.
func below(path string) change {
	return func(c *oracle.Command, _ string) error {
		base := c.Layout
		path := "." + path
		c.Write = func(dir string, candidate []byte) error {
			inner := filepath.Join(dir, path)
			if err := os.MkdirAll(inner, 0o700); err != nil {
				return err
			}
			return base.Put(inner, candidate)
		}
		if c.Home == "" {
			c.Home = filepath.Dir(c.Argv[0])
		}
		c.Name = filepath.Join(path, base.Name) // for Stdin
		argv := slices.Clone(c.Argv)
		for i := range argv[1:] { // it is beside the candidate
			argv[i+1] = strings.ReplaceAll(argv[i+1], oracle.Placeholder, base.Name)
		}
		c.Argv = slices.Concat([]string{"/bin/sh", "-c", `cd "$0" && exec "$@"`, path}, argv)
		return nil
	}
}
