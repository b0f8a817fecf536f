// Command coins measures reductions with tests that show a failure at random. It prints a table in Markdown.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/rate"
	"whittle/oracle"
	"whittle/parse"
)

// A coin shows the failure of a file with the needed words at one rate, and of all others at another. Each hot word
// doubles the odds of the failure, and each cold one halves them.
type coin struct {
	words      [][]byte
	file       []byte  // the last one
	known      float64 // its rate
	with, less float64
	loop       int // a test tries so often
	random     *rand.Rand
	runs       int
}

func (c *coin) rate(file []byte) float64 {
	if !bytes.Equal(file, c.file) {
		c.file, c.known = file, c.measure(file)
	}
	return c.known
}

func (c *coin) measure(file []byte) float64 {
	at := 0
	for _, w := range c.words {
		i := bytes.Index(file[at:], w)
		if i < 0 {
			return c.less
		}
		at += i + len(w)
	}
	if c.with == 1 {
		return 1
	}
	more := bytes.Count(file, []byte("hot")) - bytes.Count(file, []byte("cold"))
	odds := c.with / (1 - c.with) * math.Pow(2, float64(more))
	return odds / (1 + odds)
}

// shows returns the rate of the test.
func (c *coin) shows(file []byte) float64 { return 1 - math.Pow(1-c.rate(file), float64(c.loop)) }

func (c *coin) Run(_ context.Context, _ oracle.Spec, file []byte) (oracle.Run, error) {
	p := c.rate(file)
	for range c.loop {
		if c.runs++; c.random.Float64() < p {
			return oracle.Run{Outcome: algo.Interesting}, nil
		}
	}
	return oracle.Run{Outcome: algo.Uninteresting}, nil
}

// facts is a journal in memory, of parts of the keys.
type facts map[uint64]algo.Outcome

func part(k oracle.Key) uint64 { return binary.LittleEndian.Uint64(k[:]) }

func (f facts) Recall(k oracle.Key) (oracle.Recollection, bool) {
	o, known := f[part(k)]
	return oracle.Recollection{Outcome: o}, known
}

func (f facts) Learn(k oracle.Key, o algo.Outcome, _ time.Duration, _ ...string) { f[part(k)] = o }

func (f facts) Doubt() { clear(f) }

// A gate remembers numbers of syntax errors for all reductions.
type gate struct {
	parse.Language
	known sync.Map // oracle.Key to int
}

func (g *gate) Errors(text []byte) int {
	key := oracle.KeyOf(text)
	if n, ok := g.known.Load(key); ok {
		return n.(int)
	}
	n := g.Language.Errors(text)
	g.known.Store(key, n)
	return n
}

type result struct {
	refused    bool
	tokens     int
	runs       int
	candidates int
	bound      float64 // expected runs of the candidates, by Wald
	decisions  int     // runs of the candidates
	bad        bool    // the rate is below the promised one
	sequential bool
	outside    bool // the rate is outside of its stated interval

	unraised, raised float64 // rates before and after
	worse            bool    // the rate became lower
}

var language = func() *gate {
	l, _ := grammars.Find("c")
	return &gate{Language: l.Language}
}()

func reduce(input []byte, c *coin, repeat int, failed float64, raises bool) (result, error) {
	var r result
	ch := chain.Build(chain.Config{Executor: c, Programs: c, Jobs: 1, Repeat: repeat,
		Turn: func(ctx context.Context, test func(context.Context) error) error { return test(ctx) }})
	o := whittle.Options{
		Input: input, Language: language, KeepNames: true,
		Property: func(ctx context.Context, file []byte) (algo.Outcome, error) {
			f := ch.Flaky()
			if f == nil {
				return ch.Ask(ctx, oracle.Spec{}, file)
			}
			before := f.Runs()
			outcome, err := ch.Ask(ctx, oracle.Spec{}, file)
			after := f.Runs()
			r.candidates++
			r.decisions += after - before
			wald := f.Test()
			wald.Absent = 0
			r.bound += wald.Expected(c.shows(file))
			return outcome, err
		},
		Confirm: func(ctx context.Context, file []byte) (algo.Outcome, error) {
			return ch.Again(ctx, oracle.Spec{}, file, 3)
		},
		Watch: func() bool { return ch.Flaky() != nil },
	}
	o.Journal = ch.Expect(chain.Input{File: input, Probes: [2][]byte{{}, []byte("garbage")}, Runs: facts{}, Error: failed})
	if raises {
		o.Raise = func(ctx context.Context, files [][]byte) ([]byte, error) {
			var arms []chain.Arm
			for _, file := range files {
				arms = append(arms, chain.Arm{File: file})
			}
			if r.unraised == 0 {
				r.unraised = c.shows(files[0])
			}
			won, err := ch.Raise(ctx, arms)
			if won < 0 || err != nil {
				return nil, err
			}
			r.worse = r.worse || c.shows(files[won]) <= c.shows(files[0])
			return files[won], nil
		}
		o.Observe = whittle.On(func(d whittle.Decision) {
			if !d.Cached {
				ch.Used(oracle.Spec{}, d.File)
			}
		})
	}
	done, err := whittle.Reduce(context.Background(), o)
	r.runs, r.tokens = c.runs, done.Tokens
	promised := c.shows(input)
	if f := ch.Flaky(); f != nil {
		r.sequential = true
		var held rate.Count
		held, promised = f.Held()
		low, high := held.Interval()
		shown := c.shows(done.File)
		r.outside = shown < low || shown > high
	}
	r.raised = c.shows(done.File)
	r.bad = r.raised < promised
	if errors.Is(err, whittle.ErrUninteresting) {
		r.refused, err = true, nil
	}
	return r, err
}

// program returns a C file and n words in it, a token each.
// Others raise or lower the rate.
func program(n, hot int) (text []byte, words [][]byte) {
	var b strings.Builder
	random := rand.New(rand.NewPCG(uint64(n), 1))
	const functions = 10
	left := n
	for f := range functions {
		fmt.Fprintf(&b, "int f%d(int a, int b) {\n", f)
		need := (left + functions - f - 1) / (functions - f)
		for s := range 8 {
			word := fmt.Sprintf("v%d_%d", f, random.IntN(1000))
			if s < need {
				word = fmt.Sprintf("need%d", len(words))
				words = append(words, []byte(word))
				left--
			} else if f+s*functions >= 80-2*hot {
				word = fmt.Sprintf("%s%d", [2]string{"hot", "cold"}[(f+s)%2], f)
			}
			fmt.Fprintf(&b, "  a = b + %s(a, %d);\n", word, random.IntN(100))
		}
		b.WriteString("  return a;\n}\n")
	}
	return []byte(b.String()), words
}

func main() {
	runs := flag.Int("runs", 200, "reductions of each kind")
	failed := flag.Float64("error", chain.FlakyError, "see --flaky-error")
	only := flag.String("methods", "whittle,repeat,loop", "methods")
	needed := flag.Int("needed", 0, "words that the failure needs; 0 means 5, 20, and 60")
	with := flag.Float64("rate", 0, "only this rate; 0 means all")
	less := flag.Float64("background", -1, "only this background; -1 means all")
	hot := flag.Int("hot", 0, "hot words, and as many cold ones")
	raises := flag.Bool("raise", true, "raise the rate at the end")
	show := flag.Bool("print", false, "print the files only")
	flag.Parse()
	if !*show {
		fmt.Println("| needed | rate | background | method | reductions | refused | tokens | runs | runs / Wald | bad |")
		fmt.Println("|" + strings.Repeat("---|", 10))
	}
	for _, n := range []int{5, 20, 60} {
		if *needed != 0 && n != *needed {
			continue
		}
		input, words := program(n, *hot)
		if *show {
			os.Stdout.Write(input)
			continue
		}
		always := &coin{words: words, with: 1, loop: 1, random: rand.New(rand.NewPCG(0, 0))}
		stable, err := reduce(input, always, 1, *failed, false)
		check(err)
		fmt.Printf("| %d | 1 | 0 | stable | 1 | 0 | %d | %d | | |\n", n, stable.tokens, stable.runs)
		backgrounds := []float64{0, 0.02}
		if *less >= 0 {
			backgrounds = []float64{*less}
		}
		rates := []float64{0.9, 0.5, 0.2, 0.05}
		if *with != 0 {
			rates = []float64{*with}
		}
		for _, p := range rates {
			for _, q := range backgrounds {
				for _, method := range strings.Split(*only, ",") {
					row(method, n, *runs, *failed, *raises, input, coin{words: words, with: p, less: q, loop: 1}, stable)
				}
			}
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func row(method string, n, runs int, failed float64, raises bool, input []byte, c coin, stable result) {
	repeat := 1
	switch method {
	case "repeat":
		repeat = 5
	case "loop":
		c.loop = int(math.Ceil(math.Log(0.01) / math.Log(1-c.with)))
	}
	var all result
	refused, bad, sequential, outside, raised, worse := 0, 0, 0, 0, 0, 0
	results := make([]result, runs)
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for seed := range results {
		group.Go(func() (err error) {
			c := c
			c.random = rand.New(rand.NewPCG(uint64(seed), 7))
			results[seed], err = reduce(input, &c, repeat, failed, raises)
			return err
		})
	}
	check(group.Wait())
	for _, r := range results {
		if r.refused {
			refused++
			continue
		}
		if r.bad {
			bad++
		}
		if r.sequential {
			sequential++
		}
		if r.outside {
			outside++
		}
		if r.unraised > 0 {
			raised++
			all.unraised += r.unraised
			all.raised += r.raised
		}
		if r.worse {
			worse++
		}
		all.tokens += r.tokens
		all.runs += r.runs
		all.decisions += r.decisions
		all.bound += r.bound
	}
	kept := runs - refused
	name := method
	if method == "whittle" {
		name = fmt.Sprintf("%s (%d sequential, %d outside)", method, sequential, outside)
		if raised > 0 {
			name += fmt.Sprintf(", rate %.2f to %.2f, %d worse", all.unraised/float64(raised), all.raised/float64(raised), worse)
		}
	}
	mean := func(sum int) float64 { return float64(sum) / float64(kept) }
	tokens, tests, wald, failures := "", "", "", ""
	if kept > 0 {
		tokens = fmt.Sprintf("%.1f = %.2f×", mean(all.tokens), mean(all.tokens)/float64(stable.tokens))
		tests, failures = fmt.Sprintf("%.0f", mean(all.runs)), fmt.Sprintf("%d of %d", bad, kept)
	}
	if all.bound > 0 {
		wald = fmt.Sprintf("%.2f", float64(all.decisions)/all.bound)
	}
	fmt.Printf("| %d | %.2f | %.2f | %s | %d | %d | %s | %s | %s | %s |\n",
		n, c.with, c.less, name, runs, refused, tokens, tests, wald, failures)
}
