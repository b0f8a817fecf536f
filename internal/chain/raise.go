package chain

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"whittle/internal/rate"
	"whittle/oracle"
)

// An Arm is a file, with its test, that may show the failure more often than the best one.
type Arm struct {
	Spec oracle.Spec
	File []byte
}

// raise is the state of [Chain.Raise].
type raise struct {
	mu    sync.Mutex
	spent map[oracle.Key]int // runs of decisions
	used  int                // runs of the decisions and confirmations so far, the same for any number of jobs

	began  bool
	left   int // of the budget
	duels  int
	before rate.Count // runs of the best file at first; zero if its rate was not raised
}

// raiseShare is the part of the runs so far that Raise may spend.
const raiseShare = 5

const (
	leastArm  = 3 // runs of each arm in a round
	mostArms  = 64
	missedArm = 0.05

	// Series besides decisions and confirmations: of arms, and, minus its number, of a duel.
	armSeries  = -3
	duelSeries = -10
)

// better is how often a better file wins the decisive pairs.
var better = rate.Count{Yes: 75, Runs: 100}

func (r *raise) took(s subject, runs int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spent == nil {
		r.spent = map[oracle.Key]int{}
	}
	r.spent[s.key] = runs
}

// Used counts the runs of a decision that was used.
func (c *Chain) Used(spec oracle.Spec, file []byte) {
	if f := c.flaky; f == nil {
		c.tests++
	} else {
		f.raise.used += f.raise.spent[about(nil, spec, file).key]
	}
}

// Raised describes the result before Raise; "" if its rate was not raised. The text continues a sentence.
func (f *Flaky) Raised() string {
	if f.raise.before.Runs == 0 {
		return ""
	}
	return fmt.Sprintf("; before raising %v", f.raise.before)
}

// Raise looks for a file that shows the failure more often than arms[0], the best one, among the others, and arms[0]
// with other settings. It returns the number of that file, or -1 if there is none. All calls together spend at most a
// fifth of the runs so far.
//
// Half of the runs left select an arm, by sequential halving (Karnin, Koren and Somekh, Almost Optimal Exploration in
// Multi-Armed Bandits, 2013). The best of many is often only lucky. So it must win against arms[0] in new runs, and
// then hold like any result, by the test of a confirmation. Duel k has the error Error·6/(π²k²).
func (c *Chain) Raise(ctx context.Context, arms []Arm) (won int, err error) {
	return inTurn(ctx, c.config.Turn, func(ctx context.Context) (int, error) { return c.raise(ctx, arms) })
}

func (c *Chain) raise(ctx context.Context, arms []Arm) (int, error) {
	f := c.flaky
	if f == nil || f.held.Yes == f.held.Runs {
		return -1, nil
	}
	r := &f.raise
	if !r.began {
		r.began, r.left = true, (c.tests+r.used+f.Odds.With.Runs+f.Odds.Without.Runs)/raiseShare
	}
	best := c.about(arms[0].Spec, arms[0].File)
	files := len(arms)
	for _, before := range c.input.Settings {
		if other := arms[0]; !slices.Equal(before, other.Spec.Before) {
			other.Spec.Before = before
			arms = append(arms, other)
		}
	}
	var rivals []*rival
	for i, a := range arms[1:] {
		rivals = append(rivals, &rival{subject: c.about(a.Spec, a.File), arm: 1 + i})
	}
	duel := f.duel()
	least := max(leastArm, int(1/f.held.Rate()))
	spare := (r.left - 2*int(duel.Expected(1)) - leastRuns) / 2 // for the arms
	n := len(rivals)
	for n > 0 && (n > mostArms || n*rounds(n)*least > spare) {
		n--
	}
	if n == 0 || spare < 0 || best.key != f.best {
		return -1, nil
	}
	rivals = rivals[:n]
	first, err := f.halve(ctx, rivals, r.left/2)
	if err != nil || first.runs.Runs > 0 && first.runs.Rate() <= f.held.Rate() {
		return -1, err
	}
	wins, err := f.beats(ctx, first.subject, best, duel)
	if err != nil || !wins {
		return -1, err
	}
	earlier, used := f.held, r.used
	holds, err := f.holds(ctx, first.subject)
	r.left -= r.used - used
	if err != nil || !holds {
		return -1, err
	}
	r.before = cmp.Or(r.before, earlier)
	if spec := arms[first.arm].Spec; !slices.Equal(spec.Before, arms[0].Spec.Before) {
		c.input.Spec.Before, c.provoked = spec.Before, Provoked{spec.Before, earlier, f.held}
	}
	if first.arm >= files {
		return 0, nil
	}
	return first.arm, nil
}

// rounds returns how often n arms are halved.
func rounds(n int) int { return bits.Len(uint(n - 1)) }

type rival struct {
	subject
	arm  int
	runs rate.Count
}

// halve spends about so many runs, and returns the best rival. The first of equals wins.
func (f *Flaky) halve(ctx context.Context, rivals []*rival, runs int) (*rival, error) {
	each := runs / max(1, rounds(len(rivals)))
	for len(rivals) > 1 {
		n := each / len(rivals)
		err := f.together(len(rivals), func(i int) (err error) {
			r := rivals[i]
			r.series = armSeries
			r.runs, err = f.extend(ctx, r.subject, r.runs, n)
			return err
		})
		if err != nil {
			return nil, err
		}
		f.raise.left -= n * len(rivals)
		slices.SortStableFunc(rivals, func(a, b *rival) int { return cmp.Compare(b.runs.Rate(), a.runs.Rate()) })
		rivals = rivals[:(len(rivals)+1)/2]
	}
	return rivals[0], nil
}

// duel returns the next test of beats.
func (f *Flaky) duel() rate.Test {
	return rate.Test{With: better, Low: 0.5, Wrong: f.Error * share(f.raise.duels+1), Missed: missedArm}
}

// beats compares runs of two files in pairs. Pairs with one failure decide (Wald, Sequential Analysis, 1947, section
// 6.2): of equal rates, each file wins half of them. Files that are too similar for the budget are equal.
func (f *Flaky) beats(ctx context.Context, a, b subject, test rate.Test) (bool, error) {
	f.raise.duels++
	a.series, b.series = duelSeries-f.raise.duels, duelSeries-f.raise.duels
	var pairs rate.Count
	var runs [2]rate.Count
	for {
		n := test.Least(pairs)
		if n == 0 {
			return test.Holds(pairs), nil
		}
		if f.raise.left < 2*n+leastRuns {
			return false, nil
		}
		f.raise.left -= 2 * n
		var shown [2][]bool
		err := f.together(2, func(i int) (err error) {
			shown[i], err = f.more(ctx, []subject{a, b}[i], runs[i], n)
			return err
		})
		if err != nil {
			return false, err
		}
		for i, yes := range shown[0] {
			if runs[0].Add(yes); yes != shown[1][i] {
				pairs.Add(yes)
			}
			runs[1].Add(shown[1][i])
		}
	}
}

// together calls a function for each number, at once if runs are.
func (f *Flaky) together(n int, call func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = call(i) })
		if f.slots == nil {
			all.Wait()
		}
	}
	all.Wait()
	return cmp.Or(errs...)
}
