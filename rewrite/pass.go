package rewrite

import (
	"slices"

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

// least is how many tokens a change has to promise to be worth a test, in a file of one
// token; in one of n it is an n-th of that. So about a larger file more may be asked.
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
	earned earnings
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
		st.offers[i].changes = f.Find(file)
	}
	return s.next(st)
}

// next asks about the change that promises most.
func (s *search) next(st state) *pass.Step {
	best, promise := -1, st.worth()
	offers := make([]offer, len(st.offers))
	for i, f := range s.families {
		offers[i] = s.refresh(st.offers[i], f, st)
		if p := offers[i].promise(f, st.earned); p > promise {
			best, promise = i, p
		}
	}
	st.offers = offers
	if best < 0 {
		return s.end(st)
	}
	o, family := offers[best], s.families[best]
	rest := o
	rest.changes, rest.candidate = o.changes[1:], nil
	return &pass.Step{
		Candidate: o.candidate,
		Chance:    st.earned.chance(family, o.key),
		About:     about(st.base, o, family.Name),
		Next: func(outcome algo.Outcome) *pass.Step {
			next := st
			next.offers = slices.Clone(offers)
			next.offers[best] = rest
			next.earned = st.earned.told(family, o.key, outcome == algo.Interesting)
			if outcome == algo.Interesting {
				next.base = o.candidate
			}
			return s.next(next)
		},
	}
}

// refresh returns the offer of a family as it is in a state: the first of its changes that
// can be made of the base and that the gate allows. What has failed before and is not worth
// a test again does not keep others from having their turn.
func (s *search) refresh(o offer, f Family, st state) offer {
	if o.candidate != nil && o.base == st.base {
		return o
	}
	for ; len(o.changes) > 0; o.changes = o.changes[1:] {
		c := o.changes[0].apply(st.base)
		if c == nil || !s.gate.Allows(st.base, c) {
			continue
		}
		o.candidate, o.base, o.gain, o.key = c, st.base, gain(st.base, c), keyOf(st.base, c)
		if !st.earned.failedBefore(o.key) || o.promise(f, st.earned) > st.worth() {
			return o
		}
	}
	return offer{}
}

// worth is what a change has to promise.
func (st state) worth() float64 { return least / float64(st.base.Weight()) }

// promise returns how many tokens are to be expected of the offer of a family.
func (o offer) promise(f Family, e earnings) float64 {
	if o.candidate == nil {
		return 0
	}
	return o.gain * e.chance(f, o.key)
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

// about is what is asked with a candidate.
func about(base *parse.Candidate, o offer, family string) *algo.Question {
	list := &algo.List{Mode: algo.Choices, Weights: []int{base.Weight() - o.candidate.Weight()},
		Whole: base.Weight(), Kind: family, Kinds: []string{family},
		Known: func(int) (own, around uint64) { return o.key, o.key }}
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
