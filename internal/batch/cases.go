package batch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Case is one input to reduce.
type Case struct {
	Name  string
	Input string
	Test  string // its own; "" means the common command
	Place string // unique, for files below --output
	Size  int64  // in bytes
	Err   error  // nil if no problem was found
}

// A Layout describes how folders hold cases.
type Layout struct {
	Command bool   // files without a test belong to a common command
	Test    string // name; "" means test.sh, or else the only program
	// Input has patterns for names of inputs, such as *.c; none means all. In a folder with a
	// test they select one of several files.
	Input []string
}

const defaultTest = "test.sh"

// Find returns the cases sorted by name, and messages about ignored folders. A file is a case for
// the command; a folder with a test is one case. Other folders are collections. Each subfolder
// with a test is a case, or with one file if there is a command; then each file is, too.
func (l Layout) Find(paths []string) (cases []*Case, ignored []string, err error) {
	for _, pattern := range l.Input {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return nil, nil, fmt.Errorf("--input %s: %w", pattern, err)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("there is no folder %s", path)
		case err != nil:
			return nil, nil, fmt.Errorf("cannot read the folder: %w", err)
		case info.IsDir():
			found, out, err := l.folder(path)
			if err != nil {
				return nil, nil, fmt.Errorf("cannot read the folder: %w", err)
			}
			cases, ignored = append(cases, found...), append(ignored, out...)
		case !l.Command:
			return nil, nil, fmt.Errorf("%s is a file: say what fails after --, as in -- gcc -c {}; or give a folder "+
				"with a test and a file", path)
		default:
			cases = append(cases, &Case{Name: path, Input: path, Place: filepath.Base(path), Size: info.Size()})
		}
	}
	slices.SortStableFunc(cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, ignored, checkPlaces(cases)
}

func checkPlaces(cases []*Case) error {
	places := map[string]*Case{}
	for _, c := range cases {
		if other := places[c.Place]; other != nil {
			if filepath.Clean(other.Name) == filepath.Clean(c.Name) {
				return fmt.Errorf("%s is there twice", c.Name)
			}
			return fmt.Errorf("%s and %s have the same name; reduce them one batch after the other", other.Name, c.Name)
		}
		places[c.Place] = c
	}
	return nil
}

func (l Layout) folder(dir string) (cases []*Case, ignored []string, err error) {
	in, err := readFolder(dir)
	if err != nil {
		return nil, nil, err
	}
	if name := l.testName(); in.has(name) {
		absolute, err := filepath.Abs(dir)
		return []*Case{l.single(in, filepath.Base(absolute), name)}, nil, err
	}
	for _, name := range in.links {
		ignored = append(ignored, fmt.Sprintf("%s is left out: it is a link to a folder", filepath.Join(dir, name)))
	}
	untested := 0
	for _, f := range in.files {
		switch {
		case !l.isInput(in, f):
		case !l.Command:
			untested++
		default:
			path := filepath.Join(dir, f.name)
			cases = append(cases, &Case{Name: path, Input: path, Place: f.name, Size: f.size})
		}
	}
	for _, name := range in.folders {
		sub, err := readFolder(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		test := l.test(sub)
		if test == "" && (!l.Command || len(l.inputs(sub, "")) != 1) {
			ignored = append(ignored, fmt.Sprintf("%s is left out: it has no test %s", sub.dir, l.testName()))
			continue
		}
		cases = append(cases, l.single(sub, name, test))
	}
	if untested > 0 && len(cases) == 0 {
		ignored = append(ignored,
			fmt.Sprintf("%s has files and no test: say what fails after --, as in -- gcc -c {}", dir))
	}
	return cases, ignored, nil
}

func (l Layout) single(in folder, place, test string) *Case {
	c := &Case{Name: in.dir, Place: place}
	if test != "" {
		c.Test = filepath.Join(in.dir, test)
	}
	inputs := l.inputs(in, test)
	if len(inputs) == 0 {
		inputs = Layout{}.inputs(in, test)
	}
	switch len(inputs) {
	case 0:
		c.Err = errors.New("there is no file to reduce beside its test")
	case 1:
		c.Input, c.Size = filepath.Join(in.dir, inputs[0].name), inputs[0].size
	default:
		c.Err = fmt.Errorf("%s and %s may both be what is to be reduced; say which with --input",
			inputs[0].name, inputs[1].name)
	}
	return c
}

// testName returns the name that always marks a test.
func (l Layout) testName() string { return cmp.Or(l.Test, defaultTest) }

// test returns the test's name in a folder, or "".
func (l Layout) test(in folder) string {
	if name := l.testName(); in.has(name) {
		return name
	}
	if l.Test != "" {
		return ""
	}
	var programs []string
	for _, f := range in.files {
		if f.program && !in.ours(f.name) {
			programs = append(programs, f.name)
		}
	}
	if len(programs) != 1 || len(Layout{}.inputs(in, programs[0])) == 0 {
		return ""
	}
	return programs[0]
}

// inputs returns the possible inputs; programs only if there are no others.
func (l Layout) inputs(in folder, test string) []file {
	var all, plain []file
	for _, f := range in.files {
		if f.name == test || !l.isInput(in, f) {
			continue
		}
		if all = append(all, f); !f.program {
			plain = append(plain, f)
		}
	}
	if len(plain) > 0 {
		return plain
	}
	return all
}

func (l Layout) isInput(in folder, f file) bool {
	matches := func(pattern string) bool {
		matches, _ := filepath.Match(pattern, f.name)
		return matches
	}
	return !in.ours(f.name) && (len(l.Input) == 0 && !isNote(f.name) || slices.ContainsFunc(l.Input, matches))
}

// notes are lower-case prefixes of files about cases, by people and fuzzers.
var notes = []string{"readme", "license", "licence", "copying", "case.txt", "honggfuzz.report.txt", "fuzzer_stats"}

func isNote(name string) bool {
	if strings.HasPrefix(name, ".") || strings.EqualFold(filepath.Ext(name), ".md") || filepath.Ext(name) == ".log" {
		return true
	}
	return slices.ContainsFunc(notes, func(note string) bool { return strings.HasPrefix(strings.ToLower(name), note) })
}

type folder struct {
	dir     string
	files   []file
	folders []string // without hidden ones, links and whittle's
	links   []string // to folders; results would end up elsewhere
}

type file struct {
	name    string
	size    int64
	program bool
}

func readFolder(dir string) (folder, error) {
	f := folder{dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f, err
	}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		switch {
		case err != nil: // a dangling link, or removed meanwhile
		case info.Mode().IsRegular():
			f.files = append(f.files, file{e.Name(), info.Size(), info.Mode()&0o111 != 0})
		case info.IsDir() && e.Type() == fs.ModeSymlink:
			f.links = append(f.links, e.Name())
		case info.IsDir() && !strings.HasPrefix(e.Name(), "."):
			f.folders = append(f.folders, e.Name())
		}
	}
	f.folders = slices.DeleteFunc(f.folders, f.ours)
	return f, nil
}

func (f folder) has(name string) bool {
	return slices.ContainsFunc(f.files, func(g file) bool { return g.name == name })
}

// ours reports whether whittle writes this name for another file of the folder: small.reduced.c,
// its journal, small.other.
func (f folder) ours(name string) bool {
	for _, mark := range []string{".reduced", ".report.", ".other"} {
		stem, rest, ok := strings.Cut(name, mark)
		if !ok || stem == "" || mark == ".other" && rest != "" {
			continue
		}
		if slices.ContainsFunc(f.files, func(g file) bool {
			ext := filepath.Ext(g.name)
			about := strings.TrimSuffix(g.name, ext) == stem || mark == ".report." && g.name == stem
			return g.name != name && about && (mark != ".reduced" || strings.HasPrefix(rest, ext))
		}) {
			return true
		}
	}
	return false
}
