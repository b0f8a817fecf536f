package main

import (
	"time"

	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// stopFlags say how sure a step has to be, when a run ends early, and what is written
// about it.
type stopFlags struct {
	repeat       int
	maxTests     int
	maxTime      time.Duration
	stats, trace string
}

func (f *stopFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.repeat, "repeat", 1, "take a candidate only if so many `tests` in a row find it interesting; "+
		"the result is always tested again")
	flags.IntVar(&f.maxTests, "max-tests", 0, "stop after so many `tests` with the best so far (default no limit)")
	usage.Duration(flags, &f.maxTime, "max-time", "stop after this `time` with the best so far, "+
		"counted from the start (default no limit)")
	usage.Group(flags, usage.Limits, "repeat")
	usage.Group(flags, usage.End, "max-tests", "max-time")
}

// addRecord adds those of what is written.
func (f *stopFlags) addRecord(c *cobra.Command) {
	c.Flags().StringVar(&f.stats, "stats", "", "write figures of the run to this `path`, as JSON")
	c.Flags().StringVar(&f.trace, "trace", "", "write every candidate to this `path`, as JSON lines")
	usage.Group(c.Flags(), usage.Telling, "stats", "trace")
}

func (f *stopFlags) check() error {
	switch {
	case f.repeat < 1:
		return usagef("--repeat %d: a candidate must be tested at least once", f.repeat)
	case f.maxTests < 0:
		return usagef("--max-tests %d: cannot be negative", f.maxTests)
	case f.maxTime < 0:
		return usagef("--max-time %v: cannot be negative", f.maxTime)
	}
	return nil
}
