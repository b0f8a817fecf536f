// Package usage formats the help of a command: flags in groups, in lines of at most [Width].
package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Width is the maximal length of a line of help.
const Width = 80

// annotation is the key of a flag's group.
const annotation = "whittle/usage/group"

// Group puts a flag under a heading of the help. Headings have the order of their first flags.
func Group(f *pflag.Flag, heading string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[annotation] = []string{heading}
}

func groupOf(f *pflag.Flag) string { return strings.Join(f.Annotations[annotation], "") }

// A group is the flags of a command under a heading.
type group struct {
	heading string
	flags   *pflag.FlagSet
}

// groups returns the visible flags of a command. Flags without a group are last.
func groups(c *cobra.Command) (found []group) {
	var headings []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if h := groupOf(f); h != "" && !slices.Contains(headings, h) {
			headings = append(headings, h)
		}
	})
	for _, h := range append(headings, "") {
		part := pflag.NewFlagSet(h, pflag.ContinueOnError)
		part.SortFlags = false
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if groupOf(f) == h {
				part.AddFlag(f)
			}
		})
		if part.HasAvailableFlags() {
			found = append(found, group{h, part})
		}
	}
	if last := len(found) - 1; last >= 0 && found[last].heading == "" {
		if found[last].heading = "Other flags"; last == 0 {
			found[last].heading = "Flags"
		}
	}
	return found
}

// Print writes the usage of a command, for [cobra.Command.SetUsageFunc].
func Print(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if !c.HasAvailableSubCommands() || c.Use != c.Name() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, g := range groups(c) {
		fmt.Fprintf(&b, "\n%s:\n%s", g.heading, g.flags.FlagUsagesWrapped(Width))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n'%s COMMAND --help' describes a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// Help writes the help of a command, for [cobra.Command.SetHelpFunc].
func Help(c *cobra.Command, _ []string) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(c.OutOrStdout(), "%s\n\n%s", Fill(strings.TrimSpace(text)), c.UsageString())
}

// Fill wraps paragraphs at Width. Paragraphs with indented lines do not change.
func Fill(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		lines := strings.Split(p, "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, " ") }) {
			paragraphs[i] = fill(strings.Fields(p))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func fill(words []string) string {
	var b strings.Builder
	width := 0
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case width+1+n > Width:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += n
	}
	return b.String()
}
