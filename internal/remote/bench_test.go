package remote

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	rpc "google.golang.org/genproto/googleapis/rpc/status"

	"whittle/algo"
	"whittle/internal/testkit/fake"
	"whittle/oracle"
)

// benchServer makes the test binary a server that answers after a time.
const benchServer = "WHITTLE_BENCH_SERVER"

func TestMain(m *testing.M) {
	if text, is := os.LookupEnv(benchServer); is {
		takes, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		answerNo(takes)
		return
	}
	os.Exit(m.Run())
}

func answerNo(takes time.Duration) {
	s, err := fake.Start(fake.Options{Discard: 1000}, fake.Hooks{
		Execute: func(context.Context, *repb.Action, *repb.Command) *repb.ExecuteResponse {
			time.Sleep(takes)
			no := verdict{code: 1}.line()
			digest := digestFunctions[0].blob(no).Proto()
			return &repb.ExecuteResponse{Result: &repb.ActionResult{StdoutDigest: digest}, Status: &rpc.Status{}}
		},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Target())
	io.Copy(io.Discard, os.Stdin)
}

// serverProcess starts a server whose processor time does not count.
func serverProcess(b *testing.B, takes time.Duration) (target string) {
	b.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s", benchServer, takes))
	in, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCluster measures the local cost of a new candidate.
func BenchmarkCluster(b *testing.B) {
	for _, jobs := range []int{16, 500} {
		for _, size := range []int{1_000, 100_000, 550_000} {
			b.Run(fmt.Sprintf("jobs=%d/bytes=%d", jobs, size), func(b *testing.B) {
				target := serverProcess(b, time.Duration(jobs)*2*time.Millisecond)
				c, err := Dial(b.Context(), Options{Target: target, Jobs: jobs})
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				spec := oracle.Spec{Argv: []string{"/bin/false"}, Layout: oracle.Layout{Name: "a.c"}, Timeout: time.Minute}
				var number, most atomic.Int64
				var all sync.WaitGroup
				work := make(chan bool)
				for range jobs {
					all.Go(func() {
						candidate := make([]byte, size)
						for range work {
							binary.BigEndian.PutUint64(candidate, uint64(number.Add(1)))
							run, err := c.Run(b.Context(), spec, candidate)
							if err != nil || run.Outcome != algo.Uninteresting {
								b.Error(run, err)
							}
						}
					})
				}
				runtime.GC()
				before := processor(b)
				b.ResetTimer()
				for i := range b.N {
					if work <- true; i%jobs == jobs/2 {
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						most.Store(max(most.Load(), int64(m.HeapAlloc)))
					}
				}
				close(work)
				all.Wait()
				used := processor(b) - before
				b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(c.Tally().Uploaded)/float64(b.N), "up-bytes/op")
				b.ReportMetric(float64(most.Load()-int64(jobs*size))/1e6, "heap-MB")
			})
		}
	}
}
