package queue

import (
	"hash/fnv"
	"maps"
	"math"
	"slices"

	"whittle/parse"
)

// failures are failed questions. They predict that similar questions fail:
//
//   - An edit is the difference between the fingerprints of the files before and after. So a failed edit is recognised
//     in other versions of the file and in the questions of other passes, until the file has more or fewer occurrences
//     of its names. Of 286 such repetitions in late rounds of seven cases, one succeeded.
//   - A deletion most likely fails if it contains one that failed. Of 2,000 questions of nine cases, a share of 0.11
//     succeeded with no such deletion, 0.05 with one, 0.03 with two, and none of 612 with five or more.
type failures struct {
	edits     map[uint64]bool
	deletions [][]int // tokens of best, in order
	best      *parse.Candidate
}

// with returns f after the failure of a question.
func (f failures) with(q source) failures {
	next := map[uint64]bool{q.edit: true}
	maps.Copy(next, f.edits)
	f.edits = next
	if !q.edited {
		f.deletions = append(slices.Clip(f.deletions), q.removed)
	}
	return f
}

// after returns f for a smaller best file.
func (f failures) after(q source) failures {
	touched := func(deletion []int) bool {
		return slices.ContainsFunc(deletion, func(i int) bool { return contains(q.removed, i) })
	}
	return failures{f.edits, slices.DeleteFunc(slices.Clone(f.deletions), touched), q.candidate}
}

// on returns f for a new tree. The deletions are lost if the file has changed.
func (f failures) on(whole *parse.Candidate) failures {
	next := failures{edits: f.edits, best: whole}
	if f.best == nil || string(f.best.Render()) != string(whole.Render()) {
		return next
	}
	tokens := f.best.In(whole.Tree())
	for _, deletion := range f.deletions {
		moved := make([]int, len(deletion))
		for k, i := range deletion {
			moved[k] = tokens[i]
		}
		if !slices.Contains(moved, -1) {
			next.deletions = append(next.deletions, moved)
		}
	}
	return next
}

const (
	// perDeletion is the factor of the chance of a deletion for each failed one that it contains; perEdit, of an edit.
	perDeletion = 0.45
	perEdit     = 0.8
)

// factor returns the factor for the chance of a question.
func (f failures) factor(q source) float64 {
	contained := 0
	for _, deletion := range f.deletions {
		if len(deletion) < len(q.removed) && subset(deletion, q.removed) {
			contained++
		}
	}
	if q.edited {
		return math.Pow(perEdit, float64(contained))
	}
	return math.Pow(perDeletion, float64(contained))
}

func subset(part, all []int) bool {
	for _, i := range part {
		if !contains(all, i) {
			return false
		}
	}
	return true
}

func contains(sorted []int, i int) bool {
	_, found := slices.BinarySearch(sorted, i)
	return found
}

// fingerprint is the sum of the hashes of all pairs of adjacent tokens, and of all words with their numbers of
// occurrences. White space does not count.
func fingerprint(text []byte) (sum uint64) {
	occurrences := map[string]uint64{}
	for last := uint64(0); len(text) > 0; {
		if n := parse.SpaceLen(text); n > 0 {
			text = text[n:]
			continue
		}
		n := max(parse.WordLen(text), 1)
		token := hash(text[:n])
		sum += mix(last, token)
		last = token
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
