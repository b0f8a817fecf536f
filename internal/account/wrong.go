package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/toolchain"
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
	words := strings.Fields(sides[bad])
	tool, _ := toolchain.InCommand(words)
	if tool == nil || tool.Builds == nil || strings.ContainsAny(sides[bad], "|&;<>()$`'\"\\") {
		return // what it makes cannot be asked about
	}
	q.asked.Words = words
	q.question.Wrong = func(command []string) []string {
		test := sides
		test[bad] = shell.Join(command)
		return test.Argv()
	}
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

// answers tells what the two commands come to, the good one first.
func (q *inquiry) answers(ctx context.Context) error {
	var shown []string
	for _, i := range []int{q.good, q.bad} {
		test := q.question.Test
		test.Spec.Argv = q.Test.Differs.Side(i)
		run, err := test.Explain(ctx, q.asked.File)
		if err != nil {
			return err
		}
		command := q.called(q.Test.Differs[i])
		if q.question.Wrong != nil {
			command += " && ./a.out"
		}
		if i == q.good {
			q.facts.Command = command
		} else {
			shown = append(shown, "$ "+command)
		}
		lines := slices.DeleteFunc(strings.Split(string(run.Output), "\n"), func(l string) bool { return l == "" })
		if n := len(lines); n > mostAnswer {
			lines = slices.Concat([]string{"[…]"}, lines[n-mostAnswer:])
		}
		shown = append(shown, lines...)
	}
	q.facts.Shown = shown
	return nil
}
