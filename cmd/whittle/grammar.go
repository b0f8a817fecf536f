package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/interrupt"
	"whittle/internal/printable"
	"whittle/parse"
	"whittle/parse/antlr"
	"whittle/parse/antlr/g4"
	"whittle/sink"
)

// grammarFlags say which grammar files to read a file by.
type grammarFlags struct {
	grammar []string
	start   string
}

func (f *grammarFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.grammar, "grammar", nil, "read FILE by this ANTLR 4 grammar, a `path`; once for each file of the grammar")
	c.Flags().StringVar(&f.start, "start", "", "the `rule` of the grammar that a whole file is (default the first that ends with EOF)")
	c.MarkFlagFilename("grammar", "g4")
}

// open reads the grammar and tells of what whittle cannot do with it.
func (f *grammarFlags) open(quiet bool) (grammars.Language, error) {
	l, warnings, err := grammars.Open(f.grammar, f.start)
	if err != nil {
		return l, exitError{exitUsage, err}
	}
	if !quiet {
		warn(printable.NewWriter(os.Stderr), warnings)
	}
	return l, nil
}

// warn prints the first of the warnings.
func warn(w io.Writer, warnings []g4.Problem) {
	const most = 10
	for i, p := range warnings {
		if i == most {
			fmt.Fprintf(w, "whittle: and %s\n", english.Plural(len(warnings)-most, "more warning", ""))
			return
		}
		fmt.Fprintf(w, "whittle: %v\n", p)
	}
}

func grammarCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "grammar",
		Short: "Try a grammar of your own",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return usagef("grammar needs a command; see 'whittle grammar --help'")
		},
	}
	c.AddCommand(grammarCheckCommand())
	return c
}

func grammarCheckCommand() *cobra.Command {
	var f grammarFlags
	c := &cobra.Command{
		Use:   "check --grammar GRAMMAR [--start RULE] [FILE]...",
		Short: "Tell whether a grammar parses files",
		Long: `Tell whether an ANTLR 4 grammar parses files.

The mistakes in the grammar come first, all of them, on stderr. Then comes a line
for each FILE on stdout: whether it parses, its tokens, comments aside, the depth
of its tree, how many of its nodes may be left out or repeated, the time, and
whether the untouched tree gives the file back. Below it are the first syntax
errors, as file:line:column.

Exit codes: 0 the grammar is good and parses every FILE; 1 some FILE does not
parse; 2 wrong usage, or a mistake in the grammar.`,
		Example: "  whittle grammar check --grammar My.g4 --start file examples/*",
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.grammar) == 0 {
				return usagef("grammar check needs a grammar: --grammar My.g4")
			}
			l, err := f.open(false)
			if err != nil {
				return err
			}
			bad := 0
			for _, file := range args {
				good, err := checkFile(c.Context(), printable.NewWriter(c.OutOrStdout()), l.Language.(*antlr.Language), file)
				if err != nil {
					return err
				}
				if !good {
					bad++
				}
			}
			if bad > 0 {
				return nof("%s of %d cannot be parsed by this grammar", english.Plural(bad, "file", ""), len(args))
			}
			return nil
		},
	}
	f.add(c)
	return c
}

// checkFile tells how a file parses.
func checkFile(ctx context.Context, w io.Writer, l *antlr.Language, file string) (good bool, err error) {
	const most = 5 // errors are shown
	source, _, err := sink.ReadFile(file, "to check")
	if err != nil {
		return false, err
	}
	began := time.Now()
	tree, err := interrupt.Wait(ctx, func() (*parse.Tree, error) { return l.Parse(source) })
	elapsed := time.Since(began)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		_, err = fmt.Fprintf(w, "%s: does not parse: %v\n", file, err)
		return false, err
	}
	verdict := "parses"
	if tree.Errors > 0 {
		verdict = "does not parse, " + english.Plural(tree.Errors, "error", "")
	}
	back := bytes.Equal(parse.Whole(tree).Render(), source)
	same := "gives the file back"
	if !back {
		same = "does NOT give the file back"
	}
	tokens, depth, quantified := shape(tree)
	_, err = fmt.Fprintf(w, "%s: %s; %s, depth %d, %s, %.1f ms, %s\n", file, verdict, english.Plural(tokens, "token", ""), depth,
		english.Plural(quantified, "quantified node", ""), float64(elapsed.Microseconds())/1000, same)
	if err != nil || tree.Errors == 0 {
		return back, err
	}
	faults, err := l.Faults(source)
	for i, f := range faults {
		if i == most {
			fmt.Fprintf(w, "  and %d more\n", len(faults)-most)
			break
		}
		fmt.Fprintf(w, "  %s:%d:%d: %s\n", file, f.Line, f.Column, f.Text)
	}
	return false, err
}

// shape measures a tree: its tokens without comments, its depth, and the nodes
// that may go.
func shape(t *parse.Tree) (tokens, depth, quantified int) {
	depths := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		if n.Comment {
			continue
		}
		depth = max(depth, depths[i]+1)
		if t.IsLeaf(int32(i)) {
			tokens += int(n.Last - n.First)
		}
		if n.Slot.Droppable() {
			quantified++
		}
	}
	return tokens, depth, quantified
}
