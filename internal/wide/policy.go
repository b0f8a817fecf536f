package wide

import (
	"slices"

	"whittle/algo"
	"whittle/algo/rounds"
)

// A policy asks about lists as if all questions fail: about groups of neighbours, and items that
// are heavy or were in a failed group.
type policy struct {
	memory *memory
	share  float64 // maximum weight of a group over the whole
	again  bool    // items that failed alone are repeated
}

// split is a failed group's number of parts.
const split = 4

// Learn implements [rounds.Policy]. It ignores the assumed outcomes.
func (p *policy) Learn(any) rounds.Policy { return p }

// Undefined implements [rounds.Policy]. A wide search skips no candidate for its names.
func (p *policy) Undefined(_, _, _ int) (rounds.Policy, bool) { return p, false }

// Exhaustive implements [rounds.Policy].
func (p *policy) Exhaustive() bool { return true }

// Round implements [rounds.Policy].
func (p *policy) Round(before, after int) rounds.Policy { return nil }

// Search implements [rounds.Policy].
func (p *policy) Search(l *algo.List) *algo.Step[[]int] {
	switch l.Mode {
	case algo.Choices:
		return p.choices(l, 0, nil)
	case algo.Single:
		var groups [][]int
		for i := range l.Weights {
			if !p.hasFailed(l, i) {
				groups = append(groups, []int{i})
			}
		}
		return ask(len(l.Weights), groups, nil)
	}
	var alone [][]int
	if l.Closed && !p.again {
		alone = p.cut(l, make([]int, len(l.Weights)), nil, p.share*float64(l.Whole))
	}
	return ask(len(l.Weights), p.groups(l), alone)
}

// ask asks for n items without each group, then for each other group alone, whatever the
// outcomes.
func ask(n int, without, alone [][]int) *algo.Step[[]int] {
	switch {
	case len(without) > 0:
		rest := algo.Without(algo.All(n), without[0])
		return &algo.Step[[]int]{Candidate: rest, Next: func(algo.Outcome) *algo.Step[[]int] {
			return ask(n, without[1:], alone)
		}}
	case len(alone) > 0:
		return &algo.Step[[]int]{Candidate: alone[0], Next: func(algo.Outcome) *algo.Step[[]int] {
			return ask(n, nil, alone[1:])
		}}
	}
	return nil
}

func (p *policy) hasFailed(l *algo.List, i int) bool {
	if l.Known == nil {
		return false
	}
	own, around := l.Known(i)
	if p.again {
		return p.memory.failed[around]
	}
	return p.memory.failed[own]
}

// choices asks for choices from i on, unless failed ones that keep more refute them.
func (p *policy) choices(l *algo.List, i int, failed []int) *algo.Step[[]int] {
	for ; i < len(l.Weights); i++ {
		more := 0
		if l.Within != nil {
			for _, f := range failed {
				if l.Within(i, f) {
					more++
				}
			}
		}
		if more >= 2 || more == 1 && p.again {
			continue
		}
		if failed = append(slices.Clip(failed), i); p.hasFailed(l, i) {
			continue
		}
		return &algo.Step[[]int]{Candidate: []int{i}, Next: func(algo.Outcome) *algo.Step[[]int] {
			return p.choices(l, i+1, failed)
		}}
	}
	return nil
}

// coarser is the ratio of group sizes.
const coarser = 4

// groups returns the groups to remove in several sizes, the smallest with p.share of the whole.
func (p *policy) groups(l *algo.List) (groups [][]int) {
	n := len(l.Weights)
	if p.again {
		for i := range n {
			groups = append(groups, []int{i})
		}
		return groups
	}
	suspect, members, total := make([]int, n), map[int]int{}, 0
	for i, w := range l.Weights {
		if total += w; l.Known != nil {
			own, _ := l.Known(i)
			suspect[i] = p.memory.suspect[own].number
			members[suspect[i]]++
		}
	}
	least := p.share * float64(l.Whole)
	seen := map[[2]int]bool{}
	for most := float64(total) / 2; ; most /= coarser {
		most = max(most, least)
		finer := p.cut(l, suspect, members, most)
		for _, g := range finer {
			if ends := [2]int{g[0], g[len(g)-1]}; !seen[ends] && !(l.Mode == algo.Some && len(g) == n) {
				seen[ends] = true
				groups = append(groups, g)
			}
		}
		if most <= least || len(finer) >= n {
			break
		}
	}
	return groups
}

// cut returns groups of neighbours below a weight, or of one item. Each has at most 1/split of a
// failed group's items.
func (p *policy) cut(l *algo.List, suspect []int, members map[int]int, most float64) (groups [][]int) {
	var group []int
	weight := 0
	inside := map[int]int{}
	end := func() {
		if len(group) > 0 {
			groups = append(groups, group)
		}
		group, weight, inside = nil, 0, map[int]int{}
	}
	for i, w := range l.Weights {
		g := suspect[i]
		if g != 0 && members[g] == 1 { // required
			end()
			continue
		}
		if float64(weight+w) > most || g != 0 && inside[g]+1 > (members[g]+split-1)/split {
			end()
		}
		group, weight = append(group, i), weight+w
		if g != 0 {
			inside[g]++
		}
	}
	end()
	return groups
}
