package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// all calls f with each command that the help lists.
func all(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			all(sub, f)
		}
	}
}

// The help of each command fits a terminal, except for examples.
func TestHelpFits(t *testing.T) {
	all(rootCommand(), func(c *cobra.Command) {
		var out bytes.Buffer
		c.SetOut(&out)
		c.InitDefaultHelpFlag()
		c.Help()
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > usage.Width && !strings.Contains(c.Example, line) {
				t.Errorf("%s --help has %q", c.CommandPath(), line)
			}
		}
		if c.HasAvailableLocalFlags() && strings.Contains(out.String(), "Other flags:") {
			_, other, _ := strings.Cut(out.String(), "Other flags:\n")
			if other != "  -h, --help   help for "+c.Name()+"\n" && c.HasParent() {
				t.Errorf("%s has flags without a group, see usage.Group: %s", c.CommandPath(), other)
			}
		}
	})
}

// examples returns the example commands of a help, split into words.
func examples(t *testing.T, c *cobra.Command) (found [][]string) {
	for line := range strings.Lines(c.Example + "\n" + c.Long) {
		command, isOne := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  whittle ")
		if !isOne {
			continue
		}
		command, _, _ = strings.Cut(command, " >") // a redirection
		command, _, _ = strings.Cut(command, " <")
		words, err := exec.Command("sh", "-f", "-c", `printf '%s\n' `+command).Output()
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		found = append(found, strings.Split(strings.TrimSuffix(string(words), "\n"), "\n"))
	}
	return found
}

// A command accepts the examples of its help.
func TestHelpExamples(t *testing.T) {
	n := 0
	all(rootCommand(), func(shown *cobra.Command) {
		for _, words := range examples(t, shown) {
			n++
			root := rootCommand()
			c, args, err := root.Find(usage.WithDefault(root, "reduce", words))
			if err != nil || !strings.HasPrefix(c.CommandPath(), shown.CommandPath()) {
				t.Errorf("%q is one of %s: %v", words, c.CommandPath(), err)
				continue
			}
			if err := c.ParseFlags(args); err != nil {
				t.Errorf("%q: %v", words, err)
			}
		}
	})
	if n < 10 {
		t.Errorf("there are %d examples", n)
	}
}
