// Soak runs random reductions with random accidents and checks the promises of whittle.
//
//	soak [-time 1h] [-seed N] [-only KIND,...] [-j N] WHITTLE
//	soak -case SEED WHITTLE
//
// A case is a reduction with mishaps: whittle is killed, its disk is full, its test misbehaves. In
// all cases
//
//   - each run ends, within a bound of decisions;
//   - the result is interesting, and the same for -j 1, 3 and 8 and after each mishap;
//   - the input is unchanged, under its name or as FILE.orig;
//   - no other file, no process and no temporary file is left.
//
// The seed determines a case, except for the moments of accidents. For a failed case, soak prints
// the command that repeats it and keeps its directory.
//
// The tests of these reductions are 'soak test SPEC' and 'soak serve SPEC'.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	if len(os.Args) >= 3 && os.Args[1] == "test" {
		test(os.Args[2])
	}
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		serve(os.Args[2])
	}
	s := soak{timeout: 10 * time.Minute, dying: 20 * time.Second}
	long := flag.Duration("time", time.Hour, "start cases until this time has passed")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano())%1e9, "seed of the random seeds of the cases")
	one := flag.Uint64("case", 0, "run only the case with this seed")
	jobs := flag.Int("j", runtime.NumCPU(), "parallel cases")
	only := flag.String("only", "", "kinds of mishaps, separated by commas: "+strings.Join(kinds(), ", "))
	flag.StringVar(&s.root, "root", ".", "directory of the project, for its samples")
	flag.StringVar(&s.dir, "dir", os.TempDir(), "directory for the cases")
	flag.BoolVar(&s.verbose, "v", false, "print each case")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
		for _, name := range s.only {
			if !slices.Contains(kinds(), name) {
				fatal(fmt.Errorf("unknown mishap %q; the kinds are %s", name, strings.Join(kinds(), ", ")))
			}
		}
	}
	if err := s.open(flag.Arg(0)); err != nil {
		fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *one != 0 {
		s.verbose = true
		s.do(ctx, *one)
	} else {
		fmt.Printf("soak: seed %d, for %v\n", *seed, *long)
		limited, cancel := context.WithTimeout(ctx, *long)
		defer cancel()
		s.many(ctx, limited, rand.New(rand.NewPCG(*seed, 0)), *jobs)
	}
	s.report()
	os.Remove(s.dir) // fails if a case left files
	if s.failed > 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "soak:", err)
	os.Exit(2)
}

type soak struct {
	whittle, self string // paths
	root, dir     string
	only          []string // kinds of mishaps; nil means all
	verbose       bool
	disks         error // why small disks are impossible, or nil

	timeout time.Duration // of a run; on an idle machine it takes seconds
	dying   time.Duration // for processes to die

	mu     sync.Mutex
	cases  int
	failed int
	lives  int
	counts map[string]int // by mishap
}

func (s *soak) open(whittle string) (err error) {
	s.counts = map[string]int{}
	if s.disks = privateMounts(); s.disks != nil {
		fmt.Println("soak: no full disks:", s.disks)
	}
	if s.self, err = os.Executable(); err != nil {
		return err
	}
	if s.whittle, err = filepath.Abs(whittle); err != nil {
		return err
	}
	if _, err = os.Stat(s.whittle); err != nil {
		return err
	}
	if s.root, err = filepath.Abs(s.root); err != nil {
		return err
	}
	if s.dir, err = filepath.Abs(s.dir); err == nil {
		s.dir, err = os.MkdirTemp(s.dir, "soak-")
	}
	return err
}

func (s *soak) many(ctx, limited context.Context, seeds *rand.Rand, atOnce int) {
	next := make(chan uint64)
	var workers sync.WaitGroup
	for range max(atOnce, 1) {
		workers.Go(func() {
			for seed := range next {
				s.do(ctx, seed)
			}
		})
	}
	for limited.Err() == nil {
		select {
		case next <- 1 + seeds.Uint64N(1e9):
		case <-limited.Done():
		}
	}
	close(next)
	workers.Wait()
}

func (s *soak) do(ctx context.Context, seed uint64) {
	began := time.Now()
	c, err := s.draw(seed)
	if err == nil {
		err = c.run(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cases++
	s.lives += int(c.lives.Load())
	for _, m := range c.mishaps {
		s.counts[m.name]++
	}
	if s.verbose || err != nil {
		fmt.Printf("soak: case %d (%v, %.1fs)\n", seed, c, time.Since(began).Seconds())
	}
	if errors.Is(err, errSkipped) {
		fmt.Println("soak: case", seed, err)
		err = nil
	}
	if err == nil {
		os.RemoveAll(c.dir)
		return
	}
	s.failed++
	story := filepath.Join(c.dir, "failure.txt")
	if os.WriteFile(story, []byte(err.Error()), 0o644) != nil {
		story = c.dir
	}
	only := ""
	if s.only != nil { // it influences the random choices
		only = "-only " + strings.Join(s.only, ",") + " "
	}
	fmt.Printf("soak: CASE %d FAILED: %s\n  more in %s\n  again: go run ./bench/soak %s-case %d %s\n",
		seed, brief(err), story, only, seed, s.whittle)
}

// brief returns the first part of an error, without messages of whittle.
func brief(err error) string {
	first, _, _ := strings.Cut(err.Error(), lifeMark)
	return first[:min(len(first), 1000)]
}

func (s *soak) report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var counts []string
	for _, name := range kinds() {
		counts = append(counts, fmt.Sprintf("%s %d", name, s.counts[name]))
	}
	fmt.Printf("soak: %d cases, %d runs of whittle, %d cases failed\nsoak: %s\n",
		s.cases, s.lives, s.failed, strings.Join(counts, ", "))
}
