package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"whittle/grammars"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/parse"
	"whittle/rewrite/rules"
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
			return listRules(c.OutOrStdout(), grammars.BundledRules(args[0]))
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
	set, err := run.OpenRules(path, l)
	if err != nil {
		return err
	}
	n, err := writeMatches(printable.NewWriter(c.OutOrStdout()), set, l, sample, text)
	if err == nil && n == 0 {
		return nof("no rule of %s matches anything in %s, read as %s", path, sample, l.Name)
	}
	return err
}

// listRules writes the texts of metavariables, then rules with their files, lines and reasons.
func listRules(w io.Writer, set *rules.Set) error {
	list, why := strings.Join(set.Holes(), ""), ""
	for _, r := range set.Rules {
		if r.Why != why {
			why = r.Why
			list += fmt.Sprintf("\n# %s\n", why)
		}
		list += fmt.Sprintf("%s:%d: %v\n", r.File, r.Line, r)
	}
	_, err := io.WriteString(w, list)
	return err
}

// writeMatches writes the matches of rules in a file and their replacements. It returns the number of
// matches.
func writeMatches(w io.Writer, set *rules.Set, l parse.Language, file string, text []byte) (matches int, err error) {
	tree, err := l.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	find := set.In(l)
	for i, r := range set.Rules {
		found := find.Matches(i, tree)
		matches += len(found)
		if len(found) == 0 {
			_, err = fmt.Fprintf(w, "%s:%d: matches nothing: %s\n", r.File, r.Line, r.Pattern)
		}
		for _, m := range found {
			before, after := m.Texts(tree)
			at := tree.Tokens[tree.Nodes[m.Siblings[0]].First].Start
			note := ""
			if l.Errors(parse.Whole(tree).Apply(m.Edits...).Drop(m.Drop...).Render()) > tree.Errors {
				note = "   (a syntax error)"
			}
			_, err = fmt.Fprintf(w, "%s:%s: %s:%d: %s   =>   %s%s\n", file, place(text, int(at)), r.File, r.Line,
				oneLine(before), oneLine(after), note)
		}
	}
	return matches, err
}

func place(text []byte, at int) string {
	line := bytes.Count(text[:at], []byte("\n")) + 1
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	return fmt.Sprintf("%d:%d", line, utf8.RuneCount(text[begin:at])+1)
}

func oneLine(text string) string {
	const most = 70
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most/2]) + " … " + string(line[len(line)-most/2:])
	}
	return string(line)
}
