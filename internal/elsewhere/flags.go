package elsewhere

import (
	"errors"

	"github.com/spf13/cobra"

	"whittle/internal/session"
	"whittle/oracle"
)

// Flags are those of a command that tests files.
type Flags struct{ retryFlags }

// Add adds the flags to a command.
func (f *Flags) Add(c *cobra.Command) { f.retryFlags.add(c.Flags()) }

// Check finds mistakes in the flags for a test, of which this is interesting, and returns
// what they say.
func (f *Flags) Check(server bool, interesting oracle.Criteria) (retry session.Retry, err error) {
	if server && f.exits != "" {
		return retry, errors.New("--server and --retry-exit exclude each other: a server answers with words; " +
			"one that cannot answer ends, and is started again")
	}
	return f.retry(interesting)
}
