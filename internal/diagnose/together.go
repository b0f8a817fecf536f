package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// checkTogether tests inputs and empty files at once. It repeats wrong answers one by one, since
// the test may be flaky.
func (t *Test) checkTogether(ctx context.Context, jobs int, times []time.Duration, tell func(Finding)) error {
	typical := times[len(times)/2]
	n := together(jobs, typical)
	turns, err := t.takeTurns(ctx, n, jobs)
	if err != nil {
		return err
	}
	alone := turns
	if turns.wrong > 0 && jobs > 1 {
		if alone, err = t.takeTurns(ctx, n, 1); err != nil {
			return err
		}
	}
	switch {
	case alone.wrong > 0:
		tell(bad(&Cause{fmt.Sprintf("it is flaky: of %d runs on two files %d gave another answer than before",
			n, alone.wrong), steady}))
		return nil
	case turns.wrong > 0:
		tell(Finding{Bad, fmt.Sprintf("it gives other answers when %d run at once (%d of %d)", jobs, turns.wrong, n),
			"make it share nothing with other runs, such as a file in /tmp or a port: put files into the current directory " +
				`or "$TMPDIR". Or use -j 1`})
		return nil
	case turns.late > 0:
		tell(Finding{Bad, fmt.Sprintf("when %d run at once, %d of %d take longer than the time limit", jobs, turns.late, n),
			"raise the limit with --timeout, or use a smaller -j"})
		return nil
	case jobs > 1:
		tell(Finding{Good, fmt.Sprintf("%d at once give the same answers", jobs), ""})
	}
	tell(pace(n, turns.elapsed, typical))
	return nil
}

// together returns how many tests show disturbance: two for each job, or as many quick ones as
// take a second, at most 32.
func together(jobs int, each time.Duration) int {
	quick := int(time.Second/max(each, time.Millisecond)) * jobs
	return max(2*jobs, min(quick, 32))
}

type turns struct {
	wrong, late int
	elapsed     time.Duration
}

func (t *Test) takeTurns(ctx context.Context, n, jobs int) (turns, error) {
	began := time.Now()
	runs, err := inParallel(n, jobs, func(i int) (oracle.Run, error) {
		if i%2 == 1 {
			return t.run(ctx, t.with(nil))
		}
		return t.run(ctx, t.Input)
	})
	r := turns{elapsed: time.Since(began)}
	for i, run := range runs {
		switch yes := run.Outcome == algo.Interesting; {
		case yes == (i%2 == 0):
		case run.TimedOut:
			r.late++
		default:
			r.wrong++
		}
	}
	return r, err
}

func inParallel(n, jobs int, run func(i int) (oracle.Run, error)) ([]oracle.Run, error) {
	runs, errs := make([]oracle.Run, n), make([]error, n)
	free := make(chan struct{}, jobs)
	var all sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		all.Go(func() {
			runs[i], errs[i] = run(i)
			<-free
		})
	}
	all.Wait()
	return runs, cmp.Or(errs...)
}

func pace(n int, elapsed, typical time.Duration) Finding {
	rate := float64(n) / elapsed.Seconds()
	f := Finding{Good, fmt.Sprintf("about %.2g tests a second, so 1,000 tests take about %s",
		rate, short(time.Duration(1000/rate*float64(time.Second)))), ""}
	if rate > 99 {
		f.Text = fmt.Sprintf("about %.0f tests a second", rate)
	}
	if typical > 2*time.Second {
		f.Grade, f.Advice = Note, "a faster test makes a faster reduction: do the quickest checks first"
	}
	return f
}
