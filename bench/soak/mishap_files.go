package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

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

// full fills the disk and later enlarges it.
func full(ctx context.Context, p *place, want *ending) error {
	os.RemoveAll(p.dir)
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	need := p.input.size() + 32<<10 // with the test and partial pages
	if err := mountDisk(p.dir, need+p.rand.IntN(need)+p.rand.IntN(256<<10)); err != nil {
		return fmt.Errorf("%w: %v", errSkipped, err)
	}
	p.small = true
	defer p.close()
	if err := p.fill(); err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			return nil // too small for the input
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
			return nil // complete; another run may have another result
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

// unusable breaks the test of a killed run for some time.
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
		if err := rewrite(path, broken.text, broken.mode); err != nil {
			return err
		}
		l, err := p.start(ctx, p.jobs())
		if err != nil {
			return err
		}
		if _, err = l.end(1, 2, 3); err == nil {
			err = p.checkStopped(true) // a later run removes its files
		}
		if err != nil {
			return fmt.Errorf("while the test is %q with mode %v: %w%v", broken.text, broken.mode, err, l)
		}
	}
	if err := rewrite(path, string(text), 0o755); err != nil {
		return err
	}
	p.odd = true // its journal belonged to another test meanwhile
	return p.finish(ctx, want)
}

// rewrite replaces a script that a dying process may still be about to execute.
func rewrite(path, text string, mode os.FileMode) error {
	return errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o755), os.Chmod(path, mode))
}

func outputGone(ctx context.Context, p *place, want *ending) error {
	if more, err := p.kill(ctx, want); err != nil || !more {
		return err
	}
	if err := os.RemoveAll(p.whole()); err != nil {
		return err
	}
	return p.finish(ctx, want)
}

// edited changes a file that a killed run has reduced in place. The command must keep the change.
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
	if slices.Contains(slices.Collect(maps.Values(all)), work) {
		return nil
	}
	return fmt.Errorf("the user's change to %s between two runs is lost%v", path, l)
}
