package diagnose

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"whittle/internal/disk"
	"whittle/oracle"
)

// WhyUnknown finds out why the failure cannot be identified. Files that the arguments name are
// missing if it is recognised next to copies of them.
func (t *Test) WhyUnknown(ctx context.Context, first oracle.Run) (*Cause, error) {
	if t.Fixed != nil || first.TimedOut || first.Exceeded != oracle.NoLimit {
		return nil, nil
	}
	dir := t.Spec.Home
	var units []unit
	var names []string
	programs := false
	for _, name := range t.arguments() {
		w := filepath.Clean(name)
		source, err := filepath.EvalSymlinks(filepath.Join(dir, w))
		if err != nil || !filepath.IsLocal(w) || w == "." || w == t.Spec.Name {
			continue
		}
		u, look := unit{source: source, target: w, named: true}, lookFiles
		u.measure(&look)
		units, names = append(units, u), append(names, name)
		info, err := os.Stat(source)
		programs = programs || err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	}
	if units, _ = share(units); len(units) == 0 {
		return nil, nil
	}
	scratch, err := os.MkdirTemp(t.Executor.Work, "world-")
	if err != nil {
		return nil, &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for an experiment: %w", err)}
	}
	defer disk.RemoveTree(scratch)
	w := world{t.Spec, t.Executor}
	if err := beside(units)(&w, scratch); err != nil {
		return nil, err
	}
	there := *t
	there.Spec, there.Executor = w.Spec, w.Executor
	switch _, err := there.Recognise(ctx); err.(type) {
	case nil:
		return t.missing(dir, names, programs), nil
	case *UnknownError:
		return nil, nil
	default:
		return nil, err
	}
}

// arguments returns possible names of files in the arguments.
func (t *Test) arguments() (names []string) {
	known := map[string]bool{}
	for _, text := range t.Spec.Argv[1:] {
		for _, w := range word.FindAllString(text, -1) {
			if !known[w] {
				known[w] = true
				names = append(names, w)
			}
		}
	}
	return names
}
