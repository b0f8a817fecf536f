package valid

import (
	"fmt"
	"strings"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/shell"
	"whittle/oracle"
)

// DiffStages are the stages of a [DiffTest] for an input: the two sides, and checks that agree with one of them.
type DiffStages struct {
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

// Checks returns stages which check that the same side is right as for the input.
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

// A ScriptPart is a part of a shell script that exits with 1 if a candidate is not interesting.
type ScriptPart struct{ About, Lines string }

// Shell returns the sides and the checks as parts of a script that runs in the directory of the candidate, whose name
// is given.
func (f *DiffStages) Shell(name string) (sides, checks []ScriptPart) {
	for i, s := range f.sides {
		lines := s.shell(name, fmt.Sprint("differs.", i)) + f.answers[i].shell(fmt.Sprint("differs.", i))
		if i == 1 {
			lines += "! cmp -s differs.0 differs.1 || exit 1\n"
		}
		sides = append(sides, ScriptPart{s.name, lines})
	}
	for _, s := range f.checks {
		lines := s.shell(name, "differs.check") + fmt.Sprintf("cmp -s differs.check differs.%d || exit 1\n", f.right)
		checks = append(checks, ScriptPart{s.name + " agrees with " + f.sides[f.right].name, lines})
	}
	return sides, checks
}

// Prefixes that limit the time of builds and runs in a script.
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

// shell returns lines that check that a side ends as it does for the input.
func (a answer) shell(file string) string {
	low, high := a.way()
	lines := fmt.Sprintf("[ $code -ge %d ] && [ $code -le %d ] || exit 1\n", low, high)
	if verdict.Match(a.printed) {
		lines += fmt.Sprintf("grep -q -x %s %s || exit 1\n", shell.Quote(string(a.printed)), file)
	}
	return lines
}
