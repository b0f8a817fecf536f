package whittle_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/oracle"
)

func lines(n int) []byte {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("x", i+1) + "\n")
		if i == n/2 {
			b.WriteString("needed\n")
		}
	}
	return []byte(b.String())
}

func counted(p oracle.Property, asked map[string]int) oracle.Property {
	return func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		asked[string(candidate)]++
		return p(ctx, candidate)
	}
}

func TestConfirmOnce(t *testing.T) {
	for _, driver := range whittle.Drivers().Names() {
		asked := map[string]int{}
		result, err := whittle.Reduce(t.Context(), whittle.Options{
			Input: lines(20), Language: language(t, "lines").Language, Driver: driver,
			Property: counted(containing("needed"), asked),
		})
		if err != nil || result.Refuted != 0 || !result.Complete {
			t.Fatalf("%s: %+v, %v", driver, result, err)
		}
		for file, n := range asked {
			if want := map[bool]int{true: 2, false: 1}[file == string(result.File)]; n != want {
				t.Errorf("%s: %q was tested %d times", driver, file, n)
			}
		}
	}
}

// The property learns from the refutation.
func TestConfirmStepsBack(t *testing.T) {
	for _, driver := range whittle.Drivers().Names() {
		for _, jobs := range []int{1, 4} {
			input := lines(20)
			firm := containing(`needed(\n.*)*x{20}`) // the actual requirement
			loose := containing("needed")            // the requirement at first
			convinced := true
			var improved [][]byte
			result, err := whittle.Reduce(t.Context(), whittle.Options{
				Input: input, Language: language(t, "lines").Language, Driver: driver, Jobs: jobs,
				Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
					if convinced {
						return loose(ctx, candidate)
					}
					return firm(ctx, candidate)
				},
				Confirm: firm,
				Observe: func(e whittle.Event) error {
					switch e := e.(type) {
					case whittle.Refuted:
						convinced = false
					case whittle.Improved:
						improved = append(improved, e.File)
					}
					return nil
				},
			})
			if err != nil || result.Refuted != 1 || !result.Complete || result.Tokens != 2 {
				t.Fatalf("%s: %+v, %v", driver, result, err)
			}
			if outcome, _ := firm(t.Context(), result.File); outcome != algo.Interesting {
				t.Errorf("%s: the result %q does not hold", driver, result.File)
			}
			if !bytes.Equal(improved[len(improved)-1], result.File) {
				t.Errorf("%s: the last that was told is %q, the result %q", driver, improved[len(improved)-1], result.File)
			}
		}
	}
}

func TestConfirmGivesUp(t *testing.T) {
	firm := containing(`(?s)needed(.*\n){8}`)
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: lines(20), Language: language(t, "lines").Language,
		Property: containing("needed"), Confirm: firm,
	})
	if err != nil || result.Refuted == 0 || result.Complete {
		t.Fatalf("%+v, %v", result, err)
	}
	if outcome, _ := firm(t.Context(), result.File); outcome != algo.Interesting {
		t.Errorf("the result %q does not hold", result.File)
	}
}

func TestConfirmFlakyInput(t *testing.T) {
	var last []byte
	input := lines(20)
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: input, Language: language(t, "lines").Language,
		Property: containing("needed"), Confirm: containing("no such thing"),
		Observe: whittle.On(func(e whittle.Improved) { last = e.File }),
	})
	if !errors.Is(err, whittle.ErrFlaky) || !errors.Is(err, whittle.ErrUninteresting) {
		t.Fatal(err)
	}
	if !bytes.Equal(result.File, input) || !bytes.Equal(last, input) {
		t.Errorf("the result is %q, the last that was told %q", result.File, last)
	}
}

func TestConfirmEnds(t *testing.T) {
	firm := containing(`needed(\n.*)*x{20}`)
	options := whittle.Options{
		Input: lines(20), Language: language(t, "lines").Language, MaxTests: 3,
		Property: containing("needed"), Confirm: firm,
	}
	result, err := whittle.Reduce(t.Context(), options)
	if err != nil || result.Tests != 3 || result.Complete {
		t.Errorf("%+v, %v", result, err)
	}
	if outcome, _ := firm(t.Context(), result.File); outcome != algo.Interesting {
		t.Errorf("the result %q does not hold", result.File)
	}
	broken := errors.New("disk full")
	options.Confirm = func(context.Context, []byte) (algo.Outcome, error) { return algo.Unresolved, broken }
	if _, err := whittle.Reduce(t.Context(), options); err != broken {
		t.Error(err)
	}
}

// Earlier outcomes were wrong, and the property says so after some questions.
func TestDoubted(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		firm := containing(`needed(\n.*)*x{20}`)
		var asked atomic.Int32
		var doubted, told atomic.Bool
		result, err := whittle.Reduce(t.Context(), whittle.Options{
			Input: lines(20), Language: language(t, "lines").Language, Jobs: jobs,
			Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
				if doubted.Load() {
					return firm(ctx, candidate)
				}
				if asked.Add(1) > 4 {
					told.Store(true)
					return algo.Unresolved, whittle.ErrDoubted
				}
				return containing("needed")(ctx, candidate)
			},
			Confirm: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
				doubted.Store(doubted.Load() || told.Load())
				return firm(ctx, candidate)
			},
		})
		if want := "needed\n" + strings.Repeat("x", 20) + "\n"; err != nil || string(result.File) != want ||
			!result.Complete || result.Refuted > 0 || !told.Load() {
			t.Errorf("%q, complete %v, refuted %d, error %v", result.File, result.Complete, result.Refuted, err)
		}
	}
}

// The input holds, and outcomes of tests that ran ahead of the first question are wrong.
func TestDoubtedAhead(t *testing.T) {
	const jobs = 4
	firm := containing(`needed(\n.*)*x{20}`)
	options := whittle.Options{Input: lines(20), Language: language(t, "lines").Language, Jobs: 1, MaxTests: 1}
	var first []byte
	options.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if first == nil && !bytes.Equal(candidate, options.Input) {
			first = candidate
		}
		return firm(ctx, candidate)
	}
	if _, err := whittle.Reduce(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	var doubted atomic.Bool
	ahead := make(chan bool)
	options.MaxTests, options.Jobs = 0, jobs
	options.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		switch {
		case doubted.Load() || bytes.Equal(candidate, options.Input):
			return firm(ctx, candidate)
		case bytes.Equal(candidate, first):
			<-ahead
			return algo.Unresolved, whittle.ErrDoubted
		case asked.Add(1) == jobs-1:
			defer close(ahead)
		}
		return containing("needed")(ctx, candidate)
	}
	options.Confirm = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		doubted.Store(true)
		return firm(ctx, candidate)
	}
	result, err := whittle.Reduce(t.Context(), options)
	if want := "needed\n" + strings.Repeat("x", 20) + "\n"; err != nil || string(result.File) != want ||
		!result.Complete || result.Refuted > 0 {
		t.Errorf("%q, complete %v, refuted %d, error %v", result.File, result.Complete, result.Refuted, err)
	}
}
