package valid

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/failure/script"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A DiffTest tests for wrong code: two shell commands, with {} for the candidate, must give different
// results. Programs that compilers build are run. Of other commands the output counts.
type DiffTest [2]string

const diffProgram = "./differs.program"

const ended = "\nexit code "

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

// script prints the output of the command and its exit code. It fails only if the build fails.
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

// Answer returns the output and the exit code in a run of [DiffTest.Side]. ok is false without them.
func Answer(run oracle.Run) (printed []byte, code int, ok bool) {
	a := answerOf(run)
	return a.printed, a.code, a.code >= 0
}

func (t DiffTest) String() string { return "--differs " + shell.Quote(t[0]) + " " + shell.Quote(t[1]) }

type answer struct {
	printed []byte // without blank lines and the last newline
	code    int
}

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

// like reports whether the answer ends as the one to the input (0, another code, or a signal), with the same output if
// that is one word.
func (a answer) like(input answer) bool {
	low, high := input.way()
	return a.code >= low && a.code <= high && (!verdict.Match(input.printed) || bytes.Equal(a.printed, input.printed))
}

func (a answer) way() (low, high int) {
	switch {
	case a.code == 0:
		return 0, 0
	case a.code <= oracle.ExitSignal:
		return 1, oracle.ExitSignal
	}
	return oracle.ExitSignal + 1, 255
}

func (a answer) shown() string {
	const few = 3
	lines := strings.Split(string(a.printed), "\n")
	return fmt.Sprintf("  %s\n  exit code %d", strings.Join(lines[max(0, len(lines)-few):], "\n  "), a.code)
}

// DiffStages are the sides of a [DiffTest], and checks that agree with one of them.
type DiffStages struct {
	Sometimes bool // the sides do not differ in each run

	Notes []string // for the user

	sides   [2]side
	answers [2]answer // to the input
	checks  []side    // agree with the right side
	right   int       // index of the right side; -1 if unknown
}

// Sides returns the two commands as the first stages. A candidate is interesting if they differ.
func (f *DiffStages) Sides() []chain.Stage {
	first, second := f.answers[0], f.answers[1]
	return []chain.Stage{
		f.sides[0].stage(algo.Uninteresting, func(runs []oracle.Run) bool { return answerOf(runs[0]).like(first) }),
		f.sides[1].stage(algo.Uninteresting, func(runs []oracle.Run) bool {
			a, b := answerOf(runs[0]), answerOf(runs[1])
			return b.like(second) && !a.equal(b)
		}),
	}
}

// Checks returns stages that check that the same side is right.
func (f *DiffStages) Checks() []chain.Stage {
	right := f.right
	var checks []chain.Stage
	for _, s := range f.checks {
		checks = append(checks, s.stage(algo.Uninteresting, func(runs []oracle.Run) bool {
			return answerOf(runs[len(runs)-1]).equal(answerOf(runs[right]))
		}))
	}
	return checks
}

// Shell returns the sides and the checks as stages of a script for a candidate with this name.
func (f *DiffStages) Shell(name string) (sides, checks []script.Stage) {
	for i, s := range f.sides {
		lines := s.shell(name, fmt.Sprint("differs.", i)) + f.answers[i].shell(fmt.Sprint("differs.", i))
		if i == 1 {
			lines += "! cmp -s differs.0 differs.1 || exit 1\n"
		}
		sides = append(sides, script.Stage{About: s.name, Lines: lines})
	}
	for _, s := range f.checks {
		lines := s.shell(name, "differs.check") + fmt.Sprintf("cmp -s differs.check differs.%d || exit 1\n", f.right)
		checks = append(checks, script.Stage{About: s.name + " agrees with " + f.sides[f.right].name, Lines: lines})
	}
	return sides, checks
}

const buildLimit, runLimit = "timeout -k 1 60 ", "timeout -k 1 10 "

func (s side) shell(name, to string) string {
	line := func(limit, command string) string {
		command = strings.ReplaceAll(command, oracle.Placeholder, shell.Quote(name))
		if strings.ContainsAny(command, "|&;<>()$`\"'\\\n") || strings.Contains(strings.Fields(command + " x")[0], "=") {
			command = "sh -c " + shell.Quote(command)
		}
		return limit + command
	}
	build, limit := "", buildLimit
	if s.build != "" {
		build, limit = line(buildLimit, s.build)+" >/dev/null 2>&1 || exit 1\n", runLimit
	}
	return build + fmt.Sprintf("%s >differs.out 2>/dev/null\n", line(limit, s.run)) +
		"code=$?; [ $code -ne 124 ] || exit 1\n" +
		fmt.Sprintf("{ cat differs.out; printf '\\nexit code %%d\\n' $code; } | %s >%s\n", noBlanks, to)
}

func (a answer) shell(file string) string {
	low, high := a.way()
	lines := fmt.Sprintf("[ $code -ge %d ] && [ $code -le %d ] || exit 1\n", low, high)
	if verdict.Match(a.printed) {
		lines += fmt.Sprintf("grep -q -x %s %s || exit 1\n", shell.Quote(string(a.printed)), file)
	}
	return lines
}
