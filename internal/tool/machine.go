package tool

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"whittle/internal/disk"
)

// A Program is an installed tool.
type Program struct {
	*Tool
	Path    string // absolute
	Version string // first line about its version; may be ""

	file string // Path without symbolic links
}

// String returns the name of the program; its path if the name leads to another program.
func (p Program) String() string {
	name := filepath.Base(p.Path)
	if found, err := exec.LookPath(name); err == nil && found == p.Path {
		return name
	}
	return p.Path
}

// Same reports whether two programs are the same file.
func (p Program) Same(other Program) bool { return p.file == other.file }

// Akin reports whether two programs are of one family and version, such as gcc-12 and g++-12. A
// formatter is not akin to its compiler, since each may fail alone.
func (p Program) Akin(other Program) bool {
	alike := p.Tool == other.Tool || p.Builds != nil && other.Builds != nil
	return p.Same(other) || alike && p.Family == other.Family && slices.Equal(p.numbers(), other.numbers())
}

// Fits reports whether a program is new enough for that of a command, and for a project, if the
// project's file names a release. read returns the file, or nil.
func (p Program) Fits(command Program, read func(name string) []byte) bool {
	if p.release == "" {
		return true
	}
	if command.Tool != nil && command.Family == p.Family && slices.Compare(p.numbers(), command.numbers()) < 0 {
		return false
	}
	found := p.release.Regexp().FindSubmatch(read(p.releaseIn))
	return found == nil || slices.Compare(p.numbers(), numbersOf(string(found[1]))) >= 0
}

// Comparable reports whether a program can replace another: both are of the same tool, or both build
// programs and the language is the program's usual one.
func (p Program) Comparable(other Program, language string) bool {
	return p.Tool == other.Tool || p.Builds != nil && other.Builds != nil && p.Reads[0] == language
}

const versionLimit = 3 * time.Second

// A Machine finds installed programs, and asks each for its version once. It is safe for concurrent
// use. The zero value is ready to use.
type Machine struct {
	versions sync.Map // strings by path
}

// Programs returns the programs that read a language, the newest of each tool first. Tools whose usual
// language it is come first. A file with several names appears once for each tool.
func (m *Machine) Programs(ctx context.Context, language string) []Program {
	var found []Program
	order := map[*Tool]int{}
	for i, tool := range Tools() {
		if at := slices.Index(tool.Reads, language); at >= 0 {
			found = append(found, tool.programs()...)
			order[tool] = i + min(at, 1)*len(Tools())
		}
	}
	var group sync.WaitGroup
	for i := range found {
		group.Go(func() { found[i].Version = m.version(ctx, found[i]) })
	}
	group.Wait()
	slices.SortStableFunc(found, func(a, b Program) int {
		return cmp.Or(cmp.Compare(order[a.Tool], order[b.Tool]), CompareVersions(b, a))
	})
	return found
}

// Compilers returns the programs on PATH, one for each name, that build programs that report crashes.
func (m *Machine) Compilers() []Program {
	var found []Program
	seen := map[string]bool{}
	inDirs(filepath.SplitList(os.Getenv("PATH")), func(dir, name string) {
		t := Find(name)
		if t == nil || t.Traced == nil || seen[name] {
			return
		}
		if p, ok := t.at(filepath.Join(dir, name)); ok {
			found, seen[name] = append(found, p), true
		}
	})
	return found
}

func inDirs(dirs []string, visit func(dir, name string)) {
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		for _, entry := range entries {
			visit(dir, entry.Name())
		}
	}
}

func (t *Tool) programs() []Program {
	var found []Program
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range t.in {
		more, _ := filepath.Glob(pattern)
		dirs = append(dirs, more...)
	}
	inDirs(dirs, func(dir, name string) {
		if t.names.isAll(name) {
			found = t.add(found, filepath.Join(dir, name))
		}
	})
	if slices.ContainsFunc(found, func(p Program) bool { return !p.isShim() }) {
		found = slices.DeleteFunc(found, Program.isShim)
	}
	return found
}

// isShim reports whether the program is a slow script of pyenv, rbenv or asdf that starts the real
// one.
func (p Program) isShim() bool { return filepath.Base(filepath.Dir(p.Path)) == "shims" }

// add keeps one name of a file, preferably one with a version.
func (t *Tool) add(found []Program, path string) []Program {
	p, ok := t.at(path)
	if !ok {
		return found
	}
	i := slices.IndexFunc(found, p.Same)
	if i < 0 {
		return append(found, p)
	}
	if !hasVersion(found[i].Path) && hasVersion(path) {
		found[i] = p
	}
	return found
}

func hasVersion(path string) bool { return strings.ContainsAny(filepath.Base(path), "0123456789") }

func (t *Tool) at(path string) (Program, bool) {
	if !disk.IsProgram(path) {
		return Program{}, false
	}
	file, err := filepath.EvalSymlinks(path)
	return Program{Tool: t, Path: path, file: file}, err == nil
}

// A Command contains an installed tool.
type Command struct {
	Words   []string
	At      int // the index of the tool in Words
	Program     // the tool
}

// Arguments returns the arguments of the tool.
func (c Command) Arguments() []string { return c.Words[c.At+1:] }

// With returns the command with another program.
func (c Command) With(program string) []string {
	words := slices.Clone(c.Words)
	words[c.At] = program
	return words
}

// OnlyCompile returns the words of the command, changed so that it links no program.
func (c Command) OnlyCompile() []string {
	if len(c.Parts) == 0 || slices.ContainsFunc(c.Arguments(), c.isPart) {
		return slices.Clone(c.Words)
	}
	return slices.Insert(slices.Clone(c.Words), c.At+1, c.Parts[0])
}

// Command returns a command with its first installed tool, such as gcc in "timeout 10 gcc -O2 -c {}".
func (m *Machine) Command(ctx context.Context, words []string) (c Command, ok bool) {
	for i, word := range words {
		tool := Find(word)
		if tool == nil {
			continue
		}
		path, err := exec.LookPath(word)
		if err != nil {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			continue
		}
		if p, ok := tool.at(path); ok {
			p.Version = m.version(ctx, p)
			return Command{words, i, p}, true
		}
	}
	return Command{}, false
}

// Version returns the first line about the version of a program; "" if it does not tell.
func (m *Machine) Version(ctx context.Context, path string) string {
	t := Find(path)
	if t == nil {
		t = &Tool{version: "--version"}
	}
	return m.version(ctx, Program{Tool: t, Path: path, file: path})
}

func (m *Machine) version(ctx context.Context, p Program) string {
	if p.silent {
		return ""
	}
	if line, known := m.versions.Load(p.Path); known {
		return line.(string)
	}
	asked := p
	if p.sibling != "" {
		asked.Path = filepath.Join(filepath.Dir(p.file), p.sibling)
	}
	line, _, _ := strings.Cut(asked.ask(ctx, p.Tool.version), "\n")
	line = strings.TrimSpace(line)
	m.versions.Store(p.Path, line)
	return line
}

// A Detail is a text that a program prints about how it was built.
type Detail struct{ Arguments, Output string }

// Details asks the program how it was built, as gcc -v does.
func (p Program) Details(ctx context.Context) (details []Detail) {
	for _, arguments := range p.details {
		if output := p.ask(ctx, arguments); output != "" && output != p.Version {
			details = append(details, Detail{arguments, output})
		}
	}
	return details
}

// ask runs the program in the root directory, where no project settings affect it.
func (p Program) ask(ctx context.Context, arguments string) string {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	c := exec.CommandContext(ctx, p.Path, words(arguments)...)
	c.Dir = "/"
	c.WaitDelay = versionLimit
	output, err := c.CombinedOutput()
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(output))
}

var versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// CompareVersions compares programs of one tool, by version, else name, else path.
func CompareVersions(a, b Program) int {
	return cmp.Or(slices.Compare(a.numbers(), b.numbers()), cmp.Compare(b.Path, a.Path))
}

// Number returns the version number of a program, such as 12.2.0; "" if it is unknown.
func (p Program) Number() string { return versionNumber.FindString(p.Version) }

func (p Program) numbers() []int {
	text := versionNumber.FindString(p.Version)
	if text == "" {
		text = versionNumber.FindString(p.file)
	}
	if text == "" {
		text = strings.TrimLeft(filepath.Base(p.file), "abcdefghijklmnopqrstuvwxyz+-_")
	}
	return numbersOf(text)
}

func numbersOf(version string) []int {
	var numbers []int
	for part := range strings.SplitSeq(version, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
