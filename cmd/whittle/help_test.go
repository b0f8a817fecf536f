package main

import (
	"bytes"
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

// The help of each command fits a terminal, but for what stands there to be pasted.
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
				t.Errorf("%s has flags in no group, see usage.Group: %s", c.CommandPath(), other)
			}
		}
	})
}
