package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of four concurrent runs with the same output, one runs undisturbed. The others report the reason.
func TestE2EFourAtOnce(t *testing.T) {
	for _, c := range []struct{ name, args, result string }{
		{"file", "test.sh list.txt", "list.reduced.txt"},
		{"no journal", "--no-journal test.sh list.txt", "list.reduced.txt"},
		{"in place", "--in-place test.sh list.txt", "list.txt"},
		{"in place, no journal", "--in-place --no-journal test.sh list.txt", "list.txt"},
		{"directory", "-o out test.sh dir list.txt", "out/list.txt"},
		{"directories in place", "--in-place test.sh dir list.txt", "list.txt"},
		{"the other way round", "--in-place test.sh list.txt dir", "list.txt"},
		{"device", "-o /dev/null test.sh list.txt", "/dev/null"},
		{"isolate", "isolate -o list.reduced.txt test.sh good list.txt", "list.reduced.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			write(t, path("test.sh"), `#!/bin/sh
touch "$WHITTLE_TEST_DIR"/begun
while ! test -e "$WHITTLE_TEST_DIR"/go; do sleep 0.01; done
grep -q needed list.txt
`, 0o755)
			write(t, path("list.txt"), "a\nneeded\nb\n", 0o644)
			write(t, path("good"), "a\nb\n", 0o644)
			for _, name := range []string{"tmp", "dir"} {
				if err := os.Mkdir(path(name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			write(t, path("dir/other.txt"), "a\nb\n", 0o644)
			type end struct {
				err    error
				stderr string
			}
			ends := make(chan end, 4)
			for i := range 4 {
				args := strings.Fields(c.args)
				if args[0] != "isolate" {
					args = append([]string{"reduce", "--force", "--language", "lines"}, args...)
				}
				if c.name == "file" { // the journal does not lock the output
					args = append(slices.Clip(args[:1]), append([]string{"--journal", strings.Repeat("j", i+1)}, args[1:]...)...)
				}
				whittle, stderr := begin(t, dir, args...)
				go func() { ends <- end{whittle.Wait(), stderr.String()} }()
			}
			for range 3 {
				e := <-ends
				var exit *exec.ExitError
				told := strings.Contains(e.stderr, "in use by another whittle; wait until it has ended")
				if !errors.As(e.err, &exit) || exit.ExitCode() != exitUsage || !told {
					t.Errorf("%v\n%s", e.err, e.stderr)
				}
			}
			wait(t, "the one that runs", func() bool { _, err := os.Stat(path("begun")); return err == nil })
			write(t, path("go"), "", 0o644)
			if e := <-ends; e.err != nil {
				t.Errorf("%v\n%s", e.err, e.stderr)
			}
			if filepath.IsAbs(c.result) {
				return
			}
			if got := read(t, path(c.result)); !strings.Contains(got, "needed\n") {
				t.Errorf("the result is %q", got)
			}
			for _, name := range names(t, dir) {
				if strings.HasPrefix(name, ".") || strings.Contains(name, ".old") {
					t.Errorf("there is %s", name)
				}
			}
			checkGone(t, dir)
		})
	}
}

// With --in-place a directory survives a full disk, and the same command continues afterwards.
func TestE2EInPlaceFullDisk(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	mount := exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "none", dir)
	if err := mount.Run(); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	if err := os.Mkdir(path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, path("test.sh"), `#!/bin/sh
grep -q needed proj/a.txt
`, 0o755)
	write(t, path("try.sh"), `cd "$1"
mkdir small
mount -t tmpfs -o size=1m none small
cp test.sh small
cd small
mkdir proj
{ echo needed; head -c 600000 /dev/zero | tr '\0' x; } >proj/a.txt
cp -r proj ../copy
whittle reduce --language lines --in-place --work-dir ../tmp test.sh proj
echo "exit $?"
ls -A
cmp proj/a.txt ../copy/a.txt && echo "it is there"
mount -o remount,size=10m small .
whittle reduce --language lines --in-place --work-dir ../tmp test.sh proj
echo "exit $?"
ls -A
cat proj/a.txt
cmp proj.orig/a.txt ../copy/a.txt && echo "it is kept"
`, 0o755)
	try := exec.Command("unshare", "-m", "sh", "try.sh", dir)
	try.Dir = dir
	var stderr bytes.Buffer
	try.Stderr = &stderr
	stdout, err := try.Output()
	want := `exit 3
proj
proj.journal
test.sh
it is there
exit 0
proj
proj.journal
proj.orig
test.sh
needed
it is kept
`
	if err != nil || string(stdout) != want {
		t.Errorf("%v\n%s\n%s", err, stdout, stderr.String())
	}
	if !strings.Contains(stderr.String(), "whittle: cannot replace proj: ") ||
		strings.Contains(stderr.String(), "with -o") {
		t.Error(stderr.String())
	}
}

// Names may have the maximal length of the file system.
func TestE2ELongNames(t *testing.T) {
	for n := 235; n <= 255; n++ {
		for _, inPlace := range []bool{false, true} {
			dir := t.TempDir()
			input := strings.Repeat("x", n-4) + ".txt"
			write(t, filepath.Join(dir, input), "a\nneeded\n", 0o644)
			write(t, filepath.Join(dir, "t.sh"), "#!/bin/sh\ngrep -q needed *.txt\n", 0o755)
			args := []string{"reduce", "--force", "--keep-journal", "--driver", "list", "t.sh", input}
			if inPlace {
				args = slices.Insert(args, 1, "--in-place")
			}
			for range 2 {
				whittle := exec.Command("whittle", args...)
				whittle.Dir = dir
				if out, err := whittle.CombinedOutput(); err != nil {
					t.Fatalf("%d bytes, in place %v: %v\n%s", n, inPlace, err, out)
				}
			}
			var got []string
			for _, name := range names(t, dir) {
				if content := read(t, filepath.Join(dir, name)); name != "t.sh" && !strings.HasPrefix(content, "whittle journal") {
					got = append(got, content)
				}
			}
			slices.Sort(got)
			if want := []string{"a\nneeded\n", "needed\n"}; !slices.Equal(got, want) || len(names(t, dir)) != 4 {
				t.Errorf("%d bytes, in place %v: %q", n, inPlace, names(t, dir))
			}
		}
	}
}
