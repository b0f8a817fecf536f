package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A question of a paper or of ours, with the runs that answer it and their table.
type question struct {
	name  string
	title string
	runs  func(e *evaluation) []work
	table func(e *evaluation, grids []*grid) string
	few   bool // uses evaluation.few
}

// questions lists the questions, in the order of bench/results/evaluation.md.
var questions = []question{
	{"subjects", "the cases", publishedRuns, subjectsTable, false},
	{"wdd-rq1", "WDD RQ1: are heavy elements less likely to be deleted?", both("ddmin"), correlationTable, false},
	{"wdd-rq2", "WDD RQ2: W_ddmin instead of ddmin", both("ddmin", "wddmin"), rq2.table, false},
	{"wdd-rq3", "WDD RQ3: W_ProbDD instead of ProbDD", both("probdd", "wprobdd"), rq3.table, false},
	{"wdd-synthetic", "WDD §IV-D: random lists", none, syntheticTable, false},
	{"cdd-queries", "CDD §IV-F: the tests of ddmin by kind", both("ddmin", "probdd", "cdd"), queriesTable, false},
	{"cdd-minimality", "CDD §IV-G: calls that do not end 1-minimal", minimality, minimalityTable, true},
	{"cdd-randomness", "CDD §IV-E: does chance matter?", randomness, randomnessTable, true},
	{"cdd-probdd", "CDD §IV-D and §V: ddmin, ProbDD and CDD", both("ddmin", "probdd", "cdd"), cddTable, false},
	{"probdd-p0", "ProbDD RQ2: the initial probability", probabilities, p0Table, true},
	{"probdd-activecoarsen", "ProbDD RQ3: ProbDD against ActiveCoarsen, and CHISEL's order",
		coarsening, coarseningTable, true},
	{"ours", "ours: fewer tests than the best of the papers'", oursRuns, oursTable, false},
}

// apart lists questions with hundreds of runs per case. evaluate leaves them out.
var apart = []question{
	{"grain-constants", "grain: each of its constants halved, and doubled", constantRuns, constantTable, false},
}

func allQuestions() []question { return slices.Concat(questions, apart) }

func questionCommand() *cobra.Command {
	var f evaluationFlags
	c := &cobra.Command{
		Use:     "question --results DIR NAME CASE...",
		Short:   "Answer a question of the papers by a table; do missing runs first",
		Example: "  ddbench question --results out wdd-rq2 cases/*",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which question? 'ddbench questions' lists them")
			}
			all := allQuestions()
			i := slices.IndexFunc(all, func(q question) bool { return q.name == args[0] })
			if i < 0 {
				return usagef("unknown question %q; the questions are %s", args[0], strings.Join(names(all), ", "))
			}
			e, err := f.open(c, args[1:])
			if err != nil {
				return err
			}
			defer e.store.close()
			table, err := e.answer(c.Context(), all[i])
			fmt.Fprint(c.OutOrStdout(), table)
			return err
		},
	}
	f.add(c)
	return c
}

func names(questions []question) (names []string) {
	for _, q := range questions {
		names = append(names, q.name)
	}
	return names
}

func questionsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "questions", Short: "List the questions", Args: cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) {
			for _, q := range allQuestions() {
				fmt.Fprintf(c.OutOrStdout(), "%-21s %s\n", q.name, q.title)
			}
		},
	}
}
