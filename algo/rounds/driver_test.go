package rounds_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/internal/testkit/algotest"
	"whittle/internal/testkit/cases"
)

func algorithms() algo.Table {
	return append(algo.Published(), grain.Entry())
}

func parts(e algo.Entry, p0 float64, sizes []int, width int) *algo.Step[[]int] {
	type task = rounds.Task[[]int, []int]
	algorithm := e.With(algo.Params{P0: p0, Seed: 1})
	n := 0
	var starts []int
	for _, size := range sizes {
		starts = append(starts, n)
		n += size
	}
	d := rounds.Driver[[]int, []int]{
		Plan:   rounds.Plan{Policy: rounds.Plain(algorithm), Width: width},
		Allows: func(base, c []int) bool { return len(c) < len(base) },
		Next: func(base []int, waiting []int) (*task, []int) {
			if len(waiting) == 0 {
				return nil, nil
			}
			part := waiting[0]
			first, size := starts[part], sizes[part]
			j := &task{
				List: algo.List{Weights: slices.Repeat([]int{1}, size)},
				Edit: func(base, kept []int) []int {
					return slices.DeleteFunc(slices.Clone(base), func(i int) bool {
						return i >= first && i < first+size && !slices.Contains(kept, i-first)
					})
				},
				Done: func(base []int, kept []int, waiting []int) (*task, []int) {
					if kept != nil { // again
						return nil, append(slices.Clip(waiting), part)
					}
					return nil, waiting
				},
			}
			return j, waiting[1:]
		},
	}
	return d.Search(algo.All(n), algo.All(len(sizes)))
}

func follow(s *algo.Step[[]int], ask func(*algo.Step[[]int]) algo.Outcome) any {
	for !s.Ended() {
		if s.Fork == nil {
			s = s.Next(ask(s))
			continue
		}
		var ends []any
		for _, part := range s.Fork {
			ends = append(ends, follow(part(), ask))
		}
		s = s.Join(ends)
	}
	if s == nil {
		return nil
	}
	return s.End
}

// walk returns the smallest interesting candidate and the number of different candidates.
func walk(s *algo.Step[[]int], n int, property func([]int) algo.Outcome) (best []int, tests int) {
	best = algo.All(n)
	known := map[string]algo.Outcome{}
	follow(s, func(s *algo.Step[[]int]) algo.Outcome {
		key := algotest.Fingerprint(s.Candidate, n)
		if _, again := known[key]; !again {
			known[key] = property(s.Candidate)
		}
		if known[key] == algo.Interesting && len(s.Candidate) < len(best) {
			best = s.Candidate
		}
		return known[key]
	})
	return best, len(known)
}

// Rounds take few more tests than sequential tasks. Only ddmin repeats many questions, new ones on another base.
func TestRoundsMonotone(t *testing.T) {
	all := algorithms()
	for i := range cases.Of(t, len(all), 4) {
		e := all[i]
		t.Run(e.Name, func(t *testing.T) {
			alone, inRounds := 0, 0
			for seed := range uint64(60) {
				r := algotest.Rand(seed)
				var sizes []int
				n := 0
				for range 1 + r.IntN(12) {
					sizes = append(sizes, 1+r.IntN(30))
					n += sizes[len(sizes)-1]
				}
				needed := algotest.SomeOf(r, n, r.Float64()/3)
				for _, width := range []int{1, 4, 64} {
					best, tests := walk(parts(e, 0.1, sizes, width), n, algotest.Needs(needed))
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
			if !e.Empty {
				bound = 2.5
			}
			if float64(inRounds) > bound*float64(alone) {
				t.Errorf("%d tests in rounds, %d one after the other", inRounds, alone)
			}
		})
	}
}

// One of several parts must stay, so edits that do not combine are tried again.
func TestRoundsConflict(t *testing.T) {
	for _, e := range algorithms() {
		for seed := range uint64(40) {
			r := algotest.Rand(seed)
			sizes := []int{5, 4, 6, 3}
			const n = 18
			var sets [][]int
			for range 2 + r.IntN(3) {
				sets = append(sets, append(algotest.SomeOf(r, n-1, 0.2), n-1))
			}
			property := algotest.Needs(sets...)
			for _, width := range []int{1, 2, 64} {
				best, _ := walk(parts(e, 0.1, sizes, width), n, property)
				for i := range best {
					rest := slices.Delete(slices.Clone(best), i, i+1)
					if property(rest) == algo.Interesting {
						t.Fatalf("%s, seed %d, width %d: %v can do without %d; needed is one of %v",
							e.Name, seed, width, best, best[i], sets)
					}
				}
			}
		}
	}
}

func only(a algo.Algorithm, n, width int) *algo.Step[[]int] {
	d := rounds.Driver[[]int, struct{}]{
		Plan:   rounds.Plan{Policy: rounds.Plain(a), Width: width},
		Allows: func(_, _ []int) bool { return true },
	}
	return d.Only(algo.All(n), &rounds.Task[[]int, struct{}]{
		List: algo.List{Mode: algo.Some, Weights: make([]int, n)},
		Edit: func(_, kept []int) []int { return kept },
	})
}

// If p0 is correct, the share of interesting candidates matches the chances, one by one or in batches.
func TestChance(t *testing.T) {
	for name, a := range map[string]algo.Algorithm{"probdd": algo.ProbDD(0.1), "cdd": algo.CDD(0.1)} {
		for _, width := range []int{1, 64} {
			asked, passed, expected := 0.0, 0.0, 0.0
			for seed := range uint64(100) {
				needed := algotest.Needs(algotest.SomeOf(algotest.Rand(seed), 200, 0.1))
				follow(only(a, 200, width), func(s *algo.Step[[]int]) algo.Outcome {
					o := needed(s.Candidate)
					if s.About != nil { // otherwise it combines successes
						asked, expected = asked+1, expected+s.Chance
						if o == algo.Interesting {
							passed++
						}
					}
					return o
				})
			}
			if math.Abs(expected-passed) > 0.05*asked {
				t.Errorf("%s, width %d: %.0f of %.0f are interesting, %.0f are expected", name, width, passed, asked, expected)
			}
		}
	}
}

func ExampleDriver() {
	d := rounds.Driver[[]int, struct{}]{
		Plan:   rounds.Plan{Policy: rounds.Plain(algo.ProbDD(0.25)), Width: 64},
		Allows: func(_, _ []int) bool { return true },
	}
	search := d.Only(algo.All(8), &rounds.Task[[]int, struct{}]{
		List: algo.List{Mode: algo.Some, Weights: make([]int, 8)},
		Edit: func(_, kept []int) []int { return kept },
	})
	best, tests := walk(search, 8, algotest.Needs([]int{2, 7}))
	fmt.Println(best, tests)
	// Output: [2 7] 9
}

func TestEnough(t *testing.T) {
	type task = rounds.Task[[]int, int]
	d := rounds.Driver[[]int, int]{
		Plan:   rounds.Plan{Policy: rounds.Plain(algo.OPDD), Width: 1},
		Allows: func(base, c []int) bool { return len(c) < len(base) },
		Enough: func(base []int) bool { return len(base) <= 5 },
		Next: func(base []int, at int) (*task, int) {
			if at == 10 {
				return nil, at
			}
			return &task{List: algo.List{Weights: []int{1}}, Edit: func(base, kept []int) []int {
				return slices.DeleteFunc(slices.Clone(base), func(i int) bool { return i == at && len(kept) == 0 })
			}}, at + 1
		},
	}
	var best []int
	end := follow(d.Search(algo.All(10), 0), func(s *algo.Step[[]int]) algo.Outcome {
		best = s.Candidate
		return algo.Interesting
	})
	if _, learned := end.(rounds.Policy); !learned || len(best) != 5 {
		t.Errorf("ends with %v at %v", end, best)
	}
}

// Early lists skip candidates that leave a name undefined as soon as a message has named one of them, and no longer
// when many such candidates are accepted. Every candidate without item 0 leaves the name zero undefined.
func TestUndefined(t *testing.T) {
	type task = rounds.Task[[]int, []int]
	for _, test := range []struct {
		name     string
		policy   rounds.Policy
		reason   string
		accepted bool // in the first list
		skipped  bool // in the third list
	}{
		{"named", grain.Policy(grain.Defaults()), "1 zero other", false, true},
		{"another name", grain.Policy(grain.Defaults()), "1 other", false, false},
		{"only a place", grain.Policy(grain.Defaults()), "zero", false, false},
		{"accepted", grain.Policy(grain.Defaults()), "1 zero", true, false},
		{"published", rounds.Plain(algo.DDMin), "1 zero", false, false},
	} {
		asked := 0 // without item 0, in the third list
		d := rounds.Driver[[]int, []int]{
			Plan:   rounds.Plan{Policy: test.policy, Width: 1},
			Allows: func(_, _ []int) bool { return true },
			Undefines: func(_, c []int) []string {
				if !slices.Contains(c, 0) {
					return []string{"zero"}
				}
				return nil
			},
			Next: func(base []int, waiting []int) (*task, []int) {
				if len(waiting) == 0 {
					return nil, nil
				}
				return &task{
					List: algo.List{Weights: []int{5, 5}, Whole: 20},
					Edit: func(_, kept []int) []int { return slices.Clone(kept) },
					Done: func(_, _ []int, waiting []int) (*task, []int) { return nil, waiting },
				}, waiting[1:]
			},
		}
		tasks := 0
		s := d.Search([]int{0, 1}, []int{0, 1, 2})
		var last *algo.List
		for !s.Ended() {
			if s.About.List != last {
				last, tasks = s.About.List, tasks+1
			}
			lacks := !slices.Contains(s.Candidate, 0)
			if lacks && tasks == 3 {
				asked++
			}
			switch {
			case !lacks || test.accepted && tasks == 1:
				s = s.Next(algo.Interesting)
			case s.Repair != nil:
				if next := s.Repair([]string{test.reason}); next != nil {
					s = next
					continue
				}
				fallthrough
			default:
				s = s.Next(algo.Uninteresting)
			}
		}
		if (asked == 0) != test.skipped {
			t.Errorf("%s: asked %d times in the third list", test.name, asked)
		}
	}
}

// counting asks for each item alone, and counts rejections.
type counting struct {
	rounds.Policy
	silent int
}

func (c counting) Search(l *algo.List) *algo.Step[[]int] { return algo.Each(len(l.Weights)) }

func (c counting) Learn(any) rounds.Policy { return c }

func (c counting) Undefined(_, silent, _ int) (rounds.Policy, bool) {
	c.silent += silent
	return c, false
}

// Without messages, only failures of light items count, and eight of them end the search for such candidates.
func TestUndefinedWithoutMessages(t *testing.T) {
	for _, c := range []struct {
		weights []int
		width   int
		want    int
	}{{[]int{5, 5, 5}, 1, 3}, {[]int{5, 6, 1}, 1, 2}, {[]int{50, 100}, 1, 0}, {slices.Repeat([]int{5}, 40), 8, 40}} {
		d := rounds.Driver[[]int, int]{
			Plan:      rounds.Plan{Policy: counting{}, Width: c.width},
			Allows:    func(_, _ []int) bool { return true },
			Undefines: func(_, _ []int) []string { return []string{"a"} },
		}
		s := d.Only(algo.All(len(c.weights)), &rounds.Task[[]int, int]{
			List: algo.List{Weights: c.weights, Whole: 5 * 32},
			Edit: func(_, kept []int) []int { return kept },
		})
		end := follow(s, func(*algo.Step[[]int]) algo.Outcome { return algo.Uninteresting })
		if got := end.(counting).silent; got != c.want {
			t.Errorf("weights %d: %d rejections, want %d", c.weights, got, c.want)
		}
	}
	for _, c := range []struct {
		explained, silent, accepted int
		skip                        bool
	}{{0, 7, 0, false}, {0, 8, 0, true}, {0, 8, 1, false}, {0, 9, 1, true}, {1, 0, 0, true}, {1, 8, 1, true}} {
		if _, skip := grain.Policy(grain.Defaults()).Undefined(c.explained, c.silent, c.accepted); skip != c.skip {
			t.Errorf("%d and %d rejected, %d accepted: skip %v", c.explained, c.silent, c.accepted, skip)
		}
	}
}
