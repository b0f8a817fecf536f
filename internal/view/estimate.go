package view

import (
	"slices"
	"time"
)

// tooLate times its expected time drops a pass's estimate.
const tooLate = 1.25

// round estimates the rest of this round from the last turn of each pass, in proportion to
// tokens. It is unknown in the first round, after answers of the journal, and if a pass takes far
// longer than expected.
func (s *state) round() (left time.Duration, known bool) {
	current := len(s.turns) - 1
	if current < 0 || !s.passing {
		return 0, false
	}
	last := current - 1
	for last >= 0 && s.turns[last].pass != s.turns[current].pass {
		last--
	}
	if last < 0 {
		return 0, false
	}
	expected := s.expected(s.turns[last])
	elapsed := s.now.Sub(s.passBegan)
	if float64(elapsed) > tooLate*float64(expected) {
		return 0, false
	}
	left = max(expected-elapsed, 0)
	// Add the passes that followed in that round, up to the first pass with two turns.
	first := slices.IndexFunc(s.turns, func(t turn) bool {
		n := 0
		for _, other := range s.turns {
			if other.pass == t.pass {
				n++
			}
		}
		return n > 1
	})
	for _, t := range s.turns[last:current] {
		if t.replayed {
			return 0, false
		}
	}
	for _, t := range s.turns[last+1 : current] {
		if t.pass == s.turns[first].pass {
			break
		}
		left += s.expected(t)
	}
	return left, true
}

func (s *state) expected(t turn) time.Duration {
	return time.Duration(float64(t.took) * float64(s.tokens) / float64(max(t.tokens, 1)))
}

func (s *state) timeLeft() string {
	round, known := s.round()
	limit := s.maxTime - s.now.Sub(s.began)
	switch {
	case s.maxTime > 0 && (!known || limit <= round):
		return "at most " + duration(max(limit, 0)) + " left"
	case known && round >= time.Second:
		return "about " + duration(round) + " to the end of this round"
	case known:
		return "this round is about to end"
	}
	return ""
}
