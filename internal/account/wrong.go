package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"whittle/internal/report"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// wrong prepares an inquiry about wrong code: the wrong one of two commands is examined.
func (q *inquiry) wrong() {
	sides := *q.Test.Differs
	q.facts.Kind = "wrong code"
	q.facts.Title = fmt.Sprintf("wrong code: %s and %s differ", q.called(sides[0]), q.called(sides[1]))
	bad := 1
	if level(sides[0]) > level(sides[1]) {
		bad = 0
	}
	q.good, q.bad = 1-bad, bad
	q.right = plainWords(sides[q.good])
	words := plainWords(sides[bad])
	program, _ := tool.InCommand(words)
	if program == nil || program.Builds == nil {
		return // its program cannot be examined
	}
	q.words = tool.WithoutOutput(words)
	q.question.Wrong = func(command []string) []string {
		test := sides
		test[bad] = shell.Join(command)
		return test.Argv()
	}
}

// plainWords splits a command line into words; nil if a shell would do more than that.
func plainWords(line string) []string {
	if strings.ContainsAny(line, "|&;<>()$`'\"\\") {
		return nil
	}
	return strings.Fields(line)
}

func (q *inquiry) called(command string) string {
	return strings.ReplaceAll(command, oracle.Placeholder, shell.Quote(q.name()))
}

// level returns the last optimisation level of a command, or "".
func level(command string) string {
	words := strings.Fields(command)
	if i := lastLevel(words); i >= 0 {
		return words[i]
	}
	return ""
}

const mostAnswer = 8

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

func (q *inquiry) answer(ctx context.Context, side int) ([]string, error) {
	test := q.question.Test
	test.Spec.Argv = q.Test.Differs.Side(side)
	run, err := test.Explain(ctx, q.file)
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

func lastLines(output []byte) []string {
	lines := slices.DeleteFunc(strings.Split(string(output), "\n"), func(l string) bool { return l == "" })
	if n := len(lines); n > mostAnswer {
		lines = slices.Concat([]string{"[…]"}, lines[n-mostAnswer:])
	}
	return lines
}
