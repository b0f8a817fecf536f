package account

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"whittle/algo"
	"whittle/internal/failure"
	"whittle/internal/report"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Question asks whether a file shows a failure.
type Question struct {
	Test  oracle.Test // its Spec has the command, and the criteria of the failure
	Title string      // of the failure as in package failure; "" if unknown
	File  []byte
	Doing func(what string) // gets progress messages

	// Callers must be on the stack of a failure with the title.
	Callers []failure.Frame
	// Input is the file before its reduction; nil if File was not reduced. A compiler that accepts Input does not have
	// its bug, even if it fails on File.
	Input []byte

	// Wrong returns the test for wrong code of a command; nil if the command itself fails.
	Wrong func(command []string) []string
}

// An Answer is the result of a command.
type Answer struct {
	Verdict report.Verdict
	Detail  string     // the title of another failure, or the reason of the verdict
	Run     oracle.Run // with the end of the output
}

// Ask runs a command instead of that of the test; nil runs that of the test.
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
	if q.Wrong == nil || err != nil || a.Verdict != report.HasBug { // the command has built a program
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

func (q *Question) isCalled(run oracle.Run) bool {
	return !slices.ContainsFunc(q.Callers, func(f failure.Frame) bool { return !f.Printed(run.Output) })
}

// alike reports whether two titles describe one failure. GCC 12 renamed its .c sources to .cc. Clang and other tools of
// LLVM introduce an error in other words.
func alike(a, b string) bool { return spelling.Replace(a) == spelling.Replace(b) }

var spelling = strings.NewReplacer(".cc", ".c", "fatal error: error in backend: ", "LLVM ERROR: ")

var complaints = regexp.MustCompile(`(?mi)^.*\b(?:error|exception|fatal)\b.*$`)

func complaint(output []byte) string {
	if l := complaints.Find(output); l != nil {
		return string(l)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	return first
}

// A Compiler is the answer of one compiler.
type Compiler struct {
	report.Compiler
	Program tool.Program // zero if unknown
}

// Compilers asks the installed compilers of the language, and those in also, with the arguments that
// they know. Those of the same tool as the command's compiler come first, the newest first. With an
// error it returns the answers so far.
func (q *Question) Compilers(ctx context.Context, m *tool.Machine, c tool.Command, language string, also []string,
) (answers []Compiler, err error) {
	programs := comparable(ctx, m, c, language)
	ask := func(name string, p tool.Program) error {
		if p.Tool != nil && slices.ContainsFunc(answers, func(c Compiler) bool { return c.Program.Same(p) }) {
			return nil
		}
		q.Doing(fmt.Sprintf("asking %s about the file, compiler %d of %d", name, len(answers)+1, len(programs)+len(also)))
		a, err := q.compiler(ctx, c.With(name))
		if err == nil {
			a.Name, a.Version = name, p.Version
			answers = append(answers, Compiler{a, p})
		}
		return err
	}
	for _, p := range programs {
		name := p.String()
		if p.Same(c.Program) {
			name = c.Words[c.At]
		}
		if err := ask(name, p); err != nil {
			return answers, err
		}
	}
	for _, name := range also {
		command, _ := m.Command(ctx, []string{name})
		if err := ask(name, command.Program); err != nil {
			return answers, err
		}
	}
	return answers, nil
}

// comparable returns the programs that can replace a compiler, and itself, those of its tool first.
func comparable(ctx context.Context, m *tool.Machine, c tool.Command, language string) []tool.Program {
	programs := slices.DeleteFunc(m.Programs(ctx, language), func(p tool.Program) bool {
		return !p.Comparable(c.Program, language)
	})
	if !slices.ContainsFunc(programs, c.Same) {
		programs = slices.Insert(programs, 0, c.Program)
	}
	rank := func(p tool.Program) int {
		if p.Tool == c.Tool {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(programs, func(a, b tool.Program) int { return rank(a) - rank(b) })
	return programs
}

// ofInput corrects an answer: if the command accepts the input, the file shows another bug.
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

// compiler asks one compiler. Arguments that the compiler calls unknown are removed.
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

var outcomes = map[report.Verdict]string{
	report.HasBug: "fails in", report.FailsElse: "fails in another way in", report.Accepts: "works in",
	report.Right: "works in", report.Rejects: "is rejected by", report.Hangs: "does not end in",
	report.CannotRun: "cannot be run by",
}

// Versions returns at most one fact: the versions of the command's compiler that have the bug, the
// oldest first. It is a regression range if an older version works.
func Versions(own tool.Command, asked []Compiler) []report.Fact {
	versions := slices.DeleteFunc(slices.Clone(asked), func(c Compiler) bool {
		return c.Program.Tool != own.Tool
	})
	if len(versions) < 2 {
		return nil
	}
	slices.SortStableFunc(versions, func(a, b Compiler) int {
		return tool.CompareVersions(a.Program, b.Program)
	})
	fact := report.Fact{Name: "versions"}
	var groups []string
	for start := 0; start < len(versions); {
		outcome, end := outcomes[versions[start].Verdict], start
		var names []string
		for ; end < len(versions) && outcomes[versions[end].Verdict] == outcome; end++ {
			names = append(names, version(versions[end]))
		}
		groups = append(groups, outcome+" "+english.WordSeries(names, "and"))
		if start > 0 && works(versions[start-1]) && versions[start].Verdict == report.HasBug {
			fact.Name = "regression range"
		}
		start = end
	}
	fact.Text = strings.Join(groups, ", ")
	return []report.Fact{fact}
}

func works(c Compiler) bool {
	return c.Verdict == report.Accepts || c.Verdict == report.Right
}

func version(c Compiler) string {
	var more []string
	if n := c.Program.Number(); n != "" {
		more = append(more, n)
	}
	if len(c.Without) > 0 {
		more = append(more, "without "+strings.Join(c.Without, " "))
	}
	if len(more) == 0 {
		return c.Name
	}
	return c.Name + " (" + strings.Join(more, ", ") + ")"
}
