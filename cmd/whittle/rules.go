package main

import (
	"strings"

	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/rulefiles"
)

func rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rules LANGUAGE",
		Short:   "List the rules by which files of a language are rewritten",
		Long:    `List the rewriting rules of a language, each with its file, line and purpose.`,
		Example: "  whittle rules c\n  whittle rules check my.rules sample.c",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("rules needs a LANGUAGE: %s", strings.Join(grammars.WithRules(), ", "))
			}
			if _, ok := grammars.Rules(args[0]); !ok {
				return usagef("there are no rules for %q; there are for %s", args[0], strings.Join(grammars.WithRules(), ", "))
			}
			return rulefiles.List(c.OutOrStdout(), grammars.BundledRules(args[0]))
		},
		ValidArgs: grammars.WithRules(),
	}
	c.AddCommand(rulesCheckCommand())
	return c
}

func rulesCheckCommand() *cobra.Command {
	var f *flags
	c := &cobra.Command{
		Use:   "check [flags] FILE SAMPLE",
		Short: "Show what rules of your own match in a file",
		Long: `Show the matches of the rules in FILE in the file SAMPLE, which does not change. Each
match is one line: its place, the rule, the text, and the replacement.

Mistakes in FILE come first, on stderr. docs/rewriting.md explains how to write rules.

Exit codes: 0 there are matches; 1 there are none; 2 wrong usage, or a mistake in FILE.`,
		Example: "  whittle rules check my.rules sample.c\n" +
			"  whittle rules check --grammar My.g4 my.rules sample.my",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("rules check needs FILE, with the rules, and SAMPLE, to look for matches in")
			}
			return f.showRules(c, args[0], args[1])
		},
	}
	f = newFlags(c, onRules)
	return c
}

func (f *flags) showRules(c *cobra.Command, path, sample string) error {
	if err := f.checkRelations(); err != nil {
		return err
	}
	l := grammars.ForFile(sample)
	if own, err := f.findLanguage(); err != nil {
		return err
	} else if own != nil {
		l = *own
	}
	text, _, err := output.ReadFile(sample, "to look for matches in")
	if err != nil {
		return err
	}
	set, err := rulefiles.Open(path, l)
	if err != nil {
		return err
	}
	n, err := rulefiles.Show(printable.NewWriter(c.OutOrStdout()), set, l, sample, text)
	if err == nil && n == 0 {
		return nof("no rule of %s matches anything in %s, read as %s", path, sample, l.Name)
	}
	return err
}
