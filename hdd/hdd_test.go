package hdd

import (
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/pass"
)

// watched is a policy that records the lists.
type watched struct {
	rounds.Policy
	list func(*algo.List)
}

func (w watched) Search(l *algo.List) *algo.Step[[]int] {
	w.list(l)
	return w.Policy.Search(l)
}

func (w watched) Learn(end any) rounds.Policy {
	w.Policy = w.Policy.Learn(end)
	return w
}

func (w watched) Undefined(explained, silent, accepted int) (rounds.Policy, bool) {
	next, skip := w.Policy.Undefined(explained, silent, accepted)
	w.Policy = next
	return w, skip
}

// The lists of HDD are whole levels, the lists of HDDr are not. Policies depend on it.
func TestLevels(t *testing.T) {
	tree, err := grammars.ForFile("x.c").Parse([]byte("int f(void) { return 1; }\nint g(void) { return f(); }\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pass   pass.Pass
		levels bool
	}{{Levels(), true}, {Recursive(), false}} {
		lists := 0
		policy := watched{grain.Policy(grain.Defaults()), func(l *algo.List) {
			lists++
			if l.Level != c.levels {
				t.Errorf("%s: a list of %d items says Level %v", c.pass.Name, len(l.Weights), l.Level)
			}
		}}
		plan := pass.Plan{Plan: rounds.Plan{Policy: policy, Width: 1}}
		for s := c.pass.Search(tree, pass.Gate{}, plan); !s.Ended(); s = s.Next(algo.Uninteresting) {
		}
		if lists < 3 {
			t.Errorf("%s: %d lists", c.pass.Name, lists)
		}
	}
}
