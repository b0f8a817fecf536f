// Package session opens what every command needs that tests files: the input and its
// language, the test, the work directory and what runs the test there.
package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/local"
	"whittle/internal/output"
	"whittle/internal/remote"
	"whittle/internal/sandbox"
	"whittle/internal/server"
	"whittle/internal/valid"
	"whittle/oracle"
)

// Config says what the user wants. Test is needed.
type Config struct {
	Test     Test
	Language *grammars.Language // that all is read by; nil is by names and contents
	Grammar  []string           // files that the language was read from

	Stdin           bool
	Interesting     oracle.Criteria
	InterestingText string        // how the user says that
	Frames          int           // of a stack, that a failure is known by; 0 is [diagnose.Frames]
	Timeout         time.Duration // of a test; 0 is one that adapts
	Limits          oracle.Limits
	WorkDir         string      // below which tests run; "" is a default
	Jobs            int         // tests at once, here and elsewhere
	Repeat          int         // tests that must agree; 0 is 1
	Retry           chain.Retry // what is asked again, if it was lost
	Remote          *Remote     // the cluster that runs tests; nil is none
	Valid           Valid       // what a candidate must be besides interesting
	Sandbox         Sandbox     // what tests may do to this machine
	Host            *Host       // that it shares with other sessions; nil is one of its own
	Turn            chain.Turn  // whose turn it is where sessions share what runs their tests; nil is everybody's

	// Late ends when nobody waits any more for a file to be read; nil is never.
	Late context.Context
	// Warn is told of what cannot be read as it should.
	Warn func(text string)
	// Flaky is told when the test contradicts itself.
	Flaky func(chain.Contradiction)
}

// A Run is what one command has open. What belongs to the test may be used once
// Start has returned.
type Run struct {
	Config
	Input   *Input
	Chain   *chain.Chain      // what runs the test, after Start
	Spec    oracle.Spec       // of the test, but for its limits of time
	Failure diagnose.Failure  // what Recognise has found
	Guards  []valid.Check     // what Guard has found: what the result has to be accepted by
	Crash   *valid.CrashPlace // of the crash of the input, and what else Guard keeps with it; nil for none
	Shrinks bool              // what is tested has arguments of the test in it, too
	Agree   []chain.Stage     // the same of a difference: who says that one side is right

	SandboxLevel sandbox.Level // what protects this machine from tests

	Rejected string // the programs that were asked to be guards, if none of them accepts the input; else ""
	Prepared string // what Prepare has made of the file; "" is nothing

	host    *Host
	took    time.Duration // by the test on the input in the sandbox; 0 is not known
	program local.Executor
	cluster *remote.Cluster   // nil for none
	named   []string          // files that the command names
	differs *valid.DiffStages // of a test of two commands
	lost    sync.Once         // the user was told that tests are
	closers
}

// New begins a session, which is to be closed.
func New(o Config) *Run {
	s := &Run{Config: o, host: o.Host}
	if s.host == nil {
		s.host = NewHost(o.near())
		s.Later(s.host.Close)
	}
	return s
}

// OnStop has something done before the user stops whittle, as by Ctrl-Z, and when it
// goes on.
func (s *Run) OnStop(stop, resume func()) { s.host.OnStop(stop, resume) }

// gcPercent keeps the memory small: what whittle allocates are mostly files that
// it renders, used once.
const gcPercent = 40

// slack is how many times as long as the input a candidate may take.
const slack = 10

// Find finds the test of an input that was read.
func (s *Run) Find(in *Input) (err error) {
	const large = 1 << 20
	if in.Language.FrontEnd != "antlr" || in.Weight.Size > large { // ANTLR's tables are much to go through
		debug.SetGCPercent(gcPercent)
	}
	s.Input = in
	if s.Spec, s.program.Program, err = s.Test.find(in.Mode); err != nil {
		if s.Remote != nil && errors.Is(err, exec.ErrNotFound) {
			err = fmt.Errorf("%w; if it is on the cluster alone, say so: -- env %s", err, s.Test)
		}
		return err
	}
	s.Spec.Layout = in.Layout()
	s.Spec.Stdin, s.Spec.Interesting = s.Stdin || s.readsInput(s.Spec.Layout.Name), s.Interesting
	s.Spec.Timeout, s.Spec.Limits = s.Timeout, s.Limits
	return nil
}

// Program returns the path of what runs: the test, or the shell of a server.
func (s *Run) Program() string { return s.Spec.Argv[0] }

// Start finds the work directory, and what runs tests in it: processes, or a server
// that stays until ctx or the session ends; around that the time limit that adapts,
// and what asks several times.
func (s *Run) Start(ctx context.Context) error {
	if err := s.host.start(s.WorkDir, s.Limits.Disk); err != nil {
		return err
	}
	work, reaper := s.host.work.Dir, s.host.reaper
	s.program.Work, s.program.Reaper = work, reaper
	if err := s.confine(ctx); err != nil {
		return err
	}

	var executor oracle.Executor = &s.program
	if s.Test.Server != "" {
		pool := server.New(ctx, server.Options{
			Work: work, Reaper: reaper, Jobs: s.near(), Known: s.Input.Bytes, Launch: launchIn(s.program.Sandbox, work),
		})
		s.Later(func() { pool.Close() })
		executor = pool
	}
	var overflow *chain.Overflow
	if s.Remote != nil {
		var err error
		if overflow, err = s.dial(ctx); err != nil {
			return err
		}
	}
	s.Retry.Waits = s.waits
	s.Chain = chain.Build(chain.Config{
		Executor: executor, Programs: s.programs(), Jobs: s.near(),
		Overflow: overflow, Retry: s.Retry, Repeat: s.Repeat, AtOnce: s.atOnce(), Turn: s.Turn, Flaky: s.Flaky,
		// If more tests run at once than there are processors, each takes longer than the
		// first did alone.
		Slack: slack * max(1, float64(s.near())/float64(runtime.NumCPU())),
	})
	return nil
}

// atOnce is how many tests run at once of those that one question is about.
func (s *Run) atOnce() int {
	if s.Turn != nil { // which is a question's
		return 1
	}
	return s.Jobs
}

// Scratch makes an empty directory beside those of the tests, to be removed.
func (s *Run) Scratch() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(s.program.Work, "scratch")
	return dir, func() { os.RemoveAll(dir) }, err
}

// Once returns the test without confirmation.
func (s *Run) Once() oracle.Test { return oracle.Test{Spec: s.Spec, Executor: s.Chain.Once()} }

// Afresh returns the test without confirmation. No cache of a cluster may answer it.
func (s *Run) Afresh() oracle.Test {
	test := s.Once()
	test.Spec.Afresh = true
	return test
}

// Bare returns the test without confirmation and validity checks, with its present time limit.
func (s *Run) Bare() oracle.Test {
	return oracle.Test{Spec: s.Chain.Timeout.Limit(s.Spec), Executor: s.Chain.Bare()}
}

// Ask tests a candidate. It is an [oracle.Property].
func (s *Run) Ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	return s.Chain.Ask(ctx, s.Spec, candidate)
}

// Again tests a candidate that was interesting before, at least so many times.
func (s *Run) Again(ctx context.Context, candidate []byte, least int) (algo.Outcome, error) {
	return s.Chain.Again(ctx, s.Spec, candidate, least)
}

// Watch reports candidates that fail in another way than the input, from any goroutine, if
// the failure of the input was recognised.
func (s *Run) Watch(other func(f failure.Signature, by oracle.Spec, candidate []byte)) {
	s.Chain.Watch(s.Failure.Title, s.Failure.Callers, other)
}

// Diagnosis returns the test for experiments.
func (s *Run) Diagnosis() *diagnose.Test {
	in := s.Input
	t := &diagnose.Test{
		Spec: s.Spec, Executor: s.program, Timeout: &s.Chain.Timeout,
		Command: s.Test.Inline && s.Spec.Interesting.IsZero(),
		Input:   in.Bytes, Jobs: s.atOnce(), Shown: s.Test.String(), ShownFile: in.String(), Files: in.absolute(),
		Frames: s.Frames,
	}
	if s.Test.Server != "" || s.cluster != nil {
		t.Fixed, t.Here = s.Bare().Executor, s.cluster != nil
	} else if len(s.Retry.Exits) > 0 {
		t.Around = s.Chain.On
	}
	t.Dir = filepath.Dir(t.Files[0])
	if in.Set != nil {
		t.Fill = func(content []byte) []byte { return in.Set.Fill(in.Bytes, content) }
		if in.Names[0] == "." {
			t.Dir = t.Files[0]
		} else if dir, ok := strings.CutSuffix(t.Files[0], "/"+in.Names[0]); ok {
			t.Dir = dir // src/a.c is src/a.c for the test
		}
	}
	return t
}

// Names returns the files that the session reads; nothing may be written to them.
func (s *Run) Names() *output.Names {
	var n output.Names
	if s.Test.Server == "" {
		n.Add(s.Program(), "the test")
		for _, word := range s.Spec.Argv[1:] {
			if filepath.IsAbs(word) {
				n.Add(word, "a file of the test")
			}
		}
	}
	for _, path := range s.Grammar {
		n.Add(path, "the grammar")
	}
	for _, path := range s.Input.Paths {
		n.AddWhole(path, "the file to reduce")
	}
	return &n
}
