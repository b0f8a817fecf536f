package algo

import (
	"fmt"
	"slices"
	"testing"
)

// parts is a driver over the numbers 0..n-1, cut into parts that are minimised by
// tasks of their own.
func parts(t testing.TB, name string, p0 float64, sizes []int, width int) *Step[[]int] {
	type task = Task[[]int, []int]
	algorithm, err := New(name, Params{P0: p0, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var starts []int
	for _, size := range sizes {
		starts = append(starts, n)
		n += size
	}
	d := Driver[[]int, []int]{
		Policy: Plain(algorithm),
		Width:  width,
		Allows: func(base, c []int) bool { return len(c) < len(base) },
		Next: func(base []int, waiting []int) (*task, []int) {
			if len(waiting) == 0 {
				return nil, nil
			}
			part := waiting[0]
			first, size := starts[part], sizes[part]
			j := &task{
				List: List{Weights: slices.Repeat([]int{1}, size)},
				Edit: func(base, kept []int) []int {
					return slices.DeleteFunc(slices.Clone(base), func(i int) bool {
						return i >= first && i < first+size && !slices.Contains(kept, i-first)
					})
				},
				Done: func(base []int, kept []int, waiting []int) (*task, []int) {
					if kept != nil { // once more
						return nil, append(slices.Clip(waiting), part)
					}
					return nil, waiting
				},
			}
			return j, waiting[1:]
		},
	}
	return d.Search(all(n), all(len(sizes)), Lore{})
}

// walk follows a search with forks, the parts of a fork in order, and gives the
// smallest candidate that was interesting and the number of different ones.
func walk(s *Step[[]int], n int, property func([]int) Outcome) (best []int, tests int) {
	best = all(n)
	known := map[string]Outcome{}
	var follow func(*Step[[]int]) any
	follow = func(s *Step[[]int]) any {
		for !s.Ended() {
			if s.Fork != nil {
				var ends []any
				for _, part := range s.Fork {
					ends = append(ends, follow(part()))
				}
				s = s.Join(ends)
				continue
			}
			key := fingerprint(s.Candidate, n)
			if _, again := known[key]; !again {
				known[key] = property(s.Candidate)
			}
			if known[key] == Interesting && len(s.Candidate) < len(best) {
				best = s.Candidate
			}
			s = s.Next(known[key])
		}
		if s == nil {
			return nil
		}
		return s.End
	}
	follow(s)
	return best, len(known)
}

// Rounds find what is needed, wherever it is, for not many more tests than one
// task after the other takes. But ddmin asks much again, which another base makes
// new tests of.
func TestRoundsMonotone(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			alone, inRounds := 0, 0
			for seed := range uint64(60) {
				r := newRand(seed)
				var sizes []int
				n := 0
				for range 1 + r.IntN(12) {
					sizes = append(sizes, 1+r.IntN(30))
					n += sizes[len(sizes)-1]
				}
				needed := someOf(r, n, r.Float64()/3)
				for _, width := range []int{1, 4, 64} {
					best, tests := walk(parts(t, name, 0.1, sizes, width), n, needs(needed))
					if !slices.Equal(best, needed) {
						t.Fatalf("seed %d, width %d: %v, needed were %v", seed, width, best, needed)
					}
					switch width {
					case 1:
						alone += tests
					case 64:
						inRounds += tests
					}
				}
			}
			bound := 1.2
			if !asksEmpty(name) {
				bound = 2.5
			}
			if float64(inRounds) > bound*float64(alone) {
				t.Errorf("%d tests in rounds, %d one after the other", inRounds, alone)
			}
		})
	}
}

// Where of some parts one must stay, what a round cannot remove together is tried
// again: nothing of the result can go.
func TestRoundsConflict(t *testing.T) {
	for _, name := range Names() {
		for seed := range uint64(40) {
			r := newRand(seed)
			sizes := []int{5, 4, 6, 3}
			const n = 18
			var sets [][]int
			for range 2 + r.IntN(3) {
				sets = append(sets, append(someOf(r, n-1, 0.2), n-1))
			}
			property := needs(sets...)
			for _, width := range []int{1, 2, 64} {
				best, _ := walk(parts(t, name, 0.1, sizes, width), n, property)
				for i := range best {
					rest := slices.Delete(slices.Clone(best), i, i+1)
					if property(rest) == Interesting {
						t.Fatalf("%s, seed %d, width %d: %v can do without %d; needed is one of %v", name, seed, width, best, best[i], sets)
					}
				}
			}
		}
	}
}

// Edits that exclude each other are told apart; all are taken in one test if they
// hold together.
func TestUnite(t *testing.T) {
	for seed := range uint64(300) {
		r := newRand(seed)
		n := r.IntN(20)
		var conflicts [][2]int
		for range r.IntN(3) {
			if a, b := r.IntN(20), r.IntN(20); a != b {
				conflicts = append(conflicts, [2]int{a, b})
			}
		}
		fits := func(chosen []int) bool {
			return !slices.ContainsFunc(conflicts, func(c [2]int) bool {
				return slices.Contains(chosen, c[0]) && slices.Contains(chosen, c[1])
			})
		}
		allowed := r.IntN(2) == 0 // else what does not fit is not even asked
		var got []int
		asked := 0
		s := unite(n, func(chosen []int) ([]int, bool) { return chosen, allowed || fits(chosen) },
			func(chosen []int) *step { return &step{End: chosen} })
		for ; !s.Ended(); asked++ {
			if fits(s.Candidate) {
				s = s.Next(Interesting)
			} else {
				s = s.Next(Uninteresting)
			}
		}
		got = s.End.([]int)
		if !fits(got) || n > 0 && len(got) == 0 {
			t.Fatalf("seed %d: %v of %d with conflicts %v", seed, got, n, conflicts)
		}
		for i := range n {
			if with := append(slices.Clone(got), i); !slices.Contains(got, i) && fits(with) {
				t.Fatalf("seed %d: %v of %d, and %d would fit; conflicts %v", seed, got, n, i, conflicts)
			}
		}
		if fits(all(n)) && asked > 1 || asked > 1+len(conflicts)*12 {
			t.Fatalf("seed %d: %d asked for %d with conflicts %v", seed, asked, n, conflicts)
		}
	}
}

func ExampleDriver() {
	probdd, _ := New("probdd", Params{P0: 0.25})
	d := Driver[[]int, struct{}]{Policy: Plain(probdd), Width: 64, Allows: func(_, _ []int) bool { return true }}
	search := d.Only(all(8), &Task[[]int, struct{}]{
		List: List{Mode: Some, Weights: make([]int, 8)},
		Edit: func(_, kept []int) []int { return kept },
	}, Lore{})
	best, tests := walk(search, 8, needs([]int{2, 7}))
	fmt.Println(best, tests)
	// Output: [2 7] 9
}
