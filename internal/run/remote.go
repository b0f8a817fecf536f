package run

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/remote"
	"whittle/oracle"
)

// Remote configures the cluster. The run finds the inputs.
type Remote struct {
	remote.Options
	Files  []string // more files for the test, absolute
	GoesOn bool     // continue here when the cluster is gone
}

func (o *Config) near() int {
	if o.Remote == nil {
		return o.Jobs
	}
	return max(o.Jobs-o.Remote.Jobs, min(o.Jobs, runtime.NumCPU()))
}

// dial connects to the cluster. Jobs beyond its capacity run here.
func (r *Run) dial(ctx context.Context) (*chain.Overflow, error) {
	own := *r.Remote // runs may share the original
	r.Remote = &own
	o := &own.Options
	var err error
	if o.Inputs, err = r.inputs(); err != nil {
		return nil, err
	}
	o.Told = r.Warn
	if r.cluster, err = remote.Dial(ctx, *o); err != nil {
		return nil, err
	}
	r.Later(func() { r.cluster.Close() })
	after := 0
	if r.Remote.GoesOn {
		after = r.near()
	}
	return &chain.Overflow{
		Cluster: r.there(r.cluster), Slots: r.Host.slotsHere(r.Jobs-o.Jobs, after),
		Lost: func(err error) {
			r.Warn(fmt.Sprintf("%v; going on with tests on this machine alone, %d at once", err, after))
		},
	}, nil
}

// A renamed executor replaces the program's name.
type renamed struct {
	oracle.Executor
	here, there string
}

func (n *renamed) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if spec.Argv[0] == n.here {
		spec.Argv = slices.Concat([]string{n.there}, spec.Argv[1:])
	}
	return n.Executor.Run(ctx, spec, candidate)
}

// there returns the executor of the cluster, whose PATH resolves commands without a slash.
func (r *Run) there(c *remote.Cluster) oracle.Executor {
	if r.Test.Inline && !strings.Contains(r.Test.Argv[0], "/") {
		return &renamed{c, r.Program(), r.Test.Argv[0]}
	}
	return c
}

// inputs returns the files of the test, relative to its directory: the program, unless it is the
// cluster's, other files of the command, and Files.
func (r *Run) inputs() ([]remote.Input, error) {
	var files []string
	if !r.Test.Inline || !filepath.IsAbs(r.Test.Argv[0]) && strings.Contains(r.Test.Argv[0], "/") {
		files = append(files, r.Program())
	}
	for _, path := range r.named {
		if slices.ContainsFunc(r.Spec.Argv[1:], func(word string) bool { return strings.Contains(word, path) }) {
			files = append(files, path)
		}
	}
	home := cmp.Or(r.Spec.Home, filepath.Dir(r.Program()))
	return remote.NewInputs(home, slices.Concat(files, r.Remote.Files))
}

// checkElsewhere examines the workers; see [diagnose.Test.CheckCluster].
func (r *Run) checkElsewhere(ctx context.Context, tell func(diagnose.Finding)) error {
	return r.Diagnosis().CheckCluster(ctx, diagnose.Cluster{
		Place: r.Remote.Place(), Jobs: r.Remote.Jobs, Writable: r.cluster.Writable(), Executor: r.there(r.cluster),
		Again: func(ctx context.Context) (oracle.Executor, func(), error) {
			c, err := remote.Dial(ctx, r.Remote.Options)
			if err != nil {
				return nil, nil, err
			}
			return c, func() { c.Close() }, nil
		},
	}, tell)
}

// Elsewhere describes the cluster and its cache hits; "" without a cluster.
func (r *Run) Elsewhere() string {
	if r.cluster == nil {
		return ""
	}
	text := fmt.Sprintf("%d jobs on %s", r.Remote.Jobs, r.Remote.Place())
	if t := r.cluster.Tally(); t.Cached > 0 {
		text += fmt.Sprintf(", %d%% from its cache", 100*t.Cached/max(t.Actions, 1))
	}
	return text
}
