package repro

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/oracle"
)

// The script runs the command in a new directory with the files of the result and the dependencies, and leaves nothing.
func TestScript(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	root := filepath.Join(dir, "it's a project")
	for _, d := range []string{root, root + "/deps", dir + "/it.repro"} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(root+"/deps/d", []byte("dependency\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", "it's gcc")
	command := `cat -- -n "a b/it's" deps/d link; test -d empty; pwd; echo "$CC" >&2; exit 7`
	r := &run.Run{Config: run.Config{Test: run.Test{
		Argv: []string{"sh", "-c", command}, Inline: true, Project: &project.Project{Root: root, Outside: []string{"deps"}},
	}}}
	r.Spec.Argv = []string{"/bin/sh", "-c", command}
	r.Spec.Layout.Name = "."
	r.Failure.Title = "error: two\nlines"
	p := &repro{run: r, tools: []string{"sh 1"}, outside: []string{"deps"}, files: []oracle.File{
		{Path: "-n", Content: []byte("one\n"), Mode: 0o600}, {Path: "empty", Mode: fs.ModeDir | 0o700},
		{Path: "a b/it's", Content: []byte("two\n"), Mode: 0o600}, {Path: "link", Mode: fs.ModeSymlink, Link: "-n"},
	}}
	out := filepath.Join(dir, "it.repro")
	if err := oracle.WriteFiles(out, p.files); err != nil {
		t.Fatal(err)
	}
	script := p.script()
	if err := os.WriteFile(out+"/run.sh", script, 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(out + "/run.sh")
	c.Dir, c.Env = t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp}
	output, err := c.CombinedOutput()
	lines := strings.Split(string(output), "\n")
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || len(lines) != 7 || strings.Join(lines[:4], " ") != "one two dependency one" ||
		!strings.HasPrefix(lines[4], tmp+"/") || lines[5] != "it's gcc" {
		t.Errorf("%q, error %v", output, err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	for _, want := range []string{"#!/bin/sh\n# Shows: error: two", "\n# Tools: sh 1\n", "\n# Not here: deps\n"} {
		if !strings.Contains(string(script), want) {
			t.Errorf("no %q in\n%s", want, script)
		}
	}
	r.Failure.Title, r.Interesting.Output = "", regexp.MustCompile("bug [0-9]")
	if script := string(p.script()); !strings.Contains(script, "# Shows: output that matches \"bug [0-9]\"\n") {
		t.Errorf("no pattern in\n%s", script)
	}
}
