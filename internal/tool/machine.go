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
)

// A Program is a tool as it is on this machine.
type Program struct {
	*Tool
	Path    string // absolute
	Version string // the first line of what it says of its version; "" if it says nothing

	file string // what the path leads to
}

// String is what the program is called in a command: its name, or its path where the name
// leads to another.
func (p Program) String() string {
	name := filepath.Base(p.Path)
	if found, err := exec.LookPath(name); err == nil && found == p.Path {
		return name
	}
	return p.Path
}

// Same reports whether two programs are the same file, which may have several names.
func (p Program) Same(other Program) bool { return p.file == other.file }

// Akin reports whether two programs are of one family and version, as gcc-12 and g++-12. A
// formatter is not akin to the compiler beside it, which may break alone.
func (p Program) Akin(other Program) bool {
	alike := p.Tool == other.Tool || p.Builds != nil && other.Builds != nil
	return p.Same(other) || alike && p.Family == other.Family && slices.Equal(p.numbers(), other.numbers())
}

// Fits reports whether a program is of a release that understands what the program of a
// command, or a project, is written for. Only tools whose language grows with each release
// can be too old: they have the release in a file of the project, which read returns, or
// nil.
func (p Program) Fits(command Program, read func(name string) []byte) bool {
	if p.release == nil {
		return true
	}
	if command.Tool != nil && command.Family == p.Family && slices.Compare(p.numbers(), command.numbers()) < 0 {
		return false
	}
	found := p.release.FindSubmatch(read(p.releaseIn))
	return found == nil || slices.Compare(p.numbers(), numbersOf(string(found[1]))) >= 0
}

// Older reports whether a program has a lower version than another of the same tool.
func (p Program) Older(other Program) bool { return CompareVersions(p, other) < 0 }

// Comparable reports whether a program can take the place of another in a command: they are
// of the same tool, or both build programs and the language is the program's usual one.
func (p Program) Comparable(other Program, language string) bool {
	return p.Tool == other.Tool || p.Builds != nil && other.Builds != nil && p.Reads[0] == language
}

// versionLimit is how long a program may take to say its version.
const versionLimit = 3 * time.Second

// A Machine knows the programs of this machine, and asks each for its version once. The
// zero value is ready; it may be used from several goroutines.
type Machine struct {
	mu       sync.Mutex
	versions map[string]string // by path
}

// Programs returns the programs that read a language, as whittle calls it, the newest of
// each tool first. Tools of which it is the usual language come before others, else they
// stand as in the table. A file with several names is there once for each tool.
func (m *Machine) Programs(ctx context.Context, language string) []Program {
	var found []Program
	for _, tool := range Tools() {
		if slices.Contains(tool.Reads, language) {
			found = append(found, tool.programs()...)
		}
	}
	var group sync.WaitGroup
	for i := range found {
		group.Go(func() { found[i].Version = m.version(ctx, found[i]) })
	}
	group.Wait()
	order := map[*Tool]int{}
	for i, tool := range Tools() {
		if order[tool] = i; tool.Reads[0] != language {
			order[tool] += len(Tools())
		}
	}
	slices.SortStableFunc(found, func(a, b Program) int {
		return cmp.Or(cmp.Compare(order[a.Tool], order[b.Tool]), CompareVersions(b, a))
	})
	return found
}

// programs returns those of a tool, without their versions.
func (t *Tool) programs() []Program {
	var found []Program
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range t.in {
		more, _ := filepath.Glob(pattern)
		dirs = append(dirs, more...)
	}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		for _, entry := range entries {
			if t.program.MatchString(entry.Name()) {
				found = t.add(found, filepath.Join(dir, entry.Name()))
			}
		}
	}
	if slices.ContainsFunc(found, func(p Program) bool { return !p.isShim() }) {
		found = slices.DeleteFunc(found, Program.isShim)
	}
	return found
}

// isShim reports whether the program is a script of pyenv, rbenv or asdf that looks for one
// which it starts, which takes long.
func (p Program) isShim() bool { return filepath.Base(filepath.Dir(p.Path)) == "shims" }

// add adds what is at a path. Of several names of a file one with a version stays.
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

// at returns the program at a path, if there is one.
func (t *Tool) at(path string) (Program, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return Program{}, false
	}
	file, err := filepath.EvalSymlinks(path)
	return Program{Tool: t, Path: path, file: file}, err == nil
}

// Command finds the first program in the words of a command that is known, and that is on
// this machine, as gcc in "timeout 10 gcc -O2 -c {}". Its arguments stand behind it.
func (m *Machine) Command(ctx context.Context, words []string) (p Program, arguments []string, ok bool) {
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
			return p, words[i+1:], true
		}
	}
	return Program{}, nil, false
}

// version returns the first line of what a program says of its version.
func (m *Machine) version(ctx context.Context, p Program) string {
	m.mu.Lock()
	version, known := m.versions[p.Path]
	m.mu.Unlock()
	if known || p.version == nil {
		return version
	}
	version = p.askVersion(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.versions == nil {
		m.versions = map[string]string{}
	}
	m.versions[p.Path] = version
	return version
}

// askVersion asks the program, or the one beside it, for its version.
func (p Program) askVersion(ctx context.Context) string {
	if p.beside != "" {
		p.Path = filepath.Join(filepath.Dir(p.file), p.beside)
	}
	line, _, _ := strings.Cut(p.ask(ctx, p.version), "\n")
	return strings.TrimSpace(line)
}

// A Detail is what a program prints of how it was built.
type Detail struct{ Arguments, Output string }

// Details asks the program how it was built, as gcc -v does. A program that says no more than
// its version has none.
func (p Program) Details(ctx context.Context) (details []Detail) {
	for _, arguments := range p.details {
		if output := p.ask(ctx, arguments); output != "" && output != p.Version {
			details = append(details, Detail{strings.Join(arguments, " "), output})
		}
	}
	return details
}

// ask runs the program in a directory where no settings of a project change what it says. It
// returns "" if the program fails.
func (p Program) ask(ctx context.Context, arguments []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	c := exec.CommandContext(ctx, p.Path, arguments...)
	c.Dir = "/"
	c.WaitDelay = versionLimit
	output, err := c.CombinedOutput()
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(output))
}

// versionNumber is a version in a line, or else in a name.
var versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// CompareVersions compares programs of one tool: by the numbers in their versions, else
// by those in their names, else by their paths.
func CompareVersions(a, b Program) int {
	return cmp.Or(slices.Compare(a.numbers(), b.numbers()), cmp.Compare(b.Path, a.Path))
}

// Number returns the version of a program alone, as 12.2.0; "" if it says none.
func (p Program) Number() string { return versionNumber.FindString(p.Version) }

// numbers returns the numbers of a version.
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

// numbersOf returns the numbers of a version in text.
func numbersOf(text string) []int {
	var numbers []int
	for part := range strings.SplitSeq(text, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
