package diagnose

import (
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/rate"
	"whittle/internal/shell"
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
	return fmt.Sprintf("shows the failure in %s%s; %s; the rate is below %.2g%% with a probability of at most %g",
		held.Measured(), f.Raised(), end, 100*promised, f.Error)
}

// Steady recommends the beginning of a command line that makes the test show the failure of the input each time.
func (t *Test) Steady(ctx context.Context, o rate.Odds, recommend func(text string)) error {
	if t.Fixed != nil || o.With.Yes == 0 {
		return nil
	}
	runs := firstSteady
	if p := o.With.Rate(); p < 1 {
		runs = min(max(runs, int(math.Ceil(math.Log(0.001)/math.Log(p)))), mostSteady)
	}
	try := func(command string, change change) (held int, err error) {
		for held < runs {
			if yes, err := t.says(ctx, t.Input, change); !yes || err != nil {
				return held, err
			}
			held++
		}
		recommend(fmt.Sprintf("begin the command line with %s: then each of %d runs showed it, and a candidate needs one run",
			command, runs))
		return held, nil
	}
	for before := range found(calm) {
		if held, err := try(shown(before), func(w *world) { w.Before = before }); held == runs || err != nil {
			return err
		}
	}
	const variable = "PYTHONHASHSEED="
	for seed, lucky := 0, 0; seed < mostSeeds && lucky < mostLucky; seed++ {
		set := variable + strconv.Itoa(seed)
		held, err := try(set, func(w *world) { w.Env = append(os.Environ(), set) })
		if held == runs || err != nil {
			return err
		}
		lucky += min(held, 1)
	}
	return nil
}

// calm and stress are programs that may change how often a failure shows. A loaded one shares processors with loops.
var (
	calm   = [][]string{{"setarch", "-R"}, {"taskset", "-c", "0"}}
	stress = [][]string{
		{"taskset", "-c", "0", "sh", "-c", fmt.Sprintf(loaded, "1"), "sh"},
		{"sh", "-c", fmt.Sprintf(loaded, "$(nproc)"), "sh"},
		{"env", "PYTHONHASHSEED=0"}, {"env", "PYTHONHASHSEED=1"},
		{"env", "PYTHONHASHSEED=2"}, {"env", "PYTHONHASHSEED=3"},
		{"env", "MALLOC_PERTURB_=165"}, {"env", "GODEBUG=asyncpreemptoff=1"}, {"env", "GODEBUG=randautoseed=0"},
		{"env", "RUSTC_BOOTSTRAP=1", "RUSTFLAGS=-Zrandomize-layout"},
	}
)

const loaded = `for i in $(seq %s); do while :; do :; done & p="$p $!"; done; "$@"; s=$?; kill $p; exit $s`

// found yields the commands that this machine has, with absolute paths.
func found(commands [][]string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, c := range commands {
			path, err := exec.LookPath(c[0])
			if err == nil && !yield(append([]string{path}, c[1:]...)) {
				return
			}
		}
	}
}

func shown(command []string) string {
	return strings.TrimPrefix(shell.Join(command), filepath.Dir(command[0])+"/")
}

// Settings returns the settings of [chain.Input] with --stress.
func Settings(stressed bool) [][]string {
	if !stressed {
		return nil
	}
	return slices.Collect(found(slices.Concat(calm, stress)))
}

// Provoked describes a setting that raises the rate of a flaky test.
func Provoked(p chain.Provoked) string {
	return fmt.Sprintf("%s raises the rate from %v to %v: all tests begin with it", shown(p.Before), p.Plain, p.With)
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
			c.Add(run.Outcome == algo.Interesting)
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
	advice := Plan(o.Test(t.FlakyError), o)
	err = t.Steady(ctx, o, func(text string) { advice = text })
	tell(Finding{Note, text, advice})
	return true, err
}

// unsteady finds that --repeat refuses the input of a flaky test.
func (t *Test) unsteady(ctx context.Context) (*Cause, error) {
	runs, err := inParallel(commandRuns, t.Jobs, func(int) (oracle.Run, error) { return t.run(ctx, t.Input, nil) })
	var o rate.Odds
	for _, run := range runs {
		o.With.Add(run.Outcome == algo.Interesting)
	}
	if err != nil || o.With.Yes == 0 {
		return nil, err
	}
	return &Cause{fmt.Sprintf("it is flaky: %s %s", t.ShownFile, Rates(o)),
		"leave --repeat out: then the rate of each candidate is measured"}, nil
}

// sometimes identifies the failure of a command that does not fail each time: by the strongest signature that most
// failing runs have, and no other file. A test may end with exit code 0 only on the input, and not each time. The hang
// is one that was seen.
func (t *Test) sometimes(
	ctx context.Context, version []byte, hang chain.Hang, others []oracle.Run, isTest bool,
) (f Failure, found bool, err error) {
	runs, err := inParallel(commandRuns, t.Jobs, func(int) (oracle.Run, error) { return t.look(ctx, version, hang) })
	if err != nil {
		return f, false, err
	}
	failing := slices.DeleteFunc(slices.Clone(runs), passes)
	if passed := slices.IndexFunc(runs, passes); isTest && passed >= 0 {
		f = Failure{Run: runs[passed], Shows: rate.Count{Yes: len(runs) - len(failing), Runs: len(runs)}}
		if t.isScript() {
			return f, true, nil
		}
	}
	for i, run := range failing {
		for _, s := range t.signatures(run) {
			holds := func(r oracle.Run) bool { return r.TimedOut == s.Criteria.Timeout && s.Criteria.Hold(r) }
			same := len(slices.DeleteFunc(slices.Clone(failing), func(r oracle.Run) bool { return !holds(r) }))
			if 2*same < len(failing) || slices.ContainsFunc(others, holds) {
				continue
			}
			f = Failure{Signature: s, Run: run, Shows: rate.Count{Yes: same, Runs: len(runs)}}
			if run.TimedOut {
				f.Hang = hang.Or(chain.HangOf(run, append(others, slices.DeleteFunc(runs, holds)...), t.Spec.Timeout))
			}
			again := slices.IndexFunc(failing[i+1:], holds)
			t.addCallers(&f, failing[i+1+again])
			return f, true, nil
		}
	}
	return f, f.Shows.Runs > 0, nil
}

const commandRuns = 20

// quick is the longest duration of a passing command that runs more often, since it may fail only sometimes.
const quick = 2 * time.Second

// passed identifies the failure of a command that passed at first, if another of some runs fails.
func (t *Test) passed(ctx context.Context, first, again oracle.Run, others []oracle.Run, summary string,
) (f Failure, err error) {
	tries := []oracle.Run{again}
	if passes(again) && first.Elapsed < quick {
		tries, err = inParallel(runs, t.Jobs, func(int) (oracle.Run, error) { return t.look(ctx, t.Input, chain.Hang{}) })
		if err != nil {
			return f, err
		}
	}
	failed := slices.IndexFunc(tries, func(r oracle.Run) bool { return !passes(r) })
	if failed < 0 {
		return f, &UnknownError{first, fmt.Sprintf("%s passes on %s (%s) in each of %d runs: nothing fails",
			t.Shown, t.ShownFile, summary, 1+len(tries)), "make a test fail; if one fails only sometimes, say how with " +
			"--interesting-exit, and add --stress; if a line of a test that passes is the failure, use --interesting-output",
			true}
	}
	f, found, err := t.sometimes(ctx, t.Input, chain.Hang{}, others, false)
	if found || err != nil {
		return f, err
	}
	return f, t.unknown(first, tries[failed], others, true, nil)
}
