package ssa

import (
	"bytes"
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Passes returns a pass for values, then other passes with repaired candidates.
func Passes(facts Facts, others []pass.Pass) []pass.Pass {
	passes := []pass.Pass{Pass(facts)}
	for _, p := range others {
		if p.Name == "words" { // a repair removes all uses of a name
			continue
		}
		passes = append(passes, Repairing(facts, p))
	}
	return passes
}

// Pass returns a pass that searches lists of the parts of a file, large parts first: kinds of asides, bodies of
// functions, blocks, instructions, entities, parameters. It repeats them while they remove much.
func Pass(facts Facts) pass.Pass {
	return pass.Pass{Name: "values", Search: func(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
		s := search{facts: facts, plan: plan, tree: t, start: parse.Whole(t).Weight(), policy: plan.Policy,
			choices: []choice{anOperand, aConstant}}
		if facts.words("undefined") != nil {
			s.choices = append(s.choices, anything)
		}
		return s.stage(0)
	}}
}

// more is the part of the file that the stages must remove to begin again.
const more = 0.1

type search struct {
	facts  Facts
	plan   pass.Plan
	tree   *parse.Tree
	start  int // weight before the first stage
	policy rounds.Policy
	// choices are for lost values, the one with the largest gains first.
	choices []choice
	gains   [anything + 1]int
	next    int // choice
}

// A part is what an item of a list removes.
type part struct {
	weight int
	action action
	nodes  []int32
}

// kinds are behind the names of lists, by choice.
var kinds = []string{"", " by constants", " by undefined values"}

var stages = []struct {
	name  string
	find  func(g *graph) []part
	loses bool // values
}{
	{"asides", (*graph).asides, false},
	{"functions", (*graph).bodies, false},
	{"blocks", (*graph).cells, false},
	{"jumps", (*graph).jumps, false},
	{"instructions", (*graph).instructions, true},
	{"constants", (*graph).settled, false},
	{"bodies", (*graph).wrapped, false},
	{"entities", (*graph).entities, false},
	{"parameters", (*graph).parameters, false},
	{"results", (*graph).results, false},
}

func (s search) stage(i int) *pass.Step {
	whole := parse.Whole(s.tree)
	if i == len(stages) && float64(whole.Weight()) < (1-more)*float64(s.start) {
		i, s.start = 0, whole.Weight()
	}
	g := s.read()
	if g == nil || i == len(stages) {
		return &pass.Step{End: s.policy}
	}
	parts := stages[i].find(g)
	if len(parts) == 0 {
		s.next = 0
		return s.stage(i + 1)
	}
	l := &list{search: s, graph: g, parts: parts, at: i, whole: parse.Whole(g.Tree)}
	l.List = algo.List{Whole: whole.Weight(), Kind: stages[i].name + kinds[s.values()]}
	for _, p := range parts {
		l.Weights = append(l.Weights, p.weight)
	}
	return l.step(s.policy.Search(&l.List), l.whole, algo.All(len(parts)), 0)
}

// read returns the graph of a tree without numbers that must be consecutive.
func (s search) read() *graph {
	g := read(s.tree, s.facts)
	if g == nil {
		return nil
	}
	c := g.named()
	if c == nil || bytes.Equal(c.Render(), g.Source) {
		return g
	}
	t, err := s.plan.Parse(c.Render())
	if err != nil {
		return nil
	}
	return read(t, s.facts)
}

// values returns the choice of values in place of lost ones.
func (s search) values() choice { return s.choices[s.next] }

type list struct {
	search
	*graph
	algo.List
	parts []part
	at    int // stage
	whole *parse.Candidate
}

func (l *list) edit(kept []int) *parse.Candidate {
	c := cut{}
	for _, p := range parse.Others(l.parts, kept) {
		for _, n := range p.nodes {
			c[n] = p.action
		}
	}
	return l.apply(l.whole, c, l.values())
}

// patience is the number of failures after which a list without gains ends, except in late rounds. Lists with the first
// choice have more of it.
const patience, morePatience = 8, 32

func (l *list) isSlow(failed int) bool {
	if l.next == 0 {
		return failed >= morePatience && !l.policy.Exhaustive()
	}
	return failed >= patience
}

// step asks the next question. Parts that are gone with others count as removed.
func (l *list) step(next *algo.Step[[]int], base *parse.Candidate, left []int, failed int) *pass.Step {
	for !next.Ended() && (!l.isSlow(failed) || base != l.whole || l.gains[l.values()] > 0) {
		asked, c := next, l.edit(next.Candidate)
		if bytes.Equal(c.Render(), base.Render()) {
			next, left = asked.Next(algo.Interesting), asked.Candidate
			continue
		}
		if !c.Measure().Less(base.Measure()) {
			next = asked.Next(algo.Unresolved)
			continue
		}
		step := &pass.Step{Candidate: c, Chance: asked.Chance, Edit: l.edit,
			About: &algo.Question{List: &l.List, Left: left, Kept: asked.Candidate}}
		step.Next = func(o algo.Outcome) *pass.Step {
			if o == algo.Interesting {
				return l.step(asked.Next(o), c, asked.Candidate, failed)
			}
			return l.step(asked.Next(o), base, left, failed+1)
		}
		return step
	}
	s := l.search
	if next.Ended() && next != nil {
		s.policy = s.policy.Learn(next.End)
	}
	if base != l.whole {
		t, err := l.plan.Parse(base.Render())
		if err != nil {
			return &pass.Step{End: s.policy}
		}
		s.tree = t
	}
	s.gains[l.values()] += l.whole.Weight() - base.Weight()
	if s.next++; stages[l.at].loses && s.next < len(s.choices) {
		return s.stage(l.at) // with another choice
	}
	s.next = 0
	s.choices = slices.Clone(s.choices)
	slices.SortStableFunc(s.choices, func(a, b choice) int { return s.gains[b] - s.gains[a] })
	return s.stage(l.at + 1)
}
