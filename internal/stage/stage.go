// Package stage goes from a failing command down to a part of its work that fails alone: from a compiler to a tool that
// works on intermediate code, and from the build of a project to one of its steps.
package stage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"whittle/internal/account"
	"whittle/internal/output"
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
}

// Find asks the tools that do a part of the work of a run's compiler, for a candidate. It shows its steps by doing.
func Find(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	var machine tool.Machine
	command, ok := machine.Command(ctx, tool.WithoutOutput(r.Words()))
	if !ok || !r.Test.Inline || r.Input.Set != nil || r.Spec.Stdin {
		return nil, fmt.Errorf("%w: that needs a command with a known compiler and one file", ErrNone)
	}
	if command.Lowers == nil {
		return nil, fmt.Errorf("%w: %s has no stage that a tool could run", ErrNone, command.Name)
	}
	q := account.Question{Test: r.Bare(), Title: r.Failure.Title, Callers: r.Failure.Callers, Doing: doing}
	if r.Spec.Timeout == 0 { // not set by the user or a hang
		q.Test.Spec.Timeout, q.Test.Spec.Processor = longest, 0
	}
	commands := []tool.Command{command}
	if given, ok := machine.Command(ctx, tool.WithoutOutput(r.Test.Argv)); ok {
		if given = atLevel(command, given); !slices.Equal(given.Words, command.Words) {
			commands = []tool.Command{given, command}
		}
	}
	var works, missing, others []string
	for _, c := range commands {
		works, missing, others = nil, nil, nil
		for _, l := range lower(ctx, &machine, c) {
			if l.Runs == nil {
				missing = append(missing, l.Tool)
				continue
			}
			doing("asking " + l.Runs[0][0] + " whether it fails alone")
			code, err := emit(ctx, r, candidate, l.Emit)
			if err != nil {
				return nil, err
			}
			if code == nil {
				others = append(others, command.Words[command.At]+" writes no code for "+l.Tool)
				continue
			}
			q.File = code
			found, why, err := ask(ctx, &q, l.Runs)
			if found != nil {
				found.output = r.Out.Lowered(extension)
				found.Name = strings.Replace(filepath.Base(found.output), ".reduced"+extension, extension, 1)
			}
			if found != nil || err != nil {
				return found, err
			}
			if why != "" {
				others = append(others, l.Runs[0][0]+": "+why)
			} else {
				works = append(works, l.Runs[0][0])
			}
		}
	}
	if n := len(works); n > 0 {
		others = append(others, english.WordSeries(works, "and")+" "+english.PluralWord(n, "works", "work")+
			" on what the compiler writes for "+english.PluralWord(n, "it", "them"))
	}
	if len(missing) > 0 {
		others = append(others, "there is no "+english.WordSeries(missing, "or")+" of the version of "+
			command.Words[command.At])
	}
	return nil, fmt.Errorf("%w: %s", ErrNone, strings.Join(others, "; "))
}

// longest is the time limit of a tool.
const longest = time.Minute

// ask returns the first command of a tool that fails in the same way; otherwise why the last does not end well.
func ask(ctx context.Context, q *account.Question, commands [][]string) (found *Found, why string, err error) {
	for _, words := range commands {
		a, err := q.Ask(ctx, words)
		if err != nil {
			return nil, "", err
		}
		if a.Verdict == report.HasBug {
			return &Found{Command: words, Code: q.File}, "", nil
		}
		why = a.Detail
	}
	return nil, why, nil
}

// emit returns the output of a command for a candidate, or nil if it fails.
func emit(ctx context.Context, r *run.Run, candidate []byte, command []string) ([]byte, error) {
	path, err := exec.LookPath(command[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, err
	}
	contents, err := r.Outputs(ctx, candidate, func(output string) [][]string {
		return [][]string{slices.Concat([]string{path}, command[1:], []string{output})}
	})
	if len(contents) == 0 {
		return nil, err
	}
	return contents[0], err
}

// extension is the suffix of files with LLVM IR.
const extension = ".ll"

// Next returns the configuration of a run that reduces the found part, and its input. Next writes the code to a file
// until r is closed.
func (f *Found) Next(r *run.Run) (c run.Config, path string, err error) {
	c = r.Config
	c.Test = run.Test{Argv: f.Command, Inline: true, Project: r.Test.Project}
	if f.output == "" {
		c.Output, c.Shared = r.Out.Path, true
		c.Journal = cmp.Or(r.Journal.Path, r.Out.Sidecar("")) + ".step"
	} else {
		c.Output, c.Name, c.Language, c.Grammar, c.Rules, c.Format = f.output, "", nil, nil, nil, run.FormatNone
		c.Shared, c.InPlace, c.Preprocess, c.Report, c.NoOther = false, false, false, false, true
		c.Journal, c.Records, c.Valid.Command = "", output.Records{}, ""
		c.Search.NoRewrite = false // a deleted value needs another in its place
	}
	if bytes.Equal(f.project, r.Input.Bytes) {
		return c, r.Input.Paths[0], nil
	}
	dir, remove, err := r.Scratch()
	if err == nil {
		r.Later(remove)
		if path = dir; f.Code == nil {
			var files []oracle.File
			if files, err = r.Spec.Layout.List(f.project); err == nil {
				err = oracle.WriteFiles(dir, files)
			}
		} else {
			path, c.Test.Project = filepath.Join(dir, f.Name), nil
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
