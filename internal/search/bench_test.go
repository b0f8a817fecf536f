package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// One candidate in ten is interesting.
func naps(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	k := oracle.KeyOf(candidate)
	draw := binary.LittleEndian.Uint16(k[:])
	select {
	case <-time.After(50*time.Millisecond + time.Duration(draw%100)*time.Millisecond):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if draw%10 == 0 {
		return algo.Interesting, nil
	}
	return algo.Uninteresting, nil
}

// rounds is a search like a driver's: many lists that depend on earlier outcomes.
func rounds(round, lists, questions int) *algo.Step[string] {
	if round == 0 {
		return nil
	}
	s := &algo.Step[string]{Join: func(ends []any) *algo.Step[string] { return rounds(round-1, lists, questions) }}
	for i := range lists {
		s.Fork = append(s.Fork, func() *algo.Step[string] {
			return list(fmt.Sprint(round, " ", i, ":"), questions-i%7)
		})
	}
	return s
}

func list(asked string, left int) *algo.Step[string] {
	if left == 0 {
		return &algo.Step[string]{End: asked}
	}
	return &algo.Step[string]{Candidate: asked, Next: func(o algo.Outcome) *algo.Step[string] {
		return list(asked+string('0'+rune(o)), left-1)
	}}
}

// BenchmarkWindow measures CPU time per test.
func BenchmarkWindow(b *testing.B) {
	for _, s := range []struct {
		name  string
		steps *algo.Step[string]
	}{{"rounds", rounds(8, 64, 20)}, {"list", list("", 400)}} {
		for _, jobs := range []int{8, 64, 500} {
			b.Run(fmt.Sprintf("%s/j%d", s.name, jobs), func(b *testing.B) {
				for range b.N {
					r := &Runner{Jobs: jobs, Property: naps}
					began, used := time.Now(), processorTime(b)
					_, err := Run(b.Context(), r, s.steps, render, always)
					if err != nil {
						b.Fatal(err)
					}
					run, cancelled := r.Counts()
					tests := float64(run)
					b.ReportMetric(float64((processorTime(b)-used).Microseconds())/tests, "own-us/test")
					b.ReportMetric(float64((processorTime(b)-used).Microseconds())/(tests+float64(cancelled)), "own-us/start")
					b.ReportMetric(time.Since(began).Seconds()*1000/tests, "ms/test")
					b.ReportMetric(100*float64(cancelled)/(tests+float64(cancelled)), "%cancelled")
				}
			})
		}
	}
}
