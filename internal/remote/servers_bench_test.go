package remote

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"whittle/internal/testkit/remotetest"
)

func BenchmarkServers(b *testing.B) {
	for _, kind := range remotetest.Kinds {
		b.Run(kind.Name, func(b *testing.B) {
			c, spec := atServer(b, kind, holds, Options{})
			for _, user := range []string{"first", "second"} {
				c.asked = newRecent(askedAtMost)
				var all sync.WaitGroup
				work := make(chan int)
				began, before := time.Now(), processor(b)
				for range 8 {
					all.Go(func() {
						for i := range work {
							got, err := c.Run(b.Context(), spec, fmt.Append(nil, "needle", i))
							if err != nil || got.Cached != (user == "second") {
								b.Error(got, err)
							}
						}
					})
				}
				for i := range b.N {
					work <- i
				}
				close(work)
				all.Wait()
				b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), user+"/s")
				b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(b.N), user+"-cpu-ms/op")
			}
		})
	}
}
