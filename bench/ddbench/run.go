package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whittle"
)

func runCommand() *cobra.Command {
	var m matrix
	var results string
	var jobs int
	var again []string
	c := &cobra.Command{
		Use:   "run --results DIR [flags] CASE...",
		Short: "Reduce cases with drivers and algorithms, and store the results",
		Long: `Reduce cases with drivers and algorithms, and store the results.

Each run is a line of DIR/runs.jsonl. These runs are not repeated, so the same command
continues an interrupted run. The runs of a case share a journal in DIR/journals, and no
test runs twice. The time of a run is its own processor time plus the recorded times of
its tests.

The suffix ` + andEach + ` of an algorithm adds a round of single items. The suffix
` + shuffled + ` shuffles each list, depending on the seed. With --p0 0 whittle lowers the
initial probability for long lists; other values apply to all lists, as published.`,
		Example: "  ddbench run --results out --drivers perses,hdd --algorithms ddmin,probdd --p0 0.1 cases/*",
		RunE: func(c *cobra.Command, folders []string) error {
			if len(folders) == 0 {
				return usagef("no cases; each is a folder with an input and a test.sh")
			}
			if results == "" {
				return usagef("--results DIR is required")
			}
			if err := m.check(); err != nil {
				return err
			}
			b, err := openBench(results, jobs, c.ErrOrStderr(), folders)
			if err != nil {
				return err
			}
			defer b.store.close()
			b.store.again = again
			return b.run(c.Context(), b.cases, func(benchCase) matrix { return m })
		},
	}
	m.add(c)
	c.Flags().StringVar(&results, "results", "", "keep the runs in this folder `DIR`")
	c.Flags().IntVarP(&jobs, "jobs", "j", 1, "`cases` to work on at once, each with one test at a time")
	addAgain(c, &again)
	return c
}

func addAgain(c *cobra.Command, again *[]string) {
	c.Flags().StringSliceVar(again, "again", nil, "repeat the runs of these `algorithms`, after a change; "+
		"recorded tests are not repeated")
}

// defaultP0 is the published constant.
const defaultP0 = whittle.DefaultP0

func (m *matrix) add(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&m.drivers, "drivers", []string{whittle.DefaultDriver},
		"`drivers`, separated by commas: "+strings.Join(whittle.Drivers().Names(), ", "))
	flags.StringSliceVar(&m.algorithms, "algorithms", []string{whittle.DefaultAlgorithm},
		"`algorithms`, separated by commas")
	flags.Float64SliceVar(&m.p0, "p0", []float64{0},
		"initial `probabilities`, separated by commas; 0 means the default, lower for long lists")
	flags.IntVar(&m.width, "width", 1, "--width of whittle reduce; 0 means its default, 1 the published algorithms")
	flags.IntVar(&m.repetitions, "repetitions", 1, "runs of each, with consecutive seeds")
	flags.Uint64Var(&m.seed, "seed", 1, "seed of the first repetition")
	flags.DurationVar(&m.timeout, "timeout", 20*time.Minute, "time limit of a run; stopped runs are marked")
}
