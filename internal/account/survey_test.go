package account

import (
	"context"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/internal/failure"
	"whittle/internal/report"
	"whittle/oracle"
)

func TestJudge(t *testing.T) {
	q := Question{Title: "internal compiler error: in f, at g.cc"}
	for _, c := range []struct {
		run     oracle.Run
		verdict report.Verdict
		detail  string
	}{
		{oracle.Run{Outcome: algo.Interesting, ExitCode: 1}, report.HasBug, ""},
		{oracle.Run{ExitCode: 1, Output: []byte("a.c:1:1: internal compiler error: in f, at g.c:12\n")}, report.HasBug, ""},
		{oracle.Run{ExitCode: 1, Output: []byte("a.c:1:1: internal compiler error: in h, at g.c:12\n")},
			report.FailsElse, "internal compiler error: in h, at g.c"},
		{oracle.Run{}, report.Accepts, ""},
		{oracle.Run{ExitCode: 1, Output: []byte("a.c: In function f:\na.c:2: error: no\n")}, report.Rejects, "a.c:2: error: no"},
		{oracle.Run{ExitCode: 1, Output: []byte("\nno\n")}, report.Rejects, "no"},
		{oracle.Run{ExitCode: 1}, report.Rejects, ""},
		{oracle.Run{TimedOut: true, ExitCode: -1, Timeout: 2e9}, report.Hangs, "no end in 2s"},
		{oracle.Run{Exceeded: oracle.DiskLimit, ExitCode: -1}, report.CannotRun, "it used too much space on disk"},
	} {
		if a := q.judge(c.run); a.Verdict != c.verdict || a.Detail != c.detail {
			t.Errorf("%+v: %v, %q", c.run, a.Verdict, a.Detail)
		}
	}
}

func TestJudgeCallers(t *testing.T) {
	const output = "PLEASE submit a bug report\n #1 0x1 f(int) (/lib/x.so+0x1)\n #2 0x2 g(int) (/lib/x.so+0x1)\n"
	s, _ := failure.Of(oracle.Run{ExitCode: 1, Output: []byte(output)})
	q := Question{Title: s.Title, Callers: s.Callers}
	for name, want := range map[string]report.Verdict{"g": report.HasBug, "h": report.FailsElse} {
		run := oracle.Run{ExitCode: 1, Output: []byte(strings.ReplaceAll(output, "g(", name+"("))}
		if a := q.judge(run); a.Verdict != want {
			t.Errorf("called in %s: %v", name, a)
		}
	}
}

// An executor returns the result of a compiler for a file.
type executor func(file string) oracle.Run

func (e executor) Run(_ context.Context, _ oracle.Spec, candidate []byte) (oracle.Run, error) {
	return e(string(candidate)), nil
}

// A compiler that accepts the input does not have its bug, even if the result crashes it in the same way.
func TestAcceptsInput(t *testing.T) {
	ice := oracle.Run{ExitCode: 1, Output: []byte("a.c:1:1: internal compiler error: in f, at g.cc:12\n")}
	for _, c := range []struct {
		ofInput oracle.Run
		verdict report.Verdict
		detail  bool
	}{
		{oracle.Run{}, report.FailsElse, true},
		{ice, report.HasBug, false},
		{oracle.Run{ExitCode: 1, Output: []byte("error: x")}, report.HasBug, true},
	} {
		q := Question{Title: "internal compiler error: in f, at g.cc", File: []byte("result"), Input: []byte("input"),
			Test: oracle.Test{Spec: oracle.Spec{Argv: []string{"/bin/sh"}, Layout: oracle.Layout{Name: "a.c"}},
				Executor: executor(func(file string) oracle.Run {
					if file == "input" {
						return c.ofInput
					}
					return ice
				})}}
		got, err := q.compiler(t.Context(), []string{"sh", "{}"})
		if err != nil || got.Verdict != c.verdict || (got.Detail != "") != c.detail {
			t.Errorf("%+v: %+v, %v", c.ofInput, got, err)
		}
	}
}
