package sandbox

import (
	"encoding/gob"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Starter starts helpers on demand.
type Starter struct {
	help func(start func() (pid int, err error)) error
	keep string
	size uint64

	mu      sync.Mutex
	helpers [2]*helper // without and with the network
	closed  bool
}

// NewStarter returns a Starter. Help calls a function that starts a child which is no test.
// Programs may write size bytes below /tmp and /dev/shm; 0 means half of the memory. Their
// directories are below keep.
func NewStarter(help func(start func() (pid int, err error)) error, keep string, size uint64) *Starter {
	return &Starter{help: help, keep: keep, size: size}
}

// Level starts the helper and returns its means of protection, or the error of the start.
func (s *Starter) Level(p Policy) (Level, error) {
	h, err := s.helper(p.Net)
	if err != nil {
		return Level{}, err
	}
	return h.level, nil
}

// Start starts argv[0] in a sandbox where it may also write to dir. A program that cannot be
// executed is a [syscall.Errno].
func (s *Sandbox) Start(dir string, argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	return s.Trace(nil, dir, argv, attr)
}

// Trace starts a program that may also write to other directories, in fact to discarded copies.
// Written returns the paths.
func (s *Sandbox) Trace(dirs []string, dir string, argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	over := s.Over
	if s.Home != "" && s.Home != attr.Dir {
		over = append(slices.Clip(over), Overlay{Lower: attr.Dir, At: s.Home})
	}
	r, err := s.ask(s.Net, &request{
		Argv: argv, Env: attr.Env, Dir: attr.Dir, Size: s.size,
		Write: slices.Concat(s.Write, []string{dir}), Trace: dirs, Over: over,
	}, attr.Files)
	return r.Pid, err
}

// Overlays reports whether programs that may write to dir can have the overlays of the policy, with those of Trace for
// dirs. A kernel stacks two overlays at most, and a container is one.
func (s *Sandbox) Overlays(dirs []string, dir string) bool {
	level, err := s.Level(s.Policy)
	if err != nil || !level.Namespaces || len(s.Over) == 0 {
		return false
	}
	_, err = s.ask(s.Net, &request{Write: slices.Concat(s.Write, []string{dir}), Trace: dirs, Over: s.Over}, nil)
	return err == nil
}

// TraceDirs returns where this user's programs may write, without temporary directories: for root
// the directories below /, else the home directory, the current directory and /var/tmp.
func TraceDirs() (dirs []string) {
	if os.Geteuid() != 0 {
		home, _ := os.UserHomeDir()
		here, _ := os.Getwd()
		for _, dir := range []string{home, here, "/var/tmp"} {
			if dir != "" && dir != "/" && dir != "/tmp" && !strings.HasPrefix(dir, home+"/") && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
		return dirs
	}
	entries, _ := os.ReadDir("/")
	for _, e := range entries {
		dir := "/" + e.Name()
		if e.IsDir() && !slices.Contains([]string{"/proc", "/sys", "/dev", "/run", "/tmp"}, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Written returns the paths that an ended program of Trace has changed.
func (s *Sandbox) Written(pid int) ([]string, error) {
	r, err := s.ask(s.Net, &request{Collect: pid}, nil)
	return r.Paths, err
}

func (s *Starter) ask(withNet bool, r *request, files []uintptr) (reply, error) {
	h, err := s.helper(withNet)
	if err != nil {
		return reply{}, err
	}
	return h.ask(r, files)
}

func (s *Starter) helper(withNet bool) (*helper, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := 0
	if withNet {
		i = 1
	}
	if s.helpers[i] != nil {
		return s.helpers[i], nil
	}
	if s.closed {
		return nil, syscall.ECANCELED
	}
	h, err := s.open(config{Namespaces: true, Net: withNet, Keep: s.keep})
	if err != nil {
		h, err = s.open(config{Net: withNet, Keep: s.keep})
	}
	if err != nil {
		return nil, fmt.Errorf("cannot start the sandbox: %w; --no-sandbox runs tests without it", err)
	}
	s.helpers[i] = h
	return h, nil
}

// Close ends the helpers.
func (s *Starter) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, h := range s.helpers {
		if h != nil {
			h.close()
		}
	}
}

type helper struct {
	level   Level
	command *exec.Cmd

	mu      sync.Mutex
	conn    *net.UnixConn
	encoder *gob.Encoder
	decoder *gob.Decoder
}

func (s *Starter) open(c config) (*helper, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "sandbox"), os.NewFile(uintptr(fds[1]), "sandbox")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, err
	}
	h := &helper{
		conn: conn.(*net.UnixConn), encoder: gob.NewEncoder(conn), decoder: gob.NewDecoder(conn),
		command: &exec.Cmd{
			Path: "/proc/self/exe", Args: []string{os.Args[0], argument}, Env: []string{}, Dir: "/",
			ExtraFiles: []*os.File{theirs}, SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
		},
	}
	if c.Namespaces {
		h.command.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWIPC
		if !c.Net {
			h.command.SysProcAttr.Cloneflags |= unix.CLONE_NEWNET
		}
		if os.Geteuid() != 0 { // root keeps capabilities in exec
			h.command.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_DAC_OVERRIDE,
				unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_MKNOD}
		}
		mapIDs(h.command.SysProcAttr)
	}
	err = s.help(func() (int, error) {
		if err := h.command.Start(); err != nil {
			return 0, err
		}
		return h.command.Process.Pid, nil
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	theirs.Close()
	var ready reply
	if err = h.encoder.Encode(c); err == nil {
		err = h.decoder.Decode(&ready)
	}
	if err == nil && ready.Problem != "" {
		err = fmt.Errorf("%s", ready.Problem)
	}
	if err != nil {
		h.close()
		return nil, err
	}
	h.level = ready.Level
	return h, nil
}

func (h *helper) ask(r *request, files []uintptr) (answer reply, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rights := make([]int, len(files))
	for i, f := range files {
		rights[i] = int(f)
	}
	// The files need a byte of their own, since gob reads the rest.
	if _, _, err = h.conn.WriteMsgUnix([]byte{0}, unix.UnixRights(rights...), nil); err == nil {
		if err = h.encoder.Encode(r); err == nil {
			err = h.decoder.Decode(&answer)
		}
	}
	switch {
	case err != nil:
		return reply{}, fmt.Errorf("the sandbox has ended: %w", err)
	case answer.Problem != "":
		return reply{}, fmt.Errorf("cannot set up the sandbox of a test: %s; --no-sandbox runs tests without it",
			answer.Problem)
	case answer.Errno != 0:
		return reply{}, syscall.Errno(answer.Errno)
	}
	return answer, nil
}

func (h *helper) close() {
	h.conn.Close()
	h.command.Process.Kill()
	h.command.Wait()
}

// mapIDs gives a child's user namespace this process's users: for root all, else its own.
func mapIDs(a *syscall.SysProcAttr) {
	if os.Geteuid() != 0 {
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		return
	}
	a.UidMappings, a.GidMappings = ownIDs("/proc/self/uid_map"), ownIDs("/proc/self/gid_map")
	a.GidMappingsEnableSetgroups = true
}

func ownIDs(file string) (ids []syscall.SysProcIDMap) {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // first id here, first outside, count
		if len(fields) != 3 {
			continue
		}
		first, err := strconv.Atoi(fields[0])
		size, err2 := strconv.Atoi(fields[2])
		if err == nil && err2 == nil {
			ids = append(ids, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: size})
		}
	}
	return ids
}
