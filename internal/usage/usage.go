// Package usage formats the help of a command: flags in groups, in lines of at most [Width].
package usage

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"whittle/internal/disk"
)

// Width is the maximal length of a line of help.
const Width = 80

// annotation is the key of a flag's group.
const annotation = "whittle/usage/group"

// MarkOptional gives a flag a value for when it has none, if the command has that flag.
func MarkOptional(c *cobra.Command, name, bare string) {
	if f := c.Flags().Lookup(name); f != nil {
		f.NoOptDefVal = bare
	}
}

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

// ExplainFlag returns an error about flags with advice.
func ExplainFlag(c *cobra.Command, err error) error {
	hint, unknown, invalid := "", (*pflag.NotExistError)(nil), (*pflag.InvalidValueError)(nil)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		hint = DidYouMean("--"+unknown.GetSpecifiedName(), FlagNames(c))
	case unknown != nil && disk.Exists("-"+unknown.GetSpecifiedShortnames()):
		return fmt.Errorf("-%[1]s is read as flags; for the file write ./-%[1]s", unknown.GetSpecifiedShortnames())
	case errors.As(err, &invalid) && errors.Is(err, strconv.ErrSyntax):
		if kind := invalid.GetFlag().Value.Type(); kind == "int" || kind == "float64" {
			return fmt.Errorf("--%s %s: must be a number", invalid.GetFlag().Name, invalid.GetValue())
		}
	}
	return fmt.Errorf("%w%s; see '%s --help'", err, hint, c.CommandPath())
}

// FlagNames returns the visible flags of a command, with their dashes.
func FlagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// DidYouMean returns "; did you mean …?" with the most similar of words, or "".
func DidYouMean(word string, words []string) string {
	best, least := "", 1+len(word)/3
	for _, w := range words {
		d := distance(strings.ToLower(word), strings.ToLower(w))
		if d < len(word) && (d < least || d == least && best == "") {
			best, least = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance returns the optimal string alignment distance: the number of insertions, deletions,
// substitutions and swaps of neighbours.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], 1+rows[i-2][j-2])
			}
		}
	}
	return rows[len(a)][len(b)]
}

// Duration adds a flag for a duration: 5s, 2m, or 5 for seconds.
func Duration(flags *pflag.FlagSet, p *time.Duration, name, text string) {
	flags.Var((*duration)(p), name, text)
}

type duration time.Duration

// String returns the value in flag syntax. pflag shows no default for "0".
func (d *duration) String() string {
	if *d == 0 {
		return "0"
	}
	return time.Duration(*d).String()
}

func (d *duration) Set(text string) error {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(seconds) < 1e9 {
		*d = duration(seconds * float64(time.Second))
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("must be a duration, such as 5s or 2m, or 5 for seconds")
	}
	*d = duration(parsed)
	return nil
}

// Type returns the default name of the argument.
func (d *duration) Type() string { return "time" }

// Version returns the version in one line: the release or, if it is "", the version of the module,
// with the revision and its date.
func Version(release string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return version(release, info)
}

// Platform returns the Go version, operating system and architecture.
func Platform() string { return runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH }

func version(release string, info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := release
	if text == "" {
		text = info.Main.Version
	}
	if text == "" {
		text = "(unknown)"
	}
	revision := settings["vcs.revision"]
	revision = revision[:min(len(revision), 12)]
	if revision == "" || strings.Contains(text, revision) { // as in v0.0.0-20261123051952-1bff4cf00000
		return text
	}
	text += ", revision " + revision
	if date, _, found := strings.Cut(settings["vcs.time"], "T"); found {
		text += " of " + date
	}
	if settings["vcs.modified"] == "true" {
		text += " with changes"
	}
	return text
}
