package pass

import (
	"whittle/algo/rounds"
	"whittle/parse"
)

// Sequence returns the pass that runs others one after the other, each over what those
// before it have come to: as one search, so that what a pass will ask can be asked before
// the one before it has ended. None of them may be [Pass.Late].
func Sequence(name string, passes ...Pass) Pass {
	return Pass{Name: name, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		return plan.sequence(gate, passes, parse.Whole(t).Measure())
	}}
}

func (p Plan) sequence(gate Gate, passes []Pass, best parse.Measure) *Step {
	if len(passes) == 0 {
		return &Step{End: p.Policy}
	}
	tree, err := p.Parse(best.File)
	if err != nil {
		return &Step{End: p.Policy}
	}
	best.Tokens = parse.Whole(tree).Weight()
	begin := progress{best: best, plainer: passes[0].Plainer}
	return follow(passes[0].Search(tree, gate, p), begin, false, func(after progress, end any) *Step {
		p := p
		if learned, ok := end.(rounds.Policy); ok {
			p.Policy = learned
		}
		return p.sequence(gate, passes[1:], after.best)
	})
}
