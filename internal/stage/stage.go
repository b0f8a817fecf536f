// Package stage goes from a failing command down to a part of its work that fails alone: from a compiler to a tool that
// works on intermediate code, and from the build of a project to one of its steps. It also adds the code of
// dependencies to the result of a project. If a command needs more than its project, it goes up to the repository.
package stage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/internal/account"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/project"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// ErrNone is wrapped by the error of [Find] and [Narrow] if no part fails alone.
var ErrNone = errors.New("no part of the work fails alone in the same way")

// A Found is a command that fails in the same way as the whole.
type Found struct {
	Command []string // with {} for the code
	Code    []byte   // nil for a part of the project that fails in its root
	Name    string   // of the code
	project []byte   // the candidate with the part, or nil
	output  string   // "" means the output of the whole

	known *diagnose.Failure // to look for; nil if that is not known yet
	seen  *oracle.Run       // of the command on the part; may be nil

	// For more input instead of a part:
	files []oracle.File    // in place of project
	from  *project.Project // in place of the run's; nil for a part
	env   []string         // further variables
}

// Replaces reports whether the result replaces the result of the whole.
func (f *Found) Replaces() bool { return f.output == "" }

// A Finder finds the next run for a candidate, or nil. It shows its steps by doing.
type Finder func(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error)

// Before is the Finder for a project.
func Before(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	found, err := Narrow(ctx, r, candidate, doing)
	if errors.Is(err, ErrNone) {
		r.Warn(fmt.Sprintf("%v; the whole project is reduced", err))
		err = nil
	}
	return found, err
}

// After is the Finder for the result of a project.
func After(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	found, err := Narrow(ctx, r, candidate, doing)
	if found == nil && (err == nil || errors.Is(err, ErrNone)) {
		found, err = Pull(ctx, r, candidate, doing)
	}
	return found, err
}

// Find asks the tools that do a part of the work of a run's compiler, for a candidate. It shows its steps by doing.
func Find(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	q := account.Question{Test: r.Bare(), Title: r.Failure.Title, Callers: r.Failure.Callers, Doing: doing}
	if r.Spec.Timeout == 0 { // not set by the user or a hang
		q.Test.Spec.LimitTime(longest)
	}
	var machine tool.Machine
	var others []string
	for _, words := range slices.CompactFunc([][]string{r.Test.Argv, r.Words()}, slices.Equal) {
		c, ok := machine.Command(ctx, tool.WithoutOutput(words))
		if !ok || !r.Test.Inline || r.Input.Set != nil || r.Spec.Stdin {
			return nil, fmt.Errorf("%w: that needs a command with a known compiler and one file", ErrNone)
		}
		if c.Lowers == nil {
			return nil, fmt.Errorf("%w: %s has no stage that a tool could run", ErrNone, c.Name)
		}
		others = nil
		for _, l := range lower(ctx, &machine, c) {
			if l.Runs == nil {
				others = append(others, "there is no "+l.Tool+" of the version of "+c.Words[c.At])
				continue
			}
			doing("asking " + l.Runs[0][0] + " whether it fails alone")
			codes, err := r.Outputs(ctx, candidate, func(output string) [][]string {
				return [][]string{append(slices.Clip(l.Emit), output)}
			})
			if err != nil {
				return nil, err
			}
			if len(codes) == 0 {
				others = append(others, c.Words[c.At]+" writes no code for "+l.Tool)
				continue
			}
			q.File = codes[0]
			why := "" // the last command does not end well
			for _, words := range l.Runs {
				a, err := q.Ask(ctx, words)
				if err != nil {
					return nil, err
				}
				if a.Verdict == report.HasBug {
					output := r.Out.Lowered(extension)
					name := strings.Replace(filepath.Base(output), ".reduced"+extension, extension, 1)
					return &Found{Command: words, Code: q.File, Name: name, output: output}, nil
				}
				why = a.Detail
			}
			others = append(others, l.Runs[0][0]+": "+cmp.Or(why, "no failure"))
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrNone, strings.Join(others, "; "))
}

// longest is the time limit of a tool.
const longest = time.Minute

// extension is the suffix of files with LLVM IR.
const extension = ".ll"

// Next returns the configuration of a run that reduces the found part, and its input. Next writes the code to a file
// until r is closed.
func (f *Found) Next(r *run.Run) (c run.Config, path string, err error) {
	c = r.Config
	c.Test = run.Test{Argv: f.Command, Inline: true, Project: r.Test.Project}
	switch {
	case f.Replaces():
		c.Output, c.Shared = r.Out.Path, true
		c.Journal = cmp.Or(r.Journal.Path, r.Out.Sidecar("")) + ".step"
	case f.from != nil:
		c.Output, c.Journal, c.Records, c.NoOther = f.output, "", output.Records{}, true
	default:
		c.Output, c.Name, c.Language, c.Grammar, c.Rules, c.Format = f.output, "", nil, nil, nil, run.FormatNone
		c.Shared, c.InPlace, c.Preprocess, c.Report, c.NoOther = false, false, false, false, true
		c.Journal, c.Records, c.Valid.Command = "", output.Records{}, ""
		c.Search.NoRewrite = false // a deleted value needs another in its place
	}
	if r.Test.Project != nil && f.Code == nil {
		c.Sandbox.Known = r.Policy()
	}
	if c.Known, c.Seen = f.known, f.seen; f.from != nil {
		c.Test.Project, c.Env = f.from, slices.Concat(r.Env, f.env)
	}
	if f.files == nil && bytes.Equal(f.project, r.Input.Bytes) {
		return c, r.Input.Paths[0], nil
	}
	dir, remove, err := r.Scratch()
	if err == nil {
		r.Later(remove)
		if path = dir; f.Code == nil {
			files := f.files
			if files == nil {
				files, err = r.Spec.Layout.List(f.project)
			}
			if err == nil {
				err = oracle.WriteFiles(dir, files)
			}
		} else {
			path, c.Test.Project, c.KeepBuild = filepath.Join(dir, f.Name), nil, false
			err = os.WriteFile(path, f.Code, 0o644)
		}
	}
	if err != nil {
		return c, "", oracle.Errorf("cannot write the code of a stage: %w", err)
	}
	return c, path, nil
}

// Add adds the result of the next run to a report. The shorter of two files comes first.
func Add(facts *report.Facts, next *run.Run) {
	name := filepath.Base(next.Out.Path)
	words := tool.WithoutOutput(next.Words())
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, oracle.Placeholder, name)
	}
	file, at, run := report.File{Name: name, Text: string(next.Best())}, len(facts.Files), len(facts.Runs)
	if at > 0 && len(file.Text) < len(facts.Files[0].Text) {
		at, run = 0, 0
	}
	facts.Files = slices.Insert(facts.Files, at, file)
	facts.Runs = slices.Insert(facts.Runs, run, report.Run{Command: shell.Join(words), Output: next.Failure.Shown})
}
