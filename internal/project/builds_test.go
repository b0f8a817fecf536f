package project

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/internal/journal"
	"whittle/internal/local"
	"whittle/oracle"
	"whittle/parse/archive"
	"whittle/parse/text"
)

// project is an archive of files, by their lines.
func archived(files map[string]string, order ...string) *archive.Set {
	var entries []archive.Entry
	for _, name := range order {
		entries = append(entries, archive.Entry{
			Path: name, Mode: 0o644, Content: []byte(files[name]), Language: text.Lines,
		})
	}
	return archive.New(entries)
}

// reduced reduces a set by a script that may use files of earlier tests, and returns the files of the result.
func reduced(
	t *testing.T, set *archive.Set, script string, jobs int, never bool,
) (files map[string]string, warned bool) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "test.sh")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	keeper := local.NewKeeper(ctx.Done(), 1)
	spec := oracle.Spec{Argv: []string{program}, Layout: oracle.Layout{Name: ".", Files: func(c []byte) (all []oracle.File, err error) {
		entries, err := set.Entries(c)
		for _, e := range entries {
			all = append(all, oracle.File{Path: e.Path, Mode: e.Mode, Content: e.Content})
		}
		return all, err
	}}}
	test := oracle.Test{Spec: spec, Executor: &local.Executor{Work: dir, Keeper: keeper}}
	clean := test
	clean.Spec.Afresh = true
	b := &Builds{
		Trust: Trust{Clean: clean.Ask, Alone: jobs == 1}, Keeper: keeper, Test: test, Journal: &journal.Journal{},
		Always: true, Never: never,
		Warn: func(text string) { warned = warned || strings.Contains(text, "came out differently") },
	}
	input := set.Archive()
	b.Begin(ctx, input)
	r, err := whittle.Reduce(ctx, whittle.Options{Input: input, Language: set, Property: b.Property(test.Ask),
		Confirm: b.Confirm(clean.Ask), Jobs: jobs, NoRewrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if outcome, err := clean.Ask(ctx, r.File); outcome != algo.Interesting || err != nil {
		t.Fatalf("the result is %v, error %v", outcome, err)
	}
	entries, _ := set.Entries(r.File)
	files = map[string]string{}
	for _, e := range entries {
		files[e.Path] = string(e.Content)
	}
	return files, warned
}

// faults are builds that do not notice all changes.
var faults = map[string]string{
	"forgets a dependency":         `[ out -nt a ] || cat a b >out; grep -q BUG out`,
	"generates once":               `[ -f gen ] || cat a b >gen; grep -q BUG gen`,
	"writes times of the future":   `[ out -nt b ] || { cp b out; touch -d '+1 day' out; }; grep -q BUG out`,
	"ignores the time":             `[ -f out ] || cp b out; grep -q BUG out`,
	"compares only sizes of names": `ls >new; cmp -s names new || { cat b >all; mv new names; }; grep -q BUG all`,
	"appends":                      `cat b >>log; grep -q BUG log`,
	"remembers success":            `[ -f ok ] && exit; grep -q BUG b && touch ok`,
	"remembers failure":            `[ -f bad ] && exit 1; grep -q BUG b || { touch bad; exit 1; }`,
	"links what is left":           `mkdir -p o; for f in ?; do cp $f o/lib$f; done; cat o/* | grep -q BUG`,
	"rounds times": `[ -f out ] && [ "$(date -r out +%Y%m%d)" = "$(date -r b +%Y%m%d)" ] || cp b out
		grep -q BUG out`,
	"ends with the first error": `cat a b >out 2>/dev/null && cp out good; grep -q BUG good`,
}

func lines(name string) string {
	var b strings.Builder
	for range 12 {
		b.WriteString(name + " line of code\n")
	}
	return b.String()
}

// Each fault is noticed if it has an effect, and the result is the same as without kept builds, for any number of jobs.
func TestFaults(t *testing.T) {
	set := archived(map[string]string{"a": lines("a"), "b": lines("b") + "BUG\n" + lines("c"), "c": lines("d")}, "a", "b", "c")
	for name, script := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _ := reduced(t, set, script, 1, true)
			for _, jobs := range []int{1, 2} {
				got, warned := reduced(t, set, script, jobs, false)
				if !warned && jobs == 1 { // with two, a fault may have no effect
					t.Errorf("not noticed, result %q", got)
				}
				if len(got) != len(want) || got["b"] != want["b"] || got["a"] != want["a"] {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
}

// A right build is kept to the end.
func TestRightBuild(t *testing.T) {
	set := archived(map[string]string{"a": lines("a"), "b": lines("b") + "BUG\n" + lines("c")}, "a", "b")
	script := `[ out -nt b ] && [ -f b ] || { rm -f out; cp b out; }; grep -q BUG out`
	want, _ := reduced(t, set, script, 1, true)
	if got, warned := reduced(t, set, script, 2, false); warned || got["b"] != want["b"] || len(got) != len(want) {
		t.Errorf("%q, want %q; warned: %v", got, want, warned)
	}
}

// A kept build that only fails is noticed when an interesting candidate is asked again, also if the clean tests agree.
func TestAskAgain(t *testing.T) {
	for _, again := range []algo.Outcome{algo.Interesting, algo.Uninteresting} {
		always := func(o algo.Outcome) func(context.Context, []byte) (algo.Outcome, error) {
			return func(context.Context, []byte) (algo.Outcome, error) { return o, nil }
		}
		trust := Trust{Clean: always(algo.Uninteresting), Again: always(again), Context: t.Context(), good: []byte("good")}
		for i := range suspicious + 1 {
			trust.Ask([]byte{byte(i)}, func() (algo.Outcome, error) {
				time.Sleep(time.Millisecond)
				return algo.Uninteresting, nil
			})
		}
		if trust.running.Wait(); trust.Doubted() != (again == algo.Uninteresting) {
			t.Errorf("the candidate is %v again, doubted: %v", again, trust.Doubted())
		}
	}
}

// A chance outcome that neither clean tests nor tests in a kept build repeat does not count against the builds.
func TestChance(t *testing.T) {
	for _, again := range []algo.Outcome{algo.Interesting, algo.Uninteresting} {
		clean := func(context.Context, []byte) (algo.Outcome, error) { return algo.Interesting, nil }
		kept := func(context.Context, []byte) (algo.Outcome, error) { return again, nil }
		trust := Trust{Clean: clean, Again: kept, Context: t.Context()}
		trust.Ask([]byte("x"), func() (algo.Outcome, error) { return algo.Uninteresting, nil })
		if trust.End(); trust.Doubted() != (again == algo.Uninteresting) {
			t.Errorf("kept builds are %v again, doubted: %v", again, trust.Doubted())
		}
	}
}

// Builds are kept if the second test takes less processor time.
func TestMeasure(t *testing.T) {
	for _, tt := range []struct {
		cold, warm time.Duration
		outcome    algo.Outcome
		want       bool
	}{
		{time.Second, 500 * time.Millisecond, algo.Interesting, true},
		{time.Second, 900 * time.Millisecond, algo.Interesting, false},
		{time.Second, time.Millisecond, algo.Uninteresting, false},
		{100 * time.Millisecond, time.Millisecond, algo.Interesting, false},
	} {
		tests := []oracle.Run{
			{Outcome: algo.Interesting, Processor: tt.cold}, {Outcome: tt.outcome, Processor: tt.warm},
		}
		keeper := local.NewKeeper(nil, 1)
		b := &Builds{Keeper: keeper, Journal: &journal.Journal{}, Warn: func(string) {}}
		b.Test.Executor = executor(func() oracle.Run {
			run := tests[0]
			tests = tests[1:]
			return run
		})
		if b.Begin(t.Context(), nil); keeper.KeepsBuilds() != tt.want || len(tests) > 0 {
			t.Errorf("%+v: %v", tt, keeper.KeepsBuilds())
		}
	}
}

type executor func() oracle.Run

func (e executor) Run(context.Context, oracle.Spec, []byte) (oracle.Run, error) { return e(), nil }
