package chain

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"whittle/algo"
	"whittle/internal/search"
	"whittle/oracle"
)

// facts is a journal in memory.
type facts struct {
	mu  sync.Mutex
	all map[oracle.Key]oracle.Recollection
}

func (f *facts) Recall(k oracle.Key) (oracle.Recollection, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, known := f.all[k]
	return r, known
}

func (f *facts) Learn(k oracle.Key, o algo.Outcome, _ time.Duration, reasons ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all[k] = oracle.Recollection{Outcome: o, Reasons: reasons}
}

func (f *facts) Doubt() { panic("runs are not doubted") }

// A coin finds files interesting at a rate: the number before % in them, else the background. Files with ! do not
// compile, or with !? only sometimes.
type coin struct {
	background int // percent
	stressed   int // percent with a setting; 0 means as without
	mu         sync.Mutex
	random     *rand.Rand
	runs       int
	left       int // then it cancels; 0 means never
	cancel     context.CancelFunc
}

func (c *coin) Run(ctx context.Context, spec oracle.Spec, file []byte) (oracle.Run, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return oracle.Run{}, err
	}
	if c.runs++; c.runs == c.left {
		c.cancel()
	}
	percent := 0
	for _, b := range file {
		if b == '%' {
			break
		}
		percent = 10*percent + int(b-'0')
	}
	if bytes.ContainsRune(file, '!') && (!bytes.ContainsRune(file, '?') || c.random.IntN(2) == 0) {
		return oracle.Run{Outcome: algo.Uninteresting, Reasons: []string{"a.c:1 x"}}, nil
	}
	if !bytes.ContainsRune(file, '%') {
		percent = c.background
	}
	if spec.Before != nil && c.stressed > 0 {
		percent = c.stressed
	}
	if c.random.IntN(100) >= percent {
		return oracle.Run{Outcome: algo.Uninteresting}, nil
	}
	return oracle.Run{Outcome: algo.Interesting}, nil
}

func flakyChain(c *coin, journal *facts, jobs int, input string) *Chain {
	ch := Build(Config{Executor: c, Programs: c, Jobs: jobs, AtOnce: jobs})
	ch.Expect(Input{File: []byte(input), Probes: [2][]byte{{}, []byte("9")}, Runs: journal, Error: FlakyError})
	return ch
}

func asked(t *testing.T, c *Chain, file string) algo.Outcome {
	outcome, err := c.Ask(t.Context(), oracle.Spec{}, []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func confirmed(t *testing.T, c *Chain, file string) algo.Outcome {
	outcome, err := c.Again(t.Context(), oracle.Spec{}, []byte(file), 3)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// A stable test runs once for each question, and three times for the result.
func TestFlakyStable(t *testing.T) {
	c, journal := &coin{random: rand.New(rand.NewPCG(1, 1))}, &facts{all: map[oracle.Key]oracle.Recollection{}}
	ch := flakyChain(c, journal, 2, "100%")
	if asked(t, ch, "100%") != algo.Interesting || asked(t, ch, "0%") != algo.Uninteresting ||
		confirmed(t, ch, "100% ") != algo.Interesting {
		t.Error("wrong answers")
	}
	if c.runs != 5 || len(journal.all) != 0 || ch.Flaky() != nil {
		t.Errorf("%d runs, %d facts", c.runs, len(journal.all))
	}
}

// An input that shows the failure in nine of ten runs is never refused, and one that never shows it always.
func TestFlakyFirst(t *testing.T) {
	sequential := 0
	for seed := range uint64(300) {
		c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
		ch := flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, "90%")
		if asked(t, ch, "90%") != algo.Interesting {
			t.Fatalf("seed %d: refused after %v", seed, ch.Odds())
		}
		if ch.Flaky() != nil {
			sequential++
		}
	}
	if sequential < 10 || sequential > 60 {
		t.Errorf("%d of 300 inputs were not interesting at once", sequential)
	}
	c := &coin{random: rand.New(rand.NewPCG(1, 1))}
	if ch := flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, "0%"); asked(t, ch, "0%") != algo.Uninteresting {
		t.Error("an input without the failure is interesting")
	}
}

// A background of 2% is never a result in 100 reductions: a candidate with this rate is not confirmed. An input with
// this rate is refused, since the rates cannot be told apart.
func TestFlakyBackground(t *testing.T) {
	accepted := 0
	for seed := range uint64(100) {
		c := &coin{random: rand.New(rand.NewPCG(seed, 1)), background: 2}
		ch := flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, "20%")
		ch.input.Flaky = true
		if asked(t, ch, "20%") != algo.Interesting || ch.Flaky() == nil {
			t.Errorf("seed %d: refused after %v", seed, ch.Odds())
			continue
		}
		if asked(t, ch, "2% ") == algo.Interesting {
			accepted++
		}
		if confirmed(t, ch, "2% ") == algo.Interesting {
			t.Errorf("seed %d: the background is confirmed", seed)
		}
		if confirmed(t, ch, "20% ") != algo.Interesting {
			t.Errorf("seed %d: the failure is not confirmed", seed)
		}
	}
	if accepted > 1 {
		t.Errorf("%d of 100 candidates with the rate of the background are accepted", accepted)
	}
	for seed := range uint64(5) {
		c := &coin{random: rand.New(rand.NewPCG(seed, 1)), background: 2}
		ch := flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, "2%")
		ch.input.Flaky = true
		if asked(t, ch, "2%") == algo.Interesting || ch.Flaky() != nil {
			t.Errorf("seed %d: an input with the rate of the background is interesting after %v", seed, ch.Odds())
		}
	}
}

// A journal gives the same decisions for any number of jobs, and an interruption loses no run.
func TestFlakyReplay(t *testing.T) {
	files := []string{"50%", "50%a", "0%", "50%b", "2%", "2%b", "100%", "50%c", "30%"}
	known := func(c *coin, journal *facts, jobs int) *Chain {
		ch := flakyChain(c, journal, jobs, "50%")
		ch.input.Flaky = true
		return ch
	}
	decide := func(ch *Chain) (all []algo.Outcome) {
		for _, f := range files {
			all = append(all, asked(t, ch, f))
		}
		return append(all, confirmed(t, ch, "50%c"), confirmed(t, ch, "2%"), confirmed(t, ch, "100%"), asked(t, ch, "51%"))
	}
	for seed := range uint64(20) {
		journal := &facts{all: map[oracle.Key]oracle.Recollection{}}
		c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
		want := decide(known(c, journal, 1))
		if slices.Contains(want[:2], algo.Uninteresting) || want[2] != algo.Uninteresting || want[6] != algo.Interesting {
			t.Errorf("seed %d: %v", seed, want)
		}
		replay := &coin{random: rand.New(rand.NewPCG(seed, 2))}
		if got := decide(known(replay, journal, 8)); !slices.Equal(got, want) || replay.runs != 0 {
			t.Errorf("seed %d: %v after %d more runs, want %v", seed, got, replay.runs, want)
		}
		resumed := &facts{all: map[oracle.Key]oracle.Recollection{}}
		ctx, cancel := context.WithCancel(t.Context())
		part := &coin{random: rand.New(rand.NewPCG(seed, 1)), left: c.runs / 3, cancel: cancel}
		ch := known(part, resumed, 1)
		for _, f := range files {
			ch.Ask(ctx, oracle.Spec{}, []byte(f))
		}
		rest := &coin{random: part.random}
		if got := decide(known(rest, resumed, 1)); !slices.Equal(got, want) || part.runs+rest.runs != c.runs {
			t.Errorf("seed %d: %v after %d and %d runs, want %v after %d", seed, got, part.runs, rest.runs, want, c.runs)
		}
	}
}

// A contradiction measures the rates once. A result that holds raises the rate that is required.
func TestFlakyContradiction(t *testing.T) {
	for seed := range uint64(40) {
		journal := &facts{all: map[oracle.Key]oracle.Recollection{}}
		c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
		ch := flakyChain(c, journal, 1, "20%")
		if asked(t, ch, "100%") != algo.Interesting || ch.Flaky() != nil {
			t.Fatal("a stable candidate is refused")
		}
		if outcome := confirmed(t, ch, "40%"); outcome == algo.Interesting && ch.Flaky() == nil {
			continue // three lucky runs
		} else if outcome != algo.Unresolved || ch.Flaky() == nil {
			t.Fatalf("seed %d: %v", seed, outcome)
		}
		replay := &coin{random: c.random}
		if confirmed(t, flakyChain(replay, journal, 1, "20%"), "40%") != algo.Unresolved || replay.runs > 0 {
			t.Errorf("seed %d: the contradiction is not a fact", seed)
		}
		before := ch.Flaky().Test()
		if confirmed(t, ch, "100%") != algo.Interesting {
			t.Errorf("seed %d: a stable result is refused", seed)
		}
		held, promised := ch.Flaky().Held()
		after := ch.Flaky().Test()
		if held.Yes != 20 || held.Runs != 20 || promised != before.Low || after.Low < 0.35 || after.With != held {
			t.Errorf("seed %d: held %v, promised %v, then %+v", seed, held, promised, after)
		}
		for confirmed(t, ch, "2%") == algo.Interesting {
			t.Errorf("seed %d: the background is confirmed", seed)
		}
		after = ch.Flaky().Test()
		if low, _ := after.With.Interval(); low > 0.3 || after.Wrong != ch.Flaky().Error/100 {
			t.Errorf("seed %d: after a refusal the rate is still %+v", seed, after)
		}
	}
}

// A candidate that does not compile needs one run, unless the input does not always compile. The errors are told.
func TestFlakyUnbuilt(t *testing.T) {
	for seed := range uint64(20) {
		c, journal := &coin{random: rand.New(rand.NewPCG(seed, 1))}, &facts{all: map[oracle.Key]oracle.Recollection{}}
		ch := flakyChain(c, journal, 2, "50%")
		ch.input.Flaky = true
		asked(t, ch, "50%")
		runs := c.runs
		for range 2 {
			var reasons []string
			outcome, err := ch.Ask(oracle.WithReasons(t.Context(), &reasons), oracle.Spec{}, []byte("50%!"))
			if outcome != algo.Uninteresting || err != nil || !slices.Equal(reasons, []string{"a.c:1 x"}) {
				t.Errorf("%v, %v, %v", outcome, err, reasons)
			}
		}
		if c.runs != runs+1 {
			t.Errorf("%d runs", c.runs-runs)
		}
		if ch = flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 2, "100%!?"); asked(t, ch, "100%!?") !=
			algo.Interesting || ch.Flaky() != nil && asked(t, ch, "100%!? ") != algo.Interesting {
			t.Errorf("seed %d: an input that does not always compile is refused", seed)
		}
	}
}

// Validity is checked until the failure shows.
func TestFlakyChecked(t *testing.T) {
	c, checks := &coin{random: rand.New(rand.NewPCG(1, 1))}, 0
	ch := Build(Config{Executor: c, Programs: executor(func() (oracle.Run, error) {
		checks++
		return oracle.Run{Outcome: algo.Interesting}, nil
	}), Jobs: 1})
	ch.SetStages([]Stage{{Name: "cc", Argv: []string{"/cc"}, Interesting: oracle.Criteria{ExitCodes: []int{0}}}}, false)
	ch.Expect(Input{File: []byte("50%"), Probes: [2][]byte{{}, []byte("9")}, Error: FlakyError, Flaky: true,
		Runs: &facts{all: map[oracle.Key]oracle.Recollection{}}})
	asked(t, ch, "50%")
	if before := checks; asked(t, ch, "50% ") != algo.Interesting || ch.Flaky() == nil || checks > before+12 {
		t.Errorf("%d checks of a candidate", checks-before)
	}
}

// If only other files differ from run to run, or with Repeat, tests must agree as before.
func TestFlakyOthers(t *testing.T) {
	for seed := range uint64(20) {
		c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
		ch := flakyChain(c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, "100%")
		outcome := confirmed(t, ch, "30%")
		if ch.Flaky() != nil || outcome != algo.Interesting && ch.Confirmations() < 3 {
			t.Errorf("seed %d: %v, %d confirmations", seed, outcome, ch.Confirmations())
		}
	}
	c := &coin{random: rand.New(rand.NewPCG(1, 1))}
	ch := Build(Config{Executor: c, Programs: c, Jobs: 1, Repeat: 5})
	ch.Expect(Input{File: []byte("50%"), Runs: &facts{all: map[oracle.Key]oracle.Recollection{}}, Error: FlakyError})
	if outcome := asked(t, ch, "50%"); outcome == algo.Interesting || ch.Flaky() != nil || c.runs > 5 {
		t.Errorf("with Repeat: %v after %d runs", outcome, c.runs)
	}
}

// Free jobs go to the run that is most likely to be used. A run that stops waiting takes no job.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slots{free: 1}
		if s.take(t.Context()) != nil {
			t.Fatal("the first slot is not free")
		}
		var order []float64
		ctx, cancel := context.WithCancel(search.WithChance(t.Context(), 1))
		var all sync.WaitGroup
		all.Go(func() {
			if s.take(ctx) == nil {
				t.Error("a cancelled run has a slot")
			}
		})
		for _, chance := range []float64{0.2, 0.9, 0.5} {
			all.Go(func() {
				if err := s.take(search.WithChance(t.Context(), chance)); err != nil {
					t.Error(err)
				}
				order = append(order, chance)
				s.give()
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		s.give()
		all.Wait()
		if !slices.Equal(order, []float64{0.9, 0.5, 0.2}) || s.free != 1 {
			t.Errorf("order %v, %d free", order, s.free)
		}
	})
}
