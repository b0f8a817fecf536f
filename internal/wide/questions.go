package wide

import (
	"crypto/sha256"
	"fmt"
	"math/bits"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

// A question is one that a pass asks about a base.
type question struct {
	candidate *parse.Candidate
	about     *algo.Question
	edit      func(kept []int) *parse.Candidate // of its list
	key       key
	kind      string
	gain      float64
	chance    float64
	again     bool // it was asked of a larger file, in vain
}

// key stands for the bytes of a candidate.
type key [16]byte

func keyOf(c *parse.Candidate) key {
	sum := sha256.Sum256(c.Render())
	return key(sum[:16])
}

func (q *question) isChoice() bool { return q.about != nil && q.about.List.Mode == algo.Choices }

// promise is what is to be expected of a question, in tokens.
func (q *question) promise() float64 {
	if q.again {
		return q.chance * q.gain / 1000
	}
	return q.chance * q.gain
}

// bytesInTokens is what a byte is worth.
const bytesInTokens = 0.1

// questions returns those that promise most, at most so many, and whether these are all. If
// there are no more than that, it is all of them: the end takes one wave then.
func (s *search) questions(st state, most int) (chosen []question, all bool) {
	if most <= 0 {
		return nil, false
	}
	seen := map[key]bool{}
	all = true
	for _, again := range []bool{false, true} {
		for _, p := range s.passes {
			found, ended := s.harvest(p, st, again, seen, enough*s.width)
			chosen, all = append(chosen, found...), all && ended
			if len(chosen) >= enough*s.width {
				all = false
				break
			}
		}
		if !again && len(chosen) > max(s.width/2, s.width-dear) {
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

// gone returns the items of its list that a question takes away.
func (q *question) gone() []int {
	return algo.Without(algo.All(len(q.about.List.Weights)), q.about.Kept)
}

// alone reports whether the question is for some items alone, with what they need.
func (q *question) alone() bool {
	return q.about != nil && q.about.List.Closed && len(q.about.Kept)*2 <= len(q.about.List.Weights)
}

// kindOf returns what questions of a pass are expected to fare like: of groups those of
// about the same size, in powers of four.
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

// worth is the part of what the questions before promise in the mean that the next has to:
// the fewer workers the more, for tests are dear then.
func (s *search) worth() float64 {
	if s.width > 2*dear {
		return 0
	}
	few := dear / float64(s.width)
	return dearly * few * few
}

// dear is how many workers are so few that tests are dear: what has failed before is not
// asked again beside other questions until these are few.
const dear = 64

// dearly is that part for so many workers.
const dearly = 0.02

// enough is how many questions for each that may be asked are looked at.
const enough = 3

// harvest returns the questions that a pass asks as long as nothing succeeds, and whether
// these are all.
func (s *search) harvest(p pass.Pass, st state, again bool, seen map[key]bool, most int) (found []question, all bool) {
	plan := s.plan
	plan.Policy = &policy{memory: st.memory, share: 1 / float64(s.width), again: again}
	all = follow(p.Search(st.base.Tree(), s.gate, plan), func(step *pass.Step) (goOn bool) {
		k := keyOf(step.Candidate)
		switch {
		case seen[k] || st.asked[k] || !step.Candidate.Measure().Less(st.base.Measure()):
			return true // what a trial begins with may be worse
		case len(found) >= most:
			return false
		}
		seen[k] = true
		found = append(found, s.question(p, st, step, k, again))
		return true
	})
	return found, all
}

// question returns what a step of a pass asks.
func (s *search) question(p pass.Pass, st state, step *pass.Step, k key, again bool) question {
	q := question{candidate: step.Candidate.Lean(), about: step.About, edit: step.Edit, key: k, again: again}
	q.kind = kindOf(p.Name, q)
	tokens := st.base.Weight() - step.Candidate.Weight()
	bytes := len(st.base.Render()) - len(step.Candidate.Render())
	q.gain = max(float64(tokens)+bytesInTokens*float64(bytes), bytesInTokens/2)
	if q.chance = step.Chance; q.chance > 0 { // the pass knows, but not what has failed
		q.again = again || st.memory.hasFailed(q.about)
		return q
	}
	q.chance = st.memory.chance(q.kind)
	if q.alone() {
		q.chance *= st.memory.sufficed(q.about)
	}
	return q
}

// follow goes over the questions that a search asks as long as none succeeds, and reports
// whether it has come to its end.
func follow(s *pass.Step, question func(*pass.Step) (goOn bool)) bool {
	_, ended := followed(s, question)
	return ended
}

// followed is follow, and returns what the search ends with.
func followed(s *pass.Step, question func(*pass.Step) (goOn bool)) (end any, ended bool) {
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
			if ends[i], ended = followed(part(), question); !ended {
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
