package view

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"whittle/internal/diff"
)

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
