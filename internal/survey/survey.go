// Package survey asks commands, and the compilers of this machine, what they make of a
// file: whether it shows a failure that is known.
package survey

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/internal/failure"
	"whittle/internal/report"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Question is whether a file shows a failure.
type Question struct {
	Test  oracle.Test // its Spec has the command, and the criteria of the failure
	Title string      // of the failure, as package failure knows it; "" if it does not
	File  []byte
	Doing func(what string) // told what is being done, in a line; nil is nobody

	// Callers must be on the stack of a failure with the title.
	Callers []failure.Frame
	// Input is the file as it was before it was reduced, nil if File was not. A compiler that
	// accepts it does not have its bug, whatever it makes of File.
	Input []byte

	// Wrong is the test that what a command makes is wrong code; nil if the command itself
	// fails.
	Wrong func(command []string) []string
}

// An Answer is what a command makes of the file.
type Answer struct {
	Verdict report.Verdict
	Detail  string     // the title of another failure, or what is wrong
	Run     oracle.Run // with the end of what it printed
}

// Ask runs a command in place of that of the test; nil is that itself. An error is that of
// the context, or of the environment.
func (q *Question) Ask(ctx context.Context, command []string) (Answer, error) {
	if command == nil {
		return q.explain(ctx, q.Test)
	}
	path, err := exec.LookPath(command[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return Answer{Verdict: report.CannotRun, Detail: "there is no " + command[0]}, nil
	}
	test := q.Test
	test.Spec.Argv = slices.Concat([]string{path}, command[1:])
	a, err := q.explain(ctx, test)
	if q.Wrong == nil || err != nil || a.Verdict != report.HasBug { // that is, it was built
		return a, err
	}
	test.Spec.Argv = q.Wrong(command)
	wrong, err := q.explain(ctx, test)
	if a.Verdict = wrong.Verdict; a.Verdict == report.Rejects {
		a.Verdict = report.Accepts
	}
	return a, err
}

func (q *Question) explain(ctx context.Context, test oracle.Test) (Answer, error) {
	run, err := test.Explain(ctx, q.File)
	if err != nil {
		return Answer{}, err
	}
	return q.judge(run), nil
}

// judge returns what a run says of the file.
func (q *Question) judge(run oracle.Run) Answer {
	a := Answer{Run: run}
	other, crashed := failure.Of(run)
	switch {
	case run.Outcome == algo.Interesting, crashed && alike(other.Title, q.Title) && q.isCalled(run):
		a.Verdict = report.HasBug
	case run.TimedOut:
		a.Verdict, a.Detail = report.Hangs, "no end in "+run.Timeout.String()
	case crashed:
		a.Verdict, a.Detail = report.FailsElse, other.Title
		if alike(other.Title, q.Title) {
			a.Detail = other.Called()
		}
	case run.Exceeded != oracle.NoLimit:
		a.Verdict, a.Detail = report.CannotRun, "it used too much "+run.Exceeded.What()
	case run.ExitCode == 0:
		a.Verdict = report.Accepts
	default:
		a.Verdict, a.Detail = report.Rejects, complaint(run.Output)
	}
	return a
}

// isCalled reports whether the callers are on the stack that a run has printed.
func (q *Question) isCalled(run oracle.Run) bool {
	return !slices.ContainsFunc(q.Callers, func(f failure.Frame) bool { return !f.Printed(run.Output) })
}

// alike reports whether two titles are of one failure: of the sources of GCC that ended
// in .c those of C++ have ended in .cc since version 12.
func alike(a, b string) bool {
	return strings.ReplaceAll(a, ".cc", ".c") == strings.ReplaceAll(b, ".cc", ".c")
}

// complaints are lines that say why a file is rejected.
var complaints = regexp.MustCompile(`(?mi)^.*\b(?:error|exception|fatal)\b.*$`)

// complaint returns the line of an output that says most.
func complaint(output []byte) string {
	if l := complaints.Find(output); l != nil {
		return string(l)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	return first
}

// A Command is one that has a compiler in it, with the file as {}.
type Command struct {
	Words    []string
	At       int // of the compiler in Words
	Compiler tool.Program
}

// Find finds the compiler of a command.
func Find(ctx context.Context, m *tool.Machine, words []string) (Command, bool) {
	p, arguments, ok := m.Command(ctx, words)
	return Command{slices.Clone(words), len(words) - len(arguments) - 1, p}, ok
}

// With returns the command with another compiler, given as one is in a command.
func (c Command) With(compiler string) []string {
	words := slices.Clone(c.Words)
	words[c.At] = compiler
	return words
}

// And returns the command with more arguments.
func (c Command) And(arguments ...string) []string { return slices.Concat(c.Words, arguments) }

// A Compiler is one that was asked, with what it said.
type Compiler struct {
	report.Compiler
	Program tool.Program // zero if it is not known
}

// Compilers returns what the compilers of this machine make of the file that read its
// language, each with the command's arguments but for those it does not know: those of
// the sort of the command's own, then others, and then those that are named besides. The
// newest of a sort is the first. With an error come the answers before it.
func (q *Question) Compilers(ctx context.Context, m *tool.Machine, c Command, language string, also []string,
) ([]Compiler, error) {
	programs := slices.DeleteFunc(m.Programs(ctx, language), func(p tool.Program) bool {
		return !p.Comparable(c.Compiler, language)
	})
	if !slices.ContainsFunc(programs, c.Compiler.Same) {
		programs = slices.Insert(programs, 0, c.Compiler)
	}
	slices.SortStableFunc(programs, func(a, b tool.Program) int {
		switch {
		case (a.Tool == c.Compiler.Tool) == (b.Tool == c.Compiler.Tool):
			return 0
		case a.Tool == c.Compiler.Tool:
			return -1
		}
		return 1
	})
	var answers []Compiler
	ask := func(name string, p tool.Program) error {
		if q.Doing != nil {
			q.Doing(fmt.Sprintf("asking %s about the file, compiler %d of %d", name, len(answers)+1, len(programs)+len(also)))
		}
		a, err := q.compiler(ctx, c.With(name))
		if err != nil {
			return err
		}
		a.Name, a.Version = name, p.Version
		answers = append(answers, Compiler{a, p})
		return nil
	}
	for i, p := range programs {
		name := p.String()
		if p.Same(c.Compiler) {
			name = c.Words[c.At]
		}
		if slices.ContainsFunc(programs[:i], p.Same) {
			continue
		}
		if err := ask(name, p); err != nil {
			return answers, err
		}
	}
	for _, name := range also {
		p, _, _ := m.Command(ctx, []string{name})
		if p.Tool != nil && slices.ContainsFunc(programs, p.Same) {
			continue
		}
		if err := ask(name, p); err != nil {
			return answers, err
		}
	}
	return answers, nil
}

// ofInput returns an answer as it is with what the command makes of the input: where that
// compiles, the bug of the input is another than that of the file.
func (q *Question) ofInput(ctx context.Context, command []string, a Answer) (Answer, error) {
	if a.Verdict != report.HasBug || q.Input == nil || q.Wrong != nil {
		return a, nil
	}
	input := *q
	input.File, input.Input = q.Input, nil
	of, err := input.Ask(ctx, command)
	switch {
	case err != nil:
	case of.Verdict == report.Accepts:
		a.Verdict, a.Detail = report.FailsElse, "in the same way, but it accepts the file that this was reduced from"
	case of.Verdict == report.Rejects:
		a.Detail = "it rejects the file that this was reduced from"
	}
	return a, err
}

// compiler asks one compiler, without the arguments that it says it does not know.
func (q *Question) compiler(ctx context.Context, command []string) (report.Compiler, error) {
	var r report.Compiler
	for {
		a, err := q.Ask(ctx, command)
		if err != nil {
			return r, err
		}
		if a, err = q.ofInput(ctx, command, a); err != nil {
			return r, err
		}
		r.Command, r.Verdict, r.Detail = shell.Join(command), a.Verdict, a.Detail
		if a.Verdict != report.Rejects {
			return r, nil
		}
		rest, unknown := tool.Without(command, a.Run.Output)
		if len(unknown) == 0 {
			return r, nil
		}
		command = rest
		r.Without = append(r.Without, unknown...)
	}
}
