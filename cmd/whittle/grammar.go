package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/diagnose"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/parse/antlr"
)

// openGrammar reads the grammar and prints warnings.
func (f *flags) openGrammar() (grammars.Language, error) {
	l, warnings, err := grammars.Open(f.Grammar, f.startRule)
	if err != nil {
		return l, err
	}
	for i, p := range warnings {
		switch {
		case f.quiet || i > mostWarnings:
		case i == mostWarnings:
			fmt.Fprintf(os.Stderr, "whittle: and %s\n", english.Plural(len(warnings)-i, "more warning", ""))
		default:
			fmt.Fprintf(printable.NewWriter(os.Stderr), "whittle: %v\n", p)
		}
	}
	return l, nil
}

// The maximal numbers of warnings and errors to print.
const mostWarnings, mostFaults = 10, 5

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
	var f *flags
	c := &cobra.Command{
		Use:   "check --grammar GRAMMAR [--start RULE] [FILE]...",
		Short: "Tell whether a grammar parses files",
		Long: `Check whether an ANTLR 4 grammar parses files.

Mistakes in the grammar come first, on stderr. Then each FILE has a line on stdout:
whether it parses, its number of tokens without comments, the depth of its tree, the
number of nodes that are optional or repeated, the time, and whether the unchanged tree
renders to the same bytes. Syntax errors follow, as file:line:column.

Exit codes: 0 the grammar is good and parses every FILE; 1 some FILE does not parse;
2 wrong usage, or a mistake in the grammar.`,
		Example: "  whittle grammar check --grammar My.g4 --start file examples/*",
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.Grammar) == 0 {
				return usagef("grammar check needs a grammar: --grammar My.g4")
			}
			l, err := f.openGrammar()
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
	f = newFlags(c, onGrammar)
	return c
}

func checkFile(ctx context.Context, w io.Writer, l *antlr.Language, file string) (good bool, err error) {
	source, _, err := output.ReadFile(file, "to check")
	if err != nil {
		return false, err
	}
	read, err := run.Wait(ctx, func() (diagnose.Analysis, error) { return diagnose.Analyse(l, source) })
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		_, err = fmt.Fprintf(w, "%s: does not parse: %v\n", file, err)
		return false, err
	}
	verdict := "parses"
	if read.Errors > 0 {
		verdict = "does not parse, " + english.Plural(read.Errors, "error", "")
	}
	same := "renders to the same bytes"
	if !read.Same {
		same = "does NOT render to the same bytes"
	}
	_, err = fmt.Fprintf(w, "%s: %s; %s, depth %d, %s, %.1f ms, %s\n", file, verdict,
		english.Plural(read.Code, "token", ""), read.Depth, english.Plural(read.Quantified, "quantified node", ""),
		float64(read.Elapsed.Microseconds())/1000, same)
	if err != nil || read.Errors == 0 {
		return read.Same, err
	}
	faults, err := l.Faults(source)
	for _, f := range faults[:min(len(faults), mostFaults)] {
		fmt.Fprintf(w, "  %s:%d:%d: %s\n", file, f.Line, f.Column, f.Text)
	}
	if more := len(faults) - mostFaults; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	return false, err
}
