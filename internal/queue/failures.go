package queue

import (
	"hash/fnv"
	"maps"
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// failures are failed questions. They predict that similar questions fail:
//
//   - The same edit of another version of the file, or by another pass, fails until the file has more or fewer
//     occurrences of the edited names. Of 286 such repetitions in late rounds of seven cases, one succeeded.
//   - A deletion most likely fails if it contains failed ones. Of 1,842 deletions in nine cases, a share of 0.11
//     succeeded if it contained none, 0.05 with one or two, and none of 775 with more.
//     A single definition is different, and so is a parameter with its arguments: all may go although no part can.
//     Where a grammar does not know many constructs, so is much code around a node that replaces it.
//   - Other edits fail more often if the same tokens failed with another text: 0.14 without, 0.02 with such a failure.
//
// A new tree forgets the failures of much larger files.
type failures struct {
	edits   map[uint64]int // weight of best, by the difference between the fingerprints of the files before and after
	removed []change
	best    *parse.Candidate
	count   int // of all failed questions
}

type change struct {
	tokens []int // of best, deleted or edited, in order
	weight int   // of best, when the question failed
}

// mostRemoved is the number of tokens up to which a question is remembered by tokens.
const mostRemoved = 1000

// with returns f after the failure of a question.
func (f failures) with(q source) failures {
	next := map[uint64]int{q.edit: q.base.Weight()}
	maps.Copy(next, f.edits)
	f.edits = next
	f.count++
	if len(q.removed) <= mostRemoved && q.candidate.Tree() == f.best.Tree() {
		f.removed = append(slices.Clip(f.removed), change{q.removed, q.base.Weight()})
	}
	return f
}

// after returns f for a smaller best file. One with a tree of its own has other tokens.
func (f failures) after(q source) failures {
	if q.candidate.Tree() != f.best.Tree() {
		return failures{edits: f.edits, best: q.candidate, count: f.count}
	}
	touched := func(c change) bool {
		return slices.ContainsFunc(c.tokens, func(i int) bool { return contains(q.removed, i) })
	}
	f.removed, f.best = slices.DeleteFunc(slices.Clone(f.removed), touched), q.candidate
	return f
}

// forget is the share of a file at which its failures are forgotten.
const forget = 0.8

// on returns f for a new tree. Without the same text, it keeps only the edits.
func (f failures) on(whole *parse.Candidate) failures {
	old := func(weight int) bool { return float64(whole.Weight()) < forget*float64(weight) }
	next := failures{edits: maps.Clone(f.edits), best: whole, count: f.count}
	maps.DeleteFunc(next.edits, func(_ uint64, weight int) bool { return old(weight) })
	if f.best == nil || string(f.best.Render()) != string(whole.Render()) {
		return next
	}
	tokens := f.best.In(whole.Tree())
	for _, removed := range f.removed {
		moved := make([]int, len(removed.tokens))
		for k, i := range removed.tokens {
			moved[k] = tokens[i]
		}
		if !old(removed.weight) && !slices.Contains(moved, -1) {
			next.removed = append(next.removed, change{moved, removed.weight})
		}
	}
	return next
}

const (
	// Each failed question about some of the tokens, or the same, multiplies the chance of a deletion by perDeletion. For
	// other edits these are perPart and perSame.
	perDeletion = 0.45
	perPart     = 0.8
	perSame     = 0.3
	leastFactor = 0.02

	// A node that replaces at least 1/large of the file is no deletion if the file has a syntax error in readable tokens.
	readable = 40
	large    = 3
)

// factor returns the factor for the chance of a question.
func (f failures) factor(q source) float64 {
	factor, part, same := 1.0, perDeletion, perDeletion
	switch moved := 2*(q.base.Weight()-q.candidate.Weight()) < len(q.removed); {
	case moved: // most of the tokens are in another place
		part, same = 1, perSame
	case q.edited:
		part, same = perPart, perSame
	}
	weight := q.base.Weight()
	if about := q.step.About; about != nil && about.List.Closed &&
		(len(about.Kept) == len(about.Left)-1 || about.List.Mode == algo.Choices && !q.edited) {
		part = 1
	} else if about != nil && about.List.Mode == algo.Choices && (weight-q.candidate.Weight())*large >= weight &&
		q.base.Tree().Errors*readable >= weight {
		part = perPart
	}
	for _, failed := range f.removed {
		switch {
		case len(failed.tokens) > len(q.removed) || !subset(failed.tokens, q.removed):
		case len(failed.tokens) == len(q.removed):
			factor *= same
		default:
			factor *= part
		}
	}
	return max(factor, leastFactor)
}

func subset(part, all []int) bool {
	return !slices.ContainsFunc(part, func(i int) bool { return !contains(all, i) })
}

func contains(sorted []int, i int) bool {
	_, found := slices.BinarySearch(sorted, i)
	return found
}

// fingerprint is the sum of the hashes of all pairs of adjacent tokens, of the first tokens of lines with their
// indentation, and of all words with their numbers of occurrences.
func fingerprint(text []byte) (sum uint64) {
	occurrences := map[string]uint64{}
	first, indentation := true, uint64(0)
	for last := uint64(0); len(text) > 0; {
		if n := parse.SpaceLen(text); n > 0 {
			if indentation++; text[n-1] == '\n' {
				first, indentation = true, 0
			}
			text = text[n:]
			continue
		}
		n := max(parse.WordLen(text), 1)
		token := hash(text[:n])
		sum += mix(last, token)
		if first {
			sum += mix(indentation, ^token)
		}
		last, first = token, false
		if parse.WordLen(text) > 0 {
			occurrences[string(text[:n])]++
		}
		text = text[n:]
	}
	for word, n := range occurrences {
		sum += mix(hash([]byte(word)), n)
	}
	return sum
}

func hash(token []byte) uint64 {
	h := fnv.New64a()
	h.Write(token)
	return h.Sum64()
}

// mix is not linear, so that a sum of pairs depends on the pairs and not only on their elements.
func mix(a, b uint64) uint64 {
	x := (a*0x9e3779b97f4a7c15 ^ b) * 0xbf58476d1ce4e5b9
	return (x ^ x>>29) * 0x94d049bb133111eb
}
