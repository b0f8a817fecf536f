package whittle_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/oracle"
)

// caseFile reads a reduction case, which is not part of the project, in the directory $WHITTLE_CASES.
func caseFile(tb testing.TB, path string) []byte {
	tb.Helper()
	dir := os.Getenv("WHITTLE_CASES")
	if dir == "" {
		tb.Skip("WHITTLE_CASES does not name the folder of the reduction cases")
	}
	b, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		tb.Skip(err)
	}
	return b
}

// The property is never true, so every candidate of a large program is made, checked, rendered and hashed.
func BenchmarkOwnTime(b *testing.B) {
	for _, file := range []string{"c-gcc12-111917-150k/small.c", "cxx-gpp12-106841-136k/small.cc"} {
		for _, driver := range []string{"coupled", "perses", "hdd"} {
			b.Run(filepath.Dir(file)+"/"+driver, func(b *testing.B) {
				for range b.N {
					ownTime(b, file, driver)
				}
			})
		}
	}
}

func ownTime(b *testing.B, file, driver string) {
	input := caseFile(b, file)
	language := grammars.ForFile(file)
	debug.SetGCPercent(40) // as the command does
	debug.FreeOSMemory()
	before := residentBytes(b)
	const tests = 500
	began := processorTime(b)
	peak := 0
	r, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: input, Language: language, Driver: driver, MaxTests: tests,
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			if len(candidate) == len(input) && bytes.Equal(candidate, input) {
				return algo.Interesting, nil
			}
			return algo.Uninteresting, nil
		},
		Observe: whittle.On(func(d whittle.Decision) {
			if d.Tests%100 == 0 {
				peak = max(peak, residentBytes(b)-before)
			}
		}),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(r.Tests+r.Cached)/(processorTime(b)-began).Seconds(), "candidates/cpu-s")
	b.ReportMetric(float64(peak)/float64(len(input)), "memory/input")
}

func processorTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The resident memory includes the memory of C code.
func residentBytes(tb testing.TB) int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		tb.Skip("no /proc/self/statm to measure memory with")
	}
	var pages int
	for _, c := range bytes.Fields(b)[1] {
		pages = pages*10 + int(c-'0')
	}
	return pages * os.Getpagesize()
}

func mentioning(words ...string) func(context.Context, []byte) (algo.Outcome, error) {
	return func(_ context.Context, candidate []byte) (algo.Outcome, error) {
		for _, w := range words {
			if !bytes.Contains(candidate, []byte(w)) {
				return algo.Uninteresting, nil
			}
		}
		return algo.Interesting, nil
	}
}

func copies(b *testing.B, n int) []byte {
	input, err := os.ReadFile(filepath.Join("testdata", "demo", "ledger.c"))
	if err != nil {
		b.Fatal(err)
	}
	defined := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\w[^\n;={]*?\b(\w+)(\(|\[| =|;)`).FindAllSubmatch(input, -1) {
		defined[string(m[1])] = true
	}
	var all []byte
	for i := range n {
		all = append(all, regexp.MustCompile(`\b\w+\b`).ReplaceAllFunc(input, func(word []byte) []byte {
			if i > 0 && defined[string(word)] {
				return fmt.Appendf(nil, "%s_%d", word, i)
			}
			return word
		})...)
	}
	return all
}

// BenchmarkWorkers runs a test that sleeps first. It measures the time with one job divided by the time with many, the
// unused tests, and the additional tests of rounds.
func BenchmarkWorkers(b *testing.B) {
	input := copies(b, 3)
	words := []string{"currencies", "typedef", "unsigned", "utility", "strlen", "result", "receivable"}
	for _, driver := range []string{"perses", "hdd"} {
		for _, must := range []struct {
			name  string
			words []string
		}{{"few", words}, {"many", manyWords(input)}} {
			look := mentioning(must.words...)
			plain := reduceAsleep(b, input, whittle.Options{Driver: driver, Jobs: 1, Width: 1}, 0, look)
			alone := 0.0
			for _, jobs := range []int{1, 2, 4, 8, 16, 32, 64} {
				b.Run(fmt.Sprintf("%s/%s/j%d", driver, must.name, jobs), func(b *testing.B) {
					for range b.N {
						began := time.Now()
						r := reduceAsleep(b, input, whittle.Options{Driver: driver, Jobs: jobs}, 50*time.Millisecond, look)
						seconds := time.Since(began).Seconds()
						if jobs == 1 {
							alone = seconds
						}
						b.ReportMetric(alone/seconds, "speedup")
						b.ReportMetric(float64(r.Tests), "tests")
						b.ReportMetric(float64(plain.Tests), "tests-without-rounds")
						b.ReportMetric(float64(r.Tokens), "tokens")
						b.ReportMetric(float64(plain.Tokens), "tokens-without-rounds")
						b.ReportMetric(100*float64(r.Cancelled)/float64(r.Tests+r.Cancelled), "%cancelled")
					}
				})
			}
		}
	}
}

func manyWords(input []byte) []string {
	all := regexp.MustCompile(`[a-z_]{6,}(_\d)?\b`).FindAllString(string(input), -1)
	var some []string
	for i := range 40 {
		some = append(some, all[(2*i+1)*len(all)/80])
	}
	return some
}

func reduceAsleep(b *testing.B, input []byte, o whittle.Options, nap time.Duration,
	look oracle.Property) whittle.Result {
	o.Input, o.Language = input, language(b, "c")
	o.Property = func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
		if nap > 0 {
			select {
			case <-time.After(nap):
			case <-ctx.Done():
				return algo.Unresolved, ctx.Err()
			}
		}
		return look(ctx, candidate)
	}
	r, err := whittle.Reduce(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	return r
}
