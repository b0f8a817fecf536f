package grain

import (
	"slices"

	"whittle/algo"
)

// failed is an immutable set of hashes: a search tree, balanced because hashes are random. nil is empty.
type failed struct {
	known       uint64
	left, right *failed
}

func (f *failed) has(known uint64) bool {
	for f != nil && f.known != known {
		if known < f.known {
			f = f.left
		} else {
			f = f.right
		}
	}
	return f != nil
}

func (f *failed) with(known uint64) *failed {
	switch {
	case f == nil:
		return &failed{known: known}
	case known < f.known:
		return &failed{f.known, f.left.with(known), f.right}
	case known > f.known:
		return &failed{f.known, f.left, f.right.with(known)}
	}
	return f
}

func known(l *algo.List, i int) []uint64 {
	if l.Known == nil {
		return nil
	}
	own, around := l.Known(i)
	return []uint64{own, around}
}

// proves reports whether the search tries to remove each item of the list alone.
func (p policy) proves(l *algo.List) bool { return p.again && p.params.Prove && l.Mode == algo.Items }

// hasFailed reports whether an item alone, or a choice, failed before and is skipped.
func (p policy) hasFailed(l *algo.List, i int) bool {
	switch {
	case p.proves(l):
		return false
	case l.Refuted != nil && l.Refuted(i):
		return true
	case l.Known == nil:
		return false
	}
	own, around := l.Known(i)
	if p.again {
		return p.history.failed.has(around)
	}
	return p.history.failed.has(own)
}

func (p policy) split(l *algo.List) (fresh, failed []int) {
	fresh = make([]int, 0, len(l.Weights)) // a file may have millions of lines
	for i := range l.Weights {
		if p.hasFailed(l, i) {
			failed = append(failed, i)
		} else {
			fresh = append(fresh, i)
		}
	}
	return fresh, failed
}

// among converts a search of some items into one of the list that keeps the others.
func among(s *step, items, others []int) *step {
	if same := len(others) == 0 && (len(items) == 0 || items[len(items)-1] == len(items)-1); same || s.Ended() {
		return s
	}
	kept := make([]int, 0, len(others)+len(s.Candidate))
	kept = append(kept, others...)
	for _, i := range s.Candidate {
		kept = append(kept, items[i])
	}
	slices.Sort(kept)
	return &step{Candidate: kept, Chance: s.Chance, Next: func(o algo.Outcome) *step {
		return among(s.Next(o), items, others)
	}}
}

func (p policy) each(l *algo.List) *step {
	fresh, _ := p.split(l)
	return p.eachOf(l, algo.All(len(l.Weights)), fresh, func(h history) history { return h })
}

// eachOf tries to remove each of the items.
func (p policy) eachOf(l *algo.List, left, items []int, learned lesson) *step {
	if len(items) == 0 {
		return &step{End: learned}
	}
	i, rest := items[0], algo.Without(left, items[:1])
	return &step{Candidate: rest, Chance: p.params.Single, Next: func(o algo.Outcome) *step {
		switch o {
		case algo.Interesting:
			return p.eachOf(l, rest, items[1:], learned)
		case algo.Uninteresting:
			return p.eachOf(l, left, items[1:], func(h history) history { return learned(h).withFailed(known(l, i)) })
		}
		return p.eachOf(l, left, items[1:], learned)
	}}
}

// of returns the elements of list with these indexes.
func of(list, indexes []int) []int {
	some := make([]int, len(indexes))
	for i, k := range indexes {
		some[i] = list[k]
	}
	return some
}
