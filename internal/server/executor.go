// Package server runs tests by servers: programs that stay running.
package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"whittle/algo"
	"whittle/internal/process"
	"whittle/oracle"
)

// serverGrace is the time to exit after standard input is closed.
const serverGrace = time.Second

// spared bounds the continuation of a cancelled test to save its server.
const spared = 3 * time.Second

// After suspicious candidates in a row without an answer, the known candidate is tested.
const suspicious = 3

// An Executor runs tests by servers. So a slow start, as of a Java program, happens once for each job. It is safe for
// concurrent use.
//
// The protocol is in docs/tests.md. When standard input is closed, the server has a second to exit.
//
// Each candidate is in a fresh directory, removed after the answer. The Argv of a [oracle.Spec]
// starts a server in its Home, in its own process group, with a TMPDIR for its whole life. The
// server must separate tests: its processes and files are removed only when it ends.
//
// A server that does not answer is killed with its descendants, and another replaces it:
//   - If it exceeds the time limit, for the first candidate with its start, the candidate is
//     Unresolved.
//   - If it exits, exceeds a limit of memory or disk, closes its output, or answers with an
//     unknown word, an earlier candidate may be the cause. A fresh server tests the candidate
//     again. Without an answer the candidate is Unresolved.
//
// Faults of the server are an [*oracle.EnvironmentError] that wraps an [*Error]: a line without a question, so that
// answers may belong to other candidates, or no answer for the known candidate. A fresh server tests it after three
// candidates in a row, or one before any answer, without an answer.
type Executor struct {
	Options
	ctx   context.Context    // free servers
	inUse context.Context    // servers in use
	stop  context.CancelFunc // cancels inUse
	tests sync.WaitGroup     // running tests
	pool  *pool

	mu       sync.Mutex
	closed   bool
	works    bool // a candidate got an answer
	failures int  // since the last answer
}

// Options configure the servers.
type Options struct {
	Work   string          // existing directory for all files
	Reaper *process.Reaper // may be nil
	Jobs   int             // most servers
	Known  []byte          // candidate with an answer, as the input
	Launch process.Launch  // starts the servers; may be nil
}

// New returns an Executor, which must be closed. The end of the context kills all servers.
func New(ctx context.Context, o Options) *Executor {
	e := &Executor{Options: o, ctx: ctx, pool: newPool(o)}
	e.inUse, e.stop = context.WithCancel(ctx)
	return e
}

// An Error describes how a server broke the protocol.
type Error struct {
	Reason string // as "it ended with exit code 1"
	Stderr []byte // end of its standard error, at most 256 KiB
	// Exceeded is the limit that killed the server.
	Exceeded oracle.Limit

	late  bool // no answer in time
	stray bool // output without a question
}

// excused reports whether an earlier candidate may be the cause.
func (e *Error) excused() bool { return !e.late && !e.stray }

// Error returns the reason and the last line of standard error.
func (e *Error) Error() string {
	text := "the test server gave no answer that can be used: " + e.Reason
	said := strings.TrimSpace(string(e.Stderr))
	if said = said[strings.LastIndexByte(said, '\n')+1:]; said != "" {
		text += "; the last it said: " + shown(said)
	}
	return text
}

// Close kills the servers in use; the others have a second to exit.
func (e *Executor) Close() error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.stop()
	e.tests.Wait()
	grace, cancel := context.WithTimeout(e.ctx, serverGrace)
	defer cancel()
	return e.pool.end(grace.Done())
}

func (e *Executor) begin(ctx context.Context, spec *oracle.Spec) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return context.Canceled
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := spec.Check(); err != nil {
		return err
	}
	e.tests.Add(1)
	return nil
}

// Run implements [oracle.Executor]. Run.Reply is the server's answer, Run.Output the last 256 KiB
// of its standard error. All calls must have the same Argv and Home.
//
// If ctx is done, the error is ctx.Err(), but Run waits as long as another start takes, at most three seconds. Every
// other error is an [*oracle.EnvironmentError].
func (e *Executor) Run(ctx context.Context, spec oracle.Spec, candidate []byte) (oracle.Run, error) {
	if err := e.begin(ctx, &spec); err != nil {
		return oracle.Run{}, err
	}
	defer e.tests.Done()
	p, err := e.pool.take(ctx, &spec)
	if err != nil {
		return oracle.Run{}, err
	}
	used := p.answers > 0
	run, err := e.ask(ctx, p, &spec, candidate)
	if failure, ok := err.(*Error); ok && used && failure.excused() {
		if p, err = e.pool.replace(ctx, p, &spec); err != nil {
			return oracle.Run{}, err
		}
		run, err = e.ask(ctx, p, &spec, candidate)
	}
	switch failure, ok := err.(*Error); {
	case err == nil:
		if spec.KeepOutput {
			run.Output = p.said.Bytes()
		}
		e.pool.put(p)
		e.answered()
	case ok && ctx.Err() == nil:
		run, err = e.failed(ctx, p, &spec, candidate, failure)
	default:
		err = cmp.Or(e.pool.lose(p), err)
	}
	if done := ctx.Err(); done != nil {
		err = done
	}
	if err != nil {
		return oracle.Run{}, err
	}
	return run, nil
}

func (e *Executor) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.works, e.failures = true, 0
}

// failed kills the server p, which gave no answer, and decides the consequence.
func (e *Executor) failed(ctx context.Context, p *program, spec *oracle.Spec, candidate []byte, failure *Error,
) (oracle.Run, error) {
	err := e.pool.lose(p)
	failure.Stderr = p.said.Bytes()
	e.mu.Lock()
	e.failures++
	works, suspect := e.works, e.failures%suspicious == 0
	e.mu.Unlock()
	isKnown := bytes.Equal(candidate, e.Known)
	switch {
	case err != nil:
	case failure.stray, !works && isKnown && !failure.late && failure.Exceeded == oracle.NoLimit:
		err = &oracle.EnvironmentError{Err: failure}
	case works && suspect, !works && !isKnown:
		err = e.askKnown(ctx, spec)
	}
	return oracle.Run{
		Outcome: algo.Unresolved, ExitCode: -1, TimedOut: failure.late, Exceeded: failure.Exceeded,
		Reply: failure.Reason, Output: failure.Stderr,
	}, err
}

func (e *Executor) askKnown(ctx context.Context, spec *oracle.Spec) error {
	p, err := startProgram(ctx, e.Options, spec)
	if err != nil {
		return err
	}
	_, err = e.ask(ctx, p, spec, e.Known)
	err = cmp.Or(p.kill(), err)
	if failure, ok := err.(*Error); ok {
		failure.Reason = "even for the input, which it should answer for: " + failure.Reason
		failure.Stderr = p.said.Bytes()
		return &oracle.EnvironmentError{Err: failure}
	}
	if err == nil {
		e.answered()
	}
	return err
}

// ask makes a server test a candidate. The error is an [*Error] without an answer. Errors kill the server.
func (e *Executor) ask(ctx context.Context, p *program, spec *oracle.Spec, candidate []byte,
) (run oracle.Run, err error) {
	around, err := process.MakeDirectory(p.dir)
	if err != nil {
		p.stop()
		return oracle.Run{}, err
	}
	watch := p.group.Watch(&oracle.Spec{Limits: spec.Limits}, p.dir, p.tmp)
	defer func() {
		var status syscall.WaitStatus
		if err != nil {
			p.stop() // may still write there
			status = p.status
		}
		exceeded := watch.Stop(status)
		if failure, ok := err.(*Error); ok && exceeded != oracle.NoLimit {
			failure.Exceeded, failure.Reason = exceeded, "it was killed, as it used too much "+exceeded.What()
		}
		if e := process.RemoveDirectory(around); e != nil {
			err = e
		}
	}()
	dir, _, err := process.Lay(&spec.Layout, around, candidate)
	if err != nil {
		return oracle.Run{}, err
	}
	path := filepath.Join(dir, spec.Name)
	if strings.ContainsRune(path, '\n') {
		return oracle.Run{}, oracle.Errorf("the path %q has a line break in it, which a test server cannot be told; "+
			"rename the file or set TMPDIR to another directory", path)
	}
	clock := e.Reaper.Stopwatch()
	answer, err := e.talk(ctx, p, path, spec.Timeout)
	if err != nil {
		return oracle.Run{}, err
	}
	return oracle.Run{
		Outcome: outcomes[answer], ExitCode: -1, Reply: fmt.Sprintf("it answered %q", answer), Elapsed: clock.Elapsed(),
	}, nil
}

var outcomes = map[string]algo.Outcome{
	"interesting":   algo.Interesting,
	"uninteresting": algo.Uninteresting,
	"unresolved":    algo.Unresolved,
}

func (e *Executor) talk(ctx context.Context, p *program, path string, timeout time.Duration) (string, error) {
	if text, ok := p.stray(); ok {
		return "", strayError(text)
	}
	p.send(path)
	var grace <-chan time.Time
	limit := make(chan struct{})
	if timeout > 0 {
		defer e.Reaper.After(timeout, func() { close(limit) })()
	}
	for cancelled := ctx.Done(); ; {
		select {
		case l, ok := <-p.lines:
			if !ok {
				return "", &Error{Reason: p.silence()}
			}
			return checkAnswer(l)
		case <-limit:
			return "", &Error{Reason: "no answer within " + timeout.String(), late: true}
		case <-cancelled:
			cancelled = nil
			grace = time.After(min(e.pool.longestStart(), spared))
		case <-grace:
			return "", ctx.Err()
		case <-e.inUse.Done():
			return "", e.inUse.Err()
		}
	}
}

func checkAnswer(l line) (string, error) {
	answer := strings.TrimSpace(l.text)
	if _, ok := outcomes[answer]; !ok {
		return "", &Error{Reason: "it answered " + shown(answer) +
			"; the answers are interesting, uninteresting and unresolved, all else belongs on standard error"}
	}
	if l.more != "" {
		return "", strayError(l.more)
	}
	return answer, nil
}

func strayError(text string) error {
	return &Error{stray: true, Reason: "it wrote " + shown(text) +
		", which answers no path; all that a server says besides one line for each path belongs on standard error"}
}
