package wide

import (
	"fmt"
	"math/bits"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

type question struct {
	candidate *parse.Candidate
	about     *algo.Question
	edit      func(kept []int) *parse.Candidate
	key       key
	kind      string
	gain      float64
	chance    float64
	again     bool // it failed on a larger file
}

type key = oracle.Key

func keyOf(c *parse.Candidate) key { return oracle.KeyOf(c.Render()) }

func (q *question) isChoice() bool { return q.about != nil && q.about.List.Mode == algo.Choices }

func (q *question) expectedGain() float64 {
	if q.again {
		return q.chance * q.gain / 1000
	}
	return q.chance * q.gain
}

const bytesInTokens = 0.1

// questions returns at most so many questions, those with the highest gain, and whether these are
// all.
func (s *search) questions(st state, most int) (chosen []question, all bool) {
	if most <= 0 {
		return nil, false
	}
	seen := map[key]bool{}
	all = true
	for _, again := range []bool{false, true} {
		for _, p := range s.passes {
			found, ended := s.collect(p, st, again, seen, enough*s.width)
			chosen, all = append(chosen, found...), all && ended
			if len(chosen) >= enough*s.width {
				all = false
				break
			}
		}
		if !again && len(chosen) > max(s.width/2, s.width-fewWorkers) {
			all = false
			break
		}
	}
	if all && len(chosen) <= most {
		return chosen, true
	}
	covering := cover(st.base, chosen, most, s.worth())
	return covering, all && len(covering) == len(chosen)
}

func (q *question) gone() []int {
	return algo.Without(algo.All(len(q.about.List.Weights)), q.about.Kept)
}

// alone reports whether few items and their needs are kept.
func (q *question) alone() bool {
	return q.about != nil && q.about.List.Closed && len(q.about.Kept)*2 <= len(q.about.List.Weights)
}

// kindOf returns a question's kind for statistics: for groups one per power of four of their size.
func kindOf(pass string, q question) string {
	if q.about == nil {
		return pass
	}
	l := q.about.List
	kind := pass + " " + q.about.Kind()
	switch {
	case q.alone():
		return kind + " alone"
	case l.Mode == algo.Choices:
		return kind
	case l.Closed:
		kind += " and what needs them"
	}
	weight := 0
	for _, i := range q.gone() {
		weight += l.Weights[i]
	}
	return fmt.Sprint(kind, bits.Len(uint(l.Whole/max(weight, 1)))/2)
}

// worth is a question's minimum gain over the average of the chosen.
func (s *search) worth() float64 {
	if s.width > 2*fewWorkers {
		return 0
	}
	few := fewWorkers / float64(s.width)
	return minShare * few * few
}

// With fewWorkers or less, tests are expensive: questions that failed are repeated only when few
// others are left.
const fewWorkers = 64

// minShare is worth for so many workers.
const minShare = 0.02

// enough is the number of candidates per chosen question.
const enough = 3

// collect returns the questions of a pass if all fail, and whether these are all.
func (s *search) collect(p pass.Pass, st state, again bool, seen map[key]bool, most int) (found []question, all bool) {
	plan := s.plan
	plan.Policy = &policy{memory: st.memory, share: 1 / float64(s.width), again: again}
	_, all = follow(p.Search(st.base.Tree(), s.gate, plan), func(step *pass.Step) (goOn bool) {
		k := keyOf(step.Candidate)
		switch {
		case seen[k] || st.asked[k] || !step.Candidate.Measure().Less(st.base.Measure()):
			return true // as the base itself
		case len(found) >= most:
			return false
		}
		seen[k] = true
		found = append(found, s.question(p, st, step, k, again))
		return true
	})
	return found, all
}

func (s *search) question(p pass.Pass, st state, step *pass.Step, k key, again bool) question {
	q := question{candidate: step.Candidate.Lean(), about: step.About, edit: step.Edit, key: k, again: again}
	q.kind = kindOf(p.Name, q)
	tokens := st.base.Weight() - step.Candidate.Weight()
	bytes := len(st.base.Render()) - len(step.Candidate.Render())
	q.gain = max(float64(tokens)+bytesInTokens*float64(bytes), bytesInTokens/2)
	if q.chance = step.Chance; q.chance > 0 { // the pass ignores earlier failures
		q.again = again || st.memory.hasFailed(q.about)
		return q
	}
	q.chance = st.memory.chance(q.kind)
	if q.alone() {
		q.chance *= st.memory.sufficed(q.about)
	}
	return q
}

// follow iterates over the questions of a search if all fail, and reports whether it ended.
func follow(s *pass.Step, question func(*pass.Step) (goOn bool)) (end any, ended bool) {
	for !s.Ended() {
		if s.Fork == nil {
			if !question(s) {
				return nil, false
			}
			s = s.Next(algo.Uninteresting)
			continue
		}
		ends := make([]any, len(s.Fork))
		for i, part := range s.Fork {
			if ends[i], ended = follow(part(), question); !ended {
				return nil, false
			}
		}
		s = s.Join(ends)
	}
	if s == nil {
		return nil, true
	}
	return s.End, true
}
