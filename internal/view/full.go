package view

import (
	"io"
	"os"
	"sync"
	"time"

	"whittle"
	"whittle/internal/chain"
)

// A Full is a full-screen view. It is safe for concurrent use.
//
// Invariant: while the view is not on the screen, the terminal is in its original state.
type Full struct {
	FullOptions
	Course *Course

	mu     sync.Mutex
	shown  *program // nil while the view is not on the screen
	ui     ui       // the last settings
	wanted bool     // show the view while whittle is in the foreground
	said   int      // number of messages written to the terminal
	stop   func()   // ends wait
}

// FullOptions are the terminal of a view, and the actions of its keys.
type FullOptions struct {
	Keys, Screen *os.File
	Control      *whittle.Control
	Stop         func() // the action of q
	Load         func() chain.Load
	Text         func(candidate []byte) []byte // the text to show
	Most         int                           // limit of tests at once
}

// patience is the time before the view appears. Shorter runs do not show it.
const patience = time.Second

// NewFull returns the view of a course. It appears after a moment.
func NewFull(c *Course, o FullOptions) *Full {
	f := &Full{FullOptions: o, Course: c, wanted: true}
	done := make(chan struct{})
	f.stop = sync.OnceFunc(func() { close(done) })
	go f.wait(done)
	return f
}

// IsFull reports whether a full view is possible: keys and screen are a terminal, this process is
// in its foreground, and a user is likely to look at it.
func IsFull(keys, screen *os.File) bool {
	return os.Getenv("CI") == "" && os.Getenv("TERM") != "" &&
		IsTerminal(screen) && isTerminal(keys) && inForeground(keys)
}

// wait shows the view whenever it is wanted and whittle is in the foreground. A view that failed
// is not shown again.
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

// Suspend removes the view from the screen until Resume.
func (f *Full) Suspend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = false
	f.leave()
}

// Resume shows the view again once whittle is in the foreground.
func (f *Full) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = true
}

// End removes the view from the screen for good, and prints the messages.
func (f *Full) End() {
	f.stop()
	f.Suspend()
}

// leave removes the view from the screen.
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

// Write shows a message on the screen, and prints it once the view has left the screen.
func (f *Full) Write(line []byte) (int, error) {
	f.Course.Say(string(line))
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shown == nil {
		f.leave()
	}
	return len(line), nil
}

// act performs the action of a key.
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
	f.Course.steered(paused && !stopped, stopped, jobs)
}
