package sandbox

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if IsHelper(os.Args) {
		Serve()
		return
	}
	os.Exit(m.Run())
}

func newStarter(t testing.TB, keep string) *Starter {
	t.Helper()
	s := NewStarter(func(start func() (int, error)) error {
		_, err := start()
		return err
	}, keep, 16<<20)
	t.Cleanup(s.Close)
	level, err := s.Level(Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if !level.Namespaces {
		t.Skipf("the kernel offers %v", level)
	}
	return s
}

func run(t testing.TB, s *Sandbox, dir, script string, trace ...string) (output string, code, pid int) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	start := s.Start
	if len(trace) > 0 {
		start = func(dir string, argv []string, attr *syscall.ProcAttr) (int, error) {
			return s.Trace(trace, dir, argv, attr)
		}
	}
	pid, err = start(dir, []string{"/bin/sh", "-c", script}, &syscall.ProcAttr{
		Dir: dir, Env: append(os.Environ(), "TMPDIR="+dir), Files: []uintptr{null.Fd(), write.Fd(), write.Fd()},
	})
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(read)
	read.Close()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		t.Fatal(err) // a child of this process
	}
	return string(text), status.ExitStatus(), pid
}

// outsideTmp returns a directory outside /tmp, where writes go to copies.
func outsideTmp(t *testing.T) string { return directoryIn(t, "/var/tmp") }

func directoryIn(t *testing.T, parent string) string {
	dir, err := os.MkdirTemp(parent, "sandbox-test")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestWriting(t *testing.T) {
	work, outside := directoryIn(t, "/tmp"), outsideTmp(t)
	dir, other := filepath.Join(work, "1"), filepath.Join(work, "2")
	for _, d := range []string{dir, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(outside, "file")
	if err := os.WriteFile(file, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Sandbox{Starter: newStarter(t, work)}
	allowed := &Sandbox{s.Starter, Policy{Write: []string{outside}}}
	tests := []struct {
		name, script string
		box          *Sandbox
		code         int
	}{
		{"own directory", "echo x >a && mkdir b && mv a b/ && chmod 700 b && rm -r b", s, 0},
		{"tmp", "echo x >/tmp/sandbox-test", s, 0}, // a copy
		{"tmp of another", "test ! -e /tmp/sandbox-test; echo x >" + other + "/x", s, 0},
		{"shared memory", "echo x >/dev/shm/x", s, 0},
		{"null", "echo x >/dev/null", s, 0},
		{"remove null", "rm -f /dev/null", s, 1},
		{"other file", "echo x >" + file, s, 2},
		{"other mode", "chmod 600 " + file, s, 1},
		{"other time", "touch -d 2001-01-01 " + file, s, 1},
		{"remove", "rm -f " + file, s, 1},
		{"link", "ln -s x " + outside + "/link", s, 1},
		{"hard link to a file outside", "ln " + file + " here && echo x >here", s, 1},
		{"mount", "mount -o remount,bind,rw / || mount -o remount,rw /", s, 32},
		{"allowed", "echo x >" + outside + "/new && rm " + outside + "/new", allowed, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			output, code, _ := run(t, tt.box, dir, tt.script)
			if (code == 0) != (tt.code == 0) {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, output)
			}
		})
	}
	if data, err := os.ReadFile(file); string(data) != "kept" || err != nil {
		t.Errorf("the file has %q, error %v", data, err)
	}
	for _, path := range []string{outside + "/new", outside + "/link", "/tmp/sandbox-test", other + "/x"} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}

func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	s := &Sandbox{Starter: newStarter(t, dir)}
	if level, _ := s.Level(s.Policy); !level.Signals() {
		t.Skip("the kernel does not confine signals")
	}
	sleep := exec.Command("sleep", "1000")
	if err := sleep.Start(); err != nil {
		t.Skip(err)
	}
	defer sleep.Wait()
	defer sleep.Process.Kill()
	output, code, _ := run(t, s, dir, fmt.Sprintf("kill -9 %d || kill -9 $PPID", sleep.Process.Pid))
	if code == 0 || syscall.Kill(sleep.Process.Pid, 0) != nil {
		t.Errorf("exit code %d, output %s", code, output)
	}
	if output, code, _ := run(t, s, dir, "sleep 1000 & kill -9 $! && wait $!; test $? = 137"); code != 0 {
		t.Errorf("own processes: exit code %d, output %s", code, output)
	}
}

func TestNetwork(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	s := &Sandbox{Starter: newStarter(t, dir)}
	const loopback = `python3 -c '
import socket
s = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(s.getsockname())
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    u.sendto(b"x", ("192.0.2.1", 9))
    print("sent")
except OSError as e:
    print(e)
'`
	output, code, _ := run(t, s, dir, loopback)
	if code != 0 || strings.Contains(output, "sent") || !strings.Contains(output, "unreachable") {
		t.Errorf("exit code %d, output %s", code, output)
	}
}

func TestTrace(t *testing.T) {
	home := outsideTmp(t)
	dir, err := os.MkdirTemp("/dev/shm", "sandbox-test")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(home, "old"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Sandbox{Starter: newStarter(t, dir)}
	script := fmt.Sprintf("cd %s && mkdir -p a/b && echo x >a/b/new && rm old && ls / >/dev/null", home)
	output, code, pid := run(t, s, dir, script, home)
	if code != 0 {
		t.Fatalf("exit code %d, output %s", code, output)
	}
	paths, err := s.Written(pid)
	slices.Sort(paths)
	want := []string{filepath.Join(home, "a/b/new"), filepath.Join(home, "old")}
	if !slices.Equal(paths, want) || err != nil {
		t.Errorf("got %q, error %v, want %q", paths, err, want)
	}
	if _, err := os.Stat(filepath.Join(home, "old")); err != nil {
		t.Error(err)
	}
}

func TestScriptInSharedMemory(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "sandbox-test")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(dir)
	beside := filepath.Join(dir, "script")
	script := filepath.Join(beside, "test.sh")
	if err := os.Mkdir(beside, 0o755); err != nil {
		t.Fatal(err)
	}
	const text = "#!/bin/sh\ncat \"$0\"; echo x >\"$0\""
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, work := range []string{t.TempDir(), filepath.Join(dir, "work")} {
		if err := os.MkdirAll(work, 0o755); err != nil {
			t.Fatal(err)
		}
		s := &Sandbox{Starter: newStarter(t, work)}
		output, code, _ := run(t, s, work, script)
		if left, err := os.ReadFile(script); code == 0 || !strings.HasPrefix(output, text) || string(left) != text {
			t.Errorf("work in %s: exit code %d, output %q, then %q, error %v", work, code, output, left, err)
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	s := &Sandbox{Starter: newStarter(t, dir)}
	_, err := s.Start(dir, []string{filepath.Join(dir, "none")}, &syscall.ProcAttr{Dir: dir, Files: []uintptr{0, 1, 2}})
	if err != syscall.ENOENT {
		t.Errorf("got %v", err)
	}
	if output, code, _ := run(t, s, dir, "echo on"); output != "on\n" || code != 0 {
		t.Errorf("after that: exit code %d, output %q", code, output)
	}
}

func TestOwnerDies(t *testing.T) {
	dir := t.TempDir()
	s := newStarter(t, dir)
	box := &Sandbox{Starter: s}
	null, _ := os.Open(os.DevNull)
	defer null.Close()
	fd := null.Fd()
	pid, err := box.Start(dir, []string{"/bin/sleep", "1000"}, &syscall.ProcAttr{Dir: dir, Files: []uintptr{fd, fd, fd}})
	if err != nil {
		t.Fatal(err)
	}
	s.helpers[0].conn.Close() // like a dead owner
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || status.Signal() != syscall.SIGKILL {
		t.Errorf("status %v, error %v", status, err)
	}
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	null, err := os.Open(os.DevNull)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	fd := null.Fd()
	attr := &syscall.ProcAttr{Dir: dir, Env: os.Environ(), Files: []uintptr{fd, fd, fd},
		Sys: &syscall.SysProcAttr{Setpgid: true}}
	argv := []string{"/bin/true"}
	s := &Sandbox{Starter: newStarter(b, dir)}
	for name, start := range map[string]func() (int, error){
		"without": func() (int, error) { return syscall.ForkExec(argv[0], argv, attr) },
		"sandbox": func() (int, error) { return s.Start(dir, argv, attr) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				pid, err := start()
				if err != nil {
					b.Fatal(err)
				}
				syscall.Wait4(pid, nil, 0, nil)
			}
		})
	}
}

func TestLevelString(t *testing.T) {
	for _, tt := range []struct {
		level Level
		want  string
	}{
		{Level{}, "none: the kernel offers neither user namespaces nor Landlock"},
		{Level{true, 7}, "namespaces and Landlock 7"},
		{Level{true, 0}, "namespaces; other processes can be signalled"},
		{Level{false, 5}, "Landlock 5; modes and times of other files can be changed, UDP can be used, " +
			"other processes can be signalled"},
	} {
		if got := tt.level.String(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.level, got, tt.want)
		}
	}
}

func TestLandlockAlone(t *testing.T) {
	dir, outside := t.TempDir(), outsideTmp(t)
	s := newStarter(t, dir)
	h, err := s.open(config{Keep: dir})
	if err != nil {
		t.Fatal(err)
	}
	if h.level.Namespaces || h.level.Landlock < abiRefer {
		t.Skip(h.level)
	}
	s.helpers[0].close()
	s.helpers[0] = h
	box := &Sandbox{Starter: s}
	for script, want := range map[string]bool{
		"echo x >a && mkdir b && mv a b/ && rm -r b": true,
		"echo x >/dev/null":                          true,
		"rm /dev/null":                               false,
		"echo x >" + outside + "/x":                  false,
		"kill -0 $PPID":                              !h.level.Signals(),
	} {
		if output, code, _ := run(t, box, dir, script); (code == 0) != want {
			t.Errorf("%s: exit code %d, output %s", script, code, output)
		}
	}
}
