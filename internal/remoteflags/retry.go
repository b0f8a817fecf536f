// Package remoteflags parses the flags of tests that run on other machines, on a cluster or by a
// script.
package remoteflags

import (
	"fmt"
	"slices"

	"whittle/internal/chain"
	"whittle/oracle"
)

func (f *Flags) retry(interesting oracle.Criteria) (chain.Retry, error) {
	r := chain.Retry{Patience: f.RetryFor}
	if f.RetryFor < 0 {
		return r, fmt.Errorf("--retry-for %v: a time is needed, as 10m", f.RetryFor)
	}
	if f.RetryExit == "" {
		return r, nil
	}
	var err error
	if r.Exits, err = oracle.ParseExitCodes(f.RetryExit); err != nil {
		return r, fmt.Errorf("--retry-exit: %w", err)
	}
	codes := interesting.ExitCodes
	if interesting.IsZero() {
		codes = []int{0}
	}
	if len(codes) > 0 && !slices.ContainsFunc(codes, func(code int) bool { return !slices.Contains(r.Exits, code) }) {
		return r, fmt.Errorf("--retry-exit %s: exit code %v is interesting, and cannot say that nothing was tested",
			f.RetryExit, oracle.Criteria{ExitCodes: codes})
	}
	return r, nil
}
