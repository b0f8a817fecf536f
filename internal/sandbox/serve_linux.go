package sandbox

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Serve starts programs for the owner of the connection on file 3, until it closes that or dies.
func Serve() error {
	runtime.LockOSThread() // keep the main thread, which cannot end, unrestricted
	unix.CloseOnExec(3)
	file := os.NewFile(3, "owner")
	conn, err := net.FileConn(file)
	file.Close()
	if err != nil {
		return err
	}
	owner, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("file 3 is no connection")
	}
	s := &server{programs: map[int]int{}, traced: map[int]*traced{}}
	defer s.killAll()
	decoder, encoder := gob.NewDecoder(owner), gob.NewEncoder(owner)
	if err := decoder.Decode(&s.config); err != nil {
		return err
	}
	s.level = Level{Namespaces: s.config.Namespaces, Landlock: landlockABI()}
	ready := reply{Level: s.level}
	if s.config.Namespaces {
		if err := setUp(s.config); err != nil {
			ready.Problem = err.Error()
		}
	}
	if err := encoder.Encode(ready); err != nil {
		return err
	}
	for {
		var r request
		files, err := receive(owner)
		if err == nil {
			err = decoder.Decode(&r)
		}
		if err != nil {
			return err
		}
		answer := s.answer(&r, files)
		for _, f := range files {
			unix.Close(int(f))
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
}

// receive reads the byte before a request, with its files.
func receive(owner *net.UnixConn) (files []uintptr, err error) {
	var b [1]byte
	rights := make([]byte, unix.CmsgSpace(8*4))
	n, size, _, _, err := owner.ReadMsgUnix(b[:], rights)
	if err != nil || n == 0 {
		return nil, errors.Join(err, errors.New("the owner has gone"))
	}
	messages, err := unix.ParseSocketControlMessage(rights[:size])
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			return nil, err
		}
		for _, fd := range fds {
			unix.CloseOnExec(fd)
			files = append(files, uintptr(fd))
		}
	}
	return files, nil
}

type server struct {
	config   config
	level    Level
	programs map[int]int // pidfds by process id
	traced   map[int]*traced
}

func (s *server) answer(r *request, files []uintptr) reply {
	if r.Collect != 0 {
		t := s.traced[r.Collect]
		delete(s.traced, r.Collect)
		return reply{Paths: t.written()}
	}
	s.forget()
	type started struct {
		pid, pidfd int
		err        error
		problem    error
		traced     *traced
	}
	done := make(chan started)
	go func() {
		runtime.LockOSThread()
		var p started
		p.pidfd = -1
		if p.traced, p.problem = s.confine(r); p.problem == nil && len(r.Argv) > 0 {
			sys := &syscall.SysProcAttr{Setpgid: true, Cloneflags: unix.CLONE_PARENT, PidFD: &p.pidfd}
			p.pid, p.err = syscall.ForkExec(r.Argv[0], r.Argv, &syscall.ProcAttr{
				Dir: r.Dir, Env: r.Env, Files: files, Sys: sys,
			})
		}
		done <- p
	}()
	p := <-done
	if p.problem != nil || p.err != nil {
		p.traced.close()
		var errno syscall.Errno
		switch {
		case p.problem != nil:
			return reply{Problem: p.problem.Error()}
		case errors.As(p.err, &errno):
			return reply{Errno: int(errno)}
		}
		return reply{Problem: p.err.Error()}
	}
	if p.pid == 0 {
		p.traced.close()
		return reply{}
	}
	if p.traced != nil {
		s.traced[p.pid] = p.traced
	}
	s.programs[p.pid] = p.pidfd
	return reply{Pid: p.pid}
}

// forget closes the pidfds of ended programs.
func (s *server) forget() {
	for pid, fd := range s.programs {
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if n, _ := unix.Poll(poll, 0); n > 0 {
			unix.Close(fd)
			delete(s.programs, pid)
		}
	}
}

func (s *server) killAll() {
	s.forget()
	for pid := range s.programs {
		unix.Kill(-pid, unix.SIGKILL)
		unix.Kill(pid, unix.SIGKILL)
	}
}

func (s *server) confine(r *request) (*traced, error) {
	var t *traced
	if s.config.Namespaces {
		var err error
		if t, err = s.mountFor(r); err != nil {
			return t, err
		}
	}
	// Root could undo the mounts, which are locked in another user namespace.
	if s.config.Namespaces && os.Geteuid() == 0 {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN, 0, 0, 0); err != nil {
			return t, os.NewSyscallError("prctl", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return t, os.NewSyscallError("prctl", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return t, os.NewSyscallError("prctl", err)
	}
	return t, s.landlock(r)
}

type traced struct {
	upper map[string]int // descriptors of upper directories of overlays
}

const maxWritten = 10_000

// written returns the paths created, changed or removed, and closes the directories. It leaves
// out directories that overlays copied on the way to a file.
func (t *traced) written() (paths []string) {
	if t == nil {
		return nil
	}
	defer t.close()
	for top, fd := range t.upper {
		root := fmt.Sprintf("/proc/self/fd/%d/", fd)
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if len(paths) == maxWritten {
				return fs.SkipAll
			}
			if err == nil && !(d.IsDir() && (path == root || hasEntries(path))) {
				paths = append(paths, filepath.Join(top, strings.TrimPrefix(path, root)))
			}
			return nil
		})
	}
	return paths
}

func hasEntries(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return len(entries) > 0
}

func (t *traced) close() {
	if t == nil {
		return
	}
	for _, fd := range t.upper {
		unix.Close(fd)
	}
}
