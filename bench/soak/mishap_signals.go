package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"syscall"
	"time"
)

func killed(ctx context.Context, p *place, want *ending) error {
	for range 1 + p.rand.IntN(4) {
		if more, err := p.kill(ctx, want); err != nil || !more {
			return err
		}
	}
	return p.finish(ctx, want)
}

func interrupted(ctx context.Context, p *place, want *ending) error {
	for range 1 + p.rand.IntN(3) {
		l, err := p.start(ctx, p.jobs())
		if err != nil {
			return err
		}
		signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
		by := signals[p.rand.IntN(len(signals))]
		moment, often := share(p.rand, want.took), 1+p.rand.IntN(2)
		for range often {
			if l.after(moment) {
				l.Process.Signal(by)
			}
			moment /= 4
		}
		// Before whittle handles signals it dies of them, and Go programs exit with 2 after
		// SIGQUIT.
		code, err := l.end(0, 1, 128+int(by), -1, 2)
		if _, begun := os.Stat(l.trace); err == nil && (code == -1 || code == 2) && begun == nil {
			err = fmt.Errorf("%v ended it with exit code %d, though it had begun", by, code)
		}
		if err == nil {
			err = p.checkStopped(false)
		}
		if err != nil {
			return fmt.Errorf("after %v (%d times): %w%v", by, often, err, l)
		}
		if code == 0 || code == 1 {
			return nil
		}
	}
	return p.finish(ctx, want)
}

// disturbed calls disturb at random moments of a run.
func (p *place) disturbed(ctx context.Context, want *ending, times int, disturb func(*life)) error {
	l, err := p.start(ctx, p.jobs())
	if err != nil {
		return err
	}
	for begun := false; !begun && l.after(5*time.Millisecond); { // and handles signals
		_, err := os.Stat(p.journal())
		begun = err == nil
	}
	for range times {
		if l.after(share(p.rand, want.took/4)) {
			disturb(l)
		}
	}
	right := []int{0}
	if !p.steady() {
		right = []int{0, 1}
	}
	code, err := l.end(right...)
	if err == nil {
		err = p.checkEnd(code)
	}
	if err != nil {
		return fmt.Errorf("%w%v", err, l)
	}
	result, err := p.result()
	if err == nil && p.steady() && !maps.Equal(result, want.result) {
		err = fmt.Errorf("the result is\n%q, undisturbed\n%q", result, want.result)
	}
	return err
}

func asked(ctx context.Context, p *place, want *ending) error {
	return p.disturbed(ctx, want, 5, func(l *life) { l.Process.Signal(syscall.SIGUSR1) })
}

// stopped sends the signals of Ctrl-Z and fg.
func stopped(ctx context.Context, p *place, want *ending) error {
	return p.disturbed(ctx, want, 2, func(l *life) {
		l.Process.Signal(syscall.SIGTSTP)
		l.after(share(p.rand, 300*time.Millisecond))
		l.Process.Signal(syscall.SIGCONT)
	})
}
