package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestE2ESandboxTools checks that the sandbox does not get in the way of usual tools.
func TestE2ESandboxTools(t *testing.T) {
	t.Setenv("PATH", machinePath)
	const main = "fn main() { undeclared_function(); }\n"
	for _, tool := range []struct {
		name    string
		files   map[string]string
		command string // with the input in front
		known   string
	}{
		{"gcc", map[string]string{"a.c": "int a = undeclared;\n"}, "a.c -- gcc -O2 -c {}", "undeclared"},
		{"clang-16", map[string]string{"a.c": "int a = undeclared;\n"}, "a.c -- clang-16 -O2 -c {}", "undeclared"},
		{"rustc", map[string]string{"a.rs": main}, "a.rs -- rustc {} -o /dev/null", "E0425"},
		{"cargo", map[string]string{"src/main.rs": main,
			"Cargo.toml": "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
			". -- cargo build --offline", "E0425"},
		{"go", map[string]string{"a.go": "package main\n\nfunc main() { undeclared() }\n"},
			"a.go -- go build {}", "undefined"},
		{"javac", map[string]string{"A.java": "class A { int a = undeclared; }\n"},
			"A.java -- javac {}", "cannot find symbol"},
		{"node", map[string]string{"a.js": "undeclared();\n"}, "a.js -- node {}", "ReferenceError"},
		{"npm", map[string]string{"package.json": `{"name": "a", "scripts": {"test": "node a.js"}}`,
			"a.js": "undeclared();\n"}, ". -- npm test", "ReferenceError"},
		{"python3", map[string]string{"a.py": "undeclared()\n"}, "a.py -- python3 {}", "NameError"},
		{"cmake", map[string]string{"CMakeLists.txt": "cmake_minimum_required(VERSION 3.5)\nproject(a C)\nundeclared()\n"},
			". -- cmake -B build", "Unknown CMake command"},
		{"make", map[string]string{"Makefile": "a.o: a.c\n\tgcc -c a.c\n", "a.c": "int a = undeclared;\n"},
			". -- make", "undeclared"},
		{"sqlite3", map[string]string{"a.sql": "select undeclared;\n"}, "a.sql -- sqlite3", "no such column"},
	} {
		t.Run(tool.name, func(t *testing.T) {
			if _, err := exec.LookPath(tool.name); err != nil {
				t.Skip(err)
			}
			base, err := os.MkdirTemp("/var/tmp", "tools") // in /tmp everything may be written
			if err != nil {
				t.Skip(err)
			}
			defer os.RemoveAll(base)
			dir := filepath.Join(base, "in")
			for name, content := range tool.files {
				write(t, filepath.Join(dir, name), content, 0o644)
			}
			null, err := os.Stat(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command("whittle", strings.Fields("--max-tests 1 -o ../out "+tool.command)...)
			c.Dir = dir
			for _, e := range os.Environ() {
				if !strings.HasPrefix(e, "WHITTLE_NO_SANDBOX=") {
					c.Env = append(c.Env, e)
				}
			}
			output, err := c.CombinedOutput()
			if err != nil || !bytes.Contains(output, []byte("looking for: ")) ||
				!bytes.Contains(output, []byte(tool.known)) {
				t.Errorf("%v: %s", err, output)
			}
			if now, err := os.Stat(os.DevNull); err != nil || !os.SameFile(null, now) {
				t.Errorf("/dev/null was replaced: %v, error %v", now, err)
			}
			t.Logf("%s", output)
		})
	}
}
