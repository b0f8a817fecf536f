package diagnose

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/rate"
	"whittle/oracle"
)

// Rates describes the rates of a flaky test. It continues a sentence about the input.
func Rates(o rate.Odds) string {
	if o.Without.Runs == 0 {
		return fmt.Sprintf("shows the failure in %v", o.With)
	}
	return fmt.Sprintf("shows the failure in %v; %v without the code", o.With, o.Without)
}

// Plan describes how a reduction decides.
func Plan(test rate.Test, o rate.Odds) string {
	return fmt.Sprintf("each candidate runs until it is clear whether its rate stays above %.0f%%: about %.0f times with "+
		"the failure, and %.0f times without", 100*test.Low, test.Expected(o.With.Rate()), test.Expected(o.Without.Rate()))
}

// Same says why the rates do not suffice.
func Same(o rate.Odds) string {
	if n := o.Needed(); n > 0 {
		return fmt.Sprintf("these rates cannot be told apart; that would need about %d runs of each file", n)
	}
	return "these rates cannot be told apart by any number of runs"
}

// Held describes the rate of a result. It continues a sentence about that.
func Held(f *chain.Flaky, input string, confirmed bool) string {
	held, promised := f.Held()
	end := fmt.Sprintf("%s did in %v; %s runs in all", input, f.Odds.With, humanize.Comma(int64(f.Runs())))
	if !confirmed {
		return "shows the failure, but there was no time to measure how often; " + end
	}
	return fmt.Sprintf("shows the failure in %v (95%% interval %s); %s; the rate is below %.2g%% with a probability of "+
		"at most %g", held, held.Percent(), end, 100*promised, f.Error)
}

// Steady returns the beginning of a command line that makes the test show the failure of the input each time, and the
// number of runs that said so. The command is "" if none was found.
func (t *Test) Steady(ctx context.Context, o rate.Odds) (command string, runs int, err error) {
	if t.Fixed != nil || o.With.Yes == 0 {
		return "", 0, nil
	}
	runs = firstSteady
	if p := o.With.Rate(); p < 1 {
		runs = min(max(runs, int(math.Ceil(math.Log(0.001)/math.Log(p)))), mostSteady)
	}
	try := func(change change) (held int, err error) {
		for held < runs {
			if yes, err := t.says(ctx, t.Input, change); !yes || err != nil {
				return held, err
			}
			held++
		}
		return held, nil
	}
	for _, prefix := range [][]string{{"setarch", "-R"}, {"taskset", "-c", "0"}} {
		path, err := exec.LookPath(prefix[0])
		if err != nil {
			continue
		}
		if held, err := try(func(w *world) {
			w.Home = t.home()
			w.Argv = slices.Concat([]string{path}, prefix[1:], w.Argv)
		}); held == runs || err != nil {
			return strings.Join(prefix, " "), runs, err
		}
	}
	const variable = "PYTHONHASHSEED="
	for seed, lucky := 0, 0; seed < mostSeeds && lucky < mostLucky; seed++ {
		held, err := try(func(w *world) { w.Env = append(os.Environ(), variable+strconv.Itoa(seed)) })
		if held == runs || err != nil {
			return variable + strconv.Itoa(seed), runs, err
		}
		lucky += min(held, 1)
	}
	return "", 0, nil
}

// Limits of Steady. A lucky seed shows the failure once and is not steady; more of them are no use.
const (
	firstSteady, mostSteady = 10, 100
	mostSeeds, mostLucky    = 20, 3
)

// measure measures the rates, after some runs of the input.
func (t *Test) measure(ctx context.Context, jobs int, seen rate.Count) (rate.Odds, error) {
	probes := t.Probes()
	files := [3][]byte{t.Input, probes[0], probes[1]}
	counts := [3]rate.Count{seen}
	return rate.Measure(rate.Odds{}, func(i, n int) (int, error) {
		c := &counts[i]
		runs, err := inParallel(n-c.Runs, jobs, func(int) (oracle.Run, error) { return t.run(ctx, files[i], nil) })
		for _, run := range runs {
			if c.Runs++; run.Outcome == algo.Interesting {
				c.Yes++
			}
		}
		return c.Yes, err
	})
}

// checkRates measures a flaky test. It reports whether the failure shows, and not each time.
func (t *Test) checkRates(ctx context.Context, jobs int, seen rate.Count, tell func(Finding)) (flaky bool, err error) {
	o, err := t.measure(ctx, jobs, seen)
	if err != nil || o.With.Yes == 0 || o.Steady() {
		return false, err
	}
	text := fmt.Sprintf("it is flaky: %s %s", t.ShownFile, Rates(o))
	if !o.Differ() {
		tell(Finding{Bad, text + "; " + Same(o), steady})
		return true, nil
	}
	command, n, err := t.Steady(ctx, o)
	advice := Plan(o.Test(t.FlakyError), o)
	if command != "" {
		advice = Steadily(command, n)
	}
	tell(Finding{Note, text, advice})
	return true, err
}

// unsteady finds that --repeat refuses the input of a flaky test.
func (t *Test) unsteady(ctx context.Context) (*Cause, error) {
	runs, err := inParallel(commandRuns, t.Jobs, func(int) (oracle.Run, error) { return t.run(ctx, t.Input, nil) })
	o := rate.Odds{With: rate.Count{Runs: len(runs)}}
	for _, run := range runs {
		if run.Outcome == algo.Interesting {
			o.With.Yes++
		}
	}
	if err != nil || o.With.Yes == 0 {
		return nil, err
	}
	return &Cause{fmt.Sprintf("it is flaky: %s %s", t.ShownFile, Rates(o)),
		"leave --repeat out: then the rate of each candidate is measured"}, nil
}

// Steadily recommends the result of Steady.
func Steadily(command string, n int) string {
	return fmt.Sprintf("begin the command line with %s: then each of %d runs showed it, and a candidate needs one run",
		command, n)
}

// sometimes identifies the failure of a command that does not fail each time: by the strongest signature that most
// failing runs have.
func (t *Test) sometimes(ctx context.Context, others []oracle.Run) (f Failure, found bool, err error) {
	runs, err := inParallel(commandRuns, t.Jobs, func(int) (oracle.Run, error) { return t.look(ctx, t.Input, 0) })
	if err != nil {
		return f, false, err
	}
	failing := slices.DeleteFunc(slices.Clone(runs), passes)
	for i, run := range failing {
		for _, s := range failure.OwnFrames(failure.All(run), run, t.isOwn()) {
			holds := func(r oracle.Run) bool { return !r.TimedOut && s.Criteria.Hold(r) }
			same := len(slices.DeleteFunc(slices.Clone(failing), func(r oracle.Run) bool { return !holds(r) }))
			if 2*same < len(failing) || slices.ContainsFunc(others, holds) {
				continue
			}
			f = Failure{Signature: s, Run: run, Flaky: true}
			again := slices.IndexFunc(failing[i+1:], holds)
			t.addCallers(&f, failing[i+1+again])
			return f, true, nil
		}
	}
	return f, false, nil
}

const commandRuns = 20
