package stage

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/internal/account"
	"whittle/internal/disk"
	"whittle/internal/project"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// mostSteps bounds the failed steps to ask.
const mostSteps = 8

// Narrow looks for a step of the command of a project that fails alone in the same way, on a candidate. It shows
// progress by doing. Without a failing step, or after half of the time, it returns nil. The error is [ErrNone] if no
// step fails alone.
func Narrow(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	limited, release := run.Limit(ctx, run.Half(ctx))
	defer release()
	found, err := narrow(limited, r, candidate, doing)
	if err != nil && run.TimeOver(limited) && ctx.Err() == nil {
		r.Warn("half of the time is over, and no step that fails alone was found; --no-narrow does not look for one")
		return nil, nil
	}
	return found, err
}

func narrow(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	if !r.Test.Inline || !r.Spec.Interesting.Telling() || r.Remote != nil {
		return nil, nil // only the output tells that a step fails in the same way
	}
	n := narrowing{Run: r, candidate: candidate, whole: Words(r)}
	try := func(form func(context.Context, Step) (*Found, error), steps ...Step) (found *Found, err error) {
		for i := 0; i < len(steps) && found == nil && err == nil; i++ {
			doing("asking whether a step fails alone: " + filepath.Base(steps[i].Words[0]))
			found, err = form(ctx, steps[i])
		}
		if found == nil || err != nil || !n.holds(ctx, found) {
			return nil, err
		}
		for _, text := range found.describe() {
			r.Warn(text)
		}
		return found, nil
	}
	if bytes.Equal(candidate, r.Input.Bytes) { // else the test is alone
		if found, err := try(n.test, Step{Words: n.whole}); found != nil || err != nil {
			return found, err
		}
	}
	doing("looking for the step that fails")
	var err error
	if n.Recording, err = Record(ctx, r, n.whole, candidate); err != nil {
		return nil, err
	}
	suspects := n.suspects()
	smaller := append(n.Failed(), Step{Words: n.whole})
	if atEnd := !bytes.Equal(candidate, r.Input.Bytes); atEnd { // the names of units have changed
		smaller = nil
		if len(n.Steps) < 2 {
			return nil, nil // it is one step
		}
	}
	for _, ask := range []func() (*Found, error){
		func() (*Found, error) { return try(n.file, suspects...) },
		func() (*Found, error) { return try(n.inProject, suspects...) },
		func() (*Found, error) { return try(n.smaller, smaller...) },
	} {
		if found, err := ask(); found != nil || err != nil {
			return found, err
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	return nil, ErrNone
}

// suspects returns the steps to ask, first those on files that the output names. Steps that fail on purpose, as those
// of a configuration, have removed their files.
func (n *narrowing) suspects() (steps []Step) {
	named := func(s Step) int {
		if source, _ := s.source(); bytes.Contains(n.Recording.Run.Output, []byte(filepath.Base(source))) {
			return 0
		}
		return 1
	}
	for _, s := range append(n.Failed(), n.compilations()...) {
		if _, alone := s.source(); alone != nil && !n.isWhole(s) {
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return named(a) - named(b) })
	return steps[:min(len(steps), mostSteps)]
}

// isWhole reports whether a step is the whole command, by the interpreter of its script.
func (n *narrowing) isWhole(s Step) bool {
	return len(s.Words) > 1 && filepath.Base(s.Words[1]) == filepath.Base(n.whole[0]) &&
		slices.Equal(s.Words[2:], n.whole[1:])
}

// source returns a source file of a compiler's step, and its words for any directory, with {} for an only file; nil if
// there is none.
func (s Step) source() (path string, alone []string) {
	t := tool.Find(s.Words[0])
	if t == nil {
		return "", nil
	}
	words, n := project.Alone(s.Words, s.Dir), 0
	for _, i := range tool.Operands(words) {
		if slices.Contains(t.Reads, grammars.ForFile(words[i]).Name) && disk.Exists(words[i]) {
			path, n = words[i], n+1
		}
	}
	switch n {
	case 0:
		return "", nil
	case 1:
		words[slices.Index(words, path)] = oracle.Placeholder
	}
	return path, words
}

// compilations returns the steps of compilation databases for files that the output names: a compiler that is not found
// by PATH is not recorded.
func (n *narrowing) compilations() (steps []Step) {
	filepath.WalkDir(n.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "compile_commands.json" {
			return err
		}
		all, _ := project.ReadDatabase(path)
		for _, c := range all {
			if len(c.Words) > 0 && bytes.Contains(n.Recording.Run.Output, []byte(filepath.Base(c.File))) {
				steps = append(steps, Step{Dir: c.Directory, Words: c.Words})
			}
		}
		return nil
	})
	return steps
}

// holds reports whether a run on the found part recognises the same failure.
func (n *narrowing) holds(ctx context.Context, found *Found) bool {
	c, path, err := found.Next(n.Run)
	if err != nil {
		return false
	}
	probe := run.New(ctx, c)
	defer probe.Close()
	if probe.Read([]string{path}) != nil || probe.Start(ctx) != nil || probe.Recognise(ctx) != nil {
		return false
	}
	found.known = &probe.Failure
	return probe.Failure.Title == n.Failure.Title
}

// Words returns the command for the best file of a run, with a program of PATH by its name.
func Words(r *run.Run) []string {
	words := r.Called().Argv
	if first := r.Test.Argv[0]; !strings.Contains(first, "/") {
		words = slices.Concat([]string{first}, words[1:])
	}
	return words
}

// A narrowing asks forms of a step whether they fail as the command does.
type narrowing struct {
	*run.Run
	*Recording
	candidate []byte
	whole     []string
}

// asks returns a run that fails in the same way, or nil.
func (n *narrowing) asks(
	ctx context.Context, layout oracle.Layout, file []byte, words []string,
) (*oracle.Run, error) {
	q := account.Question{Test: n.Bare(), Title: n.Failure.Title, Callers: n.Failure.Callers, File: file}
	q.Test.Spec.Layout, q.Test.Spec.Stdin = layout, false
	q.Test.Spec.Afresh = true // without the products of other steps
	c := &q.Test.Spec.Interesting
	c.ExitCodes, c.Lines = nil, slices.Clone(c.Lines) // a builder has its own exit codes, and repeats messages
	for i := range c.Lines {
		c.Lines[i].Least, c.Lines[i].Most = 1, 0
	}
	a, err := q.Ask(ctx, words)
	if err != nil || a.Verdict != report.HasBug {
		return nil, err
	}
	return &a.Run, nil
}

// file returns a step that fails on its only source file, preprocessed or as it is, without any other file.
func (n *narrowing) file(ctx context.Context, s Step) (*Found, error) {
	source, words := s.source()
	if !slices.Contains(words, oracle.Placeholder) {
		return nil, nil
	}
	name := filepath.Base(source)
	output := filepath.Join(n.scratch, "preprocessed")
	for _, command := range append(tool.Preprocess(words, source, output), nil) {
		alone, path := tool.Resolved(words), output
		if command == nil {
			alone, path = words, source
		} else if run, err := n.Recording.run(ctx, n.Run, s.Dir, command, nil); err != nil {
			return nil, err
		} else if !run.Ended(0) {
			continue
		}
		code, err := disk.ReadPlain(path)
		alone, free := n.free(alone)
		if err != nil || !free {
			continue
		}
		code = bytes.ReplaceAll(code, []byte(n.Dir), []byte(n.Test.Project.Root)) // the same for each run
		same, err := n.asks(ctx, oracle.Layout{Name: name, Mode: 0o644}, code, alone)
		if err != nil || same != nil {
			return &Found{Command: alone, Code: code, Name: name}, err
		}
	}
	return nil, nil
}

// free removes the options that lead to the directory of the recording, such as those for a cache. It reports whether
// no other word does.
func (n *narrowing) free(words []string) ([]string, bool) {
	leads := func(w string) bool { return strings.Contains(w, n.scratch) }
	words = tool.WithoutOptions(words, func(option []string) bool { return slices.ContainsFunc(option, leads) })
	return words, !slices.ContainsFunc(words, leads)
}

// inProject returns a step that fails in the root of the project, without the steps before it.
func (n *narrowing) inProject(ctx context.Context, s Step) (*Found, error) {
	if len(n.Steps) < 2 || s.Dir != n.Dir {
		return nil, nil
	}
	words := project.Alone(s.Words, s.Dir)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, n.Dir+"/", "")
	}
	if words, ok := n.free(words); ok {
		return n.inRoot(ctx, words)
	}
	return nil, nil
}

func (n *narrowing) inRoot(ctx context.Context, words []string) (*Found, error) {
	if slices.Equal(words, n.whole) {
		return nil, nil
	}
	same, err := n.asks(ctx, n.Bare().Spec.Layout, n.candidate, words)
	if same == nil {
		return nil, err
	}
	return &Found{Command: words, project: n.candidate, seen: same}, nil
}

// describe returns messages about the step.
func (f *Found) describe() []string {
	text := "a part of the work fails alone in the same way, and is reduced instead: " + shell.Join(shell.Bare(f.Command))
	if f.Code != nil {
		text = strings.ReplaceAll(text, oracle.Placeholder, f.Name)
	}
	return []string{text, "to reduce the whole project, use --no-narrow"}
}
