// Package elsewhere has the flags of tests that do not run on this machine: on a cluster of
// remote execution, or by a script that goes to another machine itself.
package elsewhere

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"whittle/internal/run"
	"whittle/internal/usage"
	"whittle/oracle"
)

// retryFlags say what becomes of tests that nobody knows the end of.
type retryFlags struct {
	exits    string
	patience time.Duration
}

func (f *retryFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.exits, "retry-exit", "", "with one of these exit `codes`, as 75 or 75,255, a test says that "+
		"it could not be tested, as on a machine that went away: it is asked again, with pauses")
	usage.Duration(flags, &f.patience, "retry-for", "how much `time` a test is asked again for that could not be tested, "+
		"before whittle ends with exit code 3 (default 10m)")
	usage.Group(flags, usage.Limits, "retry-exit", "retry-for")
}

// retry returns what the flags say, for a test of which this is interesting.
func (f *retryFlags) retry(interesting oracle.Criteria) (run.Retry, error) {
	r := run.Retry{Patience: f.patience}
	if f.patience < 0 {
		return r, fmt.Errorf("--retry-for %v: a time is needed, as 10m", f.patience)
	}
	if f.exits == "" {
		return r, nil
	}
	var err error
	if r.Exits, err = oracle.ParseExitCodes(f.exits); err != nil {
		return r, fmt.Errorf("--retry-exit: %w", err)
	}
	codes := interesting.ExitCodes
	if interesting.IsZero() {
		codes = []int{0}
	}
	if len(codes) > 0 && !slices.ContainsFunc(codes, func(code int) bool { return !slices.Contains(r.Exits, code) }) {
		return r, fmt.Errorf("--retry-exit %s: exit code %v is interesting, and cannot say that nothing was tested",
			f.exits, oracle.Criteria{ExitCodes: codes})
	}
	return r, nil
}
