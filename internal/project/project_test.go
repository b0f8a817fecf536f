package project

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"whittle/internal/disk"
)

// write makes files, each with its name as content.
func write(tb testing.TB, dir string, names ...string) {
	tb.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

func opened(tb testing.TB, dir string, words ...string) *Project {
	tb.Helper()
	p, _, err := Open(dir, append([]string{"make"}, words...))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func expect(tb testing.TB, what string, got []string, want string) {
	tb.Helper()
	if !reflect.DeepEqual(got, strings.Fields(want)) && strings.Join(got, " ") != want {
		tb.Errorf("%s: %v, want %s", what, got, want)
	}
}

func TestKnown(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "Cargo.toml", "src/a.rs", "target/debug/a.o", "docs/target/a.md", "x/CMakeCache.txt", "env/pyvenv.cfg",
		"node_modules/a.js", "sub/__pycache__/a.pyc", "package.json", "dist/a.js", "a.egg-info/b", ".git/config")
	p := opened(t, dir)
	expect(t, "outside", p.Outside, "env node_modules")
	expect(t, "left out", p.LeftOut, "a.egg-info dist sub/__pycache__ target x")
	if !p.Skips(".git") || p.Skips("docs") {
		t.Error(p.skipped)
	}
	needed := p.LeftOut
	p.Need(needed)
	expect(t, "needed", needed, "a.egg-info dist sub/__pycache__ target x")
	expect(t, "outside with these", p.Outside, "env node_modules a.egg-info dist sub/__pycache__ target x")
	expect(t, "left out without these", p.LeftOut, "")
}

func TestGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	write(t, dir, ".gitignore", "a.c", "a.o", "out/b", "gen/c", "sub/a.o", "sub/a.c", "vendor/v", "nested/n", "new.c",
		"sub/Cargo.lock")
	os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.o\n*.lock\nout\ngen\nvendor\n"), 0o644)
	check := func(what string, p *Project, out, left string) {
		t.Helper()
		expect(t, what+": outside", p.Outside, out)
		expect(t, what+": left out", p.LeftOut, left)
	}
	check("without a repository", opened(t, dir), "vendor", "a.o gen out sub/a.o")
	check("named", opened(t, dir, "make", "-C", "gen/", "F=sub/a.o"), "gen sub/a.o vendor", "a.o out")
	for _, args := range [][]string{{"init", "-q"}, {"add", "a.c"}, {"add", "-f", "sub/a.o", "out"}} {
		if err := git(dir, args...).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if err := git(filepath.Join(dir, "nested"), "init", "-q").Run(); err != nil {
		t.Fatal(err)
	}
	p := opened(t, dir)
	check("in a repository", p, "vendor", "a.o gen")
	if p.Skips("nested") || p.Skips("nested/n") || !p.Skips("nested/.git") || p.Skips("new.c") {
		t.Error(p.skipped)
	}
	os.Remove(filepath.Join(dir, "a.c")) // still in the index
	check("a removed file", opened(t, dir), "vendor", "a.o gen")
	check("a directory of a repository", opened(t, filepath.Join(dir, "gen")), "", "")
}

func TestCopy(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	write(t, dir, "node_modules/a/b.js")
	os.Symlink("a/b.js", filepath.Join(dir, "node_modules/link"))
	os.Chmod(filepath.Join(dir, "node_modules/a/b.js"), 0o755)
	os.Chmod(filepath.Join(dir, "node_modules/a"), 0o555)
	if err := opened(t, dir).Dependencies().Copy(to); err != nil {
		t.Fatal(err)
	}
	original, _ := os.Stat(filepath.Join(dir, "node_modules/link"))
	copied, err := os.Stat(filepath.Join(to, "node_modules/link"))
	if err != nil || copied.Mode() != original.Mode() || !copied.ModTime().Equal(original.ModTime()) {
		t.Errorf("%v, error %v", copied, err)
	}
	if os.SameFile(original, copied) {
		t.Error("a test could write to the original")
	}
	os.Chmod(filepath.Join(dir, "node_modules/a"), 0o755)
	os.Chmod(filepath.Join(to, "node_modules/a"), 0o755)
}

func TestIs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "p/sub/a.c", "b.c")
	for words, want := range map[string]bool{
		"make": true, "make -C p": false, "make p/sub": false, "make ./p/": false, "make X=p/a": false, "make {}": false,
		"make {}/sub": false, "make pp": true, "make sub": true,
	} {
		if got := isProject("reduce", []string{"p"}, strings.Fields(words)); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
	if !isProject("reduce", []string{"."}, []string{"make", "p/sub"}) || isProject("reduce", []string{"b.c"}, []string{"make"}) ||
		isProject("reduce", []string{"p", "b.c"}, []string{"make"}) {
		t.Error("wrong about other inputs")
	}
	for word, want := range map[string]string{"sub/a.c": "env sub/a.c x", "./b.c": "./b.c x"} {
		_, got, _ := Open("p", []string{word, "x"})
		expect(t, word, got, want)
	}
	if isProject("batch", []string{"p"}, []string{"make"}) || Runs("test", []string{"make"}) || !Runs("check", []string{"make"}) {
		t.Error("wrong about other commands")
	}
}

func TestPart(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "src/a.c", "src/b.c", "src/sub/c.c", "lib/d.c", "Makefile", ".git/config", "__pycache__/a.pyc")
	for words, want := range map[string]bool{
		"make": true, "/usr/bin/make -k test": true, "make src/a.c": false, "make {}": false, "make src": true, "cat": false,
		"sh -c cd&&make": true, "sh -c make<src/a.c": false, "sh -c echo&&cat": false, "bash -c make&&cc src/a.c": false,
	} {
		command := strings.SplitN(words, " ", 3)
		if got := isPart("reduce", []string{"src/a.c"}, command); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
	for _, inputs := range [][]string{{"."}, {"../x"}, {"none"}, {"src/a.c", "none"}} {
		if isPart("reduce", inputs, []string{"make"}) {
			t.Errorf("%v are a part", inputs)
		}
	}
	p, in, words, err := Find("reduce", []string{"./src/a.c", "src/sub"}, []string{"make"}, false)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "inputs", in, ".")
	expect(t, "command", words, "make")
	expect(t, "outside", p.Outside, "Makefile lib src/b.c")
	expect(t, "left out", p.LeftOut, "__pycache__")
	if p.Skips("src/a.c") || p.Skips("src/sub") || !p.Skips("src/b.c") {
		t.Error(p.skipped)
	}
}

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "pyvenv.cfg", ".venv/pyvenv.cfg", ".venv/lib/python3/site-packages/six.py",
		".venv/lib/python3/site-packages/yaml/a.py", ".venv/lib/python3/site-packages/yaml/__pycache__/a.pyc",
		".venv/lib/python3/os.py", "node_modules/@s/n/package.json", "node_modules/@s/n/lib/a.js",
		"node_modules/.pnpm/m@1/node_modules/m/index.js", "vendor/github.com/o/r/sub/a.go", "vendor/github.com/o/r/sub/b/b.go")
	p := opened(t, dir)
	expect(t, "packages", p.Packages([]string{"src/a.c", ".venv/lib/python3/site-packages/six.py",
		".venv/lib/python3/site-packages/yaml/__pycache__/a.pyc", "node_modules/@s/n/lib/a.js",
		"node_modules/.pnpm/m@1/node_modules/m/index.js", "vendor/github.com/o/r/sub/b/b.go"}),
		".venv/lib/python3/site-packages/six.py .venv/lib/python3/site-packages/yaml node_modules/.pnpm/m@1/node_modules/m "+
			"node_modules/@s/n vendor/github.com/o/r/sub")

	files, err := p.Package(".venv/lib/python3/site-packages/yaml", 1000)
	if err != nil || len(files) != 1 || string(files[0].Content) != ".venv/lib/python3/site-packages/yaml/a.py" {
		t.Errorf("%v, error %v", files, err)
	}
	if _, err := p.Package("node_modules/@s/n", 20); !errors.Is(err, ErrLarge) {
		t.Errorf("error %v for a large package", err)
	}

	to := t.TempDir()
	pulled := p.Pull("node_modules/@s/n").Pull(".venv/lib/python3/site-packages/six.py")
	if err := pulled.Dependencies().Copy(to); err != nil {
		t.Fatal(err)
	}
	for name, there := range map[string]bool{".venv/lib/python3/os.py": true, "node_modules/@s": true,
		"node_modules/@s/n": false, ".venv/lib/python3/site-packages/six.py": false} {
		if disk.Exists(filepath.Join(to, name)) != there {
			t.Errorf("%s: %t, want %t", name, !there, there)
		}
	}
	if got := pulled.Packages([]string{"node_modules/@s/n/lib/a.js"}); len(got) > 0 {
		t.Errorf("%v is pulled again", got)
	}
}
