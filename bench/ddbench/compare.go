package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whittle/bench/internal/page"
	"whittle/bench/internal/peers"
)

type comparison struct {
	peers.Comparison
	names     []string
	out, page string
}

func compareCommand() *cobra.Command {
	var f comparison
	c := &cobra.Command{
		Use:   "compare --out FILE [flags] [CASE...]",
		Short: "Compare whittle with other reducers on the same tests",
		Long: `Compare whittle with other reducers on the same tests.

Each run is a line of FILE; runs in the file are not repeated. A peer is called as its
documentation recommends, with its own defaults, one run at a time. A script around the
test counts tests. One lexer for C-like languages counts the tokens of all results. At
the end the test runs on the result. Missing peers are listed.

In the page, the tables replace the text between <!-- ddbench: compare-sums --> and
<!-- end -->, likewise for compare-cases, compare-means and compare-peers. Without cases,
the command only writes the page.`,
		Example: "  ddbench compare --out runs.jsonl --page comparison.md --time-limit 10m cases/*",
		RunE: func(c *cobra.Command, folders []string) error {
			f.Log = c.ErrOrStderr()
			if err := f.check(); err != nil {
				return err
			}
			cases, err := openCases(folders)
			if err != nil {
				return err
			}
			if err := f.Open(f.out); err != nil {
				return environmentError("open the results", err)
			}
			defer f.Close()
			err = f.run(c.Context(), cases)
			if c.Context().Err() != nil {
				return c.Context().Err()
			}
			return errors.Join(err, f.write(c))
		},
	}
	f.add(c)
	return c
}

func (f *comparison) add(c *cobra.Command) {
	var all []string
	for _, p := range peers.All() {
		all = append(all, p.Name)
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.out, "out", "", "keep a line for each run in this `file`")
	flags.StringVar(&f.page, "page", "", "put the tables into this `file`; the default is stdout")
	flags.StringSliceVar(&f.names, "peers", all, "`names` of reducers, separated by commas")
	flags.DurationVar(&f.Limit, "time-limit", 10*time.Minute, "time limit of a run; stopped runs are marked")
	flags.IntVarP(&f.Jobs, "jobs", "j", 1, "parallel `tests` of a reducer")
	flags.StringSliceVar(&f.Again, "again", nil, "repeat the runs of these `names`, after a change")
	flags.StringVar(&f.Files, "files", "", "keep the reduced files in this `folder`")
	flags.StringVar(&f.Whittle, "whittle", "whittle", "the `program` to compare")
	flags.StringVar(&f.Perses, "perses", "", "the `jar` of Perses")
	flags.StringVar(&f.Grammars, "grammars", "", "a `folder` of ANTLR grammars for Picireny, named after their languages")
	flags.StringVar(&f.Antlr, "antlr", "", "the `jar` of ANTLR's tool for Picireny, if it has no own one")
}

func (f *comparison) check() error {
	switch {
	case f.out == "":
		return usagef("--out FILE is required")
	case f.Jobs < 1:
		return usagef("--jobs %d: at least one test must run", f.Jobs)
	case f.Limit <= 0:
		return usagef("--time-limit %v: a run needs some time", f.Limit)
	}
	all := peers.All()
	for _, name := range slices.Concat(f.names, f.Again) {
		if !slices.ContainsFunc(all, func(p peers.Peer) bool { return p.Name == name }) {
			return usagef("unknown peer %q; 'ddbench compare --help' lists the names", name)
		}
	}
	for _, p := range all {
		if slices.Contains(f.names, p.Name) {
			f.Peers = append(f.Peers, p)
		}
	}
	if f.page != "" {
		if err := page.Check(f.page, peers.Tables); err != nil {
			return usageError{err}
		}
	}
	return nil
}

func (f *comparison) run(ctx context.Context, cases []benchCase) error {
	var failed []error
	for _, c := range cases {
		err := f.Compare(ctx, peers.Case{Name: c.Name, ID: c.Identity, Input: c.Input, Test: c.Test,
			Language: c.language.Name})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, err)
	}
	if missing := f.Missing(); len(missing) > 0 {
		fmt.Fprintln(f.Log, strings.Join(missing, "\n"))
	}
	return errors.Join(failed...)
}

func (f *comparison) write(c *cobra.Command) error {
	for _, name := range peers.Tables {
		table := f.Table(name)
		if f.page == "" {
			fmt.Fprintf(c.OutOrStdout(), "%s\n", table)
		} else if err := page.Replace(f.page, name, table); err != nil {
			return environmentError("write the page", err)
		}
	}
	return nil
}
