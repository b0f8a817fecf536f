package main

import (
	"context"

	"github.com/spf13/cobra"

	"whittle/internal/advice"
)

func reduceCommand() *cobra.Command {
	var f reduceFlags
	c := &cobra.Command{
		Use: "reduce [flags] TEST FILE...\n" +
			"  whittle reduce [flags] FILE... -- COMMAND [ARG]...\n" +
			"  whittle reduce [flags] --server COMMAND FILE...",
		Short: "Shrink FILE while TEST exits with 0",
		Long: `Shrink FILE while TEST exits with 0.

TEST is a program, run without arguments in a fresh directory that holds the
candidate under the name of FILE. It exits with 0 if the candidate is
interesting, with 125 if it cannot tell, else with another code. Files of its own
it finds through $WHITTLE_TEST_DIR, the directory TEST is in. FILE itself is not
changed.

COMMAND is a test without a script. {} in its ARGs is the name of the candidate.
It too runs in a fresh directory: give ARGs that are files of yours by their
absolute names, as "$PWD/rules.txt".

With --server, COMMAND is a test that stays running: it starts once per job, in
the current directory. It reads the path of a candidate, a line, and answers with
a line: interesting, uninteresting or unresolved.

Of several FILEs, and of directories, the test finds what is left, by the same
names as seen from the current directory; of one outside of it, by its last
name. {} is the name of the first.

The best result so far is in the output at any time. An output that is a
device or a pipe, as /dev/stdout, gets the result at the end.

Each outcome is kept in a journal beside the output until all is done. If whittle
was stopped before, the same command goes on. What others have put in the output is
not overwritten, but kept as small.reduced.c.old. SIGUSR1 asks for a line about how
it goes; a second SIGINT waits for nothing.

Exit codes: 0 reduced, or nothing to remove; 1 FILE is not interesting, or
nothing is left of it, as TEST finds anything interesting; 2 wrong usage, FILE or
TEST cannot be used; 3 the environment failed, for example by a full disk; 130 or
143 interrupted by SIGINT or SIGTERM, with the best result kept.`,
		Example: "  whittle reduce test.sh small.c\n" +
			"  whittle reduce -j 4 --timeout 5s -o tiny.c test.sh small.c\n" +
			"  whittle reduce small.c -- gcc -O2 -c {}\n" +
			"  whittle reduce --server 'java -cp . Oracle' in.xml\n" +
			"  whittle reduce test.sh a.c b.h dir/",
		RunE: func(c *cobra.Command, args []string) error {
			call, err := newCall(c.Name(), args, c.ArgsLenAtDash(), f.server)
			if err != nil {
				return err
			}
			return reduce(c.Context(), f, call)
		},
	}
	f.add(c)
	return c
}

// reduce is the command: it opens everything, lets whittle work, and reports.
func reduce(ctx context.Context, f reduceFlags, call call) error {
	s, err := f.open(call)
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := openReduction(ctx, f, s)
	if err == nil {
		err = r.run(ctx)
	}
	return advice.ServerFailure(s, err)
}
