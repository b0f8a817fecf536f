package chain

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"whittle/algo"
	"whittle/oracle"
)

// arms has a confirmed result of 30%, and a budget.
func arms(t *testing.T, c *coin, journal *facts, jobs, runs int, files ...string) (*Chain, []Arm) {
	ch := flakyChain(c, journal, jobs, "30%")
	ch.input.Flaky = true
	held := false
	for tries := 0; tries < 2 && asked(t, ch, "30%") == algo.Interesting; tries++ { // one in a thousand is missed
		held = held || confirmed(t, ch, files[0]) == algo.Interesting
	}
	if !held {
		t.Fatal("the result does not hold")
	}
	ch.tests = raiseShare * runs
	var all []Arm
	for _, f := range files {
		all = append(all, Arm{File: []byte(f)})
	}
	return ch, all
}

// A much better file wins, even among many others. Without one, luck does not suffice. The runs are within the budget,
// and the promised rate never becomes lower.
func TestRaise(t *testing.T) {
	equal := []string{"30% "}
	for i := range 30 {
		equal = append(equal, fmt.Sprintf("30%%%d", i))
	}
	found, lucky := 0, 0
	for seed := range uint64(200) {
		for _, files := range [][]string{append([]string{"30% ", "90%"}, equal...), append(equal, "10%", "0%!")} {
			c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
			ch, all := arms(t, c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, 1000, files...)
			before, promised := c.runs, ch.flaky.promised
			won, err := ch.Raise(t.Context(), all)
			counted := ch.flaky.raise.used + ch.Odds().With.Runs + ch.Odds().Without.Runs
			if err != nil || c.runs-before > 1000+counted/raiseShare {
				t.Fatalf("%d runs, %v", c.runs-before, err)
			}
			if ch.flaky.promised < promised || won >= 0 && !ch.flaky.Holds(oracle.Spec{}, all[won].File) {
				t.Errorf("seed %d: promised %v, then %v", seed, promised, ch.flaky.promised)
			}
			switch {
			case won >= 0 && files[won] == "90%":
				found++
				if again, err := ch.Raise(t.Context(), all[1:]); again >= 0 || err != nil {
					t.Errorf("seed %d: %v is better than 90%%, %v", seed, files[1:][again], err)
				}
			case won >= 0:
				lucky++
			}
		}
	}
	if found < 190 || lucky > 4 {
		t.Errorf("%d of 200 are found, %d lucky ones win", found, lucky)
	}
}

// A file that shows the failure each time needs no raise, and a small budget does not suffice.
func TestRaiseNothing(t *testing.T) {
	for file, budget := range map[string]int{"100%": 1000, "30% ": 10} {
		c := &coin{random: rand.New(rand.NewPCG(1, 1))}
		ch, all := arms(t, c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, budget-10, file, "90%")
		before := c.runs
		if won, err := ch.Raise(t.Context(), all); won >= 0 || err != nil || c.runs != before || ch.flaky.Raised() != "" {
			t.Errorf("%s: %d wins after %d runs, %v", file, won, c.runs-before, err)
		}
	}
}

// A setting that raises the rate of the result is kept.
func TestRaiseSetting(t *testing.T) {
	found := 0
	for seed := range uint64(50) {
		c := &coin{random: rand.New(rand.NewPCG(seed, 1)), stressed: 90}
		ch, all := arms(t, c, &facts{all: map[oracle.Key]oracle.Recollection{}}, 1, 600, "30% ", "30%a", "30%b")
		ch.input.Settings = [][]string{{"/nice"}}
		won, err := ch.Raise(t.Context(), all)
		if p := ch.Provoked(); err != nil || won > 0 || won == 0 && (p.Before[0] != "/nice" || p.With.Rate() < p.Plain.Rate()) {
			t.Errorf("seed %d: %d, %+v, %v", seed, won, p, err)
		}
		found += 1 + won
	}
	if found < 45 {
		t.Errorf("found in %d of 50", found)
	}
}

// A journal gives the same winner for any number of jobs, and an interruption loses no run.
func TestRaiseReplay(t *testing.T) {
	files := []string{"30% ", "30%a", "30%b", "80%", "30%c", "30%d"}
	raised := func(ctx context.Context, c *coin, journal *facts, jobs int) (int, error) {
		ch, all := arms(t, c, journal, jobs, 400, files...)
		return ch.Raise(ctx, all)
	}
	for seed := range uint64(20) {
		journal := &facts{all: map[oracle.Key]oracle.Recollection{}}
		c := &coin{random: rand.New(rand.NewPCG(seed, 1))}
		want, err := raised(t.Context(), c, journal, 1)
		if err != nil || want != 3 {
			t.Errorf("seed %d: %d, %v", seed, want, err)
		}
		replay := &coin{random: rand.New(rand.NewPCG(seed, 2))}
		if got, err := raised(t.Context(), replay, journal, 8); got != want || err != nil || replay.runs > 0 {
			t.Errorf("seed %d: %d after %d runs, %v; want %d", seed, got, replay.runs, err, want)
		}
		ctx, cancel := context.WithCancel(t.Context())
		journal = &facts{all: map[oracle.Key]oracle.Recollection{}}
		part := &coin{random: rand.New(rand.NewPCG(seed, 1)), left: c.runs / 2, cancel: cancel}
		if won, err := raised(ctx, part, journal, 1); won >= 0 || err == nil {
			t.Errorf("seed %d: %d, %v after an interruption", seed, won, err)
		}
		kept, rest := len(journal.all), &coin{random: part.random}
		got, err := raised(t.Context(), rest, journal, 1)
		if got != want || err != nil || kept != part.runs || len(journal.all) != kept+rest.runs {
			t.Errorf("seed %d: %d, %v, after %d runs and %d facts, %d runs and %d facts",
				seed, got, err, part.runs, kept, rest.runs, len(journal.all))
		}
	}
}
