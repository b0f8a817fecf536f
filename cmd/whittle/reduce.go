package main

import (
	"context"

	"github.com/spf13/cobra"

	"whittle/internal/interrupt"
)

func reduceCommand() *cobra.Command {
	return withRun(onReduce, &cobra.Command{
		Use: "reduce [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle reduce [flags] TEST FILE...\n" +
			"  whittle reduce [flags] --server COMMAND FILE...",
		Short: "Shrink FILE while it shows the same failure (the default)",
		Long: `Shrink FILE while COMMAND fails in the same way, or while TEST exits with 0.

COMMAND is a command that fails, such as a compiler that crashes. FILE or {} in it
stands for the candidate; without either, the candidate is its standard input.
whittle runs it on FILE, on an empty file and on garbage, to find out how to
recognise the failure: by the place of a compiler crash, an assertion, a signal, an
exception, a message, an exit code, or a hang. It prints the criterion, which every
candidate must meet; --interesting-... sets another. If COMMAND exits with 0, the
criterion is a message or line that it prints, otherwise exit code 0. Other
failures are other bugs: the smallest file of each is kept in small.other.
COMMAND runs in a fresh directory; names of other files become absolute. Its
arguments shrink together with FILE.

TEST is a program. It runs without arguments in a fresh directory that contains the
candidate, named like FILE. It exits with 0 if the candidate is interesting, with
125 if it cannot tell, and otherwise with another code. $WHITTLE_TEST_DIR is the
directory of TEST, for files that TEST needs. FILE itself does not change. whittle
refuses a TEST that finds an empty file or garbage interesting.

With --server, COMMAND is a test that keeps running. It starts once per job, in the
current directory. It reads lines, each the path of a candidate, and answers each
with a line: interesting, uninteresting or unresolved.

Several FILEs and directories are reduced together. The test finds the rest of them
under the same names, relative to the current directory; files outside of it have
their base names. {} is the first name.

If FILE is -, whittle reads standard input and writes the result to standard output.
--name sets the name that the test sees, for example of a result edited by hand.

The output file always contains the best result so far. A device or a pipe, such as
/dev/stdout, gets only the final result.

A journal next to the output keeps the outcome of each test until the reduction is
complete. After an interruption the same command continues. whittle does not
overwrite an output changed by others: it moves it to small.reduced.c.old. SIGUSR1
prints the progress. In a terminal, press ? for a list of keys; a second SIGINT
exits at once.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting, the result
is empty, or TEST finds anything interesting; 2 wrong usage, or FILE or TEST cannot
be used; 3 the environment failed, such as a full disk or an unreachable cluster;
130 or 143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle small.c -- gcc -O2 -c {}\n" +
			"  whittle query.sql -- sqlite3 :memory:\n" +
			"  whittle test.sh small.c\n" +
			"  whittle -j 4 --timeout 5s -o tiny.c test.sh small.c\n" +
			"  whittle test.sh a.c b.h dir/\n" +
			"  whittle reduce --server 'java -cp . Oracle' in.xml",
	}, func(ctx context.Context, s *session) error {
		r := &reducing{session: s}
		r.Observe, r.Search.Control = r.observe, &r.control
		r.attend()
		if err := interrupt.Do(s.limited, func() error { return r.open(s.limited) }); err != nil {
			return r.early(err)
		}
		return r.run(ctx)
	})
}
