package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"whittle"
	"whittle/algo"
	"whittle/bench/internal/analysis"
	"whittle/bench/internal/tokens"
	"whittle/internal/journal"
	"whittle/oracle"
)

// A job is a run in a child process, whose processor time and memory are its own.
type job struct {
	Spec    spec
	Folder  string // the case
	Journal string // shared by the runs of the case
	Output  string // path of the result
}

func childCommand() *cobra.Command {
	return &cobra.Command{
		Use: "child", Hidden: true, Args: cobra.NoArgs,
		Short: "Execute the run described by a line on stdin and print its record; stop when stdin is closed",
		RunE: func(c *cobra.Command, _ []string) error {
			in := bufio.NewReader(c.InOrStdin())
			line, err := in.ReadBytes('\n')
			var j job
			if err == nil {
				err = json.Unmarshal(line, &j)
			}
			if err != nil {
				return usagef("no job on stdin: %v", err)
			}
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			go func() { // ends with the parent
				io.Copy(io.Discard, in)
				cancel()
			}()
			r, err := j.run(ctx)
			if err != nil {
				return err
			}
			return json.NewEncoder(c.OutOrStdout()).Encode(r)
		},
	}
}

// gcPercent is the value of whittle's command, except for the tables of ANTLR, which are large.
const gcPercent = 40

func (j job) run(ctx context.Context) (r record, err error) {
	c, err := openCase(j.Folder)
	if err != nil {
		return r, err
	}
	if c.language.FrontEnd != "antlr" {
		debug.SetGCPercent(gcPercent)
	}
	tests, err := c.outcomes(j.Journal)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, tests.Close()) }()
	r, file, err := measure(ctx, c, j.Spec, tests.Run, tests.Journal)
	if err != nil {
		return r, c.explain(err)
	}
	if err := os.WriteFile(j.Output, file, 0o644); err != nil {
		return r, environmentError("keep the result", err)
	}
	return r, nil
}

func measure(
	ctx context.Context, c benchCase, s spec, test oracle.Property, journal *journal.Journal,
) (record, []byte, error) {
	r := record{spec: s, Language: c.language.Name, Known: c.Known, Passes: map[string]int{}}
	options, err := s.options()
	if err != nil {
		return r, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	clock := startClock()
	tests := time.Duration(0)
	recorder := analysis.New(before(s))
	property := func(ctx context.Context, candidate []byte) (outcome algo.Outcome, err error) {
		clock.without(func() { outcome, err = test(ctx, candidate) })
		return outcome, err
	}
	decided := func(d whittle.Decision, own time.Duration) {
		if len(r.Curve) == 0 {
			r.Curve = append(r.Curve, [3]float64{0, 0, float64(d.AtAll)})
		}
		recorder.Add(d)
		if !d.Cached {
			tests += d.Elapsed.Round(time.Millisecond) // the precision of journals
			r.Passes[d.Pass]++
		}
		seconds := (own + tests).Seconds()
		if d.Accepted {
			r.Curve = append(r.Curve, [3]float64{thousandth(seconds), float64(d.Tests), float64(d.Best)})
		}
		if seconds > s.Timeout {
			r.TimedOut = true
			stop()
		}
	}
	options.Input, options.Language, options.Property, options.Journal = c.content, c.language.Language, property, journal
	options.Observe = whittle.On(func(d whittle.Decision) {
		own := clock.elapsed()
		clock.without(func() { decided(d, own) })
	})
	result, err := whittle.Reduce(ctx, options)
	own := clock.elapsed()
	if err != nil && !(r.TimedOut && errors.Is(err, context.Canceled)) {
		return r, nil, err
	}
	r.TokensBefore, r.TokensAfter = result.TokensAtAll, result.Tokens
	r.CountBefore, r.CountAfter = tokens.Count(c.content), tokens.Count(result.File)
	r.BytesBefore, r.BytesAfter = len(c.content), len(result.File)
	r.Tests, r.Cached, r.Accepted, r.Rounds = result.Tests, result.Cached, result.Accepted, result.Rounds
	r.Seconds, r.TestSeconds = thousandth((own + tests).Seconds()), thousandth(tests.Seconds())
	r.Complete = result.Complete
	r.Run = recorder.Finish()
	if r.Interesting = r.Complete; !r.Complete { // not yet tested again by Reduce
		again, err := test(context.WithoutCancel(ctx), result.File)
		if err != nil {
			return r, nil, err
		}
		r.Interesting = again == algo.Interesting
	}
	return r, result.File, nil
}

func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }
