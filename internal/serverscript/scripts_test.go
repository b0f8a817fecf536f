package serverscript

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"whittle/oracle"
)

// ask asks the server of a command about files, each twice in its own directory, as no answer may
// affect the next.
func ask(t *testing.T, words []string, c oracle.Criteria, name string, files []string) (answers []string) {
	t.Helper()
	s, command, ok := Command(words, c)
	if !ok {
		t.Fatal(words)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, s.File), s.Text, 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "exec "+command)
	cmd.Dir, cmd.Stderr = dir, &stderr
	paths, _ := cmd.StdinPipe()
	lines, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer paths.Close()
	r := bufio.NewReader(lines)
	for range 2 {
		for _, content := range files {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			io.WriteString(paths, path+"\n")
			answer, err := r.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %v\n%s", command, err, stderr.String())
			}
			answers = append(answers, strings.TrimSpace(answer))
		}
	}
	return answers
}

func run(t *testing.T, words []string, c oracle.Criteria, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, w := range words[1:] {
		args = append(args, strings.ReplaceAll(w, "{}", name))
	}
	cmd := exec.CommandContext(t.Context(), words[0], args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(content)
	output, _ := cmd.CombinedOutput()
	r := oracle.Run{ExitCode: cmd.ProcessState.ExitCode(), Output: output}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		r.Died = status.Signal()
	}
	if c.Hold(r) {
		return "interesting"
	}
	return "uninteresting"
}

func line(least, most int, pattern string) oracle.Line {
	return oracle.Line{Pattern: regexp.MustCompile(pattern), Least: least, Most: most}
}

// A server agrees with its command, each time.
func TestE2EServers(t *testing.T) {
	for _, c := range []struct {
		words    []string
		criteria oracle.Criteria
		name     string
		files    []string
	}{
		{[]string{"javac", "{}"},
			oracle.Criteria{ExitCodes: []int{1}, Lines: []oracle.Line{
				line(1, 0, `^X\.java:[0-9]+: error: incompatible types`), line(1, 1, "error: ")}},
			"X.java", []string{
				"class X { int f() { return \"a\"; } }\n",
				"class X { int f() { return 1; } }\n",
				"class X { int f() { return \"a\"; } int g() { return \"b\"; } }\n",
				"class X {\n", "",
			}},
		{[]string{"java", "-ea", "-Dkey=1", "{}", "word"},
			oracle.Criteria{ExitCodes: []int{1}, Lines: []oracle.Line{
				line(1, 0, `^Exception in thread "main" java\.lang\.IllegalStateException: two 1$`),
				line(1, 0, `^[[:space:]]+at Main\.two\(`), line(1, 2, `^[[:space:]]+at `)}},
			"Main.java", []string{
				program(`two(); `), program(`n = 7; System.setProperty("key", "5"); System.exit(1);`),
				program(`if (n != 0) throw new Exception("left over"); two();`),
				program(`new Thread(() -> two()).start();`), program(`assert n == 1;`),
				program(`try { System.exit(3); } finally { n = 3; }`), program(`two()`), "",
			}},
		{[]string{"python3", "{}", "word"},
			oracle.Criteria{ExitCodes: []int{1}, Lines: []oracle.Line{
				line(1, 0, "^KeyError: 'b'$"), line(1, 0, `^  File ".*Main\.py", line [0-9]+, in f$`)}},
			"Main.py", []string{
				"import json, sys\ndef f(x):\n  return json.loads(x)['b']\nassert sys.argv[1] == 'word'\nf('{}')\n",
				"import json\njson.loads = 1\n",
				"import json\ndef f(x):\n  return json.loads(x)['b']\nf('{}')\n",
				"import os\nos.kill(os.getpid(), 11)\n", "import sys\nsys.exit(1)\n", "def f(\n", "",
			}},
		{[]string{"python3", "-c", "import sys; sys.exit(3 if 'x' in sys.stdin.read() else 0)"},
			oracle.Criteria{ExitCodes: []int{3}}, "data.txt", []string{"x", "y"}},
	} {
		if _, err := exec.LookPath(c.words[0]); err != nil {
			t.Logf("there is no %s", c.words[0])
			continue
		}
		answers := ask(t, c.words, c.criteria, c.name, c.files)
		for i, content := range c.files {
			want := run(t, c.words, c.criteria, c.name, content)
			for j := i; j < len(answers); j += len(c.files) {
				if answers[j] != want {
					t.Errorf("%v: the server says %s of %q, time %d; the command is %s",
						c.words, answers[j], content, j/len(c.files)+1, want)
				}
			}
		}
	}
}

func program(body string) string {
	return "public class Main {\n\tstatic int n = Integer.getInteger(\"key\") - 1;\n" +
		"\tstatic void two() { throw new IllegalStateException(\"two \" + System.getProperty(\"key\")); }\n" +
		"\tpublic static void main(String[] args) throws Exception {\n\t\t" + body + "\n\t}\n}\n"
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		words    []string
		criteria oracle.Criteria
		want     string
	}{
		{[]string{"javac", "-d", ".", "{}"}, oracle.Criteria{ExitCodes: []int{1}}, " --exit 1 -- javac -d . {}"},
		{[]string{"/usr/bin/python3.11", "{}"}, oracle.Criteria{Lines: []oracle.Line{line(1, 2, "a[[:space:]]b")}},
			`/usr/bin/python3.11 server.py --exit any --lines 1 2 'a\sb' -- `},
		{[]string{"java", "{}"}, oracle.Criteria{}, "Server.java -- java {}"},
		{[]string{"java", "{}"}, oracle.Criteria{Timeout: true}, ""},
		{[]string{"java", "{}"}, oracle.Criteria{Signals: []syscall.Signal{syscall.SIGSEGV}}, ""},
		{[]string{"gcc", "{}"}, oracle.Criteria{ExitCodes: []int{1}}, ""},
		{[]string{"java"}, oracle.Criteria{}, ""},
	} {
		_, command, ok := Command(c.words, c.criteria)
		if !strings.Contains(command, c.want) || ok != (c.want != "") {
			t.Errorf("%v: %q, want %q", c.words, command, c.want)
		}
	}
}
