package diagnose_test

import (
	"context"
	"errors"
	"testing"

	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/oracle"
)

// moody is a command that fails in every n-th run, or never.
type moody struct{ n, runs int }

func (m *moody) Run(_ context.Context, _ oracle.Spec, candidate []byte) (run oracle.Run, err error) {
	if string(candidate) != "input" {
		run.ExitCode, run.Output = 5, []byte("no tests ran in 0.01s\n")
		return run, nil
	}
	run.Output = []byte("2 passed in 0.05s\n")
	if m.runs++; m.n > 0 && m.runs%m.n == 0 {
		run.ExitCode, run.Output = 1, []byte("a.c:1: error: odd\n")
	}
	return run, nil
}

// A quick command that passes at first gets some more runs.
func TestPassedFirst(t *testing.T) {
	for n, want := range map[int]string{
		2: "looking for: error: odd",
		5: "looking for: error: odd",
		0: "make passes on p (2 passed in 0.05s) in each of 6 runs: nothing fails",
	} {
		test := diagnose.Test{
			Spec: oracle.Spec{Argv: []string{"/bin/make"}, Layout: oracle.Layout{Name: "p"}}, Shown: "make", ShownFile: "p",
			Timeout: &chain.AdaptiveTimeout{}, Input: []byte("input"), Jobs: 1, Fixed: &moody{n: n}, Command: true,
		}
		found, err := test.Recognise(t.Context())
		got := test.Describe(found)[0].Text
		if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
			got = unknown.Reason
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
