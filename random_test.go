package whittle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/testkit/cases"
	"whittle/internal/testkit/samples"
	"whittle/parse"
)

// reductions is the number for each language in 'go test'.
const reductions = 12

// WHITTLE_SOAK=10m runs for ten minutes with new seeds, WHITTLE_SEED=7 runs one seed.
func TestRandomReductions(t *testing.T) {
	first, last, end := uint64(1), uint64(reductions), time.Time{}
	if s := os.Getenv("WHITTLE_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		first, last = seed, seed
	} else if s := os.Getenv("WHITTLE_SOAK"); s != "" {
		long, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		first, end = rand.Uint64N(1<<40), time.Now().Add(long)
		last = first + 1<<40
		t.Log("the first seed is", first)
	} else if testing.Short() {
		for i := range cases.Of(t, reductions, reductions) { // one seed a day
			first, last = uint64(i)+1, uint64(i)+1
		}
	}
	for seed := first; seed <= last && (end.IsZero() || time.Now().Before(end)); seed++ {
		for _, l := range grammars.All() {
			t.Run(fmt.Sprintf("%s/%d", l.Name, seed), func(t *testing.T) { drawReduction(t, l, seed).check(t) })
		}
	}
}

// The steps of these once depended on the number of jobs.
func TestFailedReductions(t *testing.T) {
	l, _ := grammars.Find("csv")
	for _, seed := range []uint64{278334588208} {
		drawReduction(t, l, seed).check(t)
	}
}

type randomReduction struct {
	whittle.Options
	needles [][]byte
	weight  int // of the input
}

func drawReduction(t *testing.T, l grammars.Language, seed uint64) *randomReduction {
	h := fnv.New64()
	h.Write([]byte(l.Name))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	all, err := samples.Of(".", l.Name)
	if err != nil {
		t.Fatal(err)
	}
	text := samples.Draw(r, all, 600)
	tree, err := l.Parse(text)
	if err != nil {
		t.Skip(err)
	}
	// An error may be parsed as several tokens when a part of it is removed.
	weight := max(parse.Whole(tree).Weight(), len(bytes.Fields(text)))
	c := &randomReduction{needles: samples.Needles(r, text, 5), weight: weight}
	c.Options = whittle.Options{
		Input: text, Language: l,
		Driver:    whittle.Drivers().Names()[r.IntN(len(whittle.Drivers().Names()))],
		Algorithm: whittle.Algorithms().Names()[r.IntN(len(whittle.Algorithms()))],
		Width:     []int{0, 0, 1, 3}[r.IntN(4)],
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if samples.Contains(candidate, c.needles) {
				return algo.Interesting, nil
			}
			return algo.Uninteresting, nil
		},
	}
	if r.IntN(3) == 0 && c.Driver != "list" {
		c.Wide = []int{1, 3, 16, 200}[r.IntN(4)]
	}
	if r.IntN(4) == 0 {
		c.MaxTests = 1 + r.IntN(40)
	}
	return c
}

func (c *randomReduction) String() string {
	return fmt.Sprintf("%s, %s, width %d, wide %d, at most %d tests, %q with %q", c.Driver, c.Algorithm, c.Width, c.Wide, c.MaxTests,
		c.Input, c.needles)
}

// bound is generous: random reductions reached a quarter of it. In a round ddmin asks up to n² questions for n items.
// After the first round nearly every remaining token is required.
func (c *randomReduction) bound() int {
	return (c.weight+8)*(c.weight+8) + 100
}

var errBound = errors.New("more decisions than a reduction may take")

func (c *randomReduction) check(t *testing.T) {
	var first []string
	for _, jobs := range []int{1, 4, 8} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var decisions []string
		n := 0
		o := c.Options
		o.Jobs = jobs
		// As in the command, a rejected file is not an error.
		o.Language = grammars.NewReading(o.Language.(grammars.Language), "the file", o.Input, func(string) {})
		o.Observe = whittle.On(func(d whittle.Decision) {
			if n++; n > c.bound() {
				cancel(errBound)
				return
			}
			decisions = append(decisions, fmt.Sprint(d.Pass, d.Tokens, d.Bytes, d.Outcome, d.Cached, d.Accepted, d.Tests))
		})
		result, err := whittle.Reduce(ctx, o)
		cause := context.Cause(ctx)
		cancel(nil)
		switch {
		case cause != nil:
			t.Fatalf("%d jobs: %d decisions about %d tokens: %v\n%v", jobs, n, c.weight, cause, c)
		case err != nil:
			t.Fatalf("%d jobs: %v\n%v", jobs, err, c)
		case !samples.Contains(result.File, c.needles):
			t.Fatalf("%d jobs: the result is not interesting: %q\n%v", jobs, result.File, c)
		case result.Tokens >= result.TokensAtAll &&
			len(darkOf(string(result.File))) > len(darkOf(string(c.Input))): // a new layout may be longer
			t.Fatalf("%d jobs: the result is no better than the input: %q\n%v", jobs, result.File, c)
		case c.MaxTests > 0 && result.Tests > c.MaxTests:
			t.Fatalf("%d jobs: %d tests\n%v", jobs, result.Tests, c)
		case c.MaxTests == 0 && !result.Complete:
			t.Fatalf("%d jobs: not complete without a limit\n%v", jobs, c)
		case c.needles == nil && !bytes.Equal(result.File, nil) && c.MaxTests == 0:
			t.Fatalf("%d jobs: nothing matters, yet there is left %q\n%v", jobs, result.File, c)
		}
		decisions = append(decisions, fmt.Sprintf("%q", result.File),
			fmt.Sprint(result.Tests, result.Cached, result.Accepted, result.Rounds))
		if first == nil {
			first = decisions
		}
		if i := differ(first, decisions); i >= 0 {
			t.Fatalf("%d jobs: decision %d differs from that with 1 job\n%v", jobs, i, c)
		}
	}
}

func differ(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}
