package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"whittle/internal/arguments"
	"whittle/internal/report"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// wrong makes the inquiry one about wrong code: two commands that do not come to the same, of
// which the bad one is asked about.
func (q *inquiry) wrong() {
	sides := *q.Test.Differs
	q.facts.Kind = "wrong code"
	q.facts.Title = fmt.Sprintf("wrong code: %s and %s differ", q.called(sides[0]), q.called(sides[1]))
	bad := 1
	if level(sides[0]) > level(sides[1]) {
		bad = 0
	}
	q.good, q.bad = 1-bad, bad
	words, ok := plainWords(sides[bad])
	program, _ := tool.InCommand(words)
	if program == nil || program.Builds == nil || !ok {
		return // what it makes cannot be asked about
	}
	q.asked.Words = arguments.WithoutOutput(words)
	q.question.Wrong = func(command []string) []string {
		test := sides
		test[bad] = shell.Join(command)
		return test.Argv()
	}
}

// plainWords returns the words of a command line; ok is false if a shell would do more with it
// than to split it.
func plainWords(line string) (words []string, ok bool) {
	return strings.Fields(line), !strings.ContainsAny(line, "|&;<>()$`'\"\\")
}

// called is a command with the file's name.
func (q *inquiry) called(command string) string {
	return strings.ReplaceAll(command, oracle.Placeholder, shell.Quote(q.name()))
}

// level returns the last level of optimisation of a command; "" is none.
func level(command string) string {
	words := strings.Fields(command)
	for _, w := range slices.Backward(words) {
		if strings.HasPrefix(w, "-O") {
			return w
		}
	}
	return ""
}

// mostAnswer is how many lines of what a side prints are told.
const mostAnswer = 8

// answers runs the two commands, the good one first.
func (q *inquiry) answers(ctx context.Context) ([]report.Run, error) {
	runs, errs := make([]report.Run, 2), make([]error, 2)
	var group sync.WaitGroup
	for to, side := range []int{q.good, q.bad} {
		r := &runs[to]
		r.Command = q.called(q.Test.Differs[side])
		if q.Test.Differs.Builds(side) {
			r.Command += " && ./a.out"
		}
		group.Go(func() { r.Output, errs[to] = q.answer(ctx, side) })
	}
	group.Wait()
	return runs, errors.Join(errs...)
}

// answer runs one of the two commands, and returns the end of what it prints and how it ends.
func (q *inquiry) answer(ctx context.Context, side int) ([]string, error) {
	test := q.question.Test
	test.Spec.Argv = q.Test.Differs.Side(side)
	run, err := test.Explain(ctx, q.asked.File)
	if err != nil {
		return []string{"[it had not ended when the report was interrupted]"}, err
	}
	printed, code, ended := valid.Answer(run)
	if lines := ending(run); !ended && lines != nil {
		return append(lastLines(run.Output), lines...), nil
	} else if !ended {
		return []string{"[nothing was built]"}, nil
	}
	return append(lastLines(printed), fmt.Sprintf("[exit code %d]", code)), nil
}

// lastLines returns the last lines of an output that are not empty.
func lastLines(output []byte) []string {
	lines := slices.DeleteFunc(strings.Split(string(output), "\n"), func(l string) bool { return l == "" })
	if n := len(lines); n > mostAnswer {
		lines = slices.Concat([]string{"[…]"}, lines[n-mostAnswer:])
	}
	return lines
}
