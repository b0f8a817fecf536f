package main

import "github.com/spf13/cobra"

// testFlags say what a test gets, and which tests are interesting.
type testFlags struct {
	stdin bool
}

func (f *testFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.stdin, "stdin", false, "give the candidate to the test as standard input, too")
}
