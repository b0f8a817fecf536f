package ssa

import (
	"bytes"

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
		s := search{facts, plan}
		return s.stage(0, state{tree: t, start: parse.Whole(t).Weight(), policy: plan.Policy})
	}}
}

// more is the part of the file that the stages must remove to begin again.
const more = 0.1

type search struct {
	facts Facts
	plan  pass.Plan
}

type state struct {
	tree   *parse.Tree
	start  int // weight before the first stage
	policy rounds.Policy
}

// A part is what an item of a list removes.
type part struct {
	weight int
	action action
	nodes  []int32
}

var stages = []struct {
	name string
	find func(g *graph) []part
}{
	{"asides", (*graph).asides},
	{"functions", (*graph).bodies},
	{"blocks", (*graph).cells},
	{"jumps", (*graph).jumps},
	{"instructions", (*graph).instructions},
	{"bodies", (*graph).wrapped},
	{"entities", (*graph).entities},
	{"parameters", (*graph).parameters},
}

func (s *search) stage(i int, st state) *pass.Step {
	weight := parse.Whole(st.tree).Weight()
	again := i == len(stages) && float64(weight) < (1-more)*float64(st.start)
	if again {
		i, st.start = 0, weight
	}
	g := s.read(st.tree)
	if g == nil || i == len(stages) {
		return &pass.Step{End: st.policy}
	}
	parts := stages[i].find(g)
	if len(parts) == 0 {
		return s.stage(i+1, st)
	}
	weights := make([]int, len(parts))
	for k, p := range parts {
		weights[k] = p.weight
	}
	l := &list{search: s, graph: g, parts: parts, at: i, state: st, whole: parse.Whole(g.Tree)}
	l.List = algo.List{Weights: weights, Whole: weight, Kind: stages[i].name}
	return l.step(st.policy.Search(&l.List), l.whole, algo.All(len(parts)))
}

// read returns the graph of a tree without numbers that must be consecutive.
func (s *search) read(t *parse.Tree) *graph {
	g := read(t, s.facts)
	if g == nil {
		return nil
	}
	c := g.named()
	if c == nil || bytes.Equal(c.Render(), t.Source) {
		return g
	}
	t, err := s.plan.Parse(c.Render())
	if err != nil {
		return nil
	}
	return read(t, s.facts)
}

type list struct {
	*search
	*graph
	algo.List
	parts []part
	at    int
	state state
	whole *parse.Candidate
}

func (l *list) edit(kept []int) *parse.Candidate {
	c := cut{}
	for _, p := range parse.Others(l.parts, kept) {
		for _, n := range p.nodes {
			c[n] = p.action
		}
	}
	return l.apply(l.whole, c)
}

// step asks the next question. Parts that are gone with others count as removed.
func (l *list) step(next *algo.Step[[]int], base *parse.Candidate, left []int) *pass.Step {
	for !next.Ended() {
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
				return l.step(asked.Next(o), c, asked.Candidate)
			}
			return l.step(asked.Next(o), base, left)
		}
		return step
	}
	st := l.state
	if next != nil {
		st.policy = st.policy.Learn(next.End)
	}
	if base != l.whole {
		t, err := l.plan.Parse(base.Render())
		if err != nil {
			return &pass.Step{End: st.policy}
		}
		st.tree = t
	}
	return l.stage(l.at+1, st)
}
