// Package forkserver runs programs that were built with AFL's compilers. Such a program starts once, and forks a
// process for each input, which tells its coverage in shared memory. The protocol is in include/types.h,
// src/afl-forkserver.c and instrumentation/afl-compiler-rt.o.c of AFL++.
package forkserver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Descriptors of a fork server.
const (
	controlFile = 198
	statusFile  = 199
)

// The first message of a fork server has these bits.
const (
	hasError   = 0xf800008f
	hasOptions = 0x80000001
	hasMapSize = 0x40000000 // (size - 1) * 2 is in the lower 24 bits
	wantsInput = 0x01000000 // in shared memory
)

const (
	defaultMap = 1 << 16
	largestMap = 1 << 23
	inputLimit = 1 << 20 // of input in shared memory, MAX_FILE
	startLimit = 10 * time.Second
)

// Options of a fork server.
type Options struct {
	Argv    []string      // @@ is the path of the input; without it the input is standard input
	File    string        // path of the input; "" means a temporary file
	Timeout time.Duration // of an input
	Memory  uint64        // bytes; 0 means no limit
}

// A Server is a running fork server. It is not safe for concurrent use.
type Server struct {
	o                Options
	cmd              *exec.Cmd
	input            *os.File // the file
	memory           []byte   // the coverage
	shared           []byte   // the input, if the program reads it there; may be nil
	size             int      // of the coverage
	control, replies *os.File
	dir              string
	killed           uint32 // the last process was killed
}

// A Run is the end of an input's process.
type Run struct {
	syscall.WaitStatus
	TimedOut bool
}

// Start starts a program. For a program without AFL's instrumentation, the error says how to build one.
func Start(o Options) (s *Server, err error) {
	s = &Server{o: o, size: defaultMap}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.dir, err = os.MkdirTemp("", "whittle-afl-"); err != nil {
		return nil, err
	}
	if s.o.File == "" {
		s.o.File = filepath.Join(s.dir, "input")
	}
	if s.input, err = os.OpenFile(s.o.File, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return nil, err
	}
	coverage, err := share(largestMap, &s.memory)
	if err != nil {
		return nil, err
	}
	defer unix.SysvShmCtl(coverage, unix.IPC_RMID, nil) // it lives as long as its processes
	shared, err := share(4+inputLimit, &s.shared)
	if err != nil {
		return nil, err
	}
	defer unix.SysvShmCtl(shared, unix.IPC_RMID, nil)
	var theirControl, theirReplies *os.File
	if theirControl, s.control, err = os.Pipe(); err != nil {
		return nil, err
	}
	defer theirControl.Close()
	if s.replies, theirReplies, err = os.Pipe(); err != nil {
		return nil, err
	}
	defer theirReplies.Close()
	argv := append([]string{}, o.Argv...)
	for i := range argv { // the same for all servers, because the coverage may depend on its length
		argv[i] = strings.ReplaceAll(argv[i], "@@", "/dev/stdin")
	}
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Stdin = s.input
	s.cmd.ExtraFiles = make([]*os.File, statusFile-2) // from descriptor 3 on
	s.cmd.ExtraFiles[controlFile-3], s.cmd.ExtraFiles[statusFile-3] = theirControl, theirReplies
	s.cmd.Env = environment(map[string]string{
		"__AFL_SHM_ID": strconv.Itoa(coverage), "__AFL_SHM_FUZZ_ID": strconv.Itoa(shared),
		"AFL_MAP_SIZE": strconv.Itoa(largestMap), "LD_BIND_NOW": "1",
	})
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if o.Memory > 0 {
		limit := &unix.Rlimit{Cur: o.Memory, Max: o.Memory}
		if err := unix.Prlimit(s.cmd.Process.Pid, unix.RLIMIT_AS, limit, nil); err != nil {
			return nil, fmt.Errorf("cannot limit the memory of %s: %w", argv[0], err)
		}
	}
	theirReplies.Close() // so that its death ends the reading
	return s, s.greet()
}

func share(size int, memory *[]byte) (id int, err error) {
	if id, err = unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|unix.IPC_EXCL|0o600); err == nil {
		*memory, err = unix.SysvShmAttach(id, 0, 0)
	}
	if err != nil {
		return 0, fmt.Errorf("cannot share memory with the program: %w", err)
	}
	return id, nil
}

// environment sets variables, and the options of sanitizers that AFL's tools set.
func environment(set map[string]string) []string {
	for _, sanitizer := range []string{"ASAN", "UBSAN", "LSAN"} {
		set[sanitizer+"_OPTIONS"] = "abort_on_error=1:detect_leaks=0:symbolize=0:allocator_may_return_null=1"
		if own := os.Getenv(sanitizer + "_OPTIONS"); own != "" {
			set[sanitizer+"_OPTIONS"] += ":" + own
		}
	}
	all := os.Environ()
	for name, value := range set {
		all = append(all, name+"="+value)
	}
	return all
}

// greet reads the first message.
func (s *Server) greet() error {
	s.replies.SetReadDeadline(time.Now().Add(max(startLimit, 10*s.o.Timeout)))
	first, err := s.read()
	if err != nil {
		return fmt.Errorf("%s has no fork server of AFL; build it with afl-clang-fast, or reduce with: "+
			"whittle FILE -- %[1]s {}", s.o.Argv[0])
	}
	if first&hasError == hasError {
		return fmt.Errorf("the fork server of %s has failed with AFL's error %d", s.o.Argv[0], first>>8&0xffff)
	}
	if first&hasOptions != hasOptions {
		return nil
	}
	if first&hasMapSize != 0 {
		s.size = min(int(first&0x00fffffe>>1)+1, largestMap)
	}
	if first&wantsInput == 0 {
		unix.SysvShmDetach(s.shared)
		s.shared = nil
		return nil
	}
	return s.write(hasOptions | wantsInput)
}

func (s *Server) read() (uint32, error) {
	var word [4]byte
	_, err := io.ReadFull(s.replies, word[:])
	return binary.NativeEndian.Uint32(word[:]), err
}

func (s *Server) write(word uint32) error {
	_, err := s.control.Write(binary.NativeEndian.AppendUint32(nil, word))
	return err
}

// Run runs an input. After an error the server must be closed.
func (s *Server) Run(input []byte) (Run, error) {
	if err := s.put(input); err != nil {
		return Run{}, err
	}
	clear(s.memory[:s.size])
	s.replies.SetReadDeadline(time.Now().Add(startLimit))
	if err := s.write(s.killed); err != nil {
		return Run{}, err
	}
	pid, err := s.read()
	if err != nil || int32(pid) <= 0 {
		return Run{}, errors.Join(errors.New("the fork server does not fork"), err)
	}
	s.replies.SetReadDeadline(time.Now().Add(s.o.Timeout))
	status, err := s.read()
	s.killed = 0
	late := errors.Is(err, os.ErrDeadlineExceeded)
	if late {
		syscall.Kill(int(pid), syscall.SIGKILL)
		s.killed = 1
		s.replies.SetReadDeadline(time.Now().Add(startLimit))
		status, err = s.read()
	}
	return Run{syscall.WaitStatus(status), late}, err
}

func (s *Server) put(input []byte) error {
	if s.shared != nil && len(input) <= inputLimit {
		binary.NativeEndian.PutUint32(s.shared, uint32(len(input)))
		copy(s.shared[4:], input)
	}
	_, err := s.input.WriteAt(input, 0)
	if err == nil {
		err = s.input.Truncate(int64(len(input)))
	}
	if err == nil {
		_, err = s.input.Seek(0, io.SeekStart) // its standard input
	}
	return err
}

// Coverage returns the number of times that each edge of the program ran in the last Run, up to 255. It is valid until
// the next.
func (s *Server) Coverage() []byte { return s.memory[:s.size] }

// Close ends the program.
func (s *Server) Close() {
	if s.cmd != nil && s.cmd.Process != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	for _, f := range []*os.File{s.control, s.replies, s.input} {
		f.Close()
	}
	for _, m := range [][]byte{s.memory, s.shared} {
		if m != nil {
			unix.SysvShmDetach(m)
		}
	}
	os.RemoveAll(s.dir)
}
