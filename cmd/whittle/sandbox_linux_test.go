package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// destructive are lines of tests that would harm the machine. $OUT is a directory with files
// of the user, $CANARY a process of the same user, $PORT a port of this machine.
var destructive = []struct{ name, line string }{
	{"remove home", `rm -rf "$HOME"`},
	{"remove with an empty variable", `DIR=; rm -rf "$DIR$OUT"/*`},
	{"remove the input", `rm -f "$OUT/hay.txt"`},
	{"overwrite a neighbour", `echo x >"$OUT/neighbour"`},
	{"append to a neighbour", `echo x >>"$OUT/neighbour"`},
	{"truncate a neighbour", `: >"$OUT/neighbour"`},
	{"rename a neighbour", `mv "$OUT/neighbour" "$OUT/gone"`},
	{"replace by a link", `ln -sf /dev/null "$OUT/neighbour"`},
	{"write through a link", `ln -s "$OUT/neighbour" l && echo x >l`},
	{"write through a hard link", `ln "$OUT/neighbour" h && echo x >h`},
	{"make files beside the input", `mkdir "$OUT/d"; mkfifo "$OUT/p"; echo x >"$OUT/f"`},
	{"modes", `chmod -R 000 "$OUT"`},
	{"setuid", `cp /bin/sh "$OUT/root"; chmod u+s "$OUT/root"`},
	{"owners", `chown -R 1:1 "$OUT"`},
	{"times", `touch -d 2001-01-01 "$OUT/neighbour"`},
	{"attributes", `setfattr -n user.x -v y "$OUT/neighbour"`},
	{"git", `echo x >>"$OUT/.git/config"; rm -rf "$OUT/.git/objects"`},
	{"the test itself", `echo "exit 0" >>"$OUT/test.sh"`},
	{"other tests", `rm -rf "$TMPDIR"/../../../*`},
	{"results", `rm -f "$OUT"/hay.*; echo x >"$OUT/hay.reduced.txt"`},
	{"remove null", `rm -f /dev/null`},
	{"replace null", `ln -sf "$OUT/neighbour" /dev/null; mv /dev/null /dev/nil`},
	{"write to disks", `for d in /dev/*; do if test -b "$d"; then : >>"$d" && echo x >>"$OUT/f"; fi; done`},
	{"shared memory", `echo x >/dev/shm/whittle-destructive`},
	{"tmp", `echo x >/tmp/whittle-destructive; echo x >/var/tmp/whittle-destructive`},
	{"fill tmp", `head -c 100000000 /dev/zero >/tmp/whittle-destructive`},
	{"fill shared memory", `head -c 100000000 /dev/zero >/dev/shm/whittle-destructive`},
	{"parent", `kill -9 $PPID; kill -STOP $PPID`},
	{"another process", `kill -9 $CANARY; kill -STOP $CANARY`},
	{"all whittles", `pkill -9 whittle; killall -9 whittle`},
	{"trace", `gdb -p $CANARY -batch -ex kill`},
	{"background", `setsid sh -c 'sleep 0.2; echo x >"$OUT/neighbour"; rm -rf "$HOME"' &`},
	{"TCP", `python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)' $PORT`},
	{"UDP", `python3 -c 'import socket, sys; socket.socket(type=2).sendto(b"x", ("127.0.0.1", int(sys.argv[1])))' $PORT`},
	{"abstract socket", `python3 -c 'import socket, sys
socket.socket(socket.AF_UNIX).connect("\0whittle" + sys.argv[1])' $PORT`},
	{"clock", `date -s 2001-01-01`},
	{"host name", `hostname whittle; echo whittle >/proc/sys/kernel/hostname`},
	{"kernel", `echo 1 >/proc/sys/vm/overcommit_memory; echo h >/proc/sysrq-trigger`},
	{"mounts", `mount -t tmpfs none "$OUT"; umount -a; mount --bind / "$HOME"`},
	{"undo the sandbox", `mount -o remount,bind,rw /; mount -o remount,rw /; echo x >"$OUT/neighbour"; umount -l "$PWD"`},
	{"nested namespaces", `unshare -Urm sh -c '
mount -o remount,bind,rw /; mount -o bind,rw / /mnt; echo x >"$OUT/neighbour"'`},
	{"other users", `su -c 'echo x >"$OUT/neighbour"'; sudo -n sh -c 'echo x >"$OUT/neighbour"'`},
	{"system files", `echo x >>/etc/hosts; echo x >/etc/whittle-destructive`},
	{"jobs for later", `echo "echo x >$OUT/f" | at now; echo "* * * * * echo x >$OUT/f" | crontab -`},
	{"memory of others", `ipcmk -M 4096; ipcmk -Q`},
	{"fork bomb", `sh -c 'bomb() { bomb & bomb; }; bomb' & sleep 0.3`},
}

// alone are lines that end the test, or remove its directories.
var alone = []string{"fork bomb", "modes", "undo the sandbox", "nested namespaces", "remove home"}

// TestE2EDestructive runs tests that would harm the machine. By default most are the lines of
// one test. With WHITTLE_DESTRUCTIVE each is also a test of its own.
func TestE2EDestructive(t *testing.T) {
	users := []uint32{uint32(os.Getuid())}
	if users[0] == 0 {
		users = append(users, 65534)
	}
	for _, user := range users {
		t.Run(fmt.Sprintf("user %d", user), func(t *testing.T) {
			d := newDestruction(t, user)
			together := ""
			for _, test := range destructive {
				single := slices.Contains(alone, test.name)
				if !single {
					together += "( " + test.line + "\n)\n"
				}
				if os.Getenv("WHITTLE_DESTRUCTIVE") != "" {
					t.Run(test.name, func(t *testing.T) { d.run(t, test.line) })
				}
			}
			t.Run("together", func(t *testing.T) { d.run(t, together) })
		})
	}
}

// A destruction has the files, the process and the sockets that tests try to harm.
type destruction struct {
	user    uint32
	program string
	dir     string // of files that must not change
	canary  *exec.Cmd
	port    int
	reached chan string // names of sockets with a connection
}

func newDestruction(t *testing.T, user uint32) *destruction {
	// Not below /tmp, where tests write to copies.
	base, err := os.MkdirTemp("/var/tmp", "destructive")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	d := &destruction{user: user, program: filepath.Join(base, "whittle"), dir: filepath.Join(base, "files")}
	whittle, err := exec.LookPath("whittle")
	if err != nil {
		t.Fatal(err)
	}
	if err := copyProgram(whittle, d.program); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{
		"hay.txt": strings.Repeat("hay\n", 20) + "needle\n", "neighbour": "kept\n", "home/file": "kept\n",
		".git/config": "[core]\n", ".git/objects/x": "x",
	} {
		write(t, filepath.Join(d.dir, path), content, 0o644)
	}
	err = filepath.WalkDir(base, func(path string, _ fs.DirEntry, err error) error {
		return os.Chown(path, int(user), int(user))
	})
	if err != nil {
		t.Fatal(err)
	}
	d.canary = d.command("/bin/sleep", "1000")
	if err := d.canary.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.canary.Process.Kill()
		d.canary.Wait()
	})
	d.listen(t)
	// Without a sandbox these tests would harm this machine.
	c := d.command(d.program, "check", "hay.txt", "--", "grep", "needle", "{}")
	if output, _ := c.Output(); !bytes.Contains(output, []byte("tests run in a sandbox (namespaces and Landlock")) {
		t.Skipf("there is no sandbox: %s", output)
	}
	return d
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

func (d *destruction) listen(t *testing.T) {
	d.reached = make(chan string, 100)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tcp.Close() })
	d.port = tcp.Addr().(*net.TCPAddr).Port
	unix, err := net.Listen("unix", fmt.Sprintf("@whittle%d", d.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close() })
	for name, l := range map[string]net.Listener{"TCP": tcp, "abstract socket": unix} {
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
				d.reached <- name
			}
		}()
	}
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: d.port})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { udp.Close() })
	go func() {
		for {
			if _, _, err := udp.ReadFrom(make([]byte, 10)); err != nil {
				return
			}
			d.reached <- "UDP"
		}
	}()
}

func (d *destruction) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = d.dir
	c.Env = []string{
		"PATH=" + machinePath, "HOME=" + d.dir + "/home", "OUT=" + d.dir, fmt.Sprintf("PORT=%d", d.port),
	}
	if d.canary != nil {
		c.Env = append(c.Env, fmt.Sprintf("CANARY=%d", d.canary.Process.Pid))
	}
	if d.user != uint32(os.Getuid()) {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: d.user, Gid: d.user}}
	}
	return c
}

// run reduces by a destructive test and compares the state before and after.
func (d *destruction) run(t *testing.T, line string) {
	script := filepath.Join(d.dir, "test.sh")
	text := fmt.Sprintf("#!/bin/sh\nexec 2>/dev/null\ngrep -q needle hay.txt || exit 1\n(\n%s\n)\nexit 0\n", line)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	os.Chmod(script, 0o755)
	before := d.state(t)
	began := time.Now()
	c := d.command(d.program, "--max-tests", "3", "--max-time", "60s", "--timeout", "20s", "--disk-limit", "16MiB",
		"--force", "-j", "2", "-o", "../result.txt", "test.sh", "hay.txt")
	output, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code < 0 || code > 3 || !bytes.Contains(output, []byte("whittle: ")) {
		t.Errorf("%v: %s", err, output)
	}
	time.Sleep(400 * time.Millisecond) // for processes in the background
	if after := d.state(t); after != before {
		t.Errorf("before:\n%s\nafter:\n%s\n%s", before, after, output)
	}
	select {
	case what := <-d.reached:
		t.Errorf("%s was connected to", what)
	default:
	}
	if now := time.Now(); now.Round(0).Sub(began.Round(0)) < 0 {
		t.Error("the clock was set")
	}
}

// state describes the files, the canary, devices and the system.
func (d *destruction) state(t *testing.T) string {
	var b strings.Builder
	err := filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		content, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v %v %x %d\n", path, info.Mode(), info.ModTime(), sha256.Sum256(content),
			info.Sys().(*syscall.Stat_t).Uid)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/dev/null", "/tmp/whittle-destructive", "/var/tmp/whittle-destructive",
		"/dev/shm/whittle-destructive", "/etc/hosts", "/etc/whittle-destructive", "/proc/sys/kernel/hostname",
		"/proc/sys/vm/overcommit_memory", "/proc/sysvipc/shm", "/proc/sysvipc/msg"} {
		info, err := os.Stat(path)
		if err != nil {
			fmt.Fprintf(&b, "%s is not there\n", path)
			continue
		}
		content, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v %x\n", path, info.Mode(), sha256.Sum256(content))
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.canary.Process.Pid))
	if fields := strings.Fields(string(stat)); len(fields) > 18 {
		fmt.Fprintf(&b, "canary %s, nice %s\n", fields[2], fields[18])
	}
	return b.String()
}

// TestE2ESandboxExplains checks the messages about tests that need more than the sandbox allows.
func TestE2ESandboxExplains(t *testing.T) {
	d := newDestruction(t, uint32(os.Getuid()))
	if err := os.MkdirAll(filepath.Join(d.dir, "home/.cache/tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, line, flags string
		code              int
		says              string
	}{
		{"file", `echo x >>"$OUT/log" || exit 1`, "", 2, "it writes to " + d.dir + "; allow that by --allow-write " + d.dir},
		{"allowed file", `echo x >>"$OUT/log" || exit 1`, "--allow-write .", 0, "hay.reduced"},
		{"new directory", `mkdir -p "$OUT/new/d" || exit 1`, "", 2, "--allow-write " + d.dir},
		{"cache", `echo x >"$HOME/.cache/tool/x" || exit 1`, "", 0, "the test may write to ~/.cache/tool, as it needs that"},
		{"unneeded file", `echo x >>"$OUT/other"`, "", 0, "hay.reduced"},
		{"network", `python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)' $PORT || exit 1`, "", 2, "allow that by --allow-net"},
		{"allowed network", `python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 2)' $PORT || exit 1`, "--allow-net", 0, "hay.reduced"},
		{"all", `echo x >>"$OUT/log" || exit 1; kill -0 $CANARY || exit 1`, "--no-sandbox", 0, "hay.reduced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := fmt.Sprintf("#!/bin/sh\nexec 2>/dev/null\n%s\ngrep -q needle hay.txt\n", tt.line)
			if err := os.WriteFile(filepath.Join(d.dir, "test.sh"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			os.Chmod(filepath.Join(d.dir, "test.sh"), 0o755)
			args := strings.Fields("--fresh --max-tests 2 " + tt.flags + " test.sh hay.txt")
			c := d.command(d.program, args...)
			output, err := c.CombinedOutput()
			if c.ProcessState.ExitCode() != tt.code || !bytes.Contains(output, []byte(tt.says)) {
				t.Errorf("%v: %s; want exit code %d and %q", err, output, tt.code, tt.says)
			}
			if _, err := os.Stat(filepath.Join(d.dir, "other")); err == nil {
				t.Error("a file was written that is not allowed")
			}
		})
	}
	for len(d.reached) > 0 {
		<-d.reached
	}
}
