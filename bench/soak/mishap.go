package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// mishap is something that befalls a reduction, which then must come to the same.
type mishap struct {
	name   string
	may    func(*scenario) bool // nil is always
	befall func(ctx context.Context, p *place, want *ending) error
}

// mishaps are all kinds of them, but for those of the test: see misbehaviours.
var mishaps = []mishap{
	{"kill", nil, killed},
	{"interrupt", nil, interrupted},
	{"status", nil, asked},
	{"stop", nil, stopped},
	{"journal", nil, damaged},
	{"second", nil, twice},
	{"again", steadyInFull, again},
	{"other", inFull, otherwise},
	{"disk", func(c *scenario) bool { return c.disks == nil && c.wrong.name != writesMuch }, full},
	{"test", func(c *scenario) bool { return c.form == "script" }, unusable},
	{"output", func(c *scenario) bool { return c.output != inPlace }, outputGone},
	{"edit", func(c *scenario) bool { return c.output == inPlace && c.steady() }, edited},
}

func kinds() (names []string) {
	for _, m := range mishaps {
		names = append(names, m.name)
	}
	return names
}

func steadyInFull(c *scenario) bool { return c.steady() && inFull(c) }

// inFull reports whether a reduction goes on to its end: one that stops early keeps a
// better result of an earlier run.
func inFull(c *scenario) bool { return c.maxTests == 0 }

// jobs returns a random number of jobs.
func (p *place) jobs() int { return []int{1, 2, 3, 8}[p.rand.IntN(4)] }

// finish lets the reduction go on to its end, which is to be what an undisturbed
// run came to.
func (p *place) finish(ctx context.Context, want *ending) error {
	got, err := p.undisturbed(ctx, p.jobs())
	switch {
	case err != nil:
		return fmt.Errorf("at the end: %w", err)
	case p.steady() && got.result != nil && !sameFiles(got.result, want.result):
		return fmt.Errorf("it comes to\n%q, undisturbed to\n%q", got.result, want.result)
	}
	return nil
}

// kill lets whittle live for a while and kills it. more is false if it had come
// to its end.
func (p *place) kill(ctx context.Context, want *ending, flags ...string) (more bool, err error) {
	l, err := p.start(ctx, p.jobs(), flags...)
	if err != nil {
		return false, err
	}
	more = l.after(share(p.rand, want.took))
	l.Process.Kill()
	if code, err := l.end(-1, 0, 1); err != nil || code >= 0 {
		return false, errors.Join(err, p.checkStopped(true))
	}
	if err := p.checkStopped(true); err != nil {
		return more, fmt.Errorf("after a kill: %w%v", err, l)
	}
	return more, nil
}

// twice: the same command several times at once. One does it, the others are told.
func twice(ctx context.Context, p *place, want *ending) error {
	var all []*life
	for range 2 + p.rand.IntN(2) {
		l, err := p.start(ctx, p.jobs())
		if err != nil {
			return err
		}
		all = append(all, l)
		time.Sleep(share(p.rand, want.took/2))
	}
	done := false
	for _, l := range all {
		code, err := l.end(0, 1, 2)
		if err != nil {
			return err
		}
		if code == 2 && l.stderr.Len() == 0 {
			return fmt.Errorf("refused without a word%v", l)
		}
		done = done || code == 0
	}
	if !done && p.steady() {
		return fmt.Errorf("all were refused%v", all)
	}
	if err := p.checkStopped(false); err != nil {
		return fmt.Errorf("%w%v", err, all)
	}
	result, err := p.result()
	if err == nil && p.steady() && !sameFiles(result, want.result) {
		err = fmt.Errorf("they come to\n%q, one to\n%q%v", result, want.result, all)
	}
	return err
}

// again: the same command after the end, which is killed or not, leaves the
// result alone.
func again(ctx context.Context, p *place, want *ending) error {
	if err := p.finish(ctx, want); err != nil {
		return err
	}
	for range 1 + p.rand.IntN(2) {
		more, err := p.kill(ctx, want)
		if err != nil {
			return fmt.Errorf("after the end: %w", err)
		}
		result, err := p.result()
		if err == nil && more && !p.spoils() && !sameFiles(result, want.result) {
			err = fmt.Errorf("after the end it was killed and left\n%q, not\n%q", result, want.result)
		}
		if err != nil {
			return err
		}
	}
	if err := p.finish(ctx, want); err != nil {
		return fmt.Errorf("once more: %w", err)
	}
	return nil
}

// otherwise: a killed run goes on with another driver and algorithm, and comes to
// what that comes to.
func otherwise(ctx context.Context, p *place, want *ending) error {
	flags := p.drawSearch()
	if more, err := p.kill(ctx, want, flags...); err != nil || !more {
		return err
	}
	p.odd = true // its result may be better than what comes of the other flags, and is kept then
	if err := p.finish(ctx, want); err != nil {
		return fmt.Errorf("after %v: %w", flags, err)
	}
	return nil
}
