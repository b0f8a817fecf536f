package isolate

import (
	"slices"

	"whittle/algo"
)

// A Level divides all changes into groups, each ascending and not empty.
type Level struct {
	Name   string // name of one group, as "hunk"
	Groups [][]int
	// Needs lists for each group the groups that it needs, as the declaration of a name; nil if
	// unknown.
	Needs [][]int
}

// LevelNames are the names of all levels, coarse first.
var LevelNames = []string{"commit", "file", "hunk", "line", "token"}

// An Algorithm minimises a list.
type Algorithm func(l List) *algo.Step[[]int]

// A List is the input of an [Algorithm]: the groups of a level.
type List struct {
	Weights []int
	Needs   [][]int // see [Level]
	Last    bool    // of the finest level
}

// within returns the groups and their needs, restricted to some changes.
func (l Level) within(changes []int) (groups, needs [][]int) {
	number := make([]int, len(l.Groups)) // new number of each group
	for i, g := range l.Groups {
		number[i] = -1
		if part := common(g, changes); len(part) > 0 {
			number[i] = len(groups)
			groups = append(groups, part)
			if l.Needs != nil {
				needs = append(needs, l.Needs[i])
			}
		}
	}
	for i, wanted := range needs {
		var left []int
		for _, n := range wanted {
			if number[n] >= 0 {
				left = append(left, number[n])
			}
		}
		needs[i] = left
	}
	return groups, needs
}

func (l Level) count(changes []int) int {
	groups, _ := l.within(changes)
	return len(groups)
}

// Differ searches, level by level, for an uninteresting candidate, and an interesting one with few
// more changes. Each level is a [Search] over the groups of the remaining changes.
func Differ(levels []Level, changes int) *algo.Step[Mix] {
	return differ(levels, Difference{[]int{}, algo.All(changes)})
}

func differ(levels []Level, d Difference) *algo.Step[Mix] {
	if len(levels) == 0 {
		return &algo.Step[Mix]{End: d}
	}
	groups, _ := levels[0].within(algo.Without(d.With, d.Without))
	changes := func(kept []int) []int { return union(d.Without, join(groups, kept)) }
	return mapped(Search(len(groups)), changes, func(d Difference) *algo.Step[Mix] { return differ(levels[1:], d) })
}

// mapped converts a search over groups to one over changes, followed by then.
func mapped(s *algo.Step[Mix], changes func(groups []int) []int,
	then func(Difference) *algo.Step[Mix]) *algo.Step[Mix] {
	whole := func(d Difference) Difference { return Difference{changes(d.Without), changes(d.With)} }
	if s.Ended() {
		return then(whole(s.End.(Difference)))
	}
	return &algo.Step[Mix]{
		Candidate: Mix{whole(s.Candidate.Difference), changes(s.Candidate.Made)},
		Next:      func(o algo.Outcome) *algo.Step[Mix] { return mapped(s.Next(o), changes, then) },
	}
}

// Minimise searches, level by level, for few changes that are interesting by themselves, in the last
// level until a fixpoint.
func Minimise(levels []Level, changes int, by Algorithm) *algo.Step[Mix] {
	return minimise(levels, algo.All(changes), by)
}

func minimise(levels []Level, made []int, by Algorithm) *algo.Step[Mix] {
	groups, needs := levels[0].within(made)
	weights := make([]int, len(groups))
	for i, g := range groups {
		weights[i] = len(g)
	}
	return kept(by(List{weights, needs, len(levels) == 1}), groups, made, func(left []int) *algo.Step[Mix] {
		switch {
		case len(levels) > 1:
			return minimise(levels[1:], left, by)
		case len(left) < len(made):
			return minimise(levels, left, by)
		}
		return &algo.Step[Mix]{End: Difference{[]int{}, left}}
	})
}

// kept converts the search of a list of groups to one over changes, followed by then.
func kept(s *algo.Step[[]int], groups [][]int, best []int, then func(best []int) *algo.Step[Mix]) *algo.Step[Mix] {
	if s.Ended() {
		return then(best)
	}
	made := join(groups, s.Candidate)
	return &algo.Step[Mix]{
		Candidate: Mix{Difference{[]int{}, best}, made},
		Next: func(o algo.Outcome) *algo.Step[Mix] {
			best := best
			if o == algo.Interesting && len(made) < len(best) {
				best = made
			}
			return kept(s.Next(o), groups, best, then)
		},
	}
}

func join(groups [][]int, some []int) []int {
	all := []int{}
	for _, i := range some {
		all = append(all, groups[i]...)
	}
	slices.Sort(all)
	return all
}

// common returns the intersection of two ascending lists, by binary search: one may be much longer.
func common(a, b []int) (both []int) {
	for len(a) > 0 && len(b) > 0 {
		if a[0] == b[0] {
			both = append(both, a[0])
			a, b = a[1:], b[1:]
			continue
		}
		if a[0] > b[0] {
			a, b = b, a
		}
		i, _ := slices.BinarySearch(a, b[0])
		a = a[i:]
	}
	return both
}
