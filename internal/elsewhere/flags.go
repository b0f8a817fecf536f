package elsewhere

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whittle/internal/run"
	"whittle/oracle"
)

// Flags are those of a command that tests files.
type Flags struct {
	Retry  run.Retry   // what they say, after Check
	Remote *run.Remote // nil is no cluster

	retryFlags
	remoteFlags
	command *cobra.Command // nil is one without a cluster
	here    int            // jobs of this machine, once Jobs knows; 0 is not yet
}

// Add adds those of scripts that go elsewhere.
func (f *Flags) Add(c *cobra.Command) { f.retryFlags.add(c.Flags()) }

// AddRemote adds those of clusters. Those that are not given are taken from the environment
// before the command runs.
func (f *Flags) AddRemote(c *cobra.Command) {
	f.command = c
	c.PreRunE = func(c *cobra.Command, _ []string) error { return fromEnvironment(c) }
	f.remoteFlags.add(c)
}

// Check finds mistakes in the flags for a test, of which this is interesting.
func (f *Flags) Check(server bool, interesting oracle.Criteria) (err error) {
	if server && f.exits != "" {
		return errors.New("--server and --retry-exit exclude each other: a server answers with words; " +
			"one that cannot answer ends, and is started again")
	}
	if f.Retry, err = f.retry(interesting); err != nil || f.command == nil {
		return err
	}
	if f.Remote, err = f.options(f.command, f.Retry); err != nil {
		return err
	}
	if server && f.Remote != nil {
		return errors.New("--server stays on this machine, and --remote does not; give the test as a script or a command, " +
			"or --remote none")
	}
	return nil
}

// Jobs returns how many tests run at once, of which so many run here, if the user has said
// that of a cluster. It may be asked again about what it has returned.
func (f *Flags) Jobs(here int) int {
	if f.here == 0 {
		f.here = here
	}
	switch here = f.here; {
	case f.Remote == nil:
		return here
	case f.command.Flags().Changed("jobs"):
		return here + f.Remote.Jobs
	}
	return f.Remote.Jobs
}

// WithoutSecrets returns the words of a command line with no value of a header.
func WithoutSecrets(args []string) []string {
	const flag, hidden = "--remote-header", "HIDDEN"
	shown := slices.Clone(args)
	for i, arg := range args {
		value, joined := strings.CutPrefix(arg, flag+"=")
		if !joined && (i == 0 || args[i-1] != flag) {
			continue
		}
		shown[i] = value[:max(0, strings.IndexAny(value, "=:"))] + "=" + hidden
		if joined {
			shown[i] = flag + "=" + shown[i]
		}
	}
	return shown
}
