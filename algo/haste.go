package algo

// Grain is the policy of the algorithm grain. It learns from each list for the
// next of its kind, and it is in haste at first: what is not likely to take away
// a good part of the file is left for a later round. Most of what fails early
// fails again later, against a smaller file, and then counts for good; much of what
// could go is gone by then with something larger. In the end it asks for
// everything.
//
// Guarantee: the last round has asked for all that plain policies ask for alone,
// each item and each choice, in vain: the result is 1-minimal like theirs.
func Grain() Policy { return haste{0.01} }

// haste is the least share of the file that a question has to promise, its
// probability counted in.
type haste struct{ gain float64 }

const (
	// little is the share of the file below which a round was not worth its haste.
	little = 0.05
	// calmer is how much less the next round asks for then.
	calmer = 0.25
	// calm is the share below which it is not worth to be choosy, and so is one
	// of less than a token.
	calm = 0.002
	// rare is the probability below which no question is worth it in haste.
	rare = 0.1
)

func (h haste) Round(before, after int) Policy {
	switch {
	case h.gain == 0 && after == before:
		return nil
	case float64(before-after) <= little*float64(before):
		h.gain *= calmer
		if h.gain < calm || h.gain*float64(after) < 1 {
			h.gain = 0
		}
	}
	return h
}

func (h haste) Search(l *List, lore Lore) *step {
	switch {
	case len(l.Weights) == 0:
		return nil
	case l.Mode == Choices:
		return h.choose(l, lore)
	case l.Mode == Single && h.gain > 0:
		return nil
	case l.Mode == Single:
		return Each(len(l.Weights))
	}
	return h.minimise(l, lore)
}

// worth tells whether a question is worth a test that is interesting with this
// chance, where so many tokens can be expected to go.
func (h haste) worth(l *List, chance, tokens float64) bool {
	return h.gain == 0 || chance >= rare && tokens >= h.gain*float64(l.Whole)
}

// minimise searches a list by grain.
func (h haste) minimise(l *List, lore Lore) *step {
	kind := l.Kind
	before := lore.hunches[kind]
	if h.gain == 0 {
		kind += ", all that is left"
		if hunch, known := lore.hunches[kind]; known {
			before = hunch
		}
	}
	g := newGrain(l.Weights, before)
	g.clumped = !l.Level
	total := 0
	for _, w := range l.Weights {
		total += w
	}
	g.worth = func(chance, share, promise float64) bool {
		if l.Level {
			promise = chance * share
		}
		return h.worth(l, chance, promise*float64(total))
	}
	g.end = func(after hunch) *step {
		return &step{End: lesson(func(lore Lore) Lore { return lore.withHunch(kind, before, after) })}
	}
	return g.search()
}

// choose asks for the choices in their order.
func (h haste) choose(l *List, lore Lore) *step {
	var choices []int
	for i, kind := range l.Kinds {
		if chance := lore.chances[kind].probability(); h.worth(l, chance, chance*float64(l.Weights[i])) {
			choices = append(choices, i)
		}
	}
	return l.choose(choices, func(lore Lore) Lore { return lore })
}

func (l *List) choose(choices []int, learned lesson) *step {
	if len(choices) == 0 {
		return &step{End: learned}
	}
	i := choices[0]
	return &step{Candidate: []int{i}, Next: func(o Outcome) *step {
		learned := lesson(func(lore Lore) Lore { return learned(lore).withChance(l.Kinds[i], o) })
		if o == Interesting {
			return &step{End: learned}
		}
		return l.choose(choices[1:], learned)
	}}
}
