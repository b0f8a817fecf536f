package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// A display is a terminal in which whittle reduces list.txt.
type display struct {
	*testing.T
	dir          string
	ours, theirs *os.File
	before       unix.Termios
	whittle      *exec.Cmd
	ended        chan error
	stdout       bytes.Buffer

	mu     sync.Mutex
	screen vt10x.Terminal
	all    []byte // output to the terminal
}

// slowly is a test that takes a while until there is a file named fast.
const slowly = `#!/bin/sh
test -e "$WHITTLE_TEST_DIR/fast" || sleep 0.2
grep -q needed list.txt && grep -q wanted list.txt
`

// listed is the text that the test needs, among other lines; one of them would change the title.
var listed = strings.Repeat("a\nb\nc\n\x1b]0;evil\x07\nd\n", 20) + "needed\n" +
	strings.Repeat("e\nf 日本語\ng\n", 30) + "wanted\n"

func newDisplay(t *testing.T, environment []string, args ...string) *display {
	t.Helper()
	return newDisplayOf(t, environment, append(append([]string{"reduce", "-j", "2"}, args...), "test.sh", "list.txt"))
}

// newDisplayOf starts whittle in a terminal. In its directory there are a case, and two cases
// below cases.
func newDisplayOf(t *testing.T, environment []string, args []string) *display {
	t.Helper()
	d := &display{T: t, dir: t.TempDir(), ended: make(chan error, 1)}
	d.ours, d.theirs = openTerminal(t)
	d.screen = vt10x.New(vt10x.WithWriter(d.ours), vt10x.WithSize(80, 24))
	d.resize(80, 24)
	d.before = d.termios()
	for _, dir := range []string{".", "cases/日本語", "cases/two"} {
		if err := os.MkdirAll(d.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, d.path(dir+"/test.sh"), slowly, 0o755)
		write(t, d.path(dir+"/list.txt"), listed, 0o644)
	}
	if err := os.Mkdir(d.path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.whittle = exec.Command("whittle", args...)
	d.whittle.Dir = d.dir
	d.whittle.Env = append(append(os.Environ(), "TERM=xterm-256color", "CI=", "TMPDIR="+d.path("tmp")), environment...)
	d.whittle.Stdin, d.whittle.Stdout, d.whittle.Stderr = d.theirs, &d.stdout, d.theirs
	d.whittle.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := d.whittle.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.whittle.Process.Kill() })
	go func() { d.ended <- d.whittle.Wait() }()
	go func() {
		piece := make([]byte, 4096)
		for {
			n, err := d.ours.Read(piece)
			if err != nil {
				return
			}
			d.mu.Lock()
			d.all = append(d.all, piece[:n]...)
			d.screen.Write(piece[:n])
			d.mu.Unlock()
		}
	}()
	return d
}

func (d *display) path(name string) string { return filepath.Join(d.dir, name) }

func (d *display) resize(columns, rows int) {
	d.Helper()
	size := &unix.Winsize{Col: uint16(columns), Row: uint16(rows)}
	if err := unix.IoctlSetWinsize(int(d.ours.Fd()), unix.TIOCSWINSZ, size); err != nil {
		d.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.screen.Resize(columns, rows)
}

func (d *display) termios() unix.Termios {
	d.Helper()
	t, err := unix.IoctlGetTermios(int(d.theirs.Fd()), unix.TCGETS)
	if err != nil {
		d.Fatal(err)
	}
	return *t
}

func (d *display) press(keys string) {
	d.Helper()
	if _, err := d.ours.WriteString(keys); err != nil {
		d.Fatal(err)
	}
}

func (d *display) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.screen.String()
}

func (d *display) shows(text string) {
	d.Helper()
	defer func() {
		if d.Failed() {
			d.Log("\n" + d.text())
		}
	}()
	wait(d.T, "'"+text+"' on the screen", func() bool { return strings.Contains(d.text(), text) })
}

// isSane reports whether the terminal has its original mode.
func (d *display) isSane() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.termios() == d.before && d.screen.Mode()&vt10x.ModeAltScreen == 0 && d.screen.CursorVisible()
}

// ends waits for the end, and checks the exit code and the terminal.
func (d *display) ends(code int) {
	d.Helper()
	wait(d.T, "the end", func() bool { return len(d.ended) == 1 })
	got, err := 0, <-d.ended
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	}
	if got != code {
		d.Errorf("%v, want exit code %d", err, code)
	}
	wait(d.T, "a sane terminal", d.isSane)
	if strings.Contains(d.screen.Title(), "evil") {
		d.Error("the file has changed the title")
	}
	if d.stdout.Len() > 0 && strings.Contains(d.stdout.String(), "\x1b") {
		d.Errorf("stdout has %q", d.stdout.String())
	}
	if left := leftovers(d.dir, d.path("tmp")); left != "" {
		d.Error(left)
	}
}

// The keys work; the last one keeps the best file.
func TestE2EViewKeys(t *testing.T) {
	t.Parallel()
	d := newDisplay(t, nil)
	d.shows("the best file (tab: its last change)")
	d.shows("of 2 jobs busy")
	d.press("p")
	d.shows("PAUSED")
	d.shows("0 of 2 jobs busy")
	d.press("p")
	d.shows("▶ ")
	d.press("+")
	d.shows("of 3 jobs busy")
	d.press("--")
	d.shows("of 1 job busy")
	d.press("---")
	d.press("\t")
	d.shows("last change (tab: the best file)")
	d.shows("@@")
	d.press("\t\x1b[6~")
	d.shows("the best file (tab: its last change)")
	d.press("?")
	d.shows("── keys")
	d.press("?")
	d.shows("the best file")
	d.press("p")
	d.shows("PAUSED")
	d.press("s") // the next one waits
	d.shows("»")
	d.resize(130, 40)
	d.shows("last change (tab)")
	d.resize(20, 5)
	d.shows("whittle list.txt → …")
	d.resize(1, 1)
	d.resize(80, 24)
	d.shows("? help")
	if result := read(t, d.path("list.reduced.txt")); len(result) >= len(listed) {
		t.Errorf("the output has %d bytes", len(result))
	}
	d.press("q")
	d.ends(0)
	d.shows("you skipped a run of")
	d.shows("stopped early, more may go")
	d.shows("the same command continues from here")
	if result := read(t, d.path("list.reduced.txt")); !strings.Contains(result, "needed") || len(result) >= len(listed) {
		t.Errorf("the result is %q", result)
	}
	if read(t, d.path("list.reduced.txt.journal")) == "" {
		t.Error("there is no journal")
	}
}

// After a signal the terminal has its original mode.
func TestE2EViewSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		send func(d *display)
		code int
	}{
		{"Ctrl-C", func(d *display) { d.press("\x03") }, 130},
		{"twice", func(d *display) { d.press("\x03\x03") }, 130},
		{"Ctrl-backslash", func(d *display) { d.press("\x1c") }, 131},
		{"SIGTERM", func(d *display) { d.whittle.Process.Signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDisplay(t, nil)
			d.shows("the best file")
			d.shows("last success")
			c.send(d)
			d.ends(c.code)
			d.shows("whittle: interrupted by SIG")
		})
	}
}

// Ctrl-Z restores the terminal, and fg shows the view again. Messages are printed then, and at the
// end.
func TestE2EViewStopped(t *testing.T) {
	t.Parallel()
	d := newDisplay(t, nil)
	stopped := func() bool {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.whittle.Process.Pid))
		_, state, _ := strings.Cut(string(status), ") ")
		return strings.HasPrefix(state, "T")
	}
	for range 2 {
		d.shows("last success")
		d.whittle.Process.Signal(syscall.SIGUSR1)
		d.shows("! ")
		d.press("\x1a")
		wait(t, "whittle to be stopped", stopped)
		wait(t, "a sane terminal", d.isSane)
		d.shows("tokens (")
		d.whittle.Process.Signal(syscall.SIGCONT)
	}
	d.shows("the best file")
	write(t, d.path("fast"), "", 0o644)
	d.ends(0)
	if read(t, d.path("list.reduced.txt")) != "needed\nwanted\n" {
		t.Errorf("the result is %q", read(t, d.path("list.reduced.txt")))
	}
	d.shows("% gone)")
}

// If the terminal closes, whittle ends and cleans up.
func TestE2EViewHangUp(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("nohup lets no program hear SIGHUP")
	}
	d := newDisplay(t, nil)
	d.shows("the best file")
	d.theirs.Close()
	d.ours.Close()
	wait(t, "the end", func() bool { return len(d.ended) == 1 })
	if exit := (*exec.ExitError)(nil); !errors.As(<-d.ended, &exit) || exit.ExitCode() != 128+int(syscall.SIGHUP) {
		t.Errorf("%v", exit)
	}
	if left := leftovers(d.dir, d.path("tmp")); left != "" {
		t.Error(left)
	}
}

// There is no view with --plain, or without a visible terminal.
func TestE2EViewPlain(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*display{
		"--plain": newDisplay(t, nil, "--plain"),
		"-q":      newDisplay(t, nil, "-q"),
		"dumb":    newDisplay(t, []string{"TERM=dumb"}),
		"unknown": newDisplay(t, []string{"TERM="}),
		"CI":      newDisplay(t, []string{"CI=true"}),
	} {
		wait(t, "a result", func() bool { return read(t, d.path("list.reduced.txt")) != "" })
		write(t, d.path("fast"), "", 0o644)
		d.ends(0)
		if d.mu.Lock(); bytes.Contains(d.all, []byte("\x1b[?1049h")) {
			t.Errorf("%s: there is a view", name)
		}
		d.mu.Unlock()
	}
}

// A batch shows a line for each open case and a summary. They disappear at the end.
func TestE2EViewBatch(t *testing.T) {
	t.Parallel()
	d := newDisplayOf(t, nil, []string{"batch", "-j", "2", "--force", "cases"})
	d.shows("cases/two  ")
	d.shows("/302 tokens")
	d.shows("0 of 2 cases done, 2 open, ")
	d.resize(40, 3)
	d.shows("2 more")
	d.resize(80, 24)
	write(t, d.path("cases/two/fast"), "", 0o644)
	d.shows("whittle: cases/two: 302 -> 2 tokens, ")
	d.shows("1 of 2 cases done, 1 open, ")
	write(t, d.path("cases/日本語/fast"), "", 0o644)
	d.ends(0)
	if text := d.text(); strings.Contains(text, "cases done") || !strings.Contains(text, "whittle: batch: 2 cases: 2 reduced in") {
		t.Errorf("in the end the screen has\n%s", text)
	}
	if out := d.stdout.String(); !strings.Contains(out, "cases/two/list.reduced.txt  the same bytes") &&
		!strings.Contains(out, "cases/日本語/list.reduced.txt  the same bytes") {
		t.Errorf("stdout has\n%s", out)
	}
}
