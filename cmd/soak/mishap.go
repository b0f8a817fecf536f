package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
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

// inFull tells whether a reduction goes on to its end: one that stops early keeps a
// better result of an earlier run.
func inFull(c *scenario) bool { return c.maxTests == 0 }

// jobs gives a random number of jobs.
func (p *place) jobs() int { return []int{1, 2, 3, 8}[p.rand.IntN(4)] }

// finish lets the reduction go on to its end, which is to be what an undisturbed
// run came to.
func (p *place) finish(ctx context.Context, want *ending) error {
	got, err := p.undisturbed(ctx, p.jobs())
	switch {
	case err != nil:
		return fmt.Errorf("at the end: %w", err)
	case p.steady() && !sameFiles(got.result, want.result):
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

// killed: kill -9, and the same command again, several times.
func killed(ctx context.Context, p *place, want *ending) error {
	for range 1 + p.rand.IntN(4) {
		if more, err := p.kill(ctx, want); err != nil || !more {
			return err
		}
	}
	return p.finish(ctx, want)
}

// interrupted: signals that ask whittle to end, once or twice.
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
		// Before it looks after signals it dies of them, and Go programs of SIGQUIT
		// with exit code 2.
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

// disturbed lets whittle come to its end while something is done to it at random
// moments.
func (p *place) disturbed(ctx context.Context, want *ending, times int, disturb func(*life)) error {
	l, err := p.start(ctx, p.jobs())
	if err != nil {
		return err
	}
	for begun := false; !begun && l.after(5*time.Millisecond); { // and looks after signals
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
	if err == nil && p.steady() && !sameFiles(result, want.result) {
		err = fmt.Errorf("it comes to\n%q, undisturbed to\n%q", result, want.result)
	}
	return err
}

// asked: SIGUSR1 asks for a line, as often as one likes.
func asked(ctx context.Context, p *place, want *ending) error {
	return p.disturbed(ctx, want, 5, func(l *life) { l.Process.Signal(syscall.SIGUSR1) })
}

// stopped: Ctrl-Z and fg.
func stopped(ctx context.Context, p *place, want *ending) error {
	return p.disturbed(ctx, want, 2, func(l *life) {
		l.Process.Signal(syscall.SIGTSTP)
		l.after(share(p.rand, 300*time.Millisecond))
		l.Process.Signal(syscall.SIGCONT)
	})
}

// damaged: the journal of a killed run is not what it was.
func damaged(ctx context.Context, p *place, want *ending) error {
	if more, err := p.kill(ctx, want); err != nil || !more {
		return err
	}
	p.odd = true
	text, err := os.ReadFile(p.journal())
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	switch n := len(text); {
	case n == 0 || p.rand.IntN(4) == 0:
		os.Remove(p.journal())
		text = nil
	case p.rand.IntN(4) == 0:
		text = text[:p.rand.IntN(n)]
	case p.rand.IntN(3) == 0:
		text[p.rand.IntN(n)] ^= 1 << p.rand.IntN(8)
	case p.rand.IntN(2) == 0:
		clear(text[p.rand.IntN(n):])
	default:
		text = append(text, text[n/2:]...)
	}
	if text != nil {
		if err := os.WriteFile(p.journal(), text, 0o600); err != nil {
			return err
		}
	}
	if err := p.finish(ctx, want); err != nil {
		return fmt.Errorf("with another journal: %w", err)
	}
	return nil
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

// full: the disk is too small, and later it is not.
func full(ctx context.Context, p *place, want *ending) error {
	os.RemoveAll(p.dir)
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	need := p.input.size() + 32<<10 // with the test, and pages that are not full
	if err := mountDisk(p.dir, need+p.rand.IntN(need)+p.rand.IntN(256<<10)); err != nil {
		return fmt.Errorf("%w: %v", errSkipped, err)
	}
	p.small = true
	defer p.close()
	if err := p.fill(); err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			return nil // too small for the user
		}
		return err
	}
	for range 2 {
		l, err := p.start(ctx, p.jobs())
		if err != nil {
			return err
		}
		code, err := l.end(0, 1, 3)
		if err == nil {
			err = p.checkStopped(false)
		}
		if err != nil {
			return fmt.Errorf("on a small disk: %w%v", err, l)
		}
		if code == 0 && !p.steady() {
			return nil // it has come to its end, and another run may come to another
		}
		if code != 3 {
			break
		}
	}
	if err := enlargeDisk(p.dir, 1<<30); err != nil {
		return err
	}
	if err := p.finish(ctx, want); err != nil {
		return fmt.Errorf("on a larger disk: %w", err)
	}
	return nil
}

// unusable: the test of a killed run cannot be started for a while.
func unusable(ctx context.Context, p *place, want *ending) error {
	if more, err := p.kill(ctx, want); err != nil || !more {
		return err
	}
	path := filepath.Join(p.work, script)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, broken := range []struct {
		text string
		mode os.FileMode
	}{{string(text), 0o644}, {"#!/no/such/interpreter\n", 0o755}, {"\x7fELF", 0o755}} {
		if err := errors.Join(os.WriteFile(path, []byte(broken.text), 0o755), os.Chmod(path, broken.mode)); err != nil {
			return err
		}
		l, err := p.start(ctx, p.jobs())
		if err != nil {
			return err
		}
		if _, err = l.end(1, 2, 3); err == nil {
			err = p.checkStopped(true) // which left what a later run clears away
		}
		if err != nil {
			return fmt.Errorf("while the test is %q with mode %v: %w%v", broken.text, broken.mode, err, l)
		}
	}
	if err := errors.Join(os.WriteFile(path, text, 0o755), os.Chmod(path, 0o755)); err != nil {
		return err
	}
	p.odd = true // its journal was of another test for a while
	return p.finish(ctx, want)
}

// outputGone: between two runs the output goes.
func outputGone(ctx context.Context, p *place, want *ending) error {
	if more, err := p.kill(ctx, want); err != nil || !more {
		return err
	}
	if err := os.RemoveAll(p.whole()); err != nil {
		return err
	}
	return p.finish(ctx, want)
}

// edited: a run in place was killed, and the user went on to work on the file.
// The same command must not cost that work, whatever else it does.
func edited(ctx context.Context, p *place, want *ending) error {
	if more, err := p.kill(ctx, want); err != nil || !more {
		return err
	}
	path := p.outputs()[p.rand.IntN(len(p.outputs()))]
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		path = filepath.Join(path, "new.txt")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
	}
	work := fmt.Sprintf("the user's own work, case %d\n", p.seed)
	if err := os.WriteFile(path, []byte(work), 0o644); err != nil {
		return err
	}
	l, err := p.start(ctx, p.jobs())
	if err != nil {
		return err
	}
	if _, err := l.end(0, 1, 2, 3); err != nil {
		return err
	}
	all, err := readAll(p.work)
	if err != nil {
		return err
	}
	for _, content := range all {
		if content == work {
			return nil
		}
	}
	return fmt.Errorf("what the user wrote to %s between two runs is nowhere%v", path, l)
}
