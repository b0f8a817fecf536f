package diagnose_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/diagnose"
	"whittle/internal/local"
	"whittle/oracle"
)

// place makes files, executable if named *.sh, and a test that runs test.sh on small.c.
func place(t *testing.T, files map[string]string) (dir string, test *diagnose.Test) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		mode := os.FileMode(0o644)
		if filepath.Ext(name) == ".sh" {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), mode)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, &diagnose.Test{
		Spec: oracle.Spec{
			Argv: []string{filepath.Join(dir, "test.sh")}, Layout: oracle.Layout{Name: "small.c"}, Timeout: time.Minute,
		},
		Executor: local.Executor{Work: t.TempDir()},
		Input:    []byte(files["small.c"]), Files: []string{filepath.Join(dir, "small.c")}, Dir: dir, Shown: "test.sh",
		ShownFile: "small.c", Timeout: &chain.AdaptiveTimeout{},
		Around: func(e oracle.Executor) oracle.Executor { return e },
	}
}

func whyNot(t *testing.T, test *diagnose.Test) string {
	t.Helper()
	cause, err := test.WhyNot(t.Context(), oracle.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(test.Executor.Work); len(left) > 0 {
		t.Errorf("an experiment left %v", left)
	}
	if cause == nil {
		return ""
	}
	return cause.What
}

func TestFilesAreSafe(t *testing.T) {
	dir, test := place(t, map[string]string{
		"test.sh": "grep -q yes data/a && grep -q yes b || exit 1\necho no >data/a; rm b; ln -s x data/c; echo no " +
			">link/a; echo no >data/up/b; grep -q crash small.c",
		"small.c":    "crash",
		"data/a":     "yes",
		"b":          "yes",
		"not/needed": "",
	})
	if err := errors.Join(os.Symlink("data", filepath.Join(dir, "link")),
		os.Symlink("..", filepath.Join(dir, "data/up"))); err != nil {
		t.Fatal(err)
	}
	if got, want := whyNot(t, test), "it needs b, data/a from "+dir+", but tests run in fresh directories"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"data/a", "b"} {
		if content, err := os.ReadFile(filepath.Join(dir, name)); string(content) != "yes" {
			t.Errorf("%s is %q now, %v", name, content, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "data/c")); err == nil {
		t.Error("data/c was made")
	}
}

// From a directory that is too large to copy, the test gets the files that it names.
func TestLargeDirectory(t *testing.T) {
	files := map[string]string{
		"test.sh":       "build/tool.sh",
		"small.c":       "crash",
		"build/tool.sh": "grep -q crash small.c",
	}
	for i := range 5001 {
		files[fmt.Sprintf("build/%d", i)] = ""
	}
	_, test := place(t, files)
	want := "it runs build/tool.sh by a relative path, but tests run in fresh directories"
	if got := whyNot(t, test); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A test that says yes each third time is as good as random.
func TestMoody(t *testing.T) {
	_, test := place(t, map[string]string{
		"test.sh": `echo >>"$WHITTLE_TEST_DIR/log"; [ $(( $(wc -l <"$WHITTLE_TEST_DIR/log") % 3 )) = 0 ]`,
		"small.c": "crash",
	})
	var told []string
	err := test.Check(t.Context(), 1, func(f diagnose.Finding) { told = append(told, f.Text) })
	flaky := regexp.MustCompile(`^it is flaky: small.c shows the failure in \d+ of \d+ runs; \d+ of \d+ runs without the code; ` +
		`these rates cannot be told apart`)
	if err != nil || len(told) == 0 || !flaky.MatchString(told[0]) {
		t.Errorf("%q, %v", told, err)
	}
}

// A run that exceeded a limit is not repeated.
func TestLimits(t *testing.T) {
	for limit, want := range map[oracle.Limit]string{
		oracle.MemoryLimit:   "it uses more memory than the limit",
		oracle.DiskLimit:     "it writes more than the limit",
		oracle.FileSizeLimit: "it writes more than the limit",
	} {
		_, test := place(t, map[string]string{"test.sh": "touch \"$WHITTLE_TEST_DIR/ran\"", "small.c": "crash"})
		cause, err := test.WhyNot(t.Context(), oracle.Run{Exceeded: limit})
		if err != nil || cause == nil || cause.What != want {
			t.Errorf("limit %v: %v, %v; want %q", limit, cause, err, want)
		}
		if _, err := os.Stat(filepath.Join(test.Dir, "ran")); err == nil {
			t.Errorf("limit %v: it ran again", limit)
		}
	}
}

func TestCancelled(t *testing.T) {
	_, test := place(t, map[string]string{"test.sh": "exit 1", "small.c": "crash"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if cause, err := test.WhyNot(ctx, oracle.Run{}); cause != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", cause, err)
	}
	if err := test.Check(ctx, 1, func(f diagnose.Finding) { t.Errorf("found %v", f) }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type says func(candidate []byte) bool

func (s says) Run(ctx context.Context, _ oracle.Spec, candidate []byte) (oracle.Run, error) {
	if s(candidate) {
		return oracle.Run{Outcome: algo.Interesting}, nil
	}
	return oracle.Run{Outcome: algo.Uninteresting, ExitCode: 1}, ctx.Err()
}

// The environment of a test that stays running is not changed.
func TestCheckServer(t *testing.T) {
	crash := func(candidate []byte) bool { return bytes.Contains(candidate, []byte("crash")) }
	for _, c := range []struct {
		name string
		says func([]byte) bool
		want string
	}{
		{"good", crash, "ok ok ok ok ok"},
		{"yes to an empty file", func([]byte) bool { return true }, "ok bad"},
		{"yes to garbage", func(candidate []byte) bool { return len(candidate) > 0 }, "ok ok bad"},
		{"inverted", func(candidate []byte) bool { return !crash(candidate) }, "bad bad"},
		{"no", func([]byte) bool { return false }, "bad note"},
	} {
		_, test := place(t, map[string]string{"test.sh": "exit 3", "small.c": "crash"})
		test.Fixed = says(c.says)
		var grades []string
		err := test.Check(t.Context(), 2, func(f diagnose.Finding) { grades = append(grades, f.Grade.String()) })
		if got := strings.Join(grades, " "); got != c.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", c.name, got, err, c.want)
		}
	}
}

// slow is a command of a project that waits, and then prints an error. Without its files it ends soon.
type slow struct{ takes time.Duration }

func (s slow) Run(_ context.Context, spec oracle.Spec, candidate []byte) (run oracle.Run, err error) {
	if string(candidate) != "input" {
		run.Elapsed = 2 * time.Second
		return run, nil
	}
	run.Elapsed = min(s.takes, spec.Timeout)
	if spec.Idle > 0 {
		run.Elapsed = min(run.Elapsed, spec.Idle)
	}
	run.Waited = run.Elapsed
	if run.TimedOut = run.Elapsed < s.takes; !run.TimedOut {
		run.ExitCode, run.Output = 1, []byte("a.c:1: error: odd\n")
	}
	return run, nil
}

// A slow command of a project is no hang, unless it waits for minutes.
func TestSlowProject(t *testing.T) {
	for takes, want := range map[time.Duration]string{
		70 * time.Second: "looking for: error: odd",
		time.Hour: "looking for: no processor time for 2s, as it had not ended after 2m0s; " +
			"if it is only slow, give --timeout 10m0s",
	} {
		test := diagnose.Test{
			Spec: oracle.Spec{Argv: []string{"/bin/make"}, Layout: oracle.Layout{Name: "p"}}, Timeout: &chain.AdaptiveTimeout{},
			Input: []byte("input"), Jobs: 1, Fixed: slow{takes}, Command: true, Project: true, Warn: func(string) {},
		}
		found, err := test.Recognise(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := test.Describe(found)[0].Text; got != want {
			t.Errorf("%v: %s, want %s", takes, got, want)
		}
	}
}
