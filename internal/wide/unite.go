package wide

import (
	"cmp"
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// unite combines all compatible successes. Tests of the combination, of its parts, and the next
// wave about it run in parallel.
func (s *search) unite(st state, won []question) *pass.Step {
	slices.SortStableFunc(won, func(a, b question) int { return cmp.Compare(b.gain, a.gain) })
	best := least(won)
	union, chosen := s.union(st.base, won)
	if len(chosen) < 2 {
		return s.from(st, best.candidate)
	}
	whole := question{candidate: union, key: keyOf(union), chance: holds}
	return s.suppose(st, whole, s.parts(st, chosen), func(held []question) *pass.Step {
		return s.from(st, least(slices.Concat([]question{best}, held)).candidate)
	})
}

// suppose asks whether whole is interesting, together with the next wave about it and questions
// about the old base. If whole fails, otherwise gets the successful questions.
func (s *search) suppose(
	st state, whole question, others []question, otherwise func(held []question) *pass.Step,
) *pass.Step {
	next, ok := s.read(st, whole.candidate)
	var ahead []question
	all := false
	if ok {
		ahead, all = s.questions(next, s.width-1-len(others))
	}
	asked := slices.Concat([]question{whole}, others, ahead)
	return fork(asked, func(outcomes []algo.Outcome) *pass.Step {
		if outcomes[0] == algo.Interesting && ok {
			return s.answered(next, ahead, all && len(ahead) > 0, outcomes[1+len(others):])
		}
		var held []question
		for i, q := range asked {
			if outcomes[i] == algo.Interesting {
				held = append(held, q)
			}
		}
		return otherwise(held)
	})
}

// holds estimates the probability that all successes combine.
const holds = 0.7

// union returns a combination of as many questions as possible, in order of priority, and its
// parts.
func (s *search) union(base *parse.Candidate, won []question) (union *parse.Candidate, chosen []question) {
	for _, q := range won {
		if q.excludes(chosen) {
			continue
		}
		both, fit := together(append(slices.Clip(chosen), q))
		if fit && s.gate.Allows(base, both) && (union == nil || both.Measure().Less(union.Measure())) {
			union, chosen = both, append(chosen, q)
		}
	}
	return union, chosen
}

// together combines questions about one base. Those about one list become one.
func together(questions []question) (c *parse.Candidate, fit bool) {
	var lists []*algo.List
	kept := map[*algo.List][]int{}
	edit := map[*algo.List]func([]int) *parse.Candidate{}
	var parts []*parse.Candidate
	for _, q := range questions {
		if q.isChoice() || q.edit == nil {
			parts = append(parts, q.candidate)
			continue
		}
		l := q.about.List
		if before, is := kept[l]; is {
			kept[l] = slices.DeleteFunc(slices.Clone(before), func(i int) bool { return !slices.Contains(q.about.Kept, i) })
			continue
		}
		lists, kept[l], edit[l] = append(lists, l), q.about.Kept, q.edit
	}
	for _, l := range lists {
		parts = append(parts, edit[l](kept[l]))
	}
	c = parts[0]
	for _, p := range parts[1:] {
		if c, fit = c.Unite(p); !fit {
			return nil, false
		}
	}
	return c, true
}

// excludes reports whether questions have different trees, or keep different parts of one place and one is a choice.
func (q question) excludes(others []question) bool {
	return slices.ContainsFunc(others, func(o question) bool {
		return q.candidate.Tree() != o.candidate.Tree() || (q.isChoice() || o.isChoice()) && q.candidate.Crosses(o.candidate)
	})
}

// parts returns questions in case a combination fails: prefixes, all but one, and the second
// half.
func (s *search) parts(st state, chosen []question) (parts []question) {
	most := s.width / partsOf
	add := func(some []question) {
		if len(some) < 2 || len(parts) >= most {
			return
		}
		c, fit := together(some)
		if !fit {
			return
		}
		k := keyOf(c)
		if s.gate.Allows(st.base, c) && !slices.ContainsFunc(parts, func(q question) bool { return q.key == k }) {
			parts = append(parts, question{candidate: c, key: k, chance: 1 - holds})
		}
	}
	n := len(chosen)
	add(chosen[n/2:])
	for i, steps := 1, min(n-2, most/2); i <= steps; i++ {
		add(chosen[:1+(n-1)*i/(steps+1)])
	}
	for i := range chosen {
		add(slices.Concat(chosen[:i], chosen[i+1:]))
	}
	return parts
}

// partsOf divides the workers: the maximum for parts of a combination.
const partsOf = 4

func least(questions []question) question {
	return slices.MinFunc(questions, func(a, b question) int {
		switch {
		case a.candidate.Measure().Less(b.candidate.Measure()):
			return -1
		case b.candidate.Measure().Less(a.candidate.Measure()):
			return 1
		}
		return 0
	})
}

func (s *search) from(st state, c *parse.Candidate) *pass.Step {
	next, ok := s.read(st, c)
	if !ok {
		return s.end()
	}
	return s.wave(next)
}

// read returns the state for a candidate if it parses to a better file.
func (s *search) read(st state, c *parse.Candidate) (state, bool) {
	t, err := s.plan.Parse(c.Render())
	if err != nil || !parse.Whole(t).Measure().Less(st.base.Measure()) {
		return st, false
	}
	return s.state(t, st.memory), true
}
