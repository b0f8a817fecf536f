package rewrite

import (
	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// Pass returns the pass that asks about the changes of families, when deletion is stuck:
// one after the other, each time that which promises most of those that the families
// offer next. What is interesting is kept and the next change made on top of it. It ends
// when no change promises enough; if something was won the changes of what has come of it
// are asked about in the same way.
//
// What a change promises is what it takes away, times how likely it is to be interesting
// as far as the run knows: see [earnings]. So what never pays costs a few tests of a run.
func Pass(families ...Family) pass.Pass {
	begin := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		s := &search{families: families, gate: gate, plan: plan}
		return s.sweep(t, earnedBefore(plan.Policy))
	}
	return pass.Pass{Name: "rewrite", When: pass.Stuck, Search: begin}
}

// least is how many tokens all changes of a file have to promise together, one for each of
// its tokens, to be worth their tests: of a larger file more is asked.
const least = 0.5

type search struct {
	families []Family
	gate     pass.Gate
	plan     pass.Plan
}

// A state is how far a sweep has come. Like a Step it never changes.
type state struct {
	base   *parse.Candidate
	offers []offer // of each family
	trials []trial
	earned earnings
}

// A trial is a change that may pay with what follows it.
type trial struct {
	Change
	family Family
}

// An offer is what a family offers next.
type offer struct {
	changes   []Change         // the first is offered
	candidate *parse.Candidate // what it makes of the base; nil if nothing is left
	base      *parse.Candidate
	gain      float64
	key       uint64 // what is remembered of it if it fails
}

// sweep asks about the changes of a tree.
func (s *search) sweep(t *parse.Tree, earned earnings) *pass.Step {
	file := NewFile(t)
	st := state{base: parse.Whole(t), offers: make([]offer, len(s.families)), earned: earned}
	for i, f := range s.families {
		for _, ch := range f.Find(file) {
			if ch.Trial {
				st.trials = append(st.trials, trial{ch, f})
			} else {
				st.offers[i].changes = append(st.offers[i].changes, ch)
			}
		}
	}
	return s.next(st)
}

// next asks about the change that promises most.
func (s *search) next(st state) *pass.Step {
	best, promise := -1, least/float64(st.base.Weight())
	offers := make([]offer, len(st.offers))
	for i := range offers {
		offers[i] = s.refresh(st.offers[i], st.base)
		if o := &offers[i]; o.candidate != nil {
			if p := o.gain * st.earned.chance(s.families[i], o.key); p > promise {
				best, promise = i, p
			}
		}
	}
	st.offers = offers
	if best < 0 {
		return s.try(st)
	}
	o, family := offers[best], s.families[best]
	rest := o
	rest.changes, rest.candidate = o.changes[1:], nil
	return &pass.Step{
		Candidate: o.candidate,
		Chance:    st.earned.chance(family, o.key),
		About:     about(st.base, o.candidate, family.Name),
		Next: func(outcome algo.Outcome) *pass.Step {
			next := st
			next.offers = append([]offer(nil), offers...)
			next.offers[best] = rest
			next.earned = st.earned.told(family, o.key, outcome == algo.Interesting)
			if outcome == algo.Interesting {
				next.base = o.candidate
			}
			return s.next(next)
		},
	}
}

// refresh returns the offer as it is with a base: the first of its changes that can be
// made of it and that the gate allows.
func (s *search) refresh(o offer, base *parse.Candidate) offer {
	if o.candidate != nil && o.base == base {
		return o
	}
	for ; len(o.changes) > 0; o.changes = o.changes[1:] {
		c := o.changes[0].apply(base)
		if c == nil || !s.gate.Allows(base, c) {
			continue
		}
		o.candidate, o.base, o.gain = c, base, gain(base, c)
		o.key = keyOf(base, c)
		return o
	}
	return offer{}
}

// gain returns how much better a candidate is than its base, in tokens; of many tokens
// each counts for less, as the more a change takes away the less likely it may.
func gain(base, c *parse.Candidate) float64 {
	tokens := float64(base.Weight() - c.Weight())
	bytes := float64(len(base.Render()) - len(c.Render()))
	gain := max(tokens+bytes*bytesInTokens, bytesInTokens/2)
	return gain / (1 + gain/many)
}

// many is how many tokens count for half of them.
const many = 10

// bytesInTokens is what a byte is worth.
const bytesInTokens = 0.1

// try makes the first of the trials that may be worth it. One that was is the file of the
// next sweep.
func (s *search) try(st state) *pass.Step {
	for len(st.trials) > 0 {
		t := st.trials[0]
		st.trials = st.trials[1:]
		c := t.apply(st.base)
		if c == nil || c.Weight() > st.base.Weight()+mostGrowth {
			continue
		}
		key := keyOf(st.base, c)
		chance := st.earned.chance(t.family, key)
		if chance < least/float64(st.base.Weight())*questions {
			continue
		}
		step := s.plan.Try(s.gate, st.base, c, questions, func(better *parse.Tree) *pass.Step {
			next := st
			next.earned = st.earned.told(t.family, key, better != nil)
			if better != nil {
				return s.sweep(better, next.earned.remembered())
			}
			return s.try(next)
		})
		if step != nil && step.Candidate == c {
			step.About, step.Chance = about(st.base, c, t.family.Name), chance
		}
		return step
	}
	return s.end(st)
}

const (
	// questions is how many questions a trial has, and mostGrowth how many tokens it may
	// begin with more than the file has.
	questions, mostGrowth = 24, 12
)

// about is what is asked with a candidate.
func about(base, c *parse.Candidate, family string) *algo.Question {
	list := &algo.List{Mode: algo.Choices, Weights: []int{base.Weight() - c.Weight()},
		Whole: base.Weight(), Kind: family, Kinds: []string{family}}
	return &algo.Question{List: list, Left: []int{0}, Kept: []int{0}}
}

// end ends a sweep, or goes on with what has come of it.
func (s *search) end(st state) *pass.Step {
	earned, began := st.earned.remembered(), parse.Whole(st.base.Tree())
	if st.base.Measure().Less(began.Measure()) {
		t, err := s.plan.Parse(st.base.Render())
		if err == nil && parse.Whole(t).Measure().Less(began.Measure()) {
			return s.sweep(t, earned)
		}
	}
	return &pass.Step{End: earned.with(s.plan.Policy)}
}

// apply returns base with the change made, or nil if what it is about is not as it was.
func (ch Change) apply(base *parse.Candidate) *parse.Candidate {
	for _, e := range ch.Edits {
		if !base.Untouched(e.From, e.To) {
			return nil
		}
	}
	for _, n := range ch.Drop {
		if !base.Live(n) {
			return nil
		}
	}
	c := base.Apply(ch.Edits...) // which may copy what is to go
	if len(ch.Drop) > 0 {
		c = c.Drop(ch.Drop...)
	}
	return c
}
