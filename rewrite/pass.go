package rewrite

import (
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Pass returns a pass that tests changes of the families in a sweep over a tree. Each family proposes its changes in
// order. It tests the proposal with the highest expected gain: its gain in tokens times its chance (see
// [statistics]). An interesting change becomes the base of the next ones. The sweep ends when all expected gains are
// too low. So families that never succeed cost few tests.
func Pass(families ...Family) pass.Pass {
	begin := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		s := &search{families: families, gate: gate, plan: plan}
		return s.sweep(t, policyOf(plan.Policy).statistics)
	}
	return pass.Pass{Name: "rewrite", When: pass.Stuck, Search: begin}
}

// minGain is the least expected gain, times the number of tokens of the file.
const minGain = 0.5

type search struct {
	families []Family
	gate     pass.Gate
	plan     pass.Plan
}

type state struct {
	base       *parse.Candidate
	proposals  []proposal
	statistics statistics
	outlined   bool // many places have replacements that the queue skips, which do not count
}

type proposal struct {
	changes   []Change
	candidate *parse.Candidate // base with the first change, or nil
	base      *parse.Candidate
	gain      float64
	key       uint64
	failed    []int32 // nodes in deep nests whose removal failed
}

func (s *search) sweep(t *parse.Tree, known statistics) *pass.Step {
	file := NewFile(t)
	st := state{base: parse.Whole(t), proposals: make([]proposal, len(s.families)), statistics: known,
		outlined: file.outlined()}
	for i, f := range s.families {
		st.proposals[i].changes = f.Find(file)
	}
	return s.next(st)
}

func (s *search) next(st state) *pass.Step {
	best, gain := -1, st.minGain()
	proposals := make([]proposal, len(st.proposals))
	for i, f := range s.families {
		proposals[i] = s.refresh(st.proposals[i], f, st)
		if g := proposals[i].expectedGain(f, st.statistics); g > gain {
			best, gain = i, g
		}
	}
	st.proposals = proposals
	if best < 0 {
		return s.end(st)
	}
	p, family := proposals[best], s.families[best]
	rest := p
	rest.changes, rest.candidate = p.changes[1:], nil
	return &pass.Step{
		Candidate: p.candidate,
		Chance:    st.statistics.chance(family, p.key),
		About:     about(st.base, p, family),
		Learned:   func() any { return s.end(st).End },
		Next: func(outcome algo.Outcome) *pass.Step {
			next := st
			next.proposals = slices.Clone(proposals)
			next.proposals[best] = rest
			if outcome != algo.Unresolved || !st.outlined {
				next.statistics = st.statistics.with(family, p.key, outcome == algo.Interesting)
			}
			switch t := st.base.Tree(); outcome {
			case algo.Interesting:
				next.base = p.candidate
			case algo.Uninteresting:
				next.proposals[best] = rest.lost(t, p.changes[0].gone(t))
			}
			return s.next(next)
		},
	}
}

// refresh returns the first change of a family that applies to the base and that the gate allows. It skips changes
// that failed in an earlier sweep if their expected gain is too low.
func (s *search) refresh(p proposal, f Family, st state) proposal {
	if p.candidate != nil && p.base == st.base {
		return p
	}
	for ; len(p.changes) > 0; p.changes = p.changes[1:] {
		if t := st.base.Tree(); p.refuted(t, p.changes[0].gone(t)) {
			continue
		}
		c := p.changes[0].apply(st.base)
		if c == nil || !s.gate.Allows(st.base, c) {
			continue
		}
		p.candidate, p.base, p.gain, p.key = c, st.base, gain(st.base, c), keyOf(st.base, c)
		if st.statistics.before[p.key] == 0 || p.expectedGain(f, st.statistics) > st.minGain() {
			return p
		}
	}
	return proposal{}
}

func (st state) minGain() float64 { return minGain / float64(st.base.Weight()) }

func (p proposal) expectedGain(f Family, s statistics) float64 {
	if p.candidate == nil {
		return 0
	}
	return p.gain * s.chance(f, p.key)
}

// gain is in tokens. Large gains count for less, since large changes are less likely to be interesting.
func gain(base, c *parse.Candidate) float64 {
	tokens := float64(base.Weight() - c.Weight())
	bytes := float64(len(base.Render()) - len(c.Render()))
	gain := max(tokens+bytes*tokensPerByte, tokensPerByte/2)
	return gain / (1 + gain/halfValue)
}

const (
	halfValue     = 10 // this gain counts for half
	tokensPerByte = 0.1
)

func about(base *parse.Candidate, p proposal, f Family) *algo.Question {
	list := &algo.List{Mode: algo.Choices, Closed: f.Closed, Weights: []int{base.Weight() - p.candidate.Weight()},
		Whole: base.Weight(), Kind: f.Name, Kinds: []string{f.Name},
		Known: func(int) (own, around uint64) { return p.key, p.key }}
	return &algo.Question{List: list, Left: []int{0}, Kept: []int{0}}
}

func (s *search) end(st state) *pass.Step {
	return &pass.Step{End: policy{policyOf(s.plan.Policy).Policy, st.statistics.endSweep()}}
}

// apply returns nil if earlier changes touched the nodes.
func (ch Change) apply(base *parse.Candidate) *parse.Candidate {
	touched := func(e parse.Edit) bool { return !base.Untouched(e.From, e.To) }
	gone := func(n int32) bool { return !base.Live(n) }
	if slices.ContainsFunc(ch.Edits, touched) || slices.ContainsFunc(ch.Drop, gone) {
		return nil
	}
	c := base.Apply(ch.Edits...) // before Drop: edits may copy dropped nodes
	if len(ch.Drop) > 0 {
		c = c.Drop(ch.Drop...)
	}
	return c
}
