package view

import (
	"io"
	"os"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
)

// A Full is a full-screen view, safe for concurrent use.
//
// Invariant: off the screen, the terminal is in its original state.
type Full struct {
	FullOptions
	Course *Course

	mu     sync.Mutex
	shown  *program // nil off the screen
	ui     ui
	wanted bool // show in the foreground
	said   int  // messages written to the terminal
	stop   func()
}

// FullOptions are a view's terminal and actions of keys.
type FullOptions struct {
	Keys, Screen *os.File
	Control      *whittle.Control
	Stop         func() // action of q
	Load         func() chain.Load
	Text         func(candidate []byte) []byte
	Most         int // of tests at once

	Input, Output, How string
	Seeks              string // the failure in one line
	Jobs               int
	MaxTime            time.Duration // 0 means no limit
}

// patience is the least duration of a run with a view.
const patience = time.Second

// NewFull returns a view that appears after patience.
func NewFull(c *Course, o FullOptions) *Full {
	c.change(func(s *state) {
		s.input, s.output, s.how, s.seeks, s.jobs, s.maxTime = o.Input, o.Output, o.How, o.Seeks, o.Jobs, o.MaxTime
	})
	f := &Full{FullOptions: o, Course: c, wanted: true}
	done := make(chan struct{})
	f.stop = sync.OnceFunc(func() { close(done) })
	go f.wait(done)
	return f
}

// IsFull reports whether a full view is possible and likely seen: keys and screen are a terminal
// with this process in the foreground.
func IsFull(keys, screen *os.File) bool {
	return os.Getenv("CI") == "" && os.Getenv("TERM") != "" &&
		IsTerminal(screen) && isTerminal(keys) && inForeground(keys)
}

// wait shows the view when it is wanted and whittle in the foreground, unless it failed before.
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

// Suspend hides the view until Resume.
func (f *Full) Suspend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = false
	f.leave()
}

// Resume shows the view once whittle is in the foreground.
func (f *Full) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = true
}

// End ends the view and prints the messages.
func (f *Full) End() {
	f.stop()
	f.Suspend()
}

func (f *Full) leave() {
	if f.shown != nil {
		f.ui = f.shown.end()
		f.shown = nil
	}
	talk := f.Course.state().talk
	for _, line := range talk[f.said:] {
		io.WriteString(f.Screen, line)
	}
	f.said = len(talk)
}

// Write shows a message, and prints it after the view.
func (f *Full) Write(line []byte) (int, error) {
	f.Course.Say(string(line))
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shown == nil {
		f.leave()
	}
	return len(line), nil
}

func (f *Full) act(a action, s state) {
	paused, stopped, jobs := s.paused, s.stopped, s.jobs
	switch a {
	case skip:
		f.Control.Skip()
	case stop:
		stopped = true
		f.Control.Resume()
		go f.Stop() // may print messages
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
	f.Course.change(func(s *state) { s.paused, s.stopped, s.jobs = paused && !stopped, stopped, jobs })
}
