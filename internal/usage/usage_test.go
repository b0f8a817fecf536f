package usage_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"whittle/internal/usage"
)

// Flags are listed by group; flags without a group are last.
func TestHelp(t *testing.T) {
	var out strings.Builder
	c := &cobra.Command{Use: "prog [flags] FILE", Short: "Do it", Long: strings.Repeat("word ", 20) + "end.\n\n  kept  as  it\nis\n",
		Run: func(*cobra.Command, []string) {}}
	c.Flags().Bool("odd", false, "is alone")
	c.Flags().String("own", "", "an own `thing`")
	c.Flags().Int("late", 1, "a `number` with a description that is too long for a line of a terminal")
	c.Flags().String("input", "", "a `path`")
	c.Flags().Bool("old", false, "hidden")
	c.Flags().MarkHidden("old")
	c.Flags().SortFlags = false
	usage.Group(c.Flags().Lookup("late"), "Messages")
	usage.Group(c.Flags().Lookup("old"), "Messages")
	usage.Group(c.Flags().Lookup("own"), "Own")
	usage.Group(c.Flags().Lookup("input"), "Input")
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

Own:
      --own thing   an own thing

Messages:
      --late number   a number with a description that is too long for a
                      line of a terminal (default 1)

Input:
      --input path   a path

Other flags:
      --odd    is alone
  -h, --help   help for prog
`
	if out.String() != want {
		t.Errorf("got:\n%s", out.String())
	}
}
