package main

import (
	"context"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/oracle"
)

// checks is the number of tests of each version.
const checks = 3

// check only checks that the test tells the versions apart. Findings are printed like those of
// 'whittle check'.
func (i *isolating) check(ctx context.Context) error {
	i.report.end()
	r := findings{to: i.out}
	var is [2]algo.Outcome
	old, new := algo.Uninteresting, algo.Interesting
	if i.InOld {
		old, new = new, old
	}
	words := map[algo.Outcome]string{algo.Interesting: "interesting", algo.Uninteresting: "uninteresting",
		algo.Unresolved: "unresolved"}
	if i.Failure.Title != "" {
		words = map[algo.Outcome]string{algo.Interesting: "failing", algo.Uninteresting: "passing",
			algo.Unresolved: "failing in another way"}
	}
	for n, v := range []struct {
		name string
		file []byte
		want algo.Outcome
	}{{i.Pair.Good, i.Pair.GoodFile(), old}, {i.Pair.Bad, i.Pair.Input.Bytes, new}} {
		outcomes := map[algo.Outcome]int{}
		var run oracle.Run
		began := time.Now()
		for range checks {
			var err error
			if run, err = i.Once().Explain(ctx, v.file); err != nil {
				return err
			}
			outcomes[run.Outcome]++
		}
		is[n] = run.Outcome
		f := diagnose.Finding{Text: fmt.Sprintf("%s is %s, %d times of %d (%s), %v each", v.name, words[run.Outcome],
			outcomes[run.Outcome], checks, diagnose.Ending(run), (time.Since(began) / checks).Round(time.Millisecond))}
		if outcomes[v.want] < checks {
			f.Grade = diagnose.Bad
			f.Advice = fmt.Sprintf("it must be %s each time", words[v.want])
		}
		r.tell(f)
	}
	if !i.Test.Inline && is == [2]algo.Outcome{algo.Interesting, algo.Uninteresting} {
		r.tell(diagnose.Finding{Grade: diagnose.Bad, Text: "OLD and NEW are swapped, or the test says the opposite",
			Advice: "whittle isolate TEST NEW OLD"})
	}
	r.tell(diagnose.Finding{Text: fmt.Sprintf("from %s to %s there are %s", i.Pair.Good, i.Pair.Bad,
		i.changes(i.Pair.Changes.Left(algo.All(i.Pair.Changes.Count))))})
	return r.verdict("isolate", fmt.Sprintf("%s does not tell %s and %s apart", i.Test, i.Pair.Good, i.Pair.Bad))
}
