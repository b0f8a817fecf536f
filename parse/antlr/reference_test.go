package antlr

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/internal/testkit/cases"
	"whittle/parse/antlr/g4"
)

var update = flag.Bool("update", false, "rewrite the trees of testdata/reference, by the jar that ANTLR_JAR names")

// A reference is a grammar with inputs and their trees by the parser that the ANTLR tool generates. The first of paths
// is the main file. Input bad-N has a syntax error, and its tree is the error's position.
//
// In testdata/reference, the first lines of an archive name the start rule, and inputs do not end with a line break.
type reference struct {
	name, start   string
	paths         []string
	grammars      map[string][]byte
	inputs, trees map[string][]byte
}

func newReference(name string) *reference {
	return &reference{name: name, grammars: map[string][]byte{}, inputs: map[string][]byte{}, trees: map[string][]byte{}}
}

func (r *reference) addGrammar(path string, text []byte) {
	r.paths = append(r.paths, path)
	r.grammars[path] = text
}

func (r *reference) read(path string) ([]byte, error) {
	if text, ok := r.grammars[path]; ok {
		return text, nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (r *reference) language(t *testing.T) *Language {
	t.Helper()
	g, err := g4.Load(r.read, r.paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if r.start == "" {
		r.start = Start(g)
	}
	l, err := New(g, r.start)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (r *reference) check(t *testing.T) {
	l := r.language(t)
	for _, name := range slices.Sorted(maps.Keys(r.inputs)) {
		want := string(r.trees[name])
		if got := l.sketch(r.inputs[name]); got != want {
			t.Errorf("%s of %s:\n%s\ngot this tree:\n%swant:\n%s", name, r.name, r.inputs[name], got, want)
		}
	}
}

func TestReference(t *testing.T) {
	for _, r := range archives(t) {
		t.Run(r.name, r.check)
	}
}

// TestTool compares the archives, and whittle's trees of the bundled samples, with the ANTLR tool.
func TestTool(t *testing.T) {
	all := archives(t)
	if !*update {
		all = some(t, all)
	}
	bundled := some(t, bundled(t))
	for _, r := range bundled {
		r.language(t) // finds the start rule
	}
	was := make([]map[string][]byte, len(all))
	for i, r := range all {
		was[i] = maps.Clone(r.trees)
	}
	askTool(t, slices.Concat(all, bundled))
	for i, r := range all {
		r.compare(t, was[i])
	}
	for _, r := range bundled {
		t.Run(r.name, r.check)
	}
}

func (r *reference) compare(t *testing.T, was map[string][]byte) {
	for name, tree := range r.trees {
		if strings.HasPrefix(name, "bad-") != bytes.HasPrefix(tree, []byte("error ")) {
			t.Errorf("%s of %s is misnamed: %.20s", name, r.name, tree)
		}
	}
	if *update {
		r.write(t)
	} else if !maps.EqualFunc(was, r.trees, bytes.Equal) {
		t.Errorf("the ANTLR tool has other trees than the archive %s; rewrite it with -update", r.name)
	}
}

// some returns a part of the references with -short: Java takes seconds for each.
func some(t *testing.T, all []*reference) (part []*reference) {
	for i := range cases.Of(t, len(all), 8) {
		part = append(part, all[i])
	}
	return part
}

func archivePath(name string) string { return filepath.Join("testdata", "reference", name+".txtar") }

func archives(t *testing.T) []*reference {
	t.Helper()
	files, err := filepath.Glob(archivePath("*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	var all []*reference
	for _, file := range files {
		r := newReference(strings.TrimSuffix(filepath.Base(file), ".txtar"))
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(archive.Comment)) {
			if rule, ok := strings.CutPrefix(line, "start: "); ok {
				r.start = strings.TrimSpace(rule)
			}
		}
		for _, f := range archive.Files {
			if name, ok := strings.CutPrefix(f.Name, "input/"); ok {
				r.inputs[name] = bytes.TrimSuffix(f.Data, []byte("\n"))
			} else if name, ok := strings.CutPrefix(f.Name, "tree/"); ok {
				r.trees[name] = f.Data
			} else {
				r.addGrammar(f.Name, f.Data)
			}
		}
		if r.start == "" || len(r.paths) == 0 || len(r.inputs) == 0 {
			t.Fatalf("%s: a start rule, a grammar or inputs are missing", file)
		}
		all = append(all, r)
	}
	return all
}

func (r *reference) write(t *testing.T) {
	t.Helper()
	archive, err := txtar.ParseFile(archivePath(r.name))
	if err != nil {
		t.Fatal(err)
	}
	var files []txtar.File
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "tree/") {
			files = append(files, f)
		}
		if name, ok := strings.CutPrefix(f.Name, "input/"); ok {
			files = append(files, txtar.File{Name: "tree/" + name, Data: r.trees[name]})
		}
	}
	archive.Files = files
	if err := os.WriteFile(archivePath(r.name), txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// bundled returns the bundled grammars with their samples, without trees.
func bundled(t *testing.T) []*reference {
	t.Helper()
	folder := filepath.Join("..", "..", "grammars")
	files, err := filepath.Glob(filepath.Join(folder, "*.g4"))
	if err != nil || len(files) == 0 {
		t.Fatal("no bundled grammars", err)
	}
	languages := map[string]*reference{}
	slices.Reverse(files) // parsers before lexers
	for _, file := range files {
		path := filepath.Base(file)
		name := strings.TrimSuffix(path, ".g4")
		name = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, "Parser"), "Lexer"))
		if languages[name] == nil {
			languages[name] = newReference(name)
		}
		languages[name].addGrammar(path, readFile(t, file))
	}
	for name, r := range languages {
		samples, err := filepath.Glob(filepath.Join(folder, "testdata", "samples", name, "*"))
		if err != nil || len(samples) == 0 {
			t.Fatalf("no samples of %s: %v", name, err)
		}
		for _, sample := range samples {
			// Java reads invalid UTF-8 differently, and keeps the byte order mark.
			if text := readFile(t, sample); utf8.Valid(text) && !bytes.HasPrefix(text, []byte("\ufeff")) {
				r.inputs[filepath.Base(sample)] = text
			}
		}
	}
	return slices.SortedFunc(maps.Values(languages), func(a, b *reference) int { return strings.Compare(a.name, b.name) })
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// askTool replaces the trees of all references. It skips the test without the ANTLR tool.
func askTool(t *testing.T, all []*reference) {
	t.Helper()
	jar := os.Getenv("ANTLR_JAR")
	if jar == "" {
		t.Skip("ANTLR_JAR does not name the complete jar of the ANTLR tool")
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", jar,
		filepath.Join("testdata", "reference", "Reference.java"))
	temp := t.TempDir()
	for i, r := range all {
		folder := filepath.Join(temp, fmt.Sprint(i))
		r.unpack(t, folder)
		cmd.Args = append(cmd.Args, folder)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, r := range all {
		clear(r.trees)
		for name := range r.inputs {
			r.trees[name] = readFile(t, filepath.Join(temp, fmt.Sprint(i), "tree", name))
		}
	}
}

func (r *reference) unpack(t *testing.T, folder string) {
	t.Helper()
	files := maps.Clone(r.grammars)
	files["start.txt"] = fmt.Appendln(nil, r.paths[0], r.start)
	for name, text := range r.inputs {
		files[filepath.Join("input", name)] = text
	}
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
