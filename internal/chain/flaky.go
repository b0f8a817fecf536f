package chain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"whittle/algo"
	"whittle/internal/rate"
	"whittle/internal/search"
	"whittle/oracle"
)

// A Flaky decides about candidates of a test that does not show the failure each time.
//
// Run i of a candidate is a fact in the journal. A decision reads runs in the order of their numbers, so it does not
// depend on the number of jobs. Runs that are certain to be read share the free jobs.
//
// A candidate is accepted by a [rate.Test] with an error of Error. If files without the failure show it, or a result
// was refused, the error is Error/100: good for a hundred candidates at the worst rate. One run rejects a candidate
// that ends as the input never did: unresolved, or with an error of a compiler.
//
// A wrong candidate stays only until [Flaky.confirm], which reads new runs of the best file after each round.
// Confirmation k has the error Error·6/(π²k²), in sum Error. So the probability that the rate of a confirmed result is
// below the promised one is at most Error for the whole reduction.
type Flaky struct {
	Error float64 // see --flaky-error
	Odds  rate.Odds

	runs     oracle.Journal
	shown    func() error // see Input
	slots    *slots       // nil if runs follow one another
	unbuilt  bool         // a run of the input was unresolved
	failed   algo.Outcome
	files    [3]subject // the input and two without the failure
	counts   [3]rate.Count
	now      rate.Test // of candidates, by the rates of the input or a better confirmed file
	confirms int
	best     oracle.Key
	held     rate.Count // runs of best
	promised float64    // its rate, at least
	refused  bool       // by the last confirmation
	strict   bool       // a confirmation has refused
	raise    raise

	read atomic.Int64 // runs
}

// FlakyError is the default of Flaky.Error.
const FlakyError = 0.01

const (
	leastRuns  = 20   // confirm a result
	missedBest = 1e-3 // probability to take back a good result
)

// Runs returns the number of runs, with those of earlier reductions.
func (f *Flaky) Runs() int { return int(f.read.Load()) }

// Held returns the runs of the last confirmed file, and its promised rate.
func (f *Flaky) Held() (runs rate.Count, promised float64) { return f.held, f.promised }

// Holds reports whether a file is the last confirmed one.
func (f *Flaky) Holds(spec oracle.Spec, file []byte) bool {
	return about(nil, spec, file).key == f.best
}

// Test returns the present test of candidates.
func (f *Flaky) Test() rate.Test { return f.now }

// measure measures the rates, again with more runs. It reports whether they differ.
func (f *Flaky) measure(ctx context.Context) (bool, error) {
	odds, err := rate.Measure(f.Odds, func(i, n int) (int, error) {
		var err error
		f.counts[i], err = f.extend(ctx, f.files[i], f.counts[i], n-f.counts[i].Runs)
		return f.counts[i].Yes, err
	})
	if err != nil {
		return false, err
	}
	if differ := odds.Differ(); differ || f.now == (rate.Test{}) {
		f.Odds = odds
	}
	f.begin()
	return f.Odds.Differ(), nil
}

func (f *Flaky) begin() {
	if f.now = f.Odds.Test(f.Error); f.strict {
		f.now = f.now.Strict(f.Error)
	}
	f.best, f.held, f.promised = f.files[0].key, f.Odds.With, f.now.Low
}

// A subject is a candidate whose runs have numbers in a series: 0 for its decision, and one for each confirmation.
type subject struct {
	executor oracle.Executor
	checked  oracle.Executor // after the first success; nil means executor
	spec     oracle.Spec
	file     []byte
	key      oracle.Key
	series   int
}

func about(e oracle.Executor, spec oracle.Spec, file []byte) subject {
	return subject{executor: e, spec: spec, file: file, key: oracle.KeyOf(
		fmt.Appendf(nil, "%q %s", slices.Concat(spec.Before, spec.Argv), file))}
}

// about returns a candidate, and checks its validity only until a run shows the failure.
func (c *Chain) about(spec oracle.Spec, file []byte) subject {
	s := about(c.confirmation.executor, spec, file)
	if c.stages != nil && c.stages.onlyCheck() {
		s.checked = &observed{c.Bare, &c.Timeout, &c.slippage}
	}
	return s
}

func (s *subject) runKey(i int) oracle.Key {
	return oracle.KeyOf(fmt.Appendf(nil, "run %d of series %d of %x", i, s.series, s.key))
}

// run returns run i. One that is not interesting, and shows an error of a compiler, is unresolved.
func (f *Flaky) run(ctx context.Context, s subject, i int) (oracle.Recollection, error) {
	key := s.runKey(i)
	f.read.Add(1)
	if r, known := f.runs.Recall(key); known {
		return r, f.see(r.Outcome)
	}
	if f.slots != nil {
		if err := f.slots.take(ctx); err != nil {
			return oracle.Recollection{}, err
		}
		defer f.slots.give()
	}
	s.spec.Afresh = true
	run, err := s.executor.Run(ctx, s.spec, s.file)
	if err != nil {
		return oracle.Recollection{}, err
	}
	r := oracle.Recollection{Outcome: run.Outcome, Reasons: run.Reasons}
	isError := func(reason string) bool { return !strings.HasPrefix(reason, oracle.Clue) }
	if run.Outcome == algo.Uninteresting && slices.ContainsFunc(run.Reasons, isError) {
		r.Outcome = algo.Unresolved
	}
	if i > 0 {
		r.Reasons = nil
	}
	f.runs.Learn(key, r.Outcome, run.Elapsed, r.Reasons...)
	return r, f.see(r.Outcome)
}

func (f *Flaky) see(o algo.Outcome) error {
	if o == algo.Interesting {
		return f.shown()
	}
	return nil
}

// extend makes n more runs after those of c.
func (f *Flaky) extend(ctx context.Context, s subject, c rate.Count, n int) (rate.Count, error) {
	shown, err := f.more(ctx, s, c, n)
	for _, yes := range shown {
		c.Add(yes)
	}
	return c, err
}

// more reports which of n more runs show the failure.
func (f *Flaky) more(ctx context.Context, s subject, c rate.Count, n int) ([]bool, error) {
	runs, shown := make([]oracle.Recollection, n), make([]bool, n)
	if c.Yes > 0 && s.checked != nil {
		s.executor = s.checked
	}
	err := f.together(n, func(i int) (err error) {
		runs[i], err = f.run(ctx, s, c.Runs+i)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, run := range runs {
		shown[i] = run.Outcome == algo.Interesting
		if run.Outcome == algo.Unresolved && s.key == f.files[0].key {
			f.unbuilt = true
		}
	}
	return shown, nil
}

// decide makes more runs after those of c until they decide.
func (f *Flaky) decide(ctx context.Context, s subject, test rate.Test, c rate.Count) (rate.Count, bool, error) {
	for {
		n := test.Least(c)
		if n == 0 {
			return c, test.Holds(c), nil
		}
		var err error
		if c, err = f.extend(ctx, s, c, n); err != nil {
			return c, false, err
		}
	}
}

func (f *Flaky) ask(ctx context.Context, s subject) (algo.Outcome, error) {
	if s.key == f.files[0].key {
		return algo.Interesting, nil
	}
	first, err := f.run(ctx, s, 0)
	if err != nil {
		return algo.Unresolved, err
	}
	shown, outcome := first.Outcome == algo.Interesting, f.failed
	var c rate.Count
	c.Add(shown)
	if f.unbuilt || first.Outcome != algo.Unresolved {
		var holds bool
		c, holds, err = f.decide(ctx, s, f.now, c)
		outcome = outcomeOf(holds)
	}
	f.raise.took(s, c.Runs)
	if shown == (outcome == algo.Interesting) {
		oracle.TellReasons(ctx, oracle.Run{Outcome: first.Outcome, Reasons: slices.Clone(first.Reasons)})
	}
	return outcome, err
}

func outcomeOf(holds bool) algo.Outcome {
	if holds {
		return algo.Interesting
	}
	return algo.Uninteresting
}

// confirm decides about the best file by new runs. A file with a higher rate raises the promised one: from then on, no
// candidate may lose half of it. After a refusal, more runs measure the rates of the input, which count again.
func (f *Flaky) confirm(ctx context.Context, s subject) (algo.Outcome, error) {
	if s.key == f.best {
		return algo.Interesting, nil
	}
	if s.key == f.files[0].key {
		f.begin()
		return algo.Interesting, nil
	}
	holds, err := f.holds(ctx, s)
	if err != nil {
		return algo.Unresolved, err
	}
	if !holds && f.refused {
		return algo.Uninteresting, nil
	}
	if f.refused = !holds; !holds {
		f.strict = true
		_, err := f.measure(ctx)
		return algo.Unresolved, err
	}
	return algo.Interesting, nil
}

// holds makes the next confirmation, of a file that becomes the best one if it holds.
func (f *Flaky) holds(ctx context.Context, s subject) (bool, error) {
	test := f.now
	test.Missed, test.Wrong = missedBest, f.Error*share(f.confirms+1)
	s.series = f.confirms + 1
	c, holds, err := f.decide(ctx, s, test, rate.Count{})
	if err == nil && holds && c.Runs < leastRuns {
		c, err = f.extend(ctx, s, c, leastRuns-c.Runs)
	}
	if err != nil {
		return false, err
	}
	f.confirms++
	if f.raise.used += c.Runs; holds {
		f.best, f.held, f.promised, f.now = s.key, c, test.Low, f.now.Raised(c)
	}
	return holds, nil
}

// share returns the part of an error that decision k of infinitely many may have.
func share(k int) float64 { return 6 / (math.Pi * math.Pi * float64(k*k)) }

// slots are jobs, given to the run that is most likely to be used.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting []*waiting
}

type waiting struct {
	ctx  context.Context
	turn chan struct{}
}

// take waits for a slot, which give returns.
func (s *slots) take(ctx context.Context) error {
	w := &waiting{ctx, make(chan struct{})}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	s.assign()
	s.mu.Unlock()
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, w); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	} else {
		s.free++
		s.assign()
	}
	return ctx.Err()
}

func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
	s.assign()
}

func (s *slots) assign() {
	for ; s.free > 0 && len(s.waiting) > 0; s.free-- {
		next := slices.MaxFunc(s.waiting, func(a, b *waiting) int {
			return cmp.Compare(search.Chance(a.ctx), search.Chance(b.ctx))
		})
		s.waiting = slices.DeleteFunc(s.waiting, func(w *waiting) bool { return w == next })
		close(next.turn)
	}
}
