package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// repairing is the search tree with repairs after some reasons.
func repairing(path string, depth int) *algo.Step[string] {
	s := tree(path, depth)
	if s == nil {
		return nil
	}
	next := s.Next
	s.Next = func(o algo.Outcome) *algo.Step[string] {
		if next(o) == nil {
			return nil
		}
		return repairing(path+fmt.Sprint(int(o)), depth-1)
	}
	s.Repair = func(reasons []string) *algo.Step[string] {
		if reasons[0] == "no" {
			return nil
		}
		return repairing(path+reasons[0], depth-1)
	}
	s.Accepted = func(reasons []string) *algo.Step[string] {
		if reasons[0] == "no" {
			return nil
		}
		return repairing(path+"+"+reasons[0], depth-1)
	}
	return s
}

func reasonsOf(candidate []byte) []string {
	switch h := oracle.KeyOf(candidate); h[1] % 4 {
	case 0:
		return nil
	case 1:
		return []string{"no"}
	default:
		return []string{string('a' + h[2]%3), "more"}
	}
}

// A journal in memory.
type answers map[oracle.Key]oracle.Recollection

func (m answers) Recall(k oracle.Key) (r oracle.Recollection, known bool) {
	r, known = m[k]
	return r, known
}

func (m answers) Learn(oracle.Key, algo.Outcome, time.Duration, ...string) {}

func (m answers) Doubt() {}

// The steps after answers with reasons are the same for all numbers of jobs, from a journal, and in a second search.
func TestRepairs(t *testing.T) {
	var want []string
	repairs, accepted := 0, 0
	journal := answers{}
	for s := repairing("x", 60); s != nil; {
		c := []byte(s.Candidate)
		want = append(want, s.Candidate)
		o, reasons := coin(c), reasonsOf(c)
		if o == algo.Unresolved {
			reasons = nil
		}
		journal[oracle.KeyOf(c)] = oracle.Recollection{Outcome: o, Reasons: reasons, Earlier: true}
		if reasons != nil && o == algo.Interesting {
			if next := s.Accepted(reasons); next != nil {
				s = next
				accepted++
				continue
			}
		} else if reasons != nil {
			if repaired := s.Repair(reasons); repaired != nil {
				s = repaired
				repairs++
				continue
			}
		}
		s = s.Next(o)
	}
	if repairs < 5 || accepted < 5 {
		t.Fatalf("%d repairs, %d accepted in %q", repairs, accepted, want)
	}
	for _, jobs := range []int{1, 2, 3, 8, 40} {
		for _, replayed := range []bool{false, true} {
			o := &Runner{Jobs: jobs, Property: func(ctx context.Context, c []byte) (algo.Outcome, error) {
				select {
				case <-time.After(time.Duration(rand.IntN(1000)) * time.Microsecond):
				case <-ctx.Done():
					return algo.Unresolved, ctx.Err()
				}
				oracle.TellReasons(ctx, oracle.Run{Reasons: reasonsOf(c)})
				return coin(c), nil
			}}
			if replayed {
				o.Journal = journal
			}
			for search := range 2 {
				var got []string
				_, err := Run(t.Context(), o, repairing("x", 60), render, func(s *algo.Step[string], a oracle.Answer) bool {
					got = append(got, s.Candidate)
					return true
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d jobs, replayed %v, search %d: error %v, decided %q, want %q",
						jobs, replayed, search, err, got, want)
				}
			}
		}
	}
}
