package differs

import (
	"fmt"
	"strings"

	"whittle/algo"
	"whittle/internal/shell"
	"whittle/internal/stages"
	"whittle/oracle"
)

// Found is a test as it is of an input: the two sides, what they come to, and who says which
// of them is right.
type Found struct {
	Notes []string // lines of text that are worth knowing

	sides   [2]side
	answers [2]answer // to the input
	guards  []side    // that agree with the right one
	right   int       // of the sides; -1 if nobody says
}

// Sides returns the two commands as stages, the first of a row. What they come to is
// interesting if it differs.
func (f *Found) Sides() []stages.Stage {
	first, second := f.answers[0], f.answers[1]
	return []stages.Stage{
		f.sides[0].stage(algo.Uninteresting, func(runs []oracle.Run) bool { return answerOf(runs[0]).like(first) }),
		f.sides[1].stage(algo.Uninteresting, func(runs []oracle.Run) bool {
			a, b := answerOf(runs[0]), answerOf(runs[1])
			return b.like(second) && !a.equal(b)
		}),
	}
}

// Guards returns what says that one of the sides, always the same, is right, as stages
// anywhere behind them: other compilers that agree with it, and programs that would end
// where they do what is undefined.
func (f *Found) Guards() []stages.Stage {
	right := f.right
	var guards []stages.Stage
	for _, s := range f.guards {
		guards = append(guards, s.stage(algo.Uninteresting, func(runs []oracle.Run) bool {
			return answerOf(runs[len(runs)-1]).equal(answerOf(runs[right]))
		}))
	}
	return guards
}

// A Part is a part of a shell script that exits with 1 if a candidate is not interesting.
type Part struct{ About, Lines string }

// Shell returns the sides and the guards as parts of a script that runs beside the candidate,
// which has this name there.
func (f *Found) Shell(name string) (sides, guards []Part) {
	for i, s := range f.sides {
		lines := s.shell(name, fmt.Sprint("differs.", i)) + f.answers[i].shell(fmt.Sprint("differs.", i))
		if i == 1 {
			lines += "! cmp -s differs.0 differs.1 || exit 1\n"
		}
		sides = append(sides, Part{s.name, lines})
	}
	for _, s := range f.guards {
		lines := s.shell(name, "differs.guard") + fmt.Sprintf("cmp -s differs.guard differs.%d || exit 1\n", f.right)
		guards = append(guards, Part{s.name + " agrees with " + f.sides[f.right].name, lines})
	}
	return sides, guards
}

// limits are those of what a script builds and runs, as words in front of it.
const buildLimit, runLimit = "timeout -k 1 60 ", "timeout -k 1 10 "

// shell returns lines that write what the side has come to to a file.
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

// shell returns lines that ask whether a side ends as it does for the input.
func (a answer) shell(file string) string {
	low, high := a.way()
	lines := fmt.Sprintf("[ $code -ge %d ] && [ $code -le %d ] || exit 1\n", low, high)
	if verdict.Match(a.printed) {
		lines += fmt.Sprintf("grep -q -x %s %s || exit 1\n", shell.Quote(string(a.printed)), file)
	}
	return lines
}
