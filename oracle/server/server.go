// Package server runs tests by programs that stay running.
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
	"whittle/internal/environment"
	"whittle/internal/process"
	"whittle/oracle"
	"whittle/oracle/local"
)

// serverGrace is how long servers may take to end once no more paths come.
const serverGrace = time.Second

// spared is how long at most a test that was cancelled may go on so that its server
// need not be killed.
const spared = 3 * time.Second

// suspicious is the number of candidates in a row that got no answer after which
// a Server asks about one that should get one.
const suspicious = 3

// A Server is a property decided by a program that stays running: a test that
// needs long to start, as a Java program does, starts once for each job instead
// of once for each candidate.
//
// The protocol: the server reads the absolute path of a candidate, one line,
// from its standard input and answers with one line on its standard output:
// interesting, uninteresting or unresolved. Then comes the next path. The
// standard input ends when no more will come; a server that does not end
// within a second is killed. Standard error is for everything else.
//
// Each candidate lies in a fresh directory, as for a local.Command, which is removed
// after the answer. A server is started by local.Command.Argv in local.Command.Home, which
// WHITTLE_TEST_DIR names too, in a process group of its own, with a TMPDIR that
// lasts as long as it does. What a test of one candidate does to that of the next
// is the server's responsibility: processes and files that it leaves are removed
// when the server ends, not before.
//
// A server that does not answer is killed with all that it started, and another
// one takes the next candidate:
//   - no answer within the time limit, the start included for the first: the
//     candidate is Unresolved;
//   - the server ends, is killed for Limits of memory or disk, closes its output, or answers with an unknown word: it may
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
// A Server may be used from several goroutines at once.
type Server struct {
	command local.Command
	known   []byte             // a candidate that should get an answer
	ctx     context.Context    // of the servers that are free
	inUse   context.Context    // of the others
	stop    context.CancelFunc // ends inUse
	tests   sync.WaitGroup     // that run
	pool    *pool

	mu       sync.Mutex
	closed   bool
	works    bool // a candidate got an answer
	failures int  // candidates without an answer since the last that got one
}

// New makes a Server that takes from the command how it is started
// (Argv, Home), the Layout of candidates, the Timeout and Work. The known
// candidate is one that every server should answer for, as the input. There will
// be no more servers than jobs. If the context is done, all are killed. Whoever
// makes a Server must Close it.
func New(ctx context.Context, command local.Command, jobs int, known []byte) *Server {
	s := &Server{command: command, known: known, ctx: ctx}
	s.pool = newPool(&s.command, jobs)
	s.inUse, s.stop = context.WithCancel(ctx)
	return s
}

// A Error tells how a test server broke the protocol.
type Error struct {
	Reason string // as "it ended with exit code 1"
	Stderr []byte // the end of what it wrote to standard error, at most 64 KiB
	// Exceeded is the limit that it was killed for.
	Exceeded oracle.Limit

	late  bool // no answer in time
	stray bool // it wrote what was not asked for
}

// excused tells whether the reason may lie in what the server was asked before.
func (e *Error) excused() bool { return !e.late && !e.stray }

// Error gives the reason and the last line of standard error.
func (e *Error) Error() string {
	text := "the test server gave no answer that can be used: " + e.Reason
	said := strings.TrimSpace(string(e.Stderr))
	if said = said[strings.LastIndexByte(said, '\n')+1:]; said != "" {
		text += "; the last it said: " + shown(said)
	}
	return text
}

// Test asks about a candidate. It is a Property.
//
// If ctx is done, the error is ctx.Err(), but the server may finish first: Test
// waits for it as long as a start has taken at most, as starting anew would be
// no faster, but no more than three seconds. Every other error is an
// *oracle.EnvironmentError. The candidate's directory is gone when Test returns.
func (s *Server) Test(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	run, err := s.run(ctx, candidate, false)
	return run.Outcome, err
}

// Explain does what Test does and reports all of it: Run.Reply is what the
// server said, Run.Output the end of its standard error, at most 64 KiB.
func (s *Server) Explain(ctx context.Context, candidate []byte) (oracle.Run, error) {
	return s.run(ctx, candidate, true)
}

// Close kills the servers that are in use, if any, and ends the others. They have
// a second to finish.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.tests.Wait()
	grace, cancel := context.WithTimeout(s.ctx, serverGrace)
	defer cancel()
	return s.pool.end(grace.Done())
}

// begin takes note of a test, or refuses it.
func (s *Server) begin(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return context.Canceled
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.command.Check(); err != nil {
		return err
	}
	s.tests.Add(1)
	return nil
}

// run asks about a candidate.
func (s *Server) run(ctx context.Context, candidate []byte, explain bool) (oracle.Run, error) {
	if err := s.begin(ctx); err != nil {
		return oracle.Run{}, err
	}
	defer s.tests.Done()
	p, err := s.pool.take(ctx)
	if err != nil {
		return oracle.Run{}, err
	}
	used := p.answers > 0
	run, err := s.ask(ctx, p, candidate)
	if failure, ok := err.(*Error); ok && used && failure.excused() {
		if p, err = s.pool.replace(ctx, p); err != nil {
			return oracle.Run{}, err
		}
		run, err = s.ask(ctx, p, candidate)
	}
	switch failure, ok := err.(*Error); {
	case err == nil:
		if explain {
			run.Output = p.said.Bytes()
		}
		s.pool.put(p)
		s.answered()
	case ok && ctx.Err() == nil:
		run, err = s.failed(ctx, p, candidate, failure)
	default:
		err = cmp.Or(s.pool.lose(p), err)
	}
	if e := ctx.Err(); e != nil {
		err = e
	}
	if err != nil {
		return oracle.Run{}, err
	}
	return run, nil
}

// answered takes note that servers work.
func (s *Server) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.works, s.failures = true, 0
}

// failed kills the server p, which gave no answer for a candidate, and decides
// what that means.
func (s *Server) failed(ctx context.Context, p *program, candidate []byte, failure *Error) (oracle.Run, error) {
	err := s.pool.lose(p)
	failure.Stderr = p.said.Bytes()
	s.mu.Lock()
	s.failures++
	works, suspect := s.works, s.failures%suspicious == 0
	s.mu.Unlock()
	isKnown := bytes.Equal(candidate, s.known)
	switch {
	case err != nil:
	case failure.stray, !works && isKnown && !failure.late && failure.Exceeded == oracle.NoLimit:
		err = &oracle.EnvironmentError{Err: failure}
	case works && suspect, !works && !isKnown:
		err = s.askKnown(ctx)
	}
	return oracle.Run{Outcome: algo.Unresolved, ExitCode: -1, TimedOut: failure.late, Exceeded: failure.Exceeded, Reply: failure.Reason, Output: failure.Stderr}, err
}

// askKnown finds out whether a fresh server answers for the known candidate.
func (s *Server) askKnown(ctx context.Context) error {
	p, err := startProgram(ctx, &s.command)
	if err != nil {
		return err
	}
	_, err = s.ask(ctx, p, s.known)
	err = cmp.Or(p.kill(), err)
	if failure, ok := err.(*Error); ok {
		failure.Reason = "even for the input, which it should answer for: " + failure.Reason
		failure.Stderr = p.said.Bytes()
		return &oracle.EnvironmentError{Err: failure}
	}
	if err == nil {
		s.answered()
	}
	return err
}

// ask has a server test a candidate in a directory of its own. The error is that
// of a context, an *oracle.EnvironmentError, or a *Error: the server gave no
// answer. With an error the server is dead.
func (s *Server) ask(ctx context.Context, p *program, candidate []byte) (run oracle.Run, err error) {
	dir, err := process.MakeDirectory(p.dir)
	if err != nil {
		p.stop()
		return oracle.Run{}, err
	}
	watch := p.group.Watch(s.command.Limits, p.dir, p.tmp, 0)
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
		if e := process.RemoveDirectory(dir); e != nil {
			err = e
		}
	}()
	path := filepath.Join(dir, s.command.Name)
	if strings.ContainsRune(path, '\n') {
		return oracle.Run{}, environment.Errorf("the path %q has a line break in it, which a test server cannot be told; rename the file or set TMPDIR to another directory", path)
	}
	if _, err := process.Lay(&s.command.Layout, dir, candidate); err != nil {
		return oracle.Run{}, err
	}
	clock := s.command.Processes.Stopwatch()
	answer, err := s.talk(ctx, p, path)
	if err != nil {
		return oracle.Run{}, err
	}
	elapsed := clock.Elapsed()
	if s.command.Patience != nil {
		s.command.Patience.Took(outcomes[answer], elapsed, 0)
	}
	return oracle.Run{Outcome: outcomes[answer], ExitCode: -1, Reply: fmt.Sprintf("it answered %q", answer), Elapsed: elapsed}, nil
}

// outcomes are the answers of a server.
var outcomes = map[string]algo.Outcome{
	"interesting":   algo.Interesting,
	"uninteresting": algo.Uninteresting,
	"unresolved":    algo.Unresolved,
}

// talk sends a path and waits for the answer, one of outcomes.
func (s *Server) talk(ctx context.Context, p *program, path string) (string, error) {
	if text, ok := p.stray(); ok {
		return "", strayError(text)
	}
	p.send(path)
	var patience <-chan time.Time
	limit := make(chan struct{})
	timeout := s.command.TimeLimit()
	if timeout > 0 {
		defer s.command.Processes.After(timeout, func() { close(limit) })()
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
			patience = time.After(min(s.pool.longestStart(), spared))
		case <-patience:
			return "", ctx.Err()
		case <-s.inUse.Done():
			return "", s.inUse.Err()
		}
	}
}

// checkAnswer gives the answer that a line is.
func checkAnswer(l line) (string, error) {
	answer := strings.TrimSpace(l.text)
	if _, ok := outcomes[answer]; !ok {
		return "", &Error{Reason: "it answered " + shown(answer) + "; the answers are interesting, uninteresting and unresolved, all else belongs on standard error"}
	}
	if l.more != "" {
		return "", strayError(l.more)
	}
	return answer, nil
}

// strayError is about what a server wrote though it was asked nothing.
func strayError(text string) error {
	return &Error{Reason: "it wrote " + shown(text) + ", which answers no path; all that a server says besides one line for each path belongs on standard error", stray: true}
}
