package chain

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// fake ends a program with its exit code in the candidate, as "test=0 first=1", which is also the
// duration in milliseconds. A "late" one is killed.
type fake struct {
	asked []string
}

var errLost = errors.New("lost")

func (f *fake) Run(_ context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	f.asked = append(f.asked, spec.Argv[0])
	run := oracle.Run{Elapsed: time.Millisecond, Output: []byte(spec.Argv[0] + " said"), Timeout: spec.Timeout}
	for word := range strings.FieldsSeq(string(candidate)) {
		switch name, end, _ := strings.Cut(word, "="); {
		case name != spec.Argv[0]:
		case end == "lost":
			return oracle.Run{}, errLost
		case end == "late":
			run.TimedOut, run.ExitCode = true, -1
		default:
			run.ExitCode = int(end[0] - '0')
			run.Elapsed += time.Duration(run.ExitCode) * time.Millisecond
		}
	}
	run.Outcome = spec.Interesting.Judge(&run)
	return run, nil
}

func TestRow(t *testing.T) {
	const yes, no, unresolved = algo.Interesting, algo.Uninteresting, algo.Unresolved
	for _, c := range []struct {
		candidate, asked string
		outcome          algo.Outcome
		code             int
		reply            string
		err              error
	}{
		{"", "test first second", yes, 0, "", nil},
		{"test=1", "test", no, 1, "", nil},
		{"test=late", "test", unresolved, -1, "", nil},
		{"first=1", "test first", unresolved, 0, "refused by: the first", nil},
		{"first=late", "test first", unresolved, 0, "refused by: the first", nil},
		{"second=1", "test first second", no, 0, "refused by: the second", nil},
		{"second=late", "test first second", no, 0, "refused by: the second", nil},
		{"test=lost", "test", 0, 0, "", errLost},
		{"first=lost", "test first", 0, 0, "", errLost},
	} {
		f := &fake{}
		row := NewStages(f, f, []Stage{
			{Name: "the first", Argv: []string{"first"}, Refused: unresolved},
			{Name: "the second", Argv: []string{"second"}, Refused: no},
		})
		run, err := row.Run(t.Context(), oracle.Spec{Argv: []string{"test"}}, []byte(c.candidate))
		if err != c.err || strings.Join(f.asked, " ") != c.asked {
			t.Errorf("%q: %v after %v, want %v after %s", c.candidate, err, f.asked, c.err, c.asked)
		}
		if run.Outcome != c.outcome || run.ExitCode != c.code || run.Reply != c.reply {
			t.Errorf("%q: %+v, want %v", c.candidate, run, c)
		}
		if err == nil && string(run.Output) != "test said" {
			t.Errorf("%q: the run is %q, not that of the test", c.candidate, run.Output)
		}
	}
}

// Without a test, the longest run is returned.
func TestJudge(t *testing.T) {
	var mu sync.Mutex
	seen := 0
	f := &fake{}
	row := NewStages(nil, f, []Stage{
		{Name: "a", Argv: []string{"a"}, Interesting: oracle.Criteria{ExitCodes: []int{0, 1, 2}}, Timeout: time.Hour},
		{Name: "b", Argv: []string{"b"}, Interesting: oracle.Criteria{ExitCodes: []int{0, 1, 2}}, Refused: algo.Uninteresting,
			Judge: func(runs []oracle.Run) bool {
				mu.Lock()
				defer mu.Unlock()
				seen = len(runs)
				return runs[0].ExitCode != runs[1].ExitCode
			}},
	})
	for candidate, want := range map[string]algo.Outcome{
		"": algo.Uninteresting, "a=1": algo.Interesting, "a=2 b=2": algo.Uninteresting, "a=3": algo.Interesting + 9,
	} {
		run, err := row.Run(t.Context(), oracle.Spec{Timeout: time.Minute}, []byte(candidate))
		if candidate == "a=3" {
			want = row.stages[0].Refused
		}
		if err != nil || run.Outcome != want {
			t.Errorf("%q: %v, %v, want %v", candidate, run.Outcome, err, want)
		}
		if candidate == "a=1" && (run.ExitCode != 1 || run.Timeout != time.Hour || seen != 2) {
			t.Errorf("%q: %+v after %d runs", candidate, run, seen)
		}
	}
	for i, want := range []Tally{{"a", 4, 1, 0}, {"b", 3, 2, 0}} {
		got := row.Tallies()[i]
		if got.Elapsed == 0 {
			t.Errorf("%s took no time", got.Name)
		}
		if got.Elapsed = 0; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	around := NewStages(row, f, []Stage{{Name: "c", Argv: []string{"c"}}})
	if _, err := around.Run(t.Context(), oracle.Spec{}, []byte("a=1")); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tally := range around.Tallies() {
		names = append(names, tally.Name)
	}
	if got := strings.Join(names, " "); got != " c" {
		t.Errorf("the stages are %q, want the test and c", got)
	}
}
