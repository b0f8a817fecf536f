package main

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"whittle/internal/shell"
)

// BaseX 9.7.2 drops children without children.
const (
	baseXQuery = `count(//*[count(./*/*) >= 1]/*)`
	baseXInput = `<?xml version="1.0"?>
<list kind="all">
	<item n="1"><name>one</name></item>
	<!-- the third has the children that matter -->
	<item n="2">two</item>
	<item n="3"><name><first/></name><empty/><last>word</last></item>
	<tail/>
</list>
`
)

// TestE2EBaseXServer reduces a real bug with the example server in Java, if BaseX is installed.
func TestE2EBaseXServer(t *testing.T) {
	t.Setenv("PATH", machinePath)
	jars := cmp.Or(os.Getenv("JARS"), "/usr/share/java")
	classes := []string{filepath.Join(jars, "basex.jar"), filepath.Join(jars, "Saxon-HE.jar")}
	for _, jar := range classes {
		if _, err := os.Stat(jar); err != nil {
			t.Skip("needs the packages basex and libsaxonhe-java: ", err)
		}
	}
	for _, program := range []string{"javac", "java"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs Java: ", err)
		}
	}
	dir := t.TempDir()
	classPath := strings.Join(append(classes, dir), ":")
	source := filepath.Join("..", "..", "testdata", "server", "BaseXServer.java")
	if out, err := exec.Command("javac", "-cp", classPath, "-d", dir, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list.xml"), baseXInput, 0o644)
	server := `exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dorg.basex.path="$TMPDIR" -cp ` +
		shell.Quote(classPath) + ` BaseXServer ` + shell.Quote(baseXQuery)
	var results []string
	for _, jobs := range []string{"1", "4"} {
		whittle := exec.Command("whittle", "reduce", "--force", "-j", jobs, "--server", server, "-o", jobs+".xml", "list.xml")
		var stderr bytes.Buffer
		whittle.Dir, whittle.Stderr = dir, &stderr
		whittle.Env = append(os.Environ(), "TMPDIR="+tmp)
		if err := whittle.Run(); err != nil {
			if strings.Contains(stderr.String(), "not interesting") {
				t.Skip("this BaseX does not have the bug: ", stderr.String())
			}
			t.Fatalf("%v\n%s", err, &stderr)
		}
		results = append(results, read(t, filepath.Join(dir, jobs+".xml")))
	}
	if left, err := os.ReadDir(tmp); len(left) > 0 || err != nil {
		t.Errorf("left: %v, error %v", left, err)
	}
	if strings.Contains(results[0], "name>one") || len(results[0]) > len(baseXInput)/2 || results[1] != results[0] {
		t.Errorf("by one server\n%s\nby several\n%s", results[0], results[1])
	}
}

// A signal ends servers at once, even a busy server that ignores signals. When whittle dies, a
// server reads the end of its input.
func TestE2EServerInterrupt(t *testing.T) {
	const server = `trap '' INT TERM HUP
echo $$ >>pids
while read -r path; do
	if [ $(wc -l <"$path") -gt 6 ]; then
		echo interesting
	else
		sleep 1000 &
		echo $! >>pids
		touch asked
		wait
	fi
done`
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		script string
	}{
		{"SIGINT", syscall.SIGINT, server},
		{"SIGKILL", syscall.SIGKILL, strings.ReplaceAll(server, "sleep 1000 &", "(while ! [ -e go ]; do sleep 0.1; done) &")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			write(t, path("server.sh"), c.script, 0o755)
			write(t, path("list.txt"), manyLines, 0o644)
			whittle, _ := begin(t, dir, "reduce", "--force", "-j", "2", "--driver", "list", "--algorithm", "opdd",
				"--timeout", "1h", "--server", "sh server.sh", "list.txt")
			wait(t, "a candidate that is worked on", func() bool { _, err := os.Stat(path("asked")); return err == nil })
			whittle.Process.Signal(c.signal)
			err := whittle.Wait()
			write(t, path("go"), "", 0o644)
			if c.signal == syscall.SIGINT {
				if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 130 {
					t.Errorf("%v, want exit code 130", err)
				}
				if left := leftovers(dir, path("tmp")); left != "" {
					t.Error(left)
				}
			}
			if alive := stillAlive(strings.Fields(read(t, path("pids")))); len(alive) > 0 {
				t.Errorf("still alive: %v", alive)
			}
		})
	}
}
