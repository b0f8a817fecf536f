package valid

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A DiffTest tests for wrong code: two commands must give different results, though they should
// agree. Programs that compilers build are run. Of other commands the output counts. Each is a
// shell command with {} for the candidate.
type DiffTest [2]string

// program is the path of a compiled program in the test's directory.
const diffProgram = "./differs.program"

const ended = "\nexit code "

// A side is a command or another compiler, as shell commands.
type side struct {
	name       string
	build, run string // build may be ""
}

func sideOf(command string) side {
	t, arguments := tool.InCommand(strings.Fields(command))
	if t != nil && t.Links(arguments) && !strings.ContainsAny(command, "|&;<>\n") {
		return built(command, command+" "+t.Output(diffProgram))
	}
	return side{name: command, run: command}
}

func built(name, build string) side { return side{name, build, diffProgram} }

// script returns a shell script that prints the output of the command and its exit code. It fails
// only if the build fails.
func (s side) script() string {
	build := ""
	if s.build != "" {
		build = fmt.Sprintf("( %s\n) >/dev/null 2>&1 || exit 1\n", s.build)
	}
	return build + fmt.Sprintf("( %s\n) 2>/dev/null\ncode=$?; printf '\\nexit code %%d' $code", s.run)
}

func argv(script string) []string {
	script = strings.ReplaceAll(script, oracle.Placeholder, `"$1"`)
	return []string{"/bin/sh", "-c", script, "sh", oracle.Placeholder}
}

func (s side) stage(refused algo.Outcome, judge func(runs []oracle.Run) bool) chain.Stage {
	return chain.Stage{Name: s.name, Argv: argv(s.script()), Refused: refused, Judge: judge}
}

// Argv returns the test as one command, which exits with 0 if the results differ.
func (t DiffTest) Argv() []string {
	var script strings.Builder
	for i, command := range t {
		fmt.Fprintf(&script, "(\n%s\n) >differs.%d || exit 1\n", sideOf(command).script(), i)
	}
	fmt.Fprintf(&script, "for i in 0 1; do %s <differs.$i >differs.lines.$i; done\n", noBlanks)
	script.WriteString("! cmp -s differs.lines.0 differs.lines.1")
	return argv(script.String())
}

// Side returns a command that prints the result of one side and its exit code.
func (t DiffTest) Side(i int) []string { return argv(sideOf(t[i]).script()) }

// Builds reports whether a side builds a program to compare.
func (t DiffTest) Builds(i int) bool { return sideOf(t[i]).build != "" }

// Answer returns the output and the exit code in a run of [DiffTest.Side]. ok is false if the build failed or the run
// did not end.
func Answer(run oracle.Run) (printed []byte, code int, ok bool) {
	a := answerOf(run)
	return a.printed, a.code, a.code >= 0
}

func (t DiffTest) String() string { return "--differs " + shell.Quote(t[0]) + " " + shell.Quote(t[1]) }

type answer struct {
	printed []byte // without blank lines and the last newline
	code    int
}

// blank lines and the final newline do not count.
var blank = regexp.MustCompile(`\n{2,}`)

const noBlanks = "sed '/^$/d'"

// answerOf returns the answer in an output, with code -1 without one.
func answerOf(run oracle.Run) (a answer) {
	i := bytes.LastIndex(run.Output, []byte(ended))
	if i < 0 {
		return answer{code: -1}
	}
	a.printed = bytes.Trim(blank.ReplaceAllLiteral(run.Output[:i], []byte("\n")), "\n")
	a.code, _ = strconv.Atoi(string(run.Output[i+len(ended):]))
	return a
}

func (a answer) equal(b answer) bool { return a.code == b.code && bytes.Equal(a.printed, b.printed) }

// verdict matches the output of a solver, such as sat or unsat.
var verdict = regexp.MustCompile(`^[A-Za-z]+$`)

// like reports whether the answer is like that for the input: it ends in the same way (0, another
// code, or a signal), and a one-word output is equal.
func (a answer) like(input answer) bool {
	low, high := input.way()
	return a.code >= low && a.code <= high && (!verdict.Match(input.printed) || bytes.Equal(a.printed, input.printed))
}

// way returns the exit codes of the same ending.
func (a answer) way() (low, high int) {
	switch {
	case a.code == 0:
		return 0, 0
	case a.code <= oracle.ExitSignal:
		return 1, oracle.ExitSignal
	}
	return oracle.ExitSignal + 1, 255
}

// A SameError reports that two commands do not differ on the input, or cannot be compared.
type SameError struct{ text string }

func (e *SameError) Error() string { return e.text }

func (a answer) shown() string {
	const few = 3
	lines := strings.Split(string(a.printed), "\n")
	return fmt.Sprintf("  %s\n  exit code %d", strings.Join(lines[max(0, len(lines)-few):], "\n  "), a.code)
}
