package batch

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"
)

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkShare measures the CPU time per test of searching and sharing workers, and the busy
// fraction until two searches are left. Tests only sleep.
func BenchmarkShare(b *testing.B) {
	for _, c := range []struct{ cases, jobs int }{{12, 16}, {12, 200}, {100, 500}} {
		b.Run(fmt.Sprintf("%dx%d", c.cases, c.jobs), func(b *testing.B) {
			for range b.N {
				w := NewWorkers(c.jobs)
				began, used := time.Now(), processorTime(b)
				var group sync.WaitGroup
				var mu sync.Mutex
				tests, left := 0, c.cases
				var early Use
				for i := range c.cases {
					s := &searching{steps: wide(fmt.Sprint(i, " "), 1+i%12, 20+i%30), pace: 10}
					group.Go(func() {
						if err := s.run(b.Context(), w); err != nil {
							b.Error(err)
						}
						mu.Lock()
						defer mu.Unlock()
						tests += len(s.asked)
						if left--; left == lastCases {
							early, _ = w.Use()
						}
					})
				}
				group.Wait()
				b.ReportMetric(float64((processorTime(b)-used).Microseconds())/float64(tests), "own-us/test")
				b.ReportMetric(time.Since(began).Seconds(), "s/batch")
				b.ReportMetric(100*early.Share(), "%busy")
			}
		})
	}
}
