package project

import (
	"context"
	"sync"
	"time"

	"whittle/algo"
)

// A Trust repeats tests of kept builds in clean directories: for the newest interesting candidate, or without one for
// the newest uninteresting candidate. It is safe for concurrent use.
type Trust struct {
	// Clean tests a candidate in a clean directory.
	Clean func(ctx context.Context, candidate []byte) (algo.Outcome, error)
	// Context ends clean tests.
	Context context.Context
	// Alone: two tests must not run at the same time.
	Alone bool

	alone   sync.RWMutex // held while a clean test runs alone
	running sync.WaitGroup

	mu      sync.Mutex
	waiting *claim
	last    []claim // uninteresting
	busy    bool
	kept    time.Duration // of tests in kept builds
	clean   time.Duration // of clean tests
	doubted bool
}

type claim struct {
	candidate []byte
	outcome   algo.Outcome
}

const (
	// Clean tests take at most 1/cleanShare of the time of the others.
	cleanShare = 5
	// So many uninteresting outcomes are asked again at the end.
	atTheEnd = 5
)

// Ask asks a question by test, in a kept build, and starts a clean test of an earlier answer when it is due.
func (t *Trust) Ask(candidate []byte, test func() (algo.Outcome, error)) (algo.Outcome, error) {
	if t.Alone {
		t.alone.RLock()
	}
	began := time.Now()
	outcome, err := test()
	if t.Alone {
		t.alone.RUnlock()
	}
	if err == nil {
		t.said(claim{candidate, outcome}, time.Since(began))
	}
	return outcome, err
}

func (t *Trust) said(c claim, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept += took
	if c.outcome == algo.Unresolved {
		return
	}
	if c.outcome == algo.Uninteresting {
		t.last = append(t.last[max(0, len(t.last)+1-atTheEnd):], c)
	}
	if c.outcome == algo.Interesting || t.waiting == nil || t.waiting.outcome != algo.Interesting {
		t.waiting = &c
	}
	if t.waiting == nil || t.busy || t.doubted || t.clean*cleanShare > t.kept {
		return
	}
	due := *t.waiting
	t.waiting, t.busy = nil, true
	t.running.Go(func() { t.check(due) })
}

// check doubts the builds if two clean tests contradict a claim.
func (t *Trust) check(c claim) {
	if t.Alone {
		t.alone.Lock()
		defer t.alone.Unlock()
	}
	began := time.Now()
	wrong := true
	for i := 0; i < 2 && wrong; i++ {
		outcome, err := t.Clean(t.Context, c.candidate)
		wrong = err == nil && outcome != c.outcome && outcome != algo.Unresolved
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = false
	t.clean += time.Since(began)
	t.doubted = t.doubted || wrong
}

// Doubted reports whether a clean test contradicted a kept build.
func (t *Trust) Doubted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.doubted
}

func (t *Trust) doubt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.doubted = true
}

func (t *Trust) settle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.doubted = false
}

// End waits for clean tests, and tests the last claims.
func (t *Trust) End() {
	t.running.Wait()
	t.mu.Lock()
	last := t.last
	t.waiting, t.last = nil, nil
	t.mu.Unlock()
	for _, c := range last {
		if !t.Doubted() {
			t.check(c)
		}
	}
}
