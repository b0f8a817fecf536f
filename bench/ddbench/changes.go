package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// changeAlgorithms are compared by 'whittle isolate --want change'.
var changeAlgorithms = []string{"ddmin", "probdd", "cdd", "c2d2-alone", "c2d2", "grain"}

// changes compares algorithms on cases that have two versions of a project.
type changes struct {
	whittle string
	results string // folder of journals, patches and figures
	to      io.Writer
}

func changesCommand() *cobra.Command {
	c := changes{}
	command := &cobra.Command{
		Use:   "changes --results DIR CASE...",
		Short: "Compare algorithms that find the relevant changes, as in the C2D2 paper",
		Long: `Compare algorithms that find the relevant changes.

A CASE is a folder with old/, new/ and test.sh; if its case.txt has 'critical: N of
them', N is the number of relevant hunks. Each algorithm runs by 'whittle isolate'. The
algorithms share outcomes, but each counts its own tests. The table is printed.`,
		Example: "  ddbench changes --results out cases/changes-*",
		RunE: func(command *cobra.Command, cases []string) error {
			if len(cases) == 0 || c.results == "" {
				return usagef("--results DIR and at least one CASE are required")
			}
			if err := os.MkdirAll(c.results, 0o777); err != nil {
				return err
			}
			c.to = command.OutOrStdout()
			return c.compare(command, cases)
		},
	}
	command.Flags().StringVar(&c.results, "results", "", "keep journals, patches and figures in this `folder`")
	command.Flags().StringVar(&c.whittle, "whittle", "whittle", "the `program` to run")
	return command
}

type changesRun struct{ left, of, tests int }

func (c *changes) compare(command *cobra.Command, cases []string) error {
	fmt.Fprintf(c.to, "| case | hunks | critical |")
	for _, a := range changeAlgorithms {
		fmt.Fprintf(c.to, " %s |", a)
	}
	fmt.Fprintf(c.to, "\n|---|---:|---:|%s\n", strings.Repeat("---:|", len(changeAlgorithms)))
	logs, optimal := make([]float64, len(changeAlgorithms)), make([]int, len(changeAlgorithms))
	for _, folder := range cases {
		var runs []changesRun
		best := math.MaxInt
		for _, a := range changeAlgorithms {
			r, err := c.run(command, folder, a)
			if err != nil {
				return err
			}
			runs = append(runs, r)
			best = min(best, r.left)
		}
		critical := criticalOf(folder)
		if n, err := strconv.Atoi(critical); err == nil {
			best = n
		}
		fmt.Fprintf(c.to, "| %s | %d | %s |", filepath.Base(folder), runs[0].of, critical)
		for i, r := range runs {
			fmt.Fprintf(c.to, " %d, %d |", r.left, r.tests)
			logs[i] += math.Log(float64(max(r.tests, 1)))
			if r.left == best {
				optimal[i]++
			}
		}
		fmt.Fprintln(c.to)
	}
	fmt.Fprintf(c.to, "| optimal; tests in the geometric mean | | |")
	for i := range changeAlgorithms {
		fmt.Fprintf(c.to, " %d of %d; %.1f |", optimal[i], len(cases), math.Exp(logs[i]/float64(len(cases))))
	}
	_, err := fmt.Fprintln(c.to)
	return err
}

func (c *changes) run(command *cobra.Command, folder, algorithm string) (r changesRun, err error) {
	at := filepath.Join(c.results, filepath.Base(folder))
	stats := at + "." + algorithm + ".json"
	w := exec.CommandContext(command.Context(), c.whittle, "isolate", "-q", "-j", "1", "--want", "change",
		"--algorithm", algorithm, "--journal", at+".journal", "--keep-journal", "--stats", stats,
		filepath.Join(folder, "test.sh"), filepath.Join(folder, "old"), filepath.Join(folder, "new"))
	w.Stderr = command.ErrOrStderr()
	patch, err := w.Output()
	if err != nil {
		return r, fmt.Errorf("%s, %s: %w", folder, algorithm, err)
	}
	if err := os.WriteFile(at+"."+algorithm+".patch", patch, 0o666); err != nil {
		return r, err
	}
	text, err := os.ReadFile(stats)
	if err != nil {
		return r, err
	}
	var figures struct {
		Before   int `json:"tokens_before"`
		After    int `json:"tokens_after"`
		Run      int `json:"tests_run"`
		Replayed int `json:"tests_replayed"`
	}
	err = json.Unmarshal(text, &figures)
	return changesRun{figures.After, figures.Before, figures.Run + figures.Replayed}, err
}

func criticalOf(folder string) string {
	text, _ := os.ReadFile(filepath.Join(folder, "case.txt"))
	if m := regexp.MustCompile(`(?m)^critical: (\d+) of them`).FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}
