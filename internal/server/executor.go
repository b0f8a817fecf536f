// Package server runs tests by servers: programs that stay running.
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
	"whittle/internal/process"
	"whittle/oracle"
)

// serverGrace is the time that servers have to end after their standard input is closed.
const serverGrace = time.Second

// spared is the longest time for which a cancelled test may continue so that its server need not
// be killed.
const spared = 3 * time.Second

// suspicious is the number of candidates in a row without an answer after which an Executor tests
// the known candidate.
const suspicious = 3

// An Executor runs tests by servers. A test that starts slowly, as a Java program does, starts
// once for each job instead of once for each candidate.
//
// The protocol: the server reads the absolute path of a candidate, one line, from its standard
// input and answers with one line on its standard output: interesting, uninteresting or
// unresolved. Then the next path follows. The standard input is closed at the end; a server that
// does not exit within a second is killed. Standard error is for everything else.
//
// Each candidate is in a fresh directory, which is removed after the answer. The Argv of a
// [oracle.Spec] starts a server in its Home, which is also WHITTLE_TEST_DIR, in a process group
// of its own, with a TMPDIR that lasts as long as the server. The server must keep tests from
// affecting each other: its processes and files are removed only when it ends.
//
// A server that does not answer is killed with its descendants, and another one takes the next
// candidate:
//   - If it exceeds the time limit, which includes the start for the first candidate, the
//     candidate is Unresolved.
//   - If it exits, exceeds a limit of memory or disk, closes its output, or answers with an
//     unknown word, an earlier candidate may be the cause. A fresh server tests the candidate
//     again. If that does not answer either, the candidate is Unresolved.
//
// Some failures are faults of the server, not of the candidate. They are an
// [*oracle.EnvironmentError] that wraps an [*Error]: the server wrote a line that answers no
// path, so that answers may belong to other candidates; or a candidate got no answer before any
// other did, or three in a row got none, and a fresh server did not answer for the known
// candidate either.
//
// The first candidate starts the first server. Another server starts when tests have waited for a
// free server, in total, as long as a start takes. So a short reduction does not spend its time
// on starts, and a long one soon has a server for each job.
//
// An Executor may be used from several goroutines at once.
type Executor struct {
	Options
	ctx   context.Context    // of free servers
	inUse context.Context    // of servers in use
	stop  context.CancelFunc // cancels inUse
	tests sync.WaitGroup     // running tests
	pool  *pool

	mu       sync.Mutex
	closed   bool
	works    bool // a candidate got an answer
	failures int  // candidates without an answer since the last answer
}

// Options configure the servers.
type Options struct {
	Work   string          // existing directory for files of servers and tests
	Reaper *process.Reaper // if not nil, tracks running servers
	Jobs   int             // maximal number of servers
	Known  []byte          // a candidate that every server should answer, as the input
	Launch process.Launch  // if not nil, starts the servers
}

// New returns an Executor without servers. When the context is done, all servers are killed. The
// Executor must be closed.
func New(ctx context.Context, o Options) *Executor {
	e := &Executor{Options: o, ctx: ctx, pool: newPool(o)}
	e.inUse, e.stop = context.WithCancel(ctx)
	return e
}

// An Error describes how a server broke the protocol.
type Error struct {
	Reason string // as "it ended with exit code 1"
	Stderr []byte // end of its standard error, at most 256 KiB
	// Exceeded is the limit for which the server was killed.
	Exceeded oracle.Limit

	late  bool // no answer in time
	stray bool // it wrote without a question
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

// Close kills the servers in use, and ends the others, which have a second to exit.
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

// begin registers a test, or returns an error.
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

// Run implements [oracle.Executor]. Run.Reply is the answer of the server, Run.Output the end of
// its standard error, at most 256 KiB. All calls must have the same Argv and Home.
//
// If ctx is done, the error is ctx.Err(), but the server may finish first: Run waits for as long
// as the longest start has taken, since a new start would not be faster, but at most three
// seconds. Every other error is an [*oracle.EnvironmentError]. The directory of the candidate is
// removed when Run returns.
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

// answered registers an answer.
func (e *Executor) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.works, e.failures = true, 0
}

// failed kills the server p, which gave no answer for a candidate, and decides the consequence.
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

// askKnown returns an error if a fresh server does not answer for the known candidate.
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

// ask makes a server test a candidate in a fresh directory. The error is that of a context, an
// [*oracle.EnvironmentError], or an [*Error] if the server gave no answer. After an error the
// server is dead.
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
		return oracle.Run{}, oracle.Errorf("the path %q has a line break in it, which a test server cannot be told; "+
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

var outcomes = map[string]algo.Outcome{
	"interesting":   algo.Interesting,
	"uninteresting": algo.Uninteresting,
	"unresolved":    algo.Unresolved,
}

// talk sends a path and waits for the answer.
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

// checkAnswer returns the answer in a line.
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

// strayError returns the error for a line without a question.
func strayError(text string) error {
	return &Error{stray: true, Reason: "it wrote " + shown(text) +
		", which answers no path; all that a server says besides one line for each path belongs on standard error"}
}
