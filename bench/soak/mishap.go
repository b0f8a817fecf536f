package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
)

// A mishap is an accident during a reduction, which must not change its result.
type mishap struct {
	name   string
	may    func(*scenario) bool // whether it applies; nil means always
	befall func(ctx context.Context, p *place, want *ending) error
}

// mishaps lists all kinds, except for the faults of tests: see misbehaviours.
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

// inFull reports whether no limit ends the reduction. A limited run keeps a better earlier result.
func inFull(c *scenario) bool { return c.maxTests == 0 }

func (p *place) jobs() int { return []int{1, 2, 3, 8}[p.rand.IntN(4)] }

func (p *place) finish(ctx context.Context, want *ending) error {
	got, err := p.undisturbed(ctx, p.jobs())
	switch {
	case err != nil:
		return fmt.Errorf("at the end: %w", err)
	case p.steady() && got.result != nil && !maps.Equal(got.result, want.result):
		return fmt.Errorf("the result is\n%q, undisturbed\n%q", got.result, want.result)
	}
	return nil
}

// kill kills whittle after some time. more is false if it had already ended.
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

// twice runs a command several times in parallel. One works, the others report that.
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
			return fmt.Errorf("refused without a message%v", l)
		}
		done = done || code == 0
	}
	if !done && p.steady() {
		return fmt.Errorf("all runs were refused%v", all)
	}
	if err := p.checkStopped(false); err != nil {
		return fmt.Errorf("%w%v", err, all)
	}
	result, err := p.result()
	if err == nil && p.steady() && !maps.Equal(result, want.result) {
		err = fmt.Errorf("the result is\n%q, with one run\n%q%v", result, want.result, all)
	}
	return err
}

// again repeats a command after its end. The result stays.
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
		if err == nil && more && !p.spoils() && !maps.Equal(result, want.result) {
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

// otherwise continues a killed run with another driver and algorithm.
func otherwise(ctx context.Context, p *place, want *ending) error {
	flags := p.drawSearch()
	if more, err := p.kill(ctx, want, flags...); err != nil || !more {
		return err
	}
	p.odd = true // a better result of the first run is kept
	if err := p.finish(ctx, want); err != nil {
		return fmt.Errorf("after %v: %w", flags, err)
	}
	return nil
}
