package main

import (
	"os"
	"sync"

	"whittle/internal/view"
)

// follow shows the progress until end is called.
func (r *reporter) follow() {
	switch {
	case r.quiet:
	case view.IsTerminal(os.Stderr):
		above, end := view.Line(os.Stderr, r.state)
		r.out = above
		r.end = sync.OnceFunc(func() {
			end()
			r.mu.Lock()
			r.out = os.Stderr
			r.mu.Unlock()
		})
	default:
		r.end = sync.OnceFunc(view.Lines(os.Stderr, r.state))
	}
}

// state returns the progress in one line.
func (r *reporter) state() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.progress.String()
}

// reopen shows the progress of the report after a reduction.
func (r *reporter) reopen() {
	r.mu.Lock()
	r.progress, r.full, r.out = view.NewProgress("writing a report"), nil, os.Stderr
	r.mu.Unlock()
	r.follow()
}

// step reports the current step.
func (r *reporter) step(what string) {
	r.progress.Does(what)
	r.detail("%s", what)
}
