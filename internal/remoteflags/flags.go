package remoteflags

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"whittle/internal/chain"
	"whittle/internal/remote"
	"whittle/internal/run"
	"whittle/oracle"
)

// Flags has the values of the flags, and the results of Check.
type Flags struct {
	RetryExit string
	RetryFor  time.Duration

	Address, Instance string   // of the cluster
	Platform, Headers []string // NAME=VALUE
	HeaderFile        string
	TLS               remote.TLS
	Inputs, Env       []string
	Cache, Lost       string
	Probe             string // --remote-check
	RemoteJobs        int

	Retry  chain.Retry // valid after Check
	Remote *run.Remote // valid after Check; nil without a cluster

	jobs  int      // on this machine; 0 before Jobs
	given []string // on the command line
}

// Check parses the flags. given lists those on the command line, without dashes; server says that
// the test is a server.
func (f *Flags) Check(server bool, interesting oracle.Criteria, given []string) (err error) {
	f.given = given
	if server && f.RetryExit != "" {
		return errors.New("--server and --retry-exit exclude each other: a server answers with words; " +
			"a server that cannot answer should exit, and is started again")
	}
	if f.Retry, err = f.retry(interesting); err != nil {
		return err
	}
	if f.Remote, err = f.options(); err != nil {
		return err
	}
	if server && f.Remote != nil {
		return errors.New("--server runs on this machine, and --remote does not; give the test as a script or a command, " +
			"or use --remote none")
	}
	return nil
}

// Jobs returns the number of tests at once. jobs, the value of --jobs, counts in the first call
// only, and with a cluster only if the user gave it.
func (f *Flags) Jobs(jobs int) int {
	f.jobs = cmp.Or(f.jobs, jobs)
	switch {
	case f.Remote == nil:
		return f.jobs
	case slices.Contains(f.given, "jobs"):
		return f.jobs + f.Remote.Jobs
	}
	return f.Remote.Jobs
}

// WithoutSecrets removes the values of headers from a command line.
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
