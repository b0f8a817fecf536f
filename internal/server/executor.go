// Package server runs tests by programs that stay running.
package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"whittle/algo"
	"whittle/internal/environment"
	"whittle/internal/process"
	"whittle/oracle"
)

// serverGrace is how long servers may take to end once no more paths come.
const serverGrace = time.Second

// spared is how long at most a test that was cancelled may go on so that its server
// need not be killed.
const spared = 3 * time.Second

// suspicious is the number of candidates in a row that got no answer after which
// an Executor asks about one that should get one.
const suspicious = 3

// An Executor runs tests by programs that stay running, its servers: a test that
// needs long to start, as a Java program does, starts once for each job instead
// of once for each candidate.
//
// The protocol: the server reads the absolute path of a candidate, one line,
// from its standard input and answers with one line on its standard output:
// interesting, uninteresting or unresolved. Then comes the next path. The
// standard input ends when no more will come; a server that does not end
// within a second is killed. Standard error is for everything else.
//
// Each candidate lies in a fresh directory, which is removed after the answer. A server
// is started by Argv of a [oracle.Spec] in its Home, which
// WHITTLE_TEST_DIR names too, in a process group of its own, with a TMPDIR that
// lasts as long as it does. What a test of one candidate does to that of the next
// is the server's responsibility: processes and files that it leaves are removed
// when the server ends, not before.
//
// A server that does not answer is killed with all that it started, and another
// one takes the next candidate:
//   - no answer within the time limit, the start included for the first: the
//     candidate is Unresolved;
//   - the server ends, is killed for Limits of memory or disk, closes its output, or
//     answers with an unknown word: it may
//     have suffered from an earlier candidate, so a fresh one is asked again; if
//     that gives no answer either, the candidate is Unresolved.
//
// Some failures are the server's and not the candidate's, which is an
// *oracle.EnvironmentError with a *Error in it: something was written that is no
// answer to a path, so that answers may belong to other candidates; or a candidate
// got no answer before any other did, or three in a row got none, and then a
// fresh server could not answer for the known candidate.
//
// The first server is started for the first candidate. Another one is worth its
// start when tests have waited for a free server as long, in all, as a start
// takes: so a short reduction does not spend its time on starts, and a long one
// has a server for each job soon.
//
// An Executor may be used from several goroutines at once.
type Executor struct {
	Options
	ctx   context.Context    // of the servers that are free
	inUse context.Context    // of the others
	stop  context.CancelFunc // ends inUse
	tests sync.WaitGroup     // that run
	pool  *pool

	mu       sync.Mutex
	closed   bool
	works    bool // a candidate got an answer
	failures int  // candidates without an answer since the last that got one
}

// Options say where servers run, and how many.
type Options struct {
	Work   string          // existing directory for all that they and their tests need
	Reaper *process.Reaper // if not nil, knows the servers that run
	Jobs   int             // servers at once, at most
	Known  []byte          // a candidate that every server should answer for, as the input
	Launch process.Launch  // if not nil, starts the servers
}

// New returns an Executor without any servers yet. If the context is done, all are
// killed. Whoever makes an Executor must Close it.
func New(ctx context.Context, o Options) *Executor {
	e := &Executor{Options: o, ctx: ctx, pool: newPool(o)}
	e.inUse, e.stop = context.WithCancel(ctx)
	return e
}

// An Error tells how a test server broke the protocol.
type Error struct {
	Reason string // as "it ended with exit code 1"
	Stderr []byte // the end of what it wrote to standard error, at most 256 KiB
	// Exceeded is the limit that it was killed for.
	Exceeded oracle.Limit

	late  bool // no answer in time
	stray bool // it wrote what was not asked for
}

// excused reports whether the reason may lie in what the server was asked before.
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

// Close kills the servers that are in use, if any, and ends the others. They have
// a second to finish.
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

// begin takes note of a test, or refuses it.
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

// Run asks a server about a candidate; see [oracle.Executor]. Run.Reply is what the
// server said, Run.Output the end of its standard error, at most 256 KiB. All calls must
// have the same Argv and Home.
//
// If ctx is done, the error is ctx.Err(), but the server may finish first: Run
// waits for it as long as a start has taken at most, as starting anew would be
// no faster, but no more than three seconds. Every other error is an
// [*oracle.EnvironmentError]. The candidate's directory is gone when Run returns.
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

// answered takes note that servers work.
func (e *Executor) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.works, e.failures = true, 0
}

// failed kills the server p, which gave no answer for a candidate, and decides
// what that means.
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

// askKnown finds out whether a fresh server answers for the known candidate.
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

// ask has a server test a candidate in a directory of its own. The error is that
// of a context, an *oracle.EnvironmentError, or a *Error: the server gave no
// answer. With an error the server is dead.
func (e *Executor) ask(ctx context.Context, p *program, spec *oracle.Spec, candidate []byte,
) (run oracle.Run, err error) {
	around, err := process.MakeDirectory(p.dir)
	dir := filepath.Join(around, "test")
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil {
		p.stop()
		return oracle.Run{}, err
	}
	watch := p.group.Watch(spec.Limits, p.dir, p.tmp, 0, 0)
	defer func() {
		var status syscall.WaitStatus
		if err != nil {
			p.stop() // it may still write there
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
	path := filepath.Join(dir, spec.Name)
	if strings.ContainsRune(path, '\n') {
		return oracle.Run{}, environment.Errorf("the path %q has a line break in it, which a test server cannot be told; "+
			"rename the file or set TMPDIR to another directory", path)
	}
	if _, err := process.Lay(&spec.Layout, dir, candidate); err != nil {
		return oracle.Run{}, err
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

// outcomes are the answers of a server.
var outcomes = map[string]algo.Outcome{
	"interesting":   algo.Interesting,
	"uninteresting": algo.Uninteresting,
	"unresolved":    algo.Unresolved,
}

// talk sends a path and waits for the answer, one of outcomes.
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

// checkAnswer returns the answer that a line is.
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

// strayError is about what a server wrote though it was asked nothing.
func strayError(text string) error {
	return &Error{stray: true, Reason: "it wrote " + shown(text) +
		", which answers no path; all that a server says besides one line for each path belongs on standard error"}
}
