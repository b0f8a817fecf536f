package usage_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// Flags stand below the headings of their groups: those that are known first, then those
// that are not, then what is in none.
func TestHelp(t *testing.T) {
	var out strings.Builder
	c := &cobra.Command{Use: "prog [flags] FILE", Short: "Do it", Long: strings.Repeat("word ", 20) + "end.\n\n  kept  as  it\nis\n",
		Run: func(*cobra.Command, []string) {}}
	c.Flags().Bool("odd", false, "is alone")
	c.Flags().String("own", "", "an own `thing`")
	c.Flags().Int("late", 1, "a `number` of which there is so much to be said that a line of a terminal does not hold it")
	c.Flags().String("input", "", "a `path`")
	c.Flags().Bool("old", false, "for nobody")
	c.Flags().MarkHidden("old")
	usage.Group(c.Flags(), usage.Telling, "late", "old")
	usage.Group(c.Flags(), "Of its own", "own")
	usage.Group(c.Flags(), usage.Input, "input")
	c.SetUsageFunc(usage.Print)
	c.SetHelpFunc(usage.Help)
	c.SetOut(&out)
	c.SetArgs([]string{"--help"})
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	want := `word word word word word word word word word word word word word word word word
word word word word end.

  kept  as  it
is

Usage:
  prog [flags] FILE

What is read:
      --input path   a path

What is told:
      --late number   a number of which there is so much to be said that a
                      line of a terminal does not hold it (default 1)

Of its own:
      --own thing   an own thing

Other flags:
  -h, --help   help for prog
      --odd    is alone
`
	if out.String() != want {
		t.Errorf("got:\n%s", out.String())
	}
}
