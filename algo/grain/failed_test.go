package grain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
)

func TestFailed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var f *failed
	in := map[uint64]bool{}
	for range 2000 {
		k := r.Uint64N(3000)
		if f.has(k) != in[k] {
			t.Fatalf("%d: has %v, want %v", k, f.has(k), in[k])
		}
		before := f
		f, in[k] = f.with(k), true
		if !f.has(k) || !before.has(k) && before.with(k).has(k) != true {
			t.Fatalf("%d is not in it", k)
		}
	}
}

// asked returns the policy after a search, and the items or choices tested alone.
func asked(p rounds.Policy, l *algo.List, interesting ...int) (after rounds.Policy, alone []int) {
	left := algo.All(len(l.Weights))
	s := p.Search(l)
	for !s.Ended() {
		about := s.Candidate
		if l.Mode != algo.Choices {
			about = algo.Without(left, s.Candidate)
		}
		o := algo.Uninteresting
		if len(about) == 1 {
			alone = append(alone, about[0])
			if slices.Contains(interesting, about[0]) {
				o, left = algo.Interesting, s.Candidate
			}
		}
		s = s.Next(o)
	}
	if s != nil {
		p = p.Learn(s.End)
	}
	return p, alone
}

// A failed question is repeated after all others if its context has changed. With Prove items are repeated anyway.
func TestFailedIsNotAskedAgain(t *testing.T) {
	proving := defaults
	proving.Prove = true
	around := uint64(100)
	known := func(i int) (own, with uint64) { return uint64(i), around + uint64(i) }
	for _, tt := range []struct {
		params              *Params
		list                *algo.List
		last, lastIfChanged []int
	}{
		{&defaults, &algo.List{Mode: algo.Items, Weights: []int{1, 1, 1}, Whole: 9, Known: known}, nil, []int{0, 1, 2}},
		{&proving, &algo.List{Mode: algo.Items, Weights: []int{1, 1, 1}, Whole: 9, Known: known},
			[]int{0, 1, 2}, []int{0, 1, 2}},
		{&defaults, &algo.List{Mode: algo.Choices, Weights: []int{3, 2, 1}, Kinds: []string{"", "", ""}, Whole: 9, Known: known},
			nil, []int{0, 1, 2}},
		{&defaults, &algo.List{Mode: algo.Single, Weights: []int{0, 0, 0}, Whole: 9, Known: known}, nil, []int{0, 1, 2}},
	} {
		around = 100
		p, first := asked(policy{params: tt.params, thorough: true}, tt.list)
		slices.Sort(first)
		if len(slices.Compact(first)) < 2 { // the last item may be inferred
			t.Errorf("mode %d: asked for %v at first", tt.list.Mode, first)
		}
		if _, then := asked(p, tt.list); then != nil {
			t.Errorf("mode %d: asked for %v again", tt.list.Mode, then)
		}
		last := p.(policy)
		last.again = true
		for _, want := range [][]int{tt.last, tt.lastIfChanged} {
			if _, then := asked(last, tt.list); !slices.Equal(then, want) {
				t.Errorf("mode %d: at last asked for %v, want %v", tt.list.Mode, then, want)
			}
			around = 200
		}
	}
}

func TestAmong(t *testing.T) {
	first := func(i int) (own, around uint64) { return uint64(i), uint64(i) }
	l := &algo.List{Weights: []int{1, 1}, Whole: 4, Known: first}
	p, _ := asked(policy{params: &defaults}, l)
	more := &algo.List{Weights: []int{1, 1, 1, 1}, Whole: 4, Known: func(i int) (own, around uint64) {
		return []uint64{7, 0, 8, 1}[i], 0
	}}
	if _, then := asked(p, more, 2); !slices.Equal(then, []int{0, 2}) && !slices.Equal(then, []int{2, 0}) {
		t.Errorf("asked for %v", then)
	}
}

// Two choices that keep more have failed.
func TestRefuted(t *testing.T) {
	l := &algo.List{
		Mode: algo.Choices, Weights: []int{1, 2, 3, 4}, Kinds: make([]string, 4), Whole: 9,
		Within: func(i, other int) bool { return other < i && i != 2 },
	}
	if _, got := asked(policy{params: &defaults}, l); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("asked for %v", got)
	}
	if _, got := asked(policy{params: &defaults, again: true}, l); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("at last asked for %v", got)
	}
}

// Only the last round with Prove asks for refuted items, and for each of neighbours with the same text.
func TestNeedless(t *testing.T) {
	proving := defaults
	proving.Prove = true
	weights := make([]int, 8)
	for i := range weights {
		weights[i] = 1
	}
	refuted := &algo.List{Weights: weights, Whole: 8, Refuted: func(i int) bool { return i != 5 }}
	alike := &algo.List{Weights: weights, Whole: 8, Known: func(i int) (own, around uint64) { return uint64(i / 4), 0 }}
	for _, tt := range []struct {
		list *algo.List
		most int // questions for one item
	}{{refuted, 1}, {alike, 2}} {
		if _, got := asked(policy{params: &proving, thorough: true}, tt.list); len(got) == 0 || len(got) > tt.most {
			t.Errorf("asked for %v", got)
		}
		if _, got := asked(policy{params: &proving, again: true}, tt.list); len(got) < len(weights)-1 {
			t.Errorf("at last asked only for %v", got)
		}
	}
}
