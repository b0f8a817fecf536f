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
		s := search{facts, plan}
		st := state{tree: t, start: parse.Whole(t).Weight(), policy: plan.Policy, choices: []choice{anOperand, aConstant}}
		if facts.words("undefined") != nil {
			st.choices = append(st.choices, anything)
		}
		return s.stage(0, st)
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
		st.next = 0
		return s.stage(i+1, st)
	}
	weights := make([]int, len(parts))
	for k, p := range parts {
		weights[k] = p.weight
	}
	l := &list{search: s, graph: g, parts: parts, at: i, state: st, whole: parse.Whole(g.Tree)}
	l.List = algo.List{Weights: weights, Whole: weight, Kind: stages[i].name + kinds[st.choices[st.next]]}
	return l.step(st.policy.Search(&l.List), l.whole, algo.All(len(parts)), 0)
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
	return l.apply(l.whole, c, l.values())
}

// patience is the number of failures after which a choice without gains is not asked further.
const patience = 8

// step asks the next question. Parts that are gone with others count as removed.
func (l *list) step(next *algo.Step[[]int], base *parse.Candidate, left []int, failed int) *pass.Step {
	for !next.Ended() && (failed < patience || base != l.whole || l.state.next == 0 || l.state.gains[l.values()] > 0) {
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
	st := l.state
	if next.Ended() && next != nil {
		st.policy = st.policy.Learn(next.End)
	}
	if base != l.whole {
		t, err := l.plan.Parse(base.Render())
		if err != nil {
			return &pass.Step{End: st.policy}
		}
		st.tree = t
	}
	st.gains[l.values()] += l.whole.Weight() - base.Weight()
	return l.after(l.at, st)
}

// values returns the choice of values in place of lost ones.
func (l *list) values() choice { return l.state.choices[l.state.next] }

// after repeats stage i with the other choices, or continues with the next stage.
func (s *search) after(i int, st state) *pass.Step {
	if st.next++; stages[i].loses && st.next < len(st.choices) {
		return s.stage(i, st)
	}
	st.next = 0
	st.choices = slices.Clone(st.choices)
	slices.SortStableFunc(st.choices, func(a, b choice) int { return st.gains[b] - st.gains[a] })
	return s.stage(i+1, st)
}
