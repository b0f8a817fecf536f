package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A life is one run of whittle.
type life struct {
	*exec.Cmd
	trace, stats string
	stderr       bytes.Buffer
	began        time.Time
	took         time.Duration
	ended        chan struct{}
	timeout      time.Duration
	hung         bool
}

// mark is an environment variable that identifies the processes of a place.
const mark = "WHITTLE_SOAK_PLACE="

func (p *place) start(ctx context.Context, jobs int, flags ...string) (*life, error) {
	n := p.lives.Add(1)
	l := &life{ended: make(chan struct{}), began: time.Now(), timeout: p.timeout}
	l.trace = filepath.Join(p.dir, fmt.Sprintf("trace-%d", n))
	l.stats = filepath.Join(p.dir, fmt.Sprintf("stats-%d", n))
	if !p.small { // they need space, too
		flags = append(flags, "--trace", l.trace, "--stats", l.stats)
	}
	l.Cmd = exec.Command(p.whittle, p.command(jobs, flags...)...)
	l.Dir, l.Stderr, l.Stdout = p.work, &l.stderr, &l.stderr
	l.Env = append(os.Environ(), "TMPDIR="+p.tmp, mark+p.dir)
	l.WaitDelay = time.Second // for processes that have inherited its output
	l.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := l.Start(); err != nil {
		return nil, err
	}
	go func() {
		l.Wait()
		l.took = time.Since(l.began)
		close(l.ended)
	}()
	go l.watch(ctx)
	return l, nil
}

func (l *life) watch(ctx context.Context) {
	select {
	case <-l.ended:
	case <-ctx.Done():
		l.Process.Kill()
	case <-time.After(l.timeout):
		l.hung = true
		l.Process.Signal(syscall.SIGQUIT)
		select {
		case <-l.ended:
		case <-time.After(5 * time.Second):
			l.Process.Kill()
		}
	}
}

// after waits, and reports whether the run goes on.
func (l *life) after(d time.Duration) bool {
	select {
	case <-l.ended:
		return false
	case <-time.After(d):
		return true
	}
}

// end returns the exit code, -1 for death by a signal, or an error for a wrong code.
func (l *life) end(right ...int) (int, error) {
	<-l.ended
	code := l.ProcessState.ExitCode()
	if l.hung {
		return code, fmt.Errorf("did not end in %v%v", l.timeout, l)
	}
	if slices.Contains(right, code) {
		return code, nil
	}
	return code, fmt.Errorf("%v, want exit code %v%v", l.ProcessState, right, l)
}

func (l *life) String() string {
	const most = 4000
	said := l.stderr.String()
	if len(said) > most {
		said = said[:most/2] + " […] " + said[len(said)-most/2:]
	}
	return fmt.Sprintf("%s%q in %s\n%s", lifeMark, l.Args, l.Dir, said)
}

const lifeMark = "\n--- "

func (p *place) undisturbed(ctx context.Context, jobs int, flags ...string) (*ending, error) {
	l, err := p.start(ctx, jobs, flags...)
	if err != nil {
		return nil, err
	}
	right := []int{0}
	if !p.steady() {
		right = append(right, 1) // the input may be uninteresting
	}
	if p.output == inPlace && p.spoils() {
		right = append(right, 2) // a file that the test wrote might be the user's
	}
	code, err := l.end(right...)
	if err != nil || code == 2 {
		return &ending{took: l.took}, err
	}
	if err := errors.Join(p.checkEnd(code), p.checkDecisions(l)); err != nil {
		return nil, fmt.Errorf("%w%v", err, l)
	}
	e := &ending{took: l.took}
	if e.result, err = p.result(); err != nil {
		return nil, err
	}
	e.trace, err = readTrace(l.trace)
	if p.small {
		err = nil
	}
	return e, err
}

func readTrace(path string) (lines []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, `,"ms"`)
		lines = append(lines, line)
	}
	return lines, nil
}

func sameTrace(got, want []string) error {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("the trace ends before %s", want[i])
		case i >= len(want):
			return fmt.Errorf("the trace goes on with %s", got[i])
		case got[i] != want[i]:
			return fmt.Errorf("the trace has\n%s, not\n%s", got[i], want[i])
		}
	}
	return nil
}

func (p *place) checkDecisions(l *life) error {
	if p.small {
		return nil
	}
	var stats struct {
		Tokens int `json:"tokens_before"`
		Tests  int `json:"tests_run"`
		Known  int `json:"tests_replayed"`
	}
	text, err := os.ReadFile(l.stats)
	if err != nil || len(text) == 0 {
		return err // uninteresting
	}
	if err := json.Unmarshal(text, &stats); err != nil {
		return err
	}
	lines, err := readTrace(l.trace)
	if err != nil {
		return err
	}
	if bound := (stats.Tokens+8)*(stats.Tokens+8) + 100; len(lines) > bound {
		return fmt.Errorf("%d decisions about %d tokens", len(lines), stats.Tokens)
	}
	if p.maxTests > 0 && stats.Tests+stats.Known > p.maxTests {
		return fmt.Errorf("%d tests and %d of before, with --max-tests %d", stats.Tests, stats.Known, p.maxTests)
	}
	return nil
}

func share(r *rand.Rand, of time.Duration) time.Duration {
	f := r.Float64()
	if r.IntN(2) == 0 {
		f *= f * f
	}
	return time.Duration(f * float64(of))
}
