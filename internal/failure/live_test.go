package failure

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"whittle/oracle"
)

var record = flag.Bool("record", false, "record what the tools print")

const work = "/src/work"

// Installed tools give the recorded signature for a file with other line numbers in another
// directory. On another file they fail in another way.
func TestE2ELive(t *testing.T) {
	for _, r := range recordings(t) {
		command := r.words["run"]
		if command == "" {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			tool := r.words["needs"]
			if _, err := exec.LookPath(tool); err != nil {
				t.Skip(err)
			}
			if version := r.words["version"]; version != "" {
				said, _ := exec.CommandContext(t.Context(), tool, "--version").CombinedOutput()
				if !strings.Contains(string(said), version) {
					t.Skipf("%s is not the version %s, but %.60s", tool, version, said)
				}
			}
			t.Parallel()
			name := r.archive.Files[0].Name
			if *record {
				r.rerecord(t, name)
				return
			}
			run, _ := live(t, command, name, append([]byte("\n\n\n"), r.archive.Files[0].Data...))
			want, got := All(r.run), All(run)
			if len(want) == 0 || len(got) == 0 || got[0].Title != want[0].Title {
				t.Fatalf("live it is\n%swas\n%s%s", text(got), text(want), run.Output)
			}
			if !holds(want[0], run) || !holds(got[0], r.run) {
				t.Errorf("the criteria of one do not hold for the other: %s, %s", want[0].Criteria, got[0].Criteria)
			}
			file := r.member("other/" + name)
			if file == nil {
				return
			}
			run, _ = live(t, command, name, file)
			if other := All(run); len(other) == 0 || other[0].Title == want[0].Title || holds(want[0], run) {
				t.Errorf("another failure has the same signature:\n%s%s", text(other), run.Output)
			}
		})
	}
}

func (r *recording) rerecord(t *testing.T, name string) {
	run, dir := live(t, r.words["run"], name, r.archive.Files[0].Data)
	end := "exit " + fmt.Sprint(run.ExitCode)
	if run.Died != 0 {
		end = "signal " + run.DiedBy()
	}
	head := regexp.MustCompile(`(?m)^(exit|signal) .*`)
	r.archive.Comment = head.ReplaceAll(r.archive.Comment, []byte(end))
	output := string(run.Output)
	for _, place := range []string{dir, filepath.Dir(dir)} {
		output = strings.ReplaceAll(output, place, work)
	}
	if home, err := os.UserHomeDir(); err == nil {
		output = strings.ReplaceAll(output, home, filepath.Dir(work))
	}
	r.put("output", []byte(strings.TrimRight(output, "\n")+"\n"))
	r.write(t)
}

func live(t *testing.T, command, name string, file []byte) (run oracle.Run, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), file, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "timeout", "60", "sh", "-c", "ulimit -c 0; "+command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "RUST_BACKTRACE=0", "GO111MODULE=off", "GOTRACEBACK=single")
	output, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	run = oracle.Run{ExitCode: cmd.ProcessState.ExitCode(), Output: output}
	switch code := run.ExitCode; {
	case status.Signaled():
		run.Died = status.Signal()
	case code > oracle.ExitSignal && code <= oracle.ExitSignal+64:
		run.Died = syscall.Signal(code - oracle.ExitSignal)
	}
	return run, dir
}
