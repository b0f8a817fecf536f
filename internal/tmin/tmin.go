// Package tmin has the command tmin, which takes the arguments of AFL's afl-tmin.
package tmin

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"whittle/internal/forkserver"
	"whittle/internal/shell"
)

// The flags of afl-tmin have its letters; some flags of whittle are added.
type flags struct {
	input, output, file, timeout, memory string
	serve                                string // file with a criterion
	jobs                                 int
	forkserver.Kinds
}

// NewCommand returns the command. It reports wrong usage through wrong, and calls reduce with the arguments of a
// reduction.
func NewCommand(
	wrong func(format string, args ...any) error, reduce func(ctx context.Context, args []string) error,
) *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "tmin [flags] -i FILE -o FILE -- PROGRAM [ARG]...",
		Short: "Shrink an input of a fuzz target that was built for AFL",
		Long: `Shrink FILE while PROGRAM crashes with the same signal or, if it does not crash, has
the same coverage. The flags and @@ are those of afl-tmin. PROGRAM was built with
afl-clang-fast or another compiler of AFL++: it starts once for each job, and its fork
server runs the candidates. Edges whose coverage varies between runs of FILE are ignored.

PROGRAM reads standard input, or the file whose path replaces @@. It requires Linux.

Exit codes are those of 'whittle reduce'.`,
		Example: "  whittle tmin -i crash -o small -- ./fuzz @@\n" +
			"  whittle tmin --same-coverage -e -i seed -o small -- ./fuzz",
	}
	set := c.Flags()
	set.SortFlags = false
	set.StringVarP(&f.input, "input", "i", "", "the `file` to shrink")
	set.StringVarP(&f.output, "output", "o", "", "the `file` for the result")
	set.StringVarP(&f.file, "file", "f", "", "PROGRAM reads this `file`; only one test runs at once")
	set.StringVarP(&f.timeout, "timeout", "t", "1000", "limit for a run, in milliseconds (`msec`)")
	set.StringVarP(&f.memory, "memory", "m", "none", "limit of memory, as 500, which means `megs`, or 2G")
	set.BoolVarP(&f.Edges, "edges", "e", false, "of coverage, compare only edges, not how often they run")
	set.BoolVarP(&f.Exits, "exits", "x", false, "an exit code other than 0 is a crash")
	set.BoolVarP(&f.Hangs, "hangs", "H", false, "FILE hangs, for longer than -t")
	set.BoolVar(&f.Coverage, "same-coverage", false, "keep the coverage, even if FILE crashes")
	set.IntVarP(&f.jobs, "jobs", "j", 0, "run `N` tests at once; the default is the number of processors")
	set.StringVar(&f.serve, "serve", "", "")
	set.MarkHidden("serve")
	c.RunE = func(c *cobra.Command, args []string) error {
		o, err := f.options(args)
		switch {
		case err != nil:
			return wrong("%w", err)
		case f.serve != "":
			return forkserver.Serve(o, f.serve, c.InOrStdin(), c.OutOrStdout())
		case f.input == "" || f.output == "" || len(args) == 0:
			return wrong("tmin needs an input, an output and a program: whittle tmin -i FILE -o FILE -- PROGRAM @@")
		}
		return f.run(o, c, reduce)
	}
	return c
}

func (f *flags) options(args []string) (o forkserver.Options, err error) {
	o.Argv, o.File = args, f.file
	ms, err := strconv.Atoi(strings.TrimSuffix(f.timeout, "+"))
	if err != nil || ms <= 0 {
		return o, fmt.Errorf("-t %s: must be a number of milliseconds", f.timeout)
	}
	o.Timeout = time.Duration(ms) * time.Millisecond
	if f.memory == "none" || f.memory == "0" {
		return o, nil
	}
	text := f.memory
	if _, err := strconv.Atoi(text); err == nil {
		text += "M"
	}
	text = strings.NewReplacer("T", "TiB", "G", "GiB", "M", "MiB", "k", "KiB").Replace(text) // as AFL
	if o.Memory, err = humanize.ParseBytes(text); err != nil {
		return o, fmt.Errorf("-m %s: must be a number of megabytes, or as 500M or 2G", f.memory)
	}
	return o, nil
}

// server returns the command of the test server that judges by the criterion in a file.
func (f *flags) server(program, criterion string, argv []string) string {
	words := []string{program, "tmin", "--serve", criterion, "-t", f.timeout, "-m", f.memory}
	if f.file != "" {
		words = append(words, "-f", f.file)
	}
	return shell.Join(append(append(words, "--"), argv...))
}

// reduction returns the arguments of a reduction.
func (f *flags) reduction(server string, timeout time.Duration, input string, more ...string) []string {
	args := append([]string{"reduce", "--force", "--no-valid", "--server", server, "-o", f.output,
		// Starting takes longer than the limit of a test.
		"--timeout", (timeout + serverLimit).String()}, more...)
	if f.file != "" { // servers would share it
		args = append(args, "-j", "1", "--allow-write", filepath.Dir(f.file))
	} else if f.jobs > 0 {
		args = append(args, "-j", strconv.Itoa(f.jobs))
	}
	return append(args, input)
}

const serverLimit = 20 * time.Second
