package propose

import (
	"fmt"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// edits is a pass that tests the output as the user has edited it, before the next other pass.
func edits(o Options) pass.Pass {
	seen := map[oracle.Key]bool{}
	search := func(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
		_, _, tests := plan.Spent("")
		key := keyOf([]byte("edited"), t.Source, fmt.Append(nil, tests))
		file, known := o.Journal.Noted(key)
		if !known {
			if file = o.Edited(); file == nil || seen[oracle.KeyOf(file)] {
				return nil
			}
		}
		seen[oracle.KeyOf(file)] = true
		c := candidate(parse.Whole(t), file, plan, o.Within)
		if c == nil {
			o.Warn(fmt.Sprintf("the edited %s is not used: it is not smaller than the best file, or has syntax errors",
				o.Output))
			return nil
		}
		o.Journal.Note(key, file)
		return &pass.Step{Candidate: c, Late: true, Next: func(outcome algo.Outcome) *pass.Step {
			does := "is interesting; the reduction continues with it"
			if outcome != algo.Interesting {
				does = "is " + outcome.String() + "; the reduction continues without it"
			}
			o.Warn(fmt.Sprintf("the edited %s %s", o.Output, does))
			return nil
		}}
	}
	return pass.Pass{Name: "edited", When: pass.Between, Search: search}
}
