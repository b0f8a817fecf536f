package isolate

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
)

// runSearch runs Search and checks that each step's difference is true and shrinks.
func runSearch(t *testing.T, n int, property func(made []int) algo.Outcome) (d Difference, asked []string, tests int) {
	t.Helper()
	known := map[string]bool{}
	s := Search(n)
	d = Difference{[]int{}, algo.All(n)}
	for ; !s.Ended(); s = s.Next(property(s.Candidate.Made)) {
		c := s.Candidate
		if len(c.With)-len(c.Without) > len(d.With)-len(d.Without) {
			t.Fatalf("the difference grows from %v to %v", d, c.Difference)
		}
		d = c.Difference
		checkDifference(t, n, d, property)
		between := contains(c.Made, d.Without) && contains(d.With, c.Made)
		if !slices.IsSorted(c.Made) || !between || len(c.Made) == len(d.With) || len(c.Made) == len(d.Without) {
			t.Fatalf("asks for %v between %v", c.Made, d)
		}
		known[letters(c.Made)] = true
		asked = append(asked, letters(c.Made))
	}
	d = s.End.(Difference)
	checkDifference(t, n, d, property)
	return d, asked, len(known)
}

// checkDifference checks the outcomes of the sides, except for no changes and all changes.
func checkDifference(t *testing.T, n int, d Difference, property func(made []int) algo.Outcome) {
	t.Helper()
	without, with := property(d.Without), property(d.With)
	if len(d.Without) > 0 && without != algo.Uninteresting || len(d.With) < n && with != algo.Interesting ||
		!contains(d.With, d.Without) {
		t.Fatalf("difference %v is none: %v and %v", d, without, with)
	}
}

func contains(list, set []int) bool {
	for _, item := range set {
		if _, found := slices.BinarySearch(list, item); !found {
			return false
		}
	}
	return true
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20240917)) }

// noise leaves three in four lists unresolved.
func noise(seed uint64) func(made []int) algo.Outcome {
	return func(made []int) algo.Outcome {
		sum := seed
		for _, change := range made {
			sum = newRand(sum*31 + uint64(change)).Uint64()
		}
		switch r := newRand(sum); {
		case r.IntN(4) > 0:
			return algo.Unresolved
		case r.IntN(3) == 0:
			return algo.Interesting
		}
		return algo.Uninteresting
	}
}

func letters(made []int) string {
	var b strings.Builder
	for _, i := range made {
		b.WriteByte('a' + byte(i))
	}
	return b.String()
}

// All tests resolved; e and f only together; intermediate versions unresolved; and one chunk of four that can move.
func TestSearchTraces(t *testing.T) {
	both := func(made string) algo.Outcome {
		switch e, f := strings.Contains(made, "e"), strings.Contains(made, "f"); {
		case e && f:
			return algo.Interesting
		case e || f:
			return algo.Unresolved
		}
		return algo.Uninteresting
	}
	for _, tt := range []struct {
		name     string
		n        int
		property func(made string) algo.Outcome
		asked    string
		end      string
	}{
		{"one", 8, func(made string) algo.Outcome {
			if strings.Contains(made, "f") {
				return algo.Interesting
			}
			return algo.Uninteresting
		}, "abcd abcdef abcde", "abcde abcdef"},
		{"two", 8, both, "abcd abcdef abcde abcdf", "abcd abcdef"},
		{"nothing", 4, func(string) algo.Outcome { return algo.Unresolved }, "ab cd a b c d bcd acd abd abc", " abcd"},
		{"moves", 4, func(made string) algo.Outcome {
			if made == "c" || made == "ac" {
				return algo.Uninteresting
			}
			return algo.Unresolved
		}, "ab cd a b c d bcd acd abd abc ac bc cd bcd acd abc abc acd", "ac abcd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, asked, _ := runSearch(t, tt.n, func(made []int) algo.Outcome { return tt.property(letters(made)) })
			if got := strings.Join(asked, " "); got != tt.asked {
				t.Errorf("asked for %s, want %s", got, tt.asked)
			}
			if got := letters(d.Without) + " " + letters(d.With); got != tt.end {
				t.Errorf("came to %q, want %q", got, tt.end)
			}
		})
	}
}

func TestSearchResolved(t *testing.T) {
	for n := 1; n <= 40; n++ {
		for needed := range n {
			d, asked, _ := runSearch(t, n, func(made []int) algo.Outcome {
				if slices.Contains(made, needed) {
					return algo.Interesting
				}
				return algo.Uninteresting
			})
			if got := algo.Without(d.With, d.Without); !slices.Equal(got, []int{needed}) || len(asked) > bits.Len(uint(n-1)) {
				t.Fatalf("%d of %d: %v after %d tests", needed, n, got, len(asked))
			}
		}
	}
}

func TestSearchNoise(t *testing.T) {
	for seed := range uint64(500) {
		n := 2 + int(seed%30)
		property := noise(seed)
		d, _, tests := runSearch(t, n, property)
		delta := algo.Without(d.With, d.Without)
		for _, change := range delta {
			if len(delta) == 1 {
				break
			}
			one := []int{change}
			more, less := property(union(d.Without, one)), property(algo.Without(d.With, one))
			if more != algo.Unresolved || less != algo.Unresolved {
				t.Fatalf("seed %d: %v is not minimal: with %d %v, without it %v", seed, d, change, more, less)
			}
		}
		if len(delta) > 1 {
			for _, half := range algo.Cut(delta, 2) {
				if o := property(union(d.Without, half)); o != algo.Unresolved {
					t.Fatalf("seed %d: %v with the half %v is %v", seed, d.Without, half, o)
				}
			}
		}
		if tests > n*n+3*n {
			t.Fatalf("seed %d: %d tests for %d changes", seed, tests, n)
		}
	}
}

func TestSearchIsPure(t *testing.T) {
	for seed := range uint64(50) {
		r := newRand(seed)
		n := 2 + r.IntN(20)
		var steps []*algo.Step[Mix]
		var outcomes []algo.Outcome
		var shown []string
		for s := Search(n); !s.Ended(); {
			steps, shown = append(steps, s), append(shown, fmt.Sprint(s.Candidate))
			for _, o := range []algo.Outcome{algo.Unresolved, algo.Uninteresting, algo.Interesting} {
				if next := s.Next(o); !next.Ended() {
					_ = append(next.Candidate.Made, -1)
				}
			}
			outcomes = append(outcomes, algo.Outcome(r.IntN(3)))
			s = s.Next(outcomes[len(outcomes)-1])
		}
		for i, s := range steps {
			if got := fmt.Sprint(s.Candidate); got != shown[i] {
				t.Fatalf("seed %d: candidate %d was %s, is %s", seed, i, shown[i], got)
			}
			if i+1 < len(steps) && fmt.Sprint(s.Next(outcomes[i]).Candidate) != shown[i+1] {
				t.Fatalf("seed %d: step %d goes on otherwise than before", seed, i)
			}
		}
	}
}

func ExampleSearch() {
	changes := []string{"red", "large", "broken", "old"}
	s := Search(len(changes))
	for !s.Ended() {
		o := algo.Uninteresting
		if slices.Contains(s.Candidate.Made, 2) {
			o = algo.Interesting
		}
		s = s.Next(o)
	}
	d := s.End.(Difference)
	fmt.Println(d.Without, d.With)
	// Output: [0 1] [0 1 2]
}
