package run

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/remote"
	"whittle/oracle"
)

// Remote says which cluster runs the tests. Inputs are found by the session.
type Remote struct {
	remote.Options
	Files  []string // absolute paths of what the test needs besides what its command names
	GoesOn bool     // with tests on this machine, when the cluster is gone
}

// near returns how many tests and other programs may run at once on this machine.
func (o *Config) near() int {
	if o.Remote == nil {
		return o.Jobs
	}
	return max(o.Jobs-o.Remote.Jobs, min(o.Jobs, runtime.NumCPU()))
}

// dial connects to the cluster. Tests that this machine has jobs for, besides those of the
// cluster, run here.
func (s *Run) dial(ctx context.Context) (*chain.Overflow, error) {
	own := *s.Remote // which sessions may share
	s.Remote = &own
	o := &own.Options
	var err error
	if o.Inputs, err = s.inputs(); err != nil {
		return nil, err
	}
	o.Told = s.Warn
	if s.cluster, err = remote.Dial(ctx, *o); err != nil {
		return nil, err
	}
	s.Later(func() { s.cluster.Close() })
	after := 0
	if s.Remote.GoesOn {
		after = s.near()
	}
	return &chain.Overflow{
		Cluster: s.there(s.cluster), Slots: s.host.slotsHere(s.Jobs-o.Jobs, after),
		Lost: func(err error) {
			s.Warn(fmt.Sprintf("%v; going on with tests on this machine alone, %d at once", err, after))
		},
	}, nil
}

// A renamed executor has a program by another name than this machine.
type renamed struct {
	oracle.Executor
	here, there string
}

// Run is that of an [oracle.Executor].
func (n *renamed) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if spec.Argv[0] == n.here {
		spec.Argv = slices.Concat([]string{n.there}, spec.Argv[1:])
	}
	return n.Executor.Run(ctx, spec, candidate)
}

// there returns an executor for which the program of the test has its name on the cluster: a
// file of the test that of its path here, a command its name, for which PATH there is
// searched, and what was given by an absolute path that.
func (s *Run) there(c *remote.Cluster) oracle.Executor {
	if s.Test.Inline && !strings.Contains(s.Test.Argv[0], "/") {
		return &renamed{c, s.Program(), s.Test.Argv[0]}
	}
	return c
}

// inputs returns the files of the test: its program, unless that is one of the cluster's,
// what else its command names, and what the user does. They have the paths there that they
// have below the directory of the test.
func (s *Run) inputs() ([]remote.Input, error) {
	var files []string
	if !s.Test.Inline || !filepath.IsAbs(s.Test.Argv[0]) && strings.Contains(s.Test.Argv[0], "/") {
		files = append(files, s.Program())
	}
	for _, path := range s.named {
		if slices.ContainsFunc(s.Spec.Argv[1:], func(word string) bool { return strings.Contains(word, path) }) {
			files = append(files, path)
		}
	}
	home := s.Spec.Home
	if home == "" {
		home = filepath.Dir(s.Program())
	}
	var inputs []remote.Input
	for _, path := range slices.Concat(files, s.Remote.Files) {
		below, err := filepath.Rel(home, path)
		if below == "." {
			return nil, fmt.Errorf("--remote-input %s is where the test is, and where results come to be, which no test needs; "+
				"name the files and directories there that it does need", path)
		}
		if err != nil || !filepath.IsLocal(below) {
			below = filepath.Base(path)
		}
		in := remote.Input{Local: path, Path: filepath.ToSlash(below)}
		for _, other := range inputs {
			if other.Path == in.Path && other.Local != in.Local {
				return nil, fmt.Errorf("%s and %s would both be %s for the test on the cluster; rename one of them",
					other.Local, in.Local, in.Path)
			}
		}
		if !slices.Contains(inputs, in) {
			inputs = append(inputs, in)
		}
	}
	return inputs, nil
}

// identityThere is what outcomes depend on that a cluster has found: all but who it is, and
// how it knows us.
func (s *Run) identityThere() (parts [][]byte) {
	o := &s.Remote.Options
	parts = append(parts, fmt.Appendf(nil, "%s %q %q %q", remote.Script(), o.Platform, o.Env, o.Check))
	for _, in := range o.Inputs {
		h, local := sha256.New(), in.Local
		if real, err := filepath.EvalSymlinks(local); err == nil {
			local = real
		}
		filepath.WalkDir(local, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // it was read before
			}
			fmt.Fprintf(h, "%q %v\n", strings.TrimPrefix(path, local), d.Type())
			if file, err := os.Open(path); err == nil && !d.IsDir() {
				io.Copy(h, file)
				file.Close()
			}
			return nil
		})
		parts = append(parts, fmt.Appendf(nil, "%s %x", in.Path, h.Sum(nil)))
	}
	return parts
}

// CheckElsewhere finds out what the workers of the cluster are like; see
// [diagnose.Test.CheckElsewhere].
func (s *Run) CheckElsewhere(ctx context.Context, tell func(diagnose.Finding)) error {
	return s.Diagnosis().CheckElsewhere(ctx, diagnose.Elsewhere{
		Place: s.Place(), Jobs: s.Remote.Jobs, Writable: s.cluster.Writable(), Executor: s.there(s.cluster),
		Again: func(ctx context.Context) (oracle.Executor, func(), error) {
			c, err := remote.Dial(ctx, s.Remote.Options)
			if err != nil {
				return nil, nil, err
			}
			return c, func() { c.Close() }, nil
		},
	}, tell)
}

// Here returns the test as it is asked once, on this machine.
func (s *Run) Here() oracle.Test {
	return oracle.Test{Spec: s.Chain.Timeout.Limit(s.Spec), Executor: s.Chain.On(&s.program)}
}

// Elsewhere says where tests run besides this machine, and how many were answered by what is
// known there; "" is nowhere.
func (s *Run) Elsewhere() string {
	if s.cluster == nil {
		return ""
	}
	text := fmt.Sprintf("%d jobs on %s", s.Remote.Jobs, s.Place())
	if t := s.cluster.Tally(); t.Cached > 0 {
		text += fmt.Sprintf(", %d%% from its cache", 100*t.Cached/max(t.Actions, 1))
	}
	return text
}

// Place is what the cluster is called: its address without what is about connections.
func (s *Run) Place() string {
	_, place, found := strings.Cut(s.Remote.Target, "://")
	if !found {
		place = s.Remote.Target
	}
	return strings.TrimSuffix(place, "/")
}

// Cluster returns the cluster that runs tests; nil if there is none.
func (s *Run) Cluster() *remote.Cluster { return s.cluster }
