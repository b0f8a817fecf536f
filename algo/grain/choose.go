package grain

import (
	"slices"

	"whittle/algo"
)

// choose asks for the choices in order, without earlier failures.
func (p policy) choose(l *algo.List) *step {
	var choices, failed []int
	for i, kind := range l.Kinds {
		chance := p.chance(kind)
		switch {
		case !p.worth(l, chance, chance*float64(l.Weights[i])):
		case p.hasFailed(l, i):
			failed = append(failed, i)
		default:
			choices = append(choices, i)
		}
	}
	return p.chooseOf(l, choices, failed, func(h history) history { return h })
}

func (p policy) chance(kind string) float64 { return p.history.choices[kind].chance(p.params) }

// chooseOf asks for the choices after earlier failures. The policy p has learned from these.
func (p policy) chooseOf(l *algo.List, choices, failed []int, learned lesson) *step {
	if len(choices) == 0 {
		return &step{End: learned}
	}
	i := choices[0]
	chance := p.chance(l.Kinds[i])
	unlikely := float64(len(failed)) >= p.params.Attempts && !p.worth(l, chance, chance*float64(l.Weights[i]))
	if unlikely || p.refuted(l, i, failed) {
		return p.chooseOf(l, choices[1:], failed, learned)
	}
	return &step{Candidate: []int{i}, Chance: chance, Next: func(o algo.Outcome) *step {
		lesson := lesson(func(h history) history {
			h = h.withChoice(l.Kinds[i], o)
			if o == algo.Uninteresting {
				h = h.withFailed(known(l, i))
			}
			return h
		})
		learned := learned.then(lesson)
		if o == algo.Interesting {
			return &step{End: learned}
		}
		failed := failed
		if o == algo.Uninteresting {
			failed = append(slices.Clip(failed), i)
		}
		p := p
		p.history = lesson(p.history)
		return p.chooseOf(l, choices[1:], failed, learned)
	}}
}

// refuted reports whether two choices that keep more have failed, or one in the last round.
func (p policy) refuted(l *algo.List, i int, failed []int) bool {
	if l.Within == nil {
		return false
	}
	more := 0
	for _, f := range failed {
		if l.Within(i, f) {
			more++
		}
	}
	return more >= 2 || more == 1 && p.again
}
