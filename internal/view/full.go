package view

import (
	"io"
	"os"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
)

// A Full is a view that fills a terminal. Its methods may be called from any goroutine.
//
// Invariant: while it is not on the screen the terminal is as it was before.
type Full struct {
	FullOptions
	Course *Course

	mu     sync.Mutex
	shown  *program // nil while it is not on the screen
	ui     ui       // as it was left
	wanted bool     // on the screen, while the terminal is ours
	said   int      // lines of talk that the terminal has
	stop   func()   // waiting for the terminal
}

// FullOptions says where a view is, and what its keys do.
type FullOptions struct {
	Keys, Screen *os.File
	Control      *whittle.Control
	Stop         func() // what q does
	Load         func() chain.Load
	Text         func(candidate []byte) []byte // as it is shown
	Most         int                           // tests at once
}

// patience is how long a run takes before its view fills the screen: what is done sooner
// needs none.
const patience = time.Second

// NewFull returns the view of a course. It comes up in a moment, unless it has ended.
func NewFull(c *Course, o FullOptions) *Full {
	f := &Full{FullOptions: o, Course: c, wanted: true}
	done := make(chan struct{})
	f.stop = sync.OnceFunc(func() { close(done) })
	go f.wait(done)
	return f
}

// IsFull reports whether a full view can be shown: there are keys and a screen, both of
// the terminal that this process is in the foreground of, and somebody to look at it.
func IsFull(keys, screen *os.File) bool {
	return os.Getenv("CI") == "" && os.Getenv("TERM") != "" &&
		IsTerminal(screen) && isTerminal(keys) && inForeground(keys)
}

// wait brings the view up whenever it is wanted and the terminal is ours. One that has
// failed does not come again.
func (f *Full) wait(done <-chan struct{}) {
	for next := patience; ; next = patience / 4 {
		select {
		case <-done:
			return
		case <-time.After(next):
			f.mu.Lock()
			switch {
			case f.shown != nil && f.shown.isOver():
				f.wanted = false
				f.leave()
			case f.shown == nil && f.wanted && inForeground(f.Keys):
				f.shown = show(f)
			}
			f.mu.Unlock()
		}
	}
}

// Suspend takes the view off the screen, until Resume.
func (f *Full) Suspend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = false
	f.leave()
}

// Resume has the view come up again once the terminal is ours.
func (f *Full) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = true
}

// End takes the view off the screen for good. What was said meanwhile is printed.
func (f *Full) End() {
	f.stop()
	f.Suspend()
}

// leave takes the view off the screen.
func (f *Full) leave() {
	if f.shown != nil {
		f.ui = f.shown.end()
		f.shown = nil
	}
	talk := f.Course.Talk()
	for _, line := range talk[f.said:] {
		io.WriteString(f.Screen, line)
	}
	f.said = len(talk)
}

// Write says a line: on the screen, and to the terminal once the view has left it.
func (f *Full) Write(line []byte) (int, error) {
	f.Course.Say(string(line))
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shown == nil {
		f.leave()
	}
	return len(line), nil
}

// act does what a key asks for, to a course that is in a state.
func (f *Full) act(a action, s state) {
	paused, stopped, jobs := s.paused, s.stopped, s.jobs
	switch a {
	case skip:
		f.Control.Skip()
	case stop:
		stopped = true
		f.Control.Resume()
		go f.Stop() // which may have something to say
	case pause:
		if paused = !paused; paused {
			f.Control.Pause()
		} else {
			f.Control.Resume()
		}
	case more, fewer:
		if jobs++; a == fewer {
			jobs -= 2
		}
		jobs = min(max(jobs, 1), f.Most)
		f.Control.SetJobs(jobs)
	case interrupt, suspend, quit:
		raise(a)
	}
	f.Course.steered(paused && !stopped, stopped, jobs)
}
