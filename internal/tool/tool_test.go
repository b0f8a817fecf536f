package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/internal/tool"
)

// machine makes PATH a directory of programs that print a version.
func machine(t *testing.T, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for name, script := range programs {
		if target, link := strings.CutPrefix(script, "-> "); link {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPrograms(t *testing.T) {
	machine(t, map[string]string{
		"gcc-9": "echo gcc-9 9.5.0", "gcc-12": "echo gcc 12.2.0", "gcc": "-> gcc-12", "cc": "-> gcc",
		"clang-14": "echo clang version 14.0.6", "clang-16": "echo; echo Debian clang version 16.0.6; echo Target",
		"clang": "-> clang-14", "clang++-16": "-> clang-16", "g++-12": "echo g++ 12.2.0",
		"clang-11": "exit 1", "gcc-ar-12": "", "arm-none-eabi-gcc": "echo 13.0", "tcc": "echo tcc version 0.9.27",
	})
	var m tool.Machine
	for language, want := range map[string]string{
		"c":   "clang-16 clang-14 clang-11 gcc-12 gcc-9 tcc",
		"cpp": "clang++-16 g++-12 clang-16 clang-14 clang-11 gcc-12 gcc-9",
		"xml": "",
	} {
		var names []string
		for _, p := range m.Programs(t.Context(), language) {
			names = append(names, p.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("of %s: %s, want %s", language, got, want)
		}
	}
	if got := m.Programs(t.Context(), "c")[0].Version; got != "Debian clang version 16.0.6" {
		t.Errorf("version %q", got)
	}
}

func TestShims(t *testing.T) {
	dir := machine(t, map[string]string{"python3": "echo Python 3.11.2"})
	shims := filepath.Join(t.TempDir(), "shims")
	if err := os.Mkdir(shims, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shims, "python3.12"), []byte("#!/bin/sh\necho Python 3.12.1"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{shims + ":" + dir: "Python 3.11.2", shims: "Python 3.12.1"} {
		t.Setenv("PATH", path)
		programs := new(tool.Machine).Programs(t.Context(), "python")
		if len(programs) != 1 || programs[0].Version != want {
			t.Errorf("%s: %v, want %s", path, programs, want)
		}
	}
}

func TestCommand(t *testing.T) {
	dir := machine(t, map[string]string{"gcc-12": "echo 12.2.0", "arm-none-eabi-g++": "echo 13.1", "go": "echo go version go1.19"})
	var m tool.Machine
	for command, want := range map[string]string{
		"gcc-12 -O2 -c {}":                          "gcc gcc-12 -O2 -c {}",
		"timeout 10 gcc-12 {}":                      "gcc gcc-12 {}",
		"env -u GOROOT " + dir + "/go tool compile": "go go tool compile",
		"arm-none-eabi-g++ -x c++ -":                "g++ arm-none-eabi-g++ -x c++ -",
		"grep gcc {}":                               "",
		"./test.sh {}":                              "",
	} {
		got := ""
		if c, ok := m.Command(t.Context(), strings.Fields(command)); ok {
			got = strings.Join(append([]string{c.Name, c.String()}, c.Arguments()...), " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestNoVersion(t *testing.T) {
	machine(t, map[string]string{"clang-99": "exec /bin/sleep 60", "clang-16": "echo clang version 16.0.6"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var m tool.Machine
	for _, p := range m.Programs(ctx, "c") {
		if p.Version != "" {
			t.Errorf("%s has version %q although it was not run", p, p.Version)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"gcc-12", "-w -O2 -std=gnu99 -DX -D Y=1 -Iinc -I inc -include a.h -xc -x c++ -c {} -o out -fno-builtin -Wall -g -march=native -lm",
			"-std=gnu99|-DX|-D Y=1|-Iinc|-I inc|-include a.h|-xc|-x c++|-fno-builtin|-march=native|-lm"},
		{"clang++-16", "-D", ""},
		{"rustc", "--edition 2021 -O --crate-type=lib {}", "--edition 2021|--crate-type=lib"},
		{"sdcc", "-mz80 --std-c99 -S", "--std-c99"},
		{"sqlite3", "-bail", ""},
	} {
		var words []string
		for _, w := range tool.Find(c.tool).Language(strings.Fields(c.arguments)) {
			words = append(words, strings.Join(w, " "))
		}
		if got := strings.Join(words, "|"); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ tool, output, want string }{
		{"clang-16", "a.c:1:2: error: x [-Werror,-Wuninitialized]\na.c:1: warning: y [-Wx]\nerror: [-Wint-conversion]",
			"int-conversion uninitialized"},
		{"gcc", "a.c:1:2: error: x [-Werror=return-type]\nb.c: warning: [-Wx]\nc.c: error: [-Werror=format-overflow=]",
			"format-overflow return-type"},
		{"xmllint", "[-Wx]", ""},
	} {
		tool := tool.Find(c.tool)
		names := tool.Errors([]byte(c.output))
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.tool, got, c.want)
		}
		for _, name := range names {
			for _, line := range []string{"a.c:1: warning: z [-W" + name + "]", "a.c: error: y [-W" + name + "=2]"} {
				if !tool.Warning(name).MatchString(line) || tool.Warning(name+"x").MatchString(line) {
					t.Errorf("%s: %s shows %s", c.tool, line, name)
				}
			}
		}
	}
	got := tool.Find("gcc").Bar("format") + " " + tool.Find("g++").Allow("format")
	if want := "-Werror=format -Wno-error=format"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTable(t *testing.T) {
	options := map[string]*tool.Options{}
	for _, x := range tool.Tools() {
		if len(x.Reads) == 0 && x.Options == nil {
			t.Errorf("%s reads no language and has no options", x.Name)
		}
		if len(x.Reads) > 0 && tool.Find(x.Name) == nil && x.Name != "expat" {
			t.Errorf("%s is not found by its name", x.Name)
		}
		for _, check := range x.Checks {
			if !slices.Contains(check, tool.File) {
				t.Errorf("%s: the check %q does not name the file", x.Name, check)
			}
		}
		if x.Sanitise != nil && x.Builds == nil || x.Builds != nil && !slices.Contains(x.Builds, tool.Built) {
			t.Errorf("%s builds %q", x.Name, x.Builds)
		}
		if b := x.Bisect; b != nil && (b.Limit == nil && b.Names == "" || b.Running == "" && b.Limit != nil) {
			t.Errorf("%s cannot be bisected", x.Name)
		}
		if x.Options == nil {
			continue
		}
		for _, p := range x.Options.Programs {
			if other := options[p]; other != nil && other != x.Options {
				t.Errorf("the options of %s are those of %s and of another tool", p, x.Name)
			}
			options[p] = x.Options
		}
	}
	if options["gcc"] == nil || options["java"] == nil {
		t.Error("programs are missing")
	}
}
