package whittle_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

// caseFile reads a file of the real reduction cases, which are not part of the
// project: $WHITTLE_CASES names their folder.
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

// BenchmarkOwnTime measures what whittle itself costs: a property that always
// says no, so that every candidate is made, checked, rendered and hashed from
// the whole of a program of 150,000 tokens.
func BenchmarkOwnTime(b *testing.B) {
	input := caseFile(b, "c-gcc12-111917-150k/small.c")
	language, _ := grammars.Find("c")
	for _, driver := range []string{"perses", "hdd"} {
		b.Run(driver, func(b *testing.B) {
			for range b.N {
				debug.SetGCPercent(40) // as the command does
				debug.FreeOSMemory()
				before := residentBytes(b)
				const tests = 1000
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
					Decided: func(d whittle.Decision) {
						if d.Tests%100 == 0 {
							peak = max(peak, residentBytes(b)-before)
						}
					},
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Tests+r.Cached)/(processorTime(b)-began).Seconds(), "candidates/cpu-s")
				b.ReportMetric(float64(peak)/float64(len(input)), "memory/input")
			}
		})
	}
}

// processorTime gives what the process has used, on all cores.
func processorTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// residentBytes gives the memory that the process has now, C's included.
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

// mentioning is the property that all the words are in the file.
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

// BenchmarkWorkers measures what running ahead gains: the time of one worker
// over that of many, with a test that only sleeps before it looks.
func BenchmarkWorkers(b *testing.B) {
	input, err := os.ReadFile(filepath.Join("testdata", "demo", "ledger.c"))
	if err != nil {
		b.Fatal(err)
	}
	const nap = 50 * time.Millisecond
	for _, driver := range []string{"perses", "hdd"} {
		alone := 0.0
		for _, jobs := range []int{1, 2, 4, 8, 16, 32, 64} {
			b.Run(fmt.Sprintf("%s/j%d", driver, jobs), func(b *testing.B) {
				for range b.N {
					look := mentioning("currencies", "typedef", "unsigned", "utility", "strlen", "result", "receivable")
					began := time.Now()
					r, err := whittle.Reduce(context.Background(), whittle.Options{
						Input: input, Language: language(b, "c"), Driver: driver, Jobs: jobs,
						Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
							select {
							case <-time.After(nap):
							case <-ctx.Done():
								return algo.Unresolved, ctx.Err()
							}
							return look(ctx, candidate)
						},
					})
					if err != nil {
						b.Fatal(err)
					}
					seconds := time.Since(began).Seconds()
					if jobs == 1 {
						alone = seconds
					}
					b.ReportMetric(alone/seconds, "speedup")
					b.ReportMetric(float64(r.Tests), "tests")
					b.ReportMetric(100*float64(r.Cancelled)/float64(r.Tests+r.Cancelled), "%cancelled")
				}
			})
		}
	}
}
