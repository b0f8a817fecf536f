package view

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"whittle"
	"whittle/internal/chain"
	"whittle/internal/diff"
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
		IsTerminal(screen) && term.IsTerminal(keys.Fd()) && inForeground(keys)
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

const interval = 200 * time.Millisecond

// A program is a view that draws states and handles keys.
type program struct {
	tea  *tea.Program
	keys *keyboard
	done chan struct{}
	ui   ui
}

// show shows a view. After a failure it is over.
func show(f *Full) *program {
	p := &program{done: make(chan struct{}), ui: f.ui}
	var err error
	if p.keys, err = openKeyboard(f.Keys); err != nil {
		close(p.done)
		return p
	}
	p.tea = tea.NewProgram(model{view: f, scene: scene{ui: f.ui, look: colours()}}.now(),
		tea.WithInput(p.keys), tea.WithOutput(f.Screen), tea.WithoutSignalHandler())
	go func() {
		defer close(p.done)
		end, _ := p.tea.Run() // an error does not end the run
		if m, ok := end.(model); ok {
			p.ui = m.ui
		}
	}()
	return p
}

func (p *program) isOver() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

const mostWait = 2 * time.Second

func (p *program) end() (left ui) {
	if p.tea == nil {
		return p.ui
	}
	go p.tea.Quit()
	select {
	case <-p.done:
		left = p.ui
	case <-time.After(mostWait):
		p.tea.Kill()
	}
	p.keys.Cancel() // afterwards: a reader's error would end the program differently
	p.keys.Restore()
	return left
}

// A model is the screen for Bubble Tea.
type model struct {
	view *Full
	scene
	width, height int
	of            *byte // the file of change
}

type tick struct{}

func later() tea.Cmd { return tea.Tick(interval, func(time.Time) tea.Msg { return tick{} }) }

func (m model) Init() tea.Cmd { return later() }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		var a action
		page := max(m.layOut(m.height).body-1, 1)
		m.ui, a = m.press(msg.String(), page, [2]int{m.file.lines(), m.change.lines()})
		if a != nothing {
			m.view.act(a, m.state)
		}
		return m.now(), nil
	case tick:
		return m.now(), later()
	}
	return m, nil
}

func (m model) now() model {
	m.state = m.view.Course.state()
	m.load = m.view.Load()
	if first := start(m.best); first != m.of {
		m.of = first
		m.file, m.change = text(m.view.Text(m.best)), nil
		if m.before != nil {
			m.change = text(diff.Hunks(m.view.Text(m.before), m.file))
		}
	}
	return m
}

// start returns the address of a file's first byte, which identifies it, or nil.
func start(file []byte) *byte {
	if len(file) == 0 {
		return nil
	}
	return &file[0]
}

func (m model) View() tea.View {
	v := tea.NewView(strings.Join(m.draw(m.width, m.height), "\n"))
	v.AltScreen = true
	return v
}

// colours is the coloured look; Bubble Tea drops colours for terminals without.
func colours() look {
	styled := func(s ansi.Style) func(string) string {
		return func(text string) string {
			if text == "" {
				return ""
			}
			return s.Styled(text)
		}
	}
	var s ansi.Style
	return look{
		strong: styled(s.Bold()), faint: styled(s.Faint()),
		new: styled(s.ForegroundColor(ansi.Green)), gone: styled(s.ForegroundColor(ansi.Red)),
		alarm: styled(s.ForegroundColor(ansi.Yellow)),
	}
}
