package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/interrupt"
)

func reduceCommand() *cobra.Command {
	var f *flags
	c := &cobra.Command{
		Use: "reduce [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle reduce [flags] TEST FILE...\n" +
			"  whittle reduce [flags] --server COMMAND FILE...",
		Short: "Shrink FILE while it shows the same failure (the default)",
		Long: `Shrink FILE while COMMAND fails in the same way, or while TEST exits with 0.

COMMAND is what fails, as a compiler that crashes; FILE or {} in it is the name of
the candidate, which else is its standard input. It is run on FILE, on an empty file
and on garbage, to find out what its failure is known by: a crash of a compiler
with its place, an assertion, a signal, an exception, a message, an exit code, a
hang. That is told, and has to stay; --interesting-... says something else. A
COMMAND that exits with 0 is known by a message or a line that it prints; if there
is none, exit code 0 is interesting. What fails in another way
is another bug: the smallest of each is kept in small.other. It runs in a fresh
directory: other files that it names are found there by their absolute names. Its
arguments shrink together with FILE.

TEST is a program, run without arguments in a fresh directory that holds the
candidate under the name of FILE. It exits with 0 if the candidate is
interesting, with 125 if it cannot tell, else with another code. Files of its own
it finds through $WHITTLE_TEST_DIR, the directory TEST is in. FILE itself is not
changed. A TEST that finds an empty file interesting, or garbage, is refused.

With --server, COMMAND is a test that stays running: it starts once per job, in
the current directory. It reads the path of a candidate, a line, and answers with
a line: interesting, uninteresting or unresolved.

Of several FILEs, and of directories, the test finds what is left, by the same
names as seen from the current directory; of one outside of it, by its last
name. {} is the name of the first.

A FILE that is - is standard input; its result goes to standard output. --name is
the name that the test sees, as of a result that was edited by hand.

The best result so far is in the output at any time. An output that is a
device or a pipe, as /dev/stdout, gets the result at the end.

Each outcome is kept in a journal beside the output until all is done. If whittle
was stopped before, the same command goes on. What others have put in the output is
not overwritten, but kept as small.reduced.c.old. SIGUSR1 asks for a line about how
it goes. In a terminal there are keys to steer by, see ? there; a second SIGINT
waits for nothing.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting, or nothing
is left of it, or TEST finds anything interesting; 2 wrong usage, FILE or TEST cannot
be used; 3 the environment failed, as by a full disk, or a cluster that is gone; 130
or 143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle small.c -- gcc -O2 -c {}\n" +
			"  whittle query.sql -- sqlite3 :memory:\n" +
			"  whittle test.sh small.c\n" +
			"  whittle -j 4 --timeout 5s -o tiny.c test.sh small.c\n" +
			"  whittle test.sh a.c b.h dir/\n" +
			"  whittle reduce --server 'java -cp . Oracle' in.xml",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := f.newCall(args)
			if err != nil {
				return err
			}
			return reduce(c.Context(), f, call)
		},
	}
	f = newFlags(c, onReduce)
	return c
}

// reduce is the command: it opens everything, lets whittle work, and reports.
func reduce(ctx context.Context, f *flags, call call) error {
	if err := f.check(); err != nil {
		return err
	}
	limited, _, release := interrupt.Limit(ctx, f.maxTime)
	defer release()
	s, err := f.begin(limited, call.test)
	if err != nil {
		return err
	}
	defer s.Close()
	r := &reducing{flags: f, inputs: strings.Join(call.inputs, ", ")}
	r.report = newReporter(f.verbose, f.quiet, r.inputs)
	attend(ctx, s, r.report)
	_, err = interrupt.Wait(limited, func() (any, error) { return nil, r.open(limited, s, call) })
	if err != nil {
		r.report.end()
		return r.early(limited, err)
	}
	return s.ExplainServer(r.run(ctx, limited))
}
