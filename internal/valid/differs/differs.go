// Package differs is the test of wrong code: two commands do not come to the same with a
// candidate, though both should. What a compiler makes is run; of other commands, as those
// of solvers and interpreters, what they print themselves is compared.
package differs

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/algo"
	"whittle/internal/shell"
	"whittle/internal/stages"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Test is two commands, each a line for a shell, with {} for the candidate.
type Test [2]string

// program is what the program of a command is called in the test's directory.
const program = "./differs.program"

// ended stands in front of the exit code behind what a side has printed.
const ended = "\nexit code "

// A side is a command, or what another compiler is asked: what builds the program, and what
// is run and compared, each a line for a shell.
type side struct {
	name       string
	build, run string // build is "" where nothing is built
}

// sideOf returns the side that is a command.
func sideOf(command string) side {
	if t, arguments := tool.InCommand(strings.Fields(command)); t != nil && builds(t, command, arguments) {
		return built(command, command+" "+t.Output(program))
	}
	return side{name: command, run: command}
}

// builds reports whether a command of a compiler makes a program.
func builds(t *tool.Tool, command string, arguments []string) bool {
	return t.Builds != nil && !strings.ContainsAny(command, "|&;<>\n") &&
		!slices.ContainsFunc(arguments, func(a string) bool { return slices.Contains(t.Parts, a) })
}

// built is a side that builds the program, and runs it.
func built(name, build string) side { return side{name, build, program} }

// script exits with 0, unless nothing was built, and prints the exit code of what was run
// behind what that has printed.
func (s side) script() string {
	build := ""
	if s.build != "" {
		build = fmt.Sprintf("( %s\n) >/dev/null 2>&1 || exit 1\n", s.build)
	}
	return build + fmt.Sprintf("( %s\n) 2>/dev/null\ncode=$?; printf '\\nexit code %%d' $code", s.run)
}

// argv runs a script on a candidate of any name.
func argv(script string) []string {
	script = strings.ReplaceAll(script, oracle.Placeholder, `"$1"`)
	return []string{"/bin/sh", "-c", script, "sh", oracle.Placeholder}
}

// stage runs the side; judge is asked about what it has come to.
func (s side) stage(refused algo.Outcome, judge func(runs []oracle.Run) bool) stages.Stage {
	return stages.Stage{Name: s.name, Argv: argv(s.script()), Refused: refused, Judge: judge}
}

// Argv is the test as a command of its own, which exits with 0 if the two differ. It is for
// those who know nothing of stages.
func (t Test) Argv() []string {
	var script strings.Builder
	for i, command := range t {
		fmt.Fprintf(&script, "(\n%s\n) >differs.%d || exit 1\n", sideOf(command).script(), i)
	}
	fmt.Fprintf(&script, "for i in 0 1; do %s <differs.$i >differs.lines.$i; done\n", noBlanks)
	script.WriteString("! cmp -s differs.lines.0 differs.lines.1")
	return argv(script.String())
}

// Side is a command that prints what one of the two comes to, and its exit code.
func (t Test) Side(i int) []string { return argv(sideOf(t[i]).script()) }

// Builds reports whether one of the two makes a program, which is what is compared.
func (t Test) Builds(i int) bool { return sideOf(t[i]).build != "" }

// Answer returns what a run of [Test.Side] printed and its exit code; ok is false if nothing
// was built or the run did not end.
func Answer(run oracle.Run) (printed []byte, code int, ok bool) {
	a := answerOf(run)
	return a.printed, a.code, a.code >= 0
}

// String is the test as the user wrote it.
func (t Test) String() string { return "--differs " + shell.Quote(t[0]) + " " + shell.Quote(t[1]) }

// An answer is what a side has come to.
type answer struct {
	printed []byte // without blank lines, and without the end of the last
	code    int
}

// blank is what does not count in an answer: whether a program ends its last line is not
// what it computes.
var blank = regexp.MustCompile(`\n{2,}`)

// noBlanks does the same in a script.
const noBlanks = "sed '/^$/d'"

// answerOf returns the answer in what a script has printed.
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

// verdict is all that a solver prints, as sat or unsat, which has no other word for the
// same.
var verdict = regexp.MustCompile(`^[A-Za-z]+$`)

// like reports whether a side still comes to what it does for the input: it ends in the same
// way, with 0, with another code or by a signal, and says the same if that is one word.
func (a answer) like(input answer) bool {
	low, high := input.way()
	return a.code >= low && a.code <= high && (!verdict.Match(input.printed) || bytes.Equal(a.printed, input.printed))
}

// way returns the least and the highest exit code of what ends in the same way.
func (a answer) way() (low, high int) {
	switch {
	case a.code == 0:
		return 0, 0
	case a.code <= oracle.ExitSignal:
		return 1, oracle.ExitSignal
	}
	return oracle.ExitSignal + 1, 255
}

// A SameError says that two commands do not differ on the input, or cannot be compared.
type SameError struct{ text string }

func (e *SameError) Error() string { return e.text }

// shown is the end of an answer, for people.
func (a answer) shown() string {
	const few = 3
	lines := strings.Split(string(a.printed), "\n")
	return fmt.Sprintf("  %s\n  exit code %d", strings.Join(lines[max(0, len(lines)-few):], "\n  "), a.code)
}
