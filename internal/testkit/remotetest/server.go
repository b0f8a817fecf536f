// Package remotetest provides real servers of remote execution, which .ci/servers installs, and a
// proxy with faults. Tests of missing servers are skipped.
package remotetest

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

type Kind struct {
	Name string

	program string // below the directory of .ci/servers
	needs   string // another program that must be in PATH
	args    func(program, port, store string) []string
}

var (
	// Casd is buildbox-casd with a sandbox for each action, which has /usr and no /etc.
	Casd = Kind{Name: "buildbox-casd", program: "buildbox/buildbox-casd", needs: "bwrap",
		args: func(program, port, store string) []string {
			run := filepath.Join(filepath.Dir(program), "buildbox-run")
			args := []string{"--bind=127.0.0.1:" + port, "--buildbox-run=" + run, "--jobs=4", "--quota-high=2G", "--reserved=1M",
				"--runner-arg=--staging-mode=copy-or-link"}
			for _, bind := range []string{"/usr:/usr", "/usr/bin:/bin", "/usr/lib:/lib", "/usr/lib64:/lib64"} {
				args = append(args, "--runner-arg=--ro-bind-mount="+bind)
			}
			return append(args, store)
		}}

	// Justbuild is the server of justbuild, without a sandbox.
	Justbuild = Kind{Name: "justbuild", program: "justbuild/justbuild", needs: "env",
		args: func(_, port, store string) []string {
			return []string{"execute", "--compatible", "--local-build-root", store, "--port", port,
				"--local-launcher", `["env","--"]`, "--log-limit", "1"}
		}}
)

// Kinds are all kinds of servers.
var Kinds = []Kind{Casd, Justbuild}

// Server is a server. It may have been killed.
type Server struct {
	Address string // host:port
	Store   string // directory of its files

	kind    Kind
	program string
	command *exec.Cmd
	said    bytes.Buffer
	mark    string // an environment variable of all its processes

	temporary string // a directory
}

// Start starts a server on a free port with its own store, until the end of the test. It skips the
// test without the server.
func Start(t testing.TB, kind Kind) *Server {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	s := &Server{kind: kind, program: filepath.Join(cache, "whittle", kind.program)}
	if _, err := os.Stat(s.program); err != nil {
		t.Skipf("%s is not installed, see .ci/servers: %v", kind.Name, err)
	}
	if _, err := exec.LookPath(kind.needs); err != nil {
		t.Skipf("%s cannot run: %v", kind.Name, err)
	}
	dir := t.TempDir()
	s.Store, s.temporary = filepath.Join(dir, "store"), filepath.Join(dir, "tmp")
	s.mark = "WHITTLE_SERVER_OF_TEST=" + s.Store
	t.Cleanup(s.Kill)
	if s.Address, err = freeAddress(); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	return s
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// Restart starts the server again with the same address and store, and returns when it serves.
func (s *Server) Restart() error {
	if err := errors.Join(os.MkdirAll(s.Store, 0o755), os.MkdirAll(s.temporary, 0o755)); err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(s.Address)
	s.said.Reset()
	s.command = exec.Command(s.program, s.kind.args(s.program, port, s.Store)...)
	s.command.Stdout, s.command.Stderr = &s.said, &s.said
	s.command.WaitDelay = time.Second // processes that a killed server left hold its output
	s.command.Env = append(os.Environ(), s.mark, "TMPDIR="+s.temporary,
		"PATH="+filepath.Dir(s.program)+":"+os.Getenv("PATH"))
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.command.Start(); err != nil {
		return err
	}
	return s.await()
}

func (s *Server) await() error {
	connection, err := dial(s.Address)
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	_, err = repb.NewCapabilitiesClient(connection).GetCapabilities(ctx, &repb.GetCapabilitiesRequest{},
		grpc.WaitForReady(true))
	if err != nil {
		s.Kill()
		return errors.New(s.kind.Name + " does not serve: " + err.Error() + "\n" + s.said.String())
	}
	return nil
}

// dial connects to an address without TLS, with fast reconnects.
func dial(address string) (*grpc.ClientConn, error) {
	soon := backoff.Config{BaseDelay: 20 * time.Millisecond, Multiplier: 1.2, MaxDelay: 100 * time.Millisecond}
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: soon, MinConnectTimeout: time.Second}))
}

// Kill kills the server and all its processes with SIGKILL.
func (s *Server) Kill() {
	if s.command == nil {
		return
	}
	// All processes are stopped first: a child of a killed process would lose its parent, by
	// which it is found.
	s.command.Process.Signal(syscall.SIGSTOP)
	for stopped, pids := 0, s.processes(); len(pids) > stopped; pids = s.processes() {
		stopped = len(pids)
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
	for pids := s.processes(); len(pids) > 0; pids = s.processes() {
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
	s.command.Wait()
	s.command = nil
}

// KillActions kills the processes that run actions with SIGKILL, if choice accepts their command
// line. It returns their number.
func (s *Server) KillActions(choice func(commandLine string) bool) (killed int) {
	if s.command == nil {
		return 0
	}
	for _, pid := range s.processes() {
		action := pid != s.command.Process.Pid && choice(commandLine(pid))
		if action && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}

func commandLine(pid int) string {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.ReplaceAll(string(line), "\x00", " ")
}

// processes returns living processes with the mark in their environment, and their descendants, since an action has its
// own environment.
func (s *Server) processes() (pids []int) {
	ours := map[int]bool{}
	parents := map[int]int{}
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		pid, _ := strconv.Atoi(filepath.Base(entry))
		status, err := os.ReadFile(entry + "/stat")
		_, after, _ := strings.Cut(string(status), ") ")
		fields := strings.Fields(after)
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parents[pid], _ = strconv.Atoi(fields[1])
		environment, _ := os.ReadFile(entry + "/environ")
		ours[pid] = bytes.Contains(environment, []byte(s.mark))
	}
	for pid := range parents {
		for p := pid; p > 1; p = parents[p] {
			if ours[p] {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// LoseStore removes all files of the server, which must not run.
func (s *Server) LoseStore() error {
	entries, err := os.ReadDir(s.Store)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(s.Store, e.Name())))
	}
	return err
}
