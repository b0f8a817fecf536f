package batch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Case is one thing to reduce.
type Case struct {
	Name  string // as the user knows it
	Input string // the file's path
	Test  string // the path of a test of its own; "" is the command for all
	Place string // a name unlike that of other cases, for what is written elsewhere
	Size  int64  // of the input, in bytes
	Err   error  // why it cannot be reduced; nil if nothing is wrong so far
}

// A Layout says how cases lie in folders.
type Layout struct {
	Command bool   // there is a command for files without a test of their own
	Test    string // the name of a test in its folder; "" is test.sh, or else the only program there
	// Input are patterns for the names of inputs, as *.c; none is any. In a folder with a test
	// they say which of several it is.
	Input []string
}

// defaultTest is what a test is called.
const defaultTest = "test.sh"

// Find returns the cases of folders and files, in the order of their names, and what was left
// out, as lines for the user. A file is a case of the command. A folder that has a test is
// one case. Of any other each folder in it is one, if it has a test, or there is a command and
// one file; and with a command each file. The error says what of paths is none of these.
func (l Layout) Find(paths []string) (cases []*Case, left []string, err error) {
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
			cases, left = append(cases, found...), append(left, out...)
		case !l.Command:
			return nil, nil, fmt.Errorf("%s is a file: say what fails after --, as in -- gcc -c {}; or give a folder "+
				"with a test and a file", path)
		default:
			cases = append(cases, &Case{Name: path, Input: path, Place: filepath.Base(path), Size: info.Size()})
		}
	}
	slices.SortStableFunc(cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, left, unalike(cases)
}

// unalike returns an error if two cases would be written to the same place, or are the same.
func unalike(cases []*Case) error {
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

// folder returns the cases of a folder.
func (l Layout) folder(dir string) (cases []*Case, left []string, err error) {
	in, err := readFolder(dir)
	if err != nil {
		return nil, nil, err
	}
	if name := l.testName(); in.has(name) {
		absolute, err := filepath.Abs(dir)
		return []*Case{l.single(in, filepath.Base(absolute), name)}, nil, err
	}
	for _, name := range in.links {
		left = append(left, fmt.Sprintf("%s is left out: it is a link to a folder", filepath.Join(dir, name)))
	}
	beside := 0
	for _, f := range in.files {
		switch {
		case !l.isInput(in, f):
		case !l.Command:
			beside++
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
			left = append(left, fmt.Sprintf("%s is left out: it has no test %s", sub.dir, l.testName()))
			continue
		}
		cases = append(cases, l.single(sub, name, test))
	}
	if beside > 0 && len(cases) == 0 {
		left = append(left, fmt.Sprintf("%s has files and no test: say what fails after --, as in -- gcc -c {}", dir))
	}
	return cases, left, nil
}

// single returns the case of a folder that has a test, or needs none.
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

// testName is the name of a test that says all by itself.
func (l Layout) testName() string {
	if l.Test != "" {
		return l.Test
	}
	return defaultTest
}

// test returns the name of the test in a folder; "" is none.
func (l Layout) test(in folder) string {
	if name := l.testName(); in.has(name) || l.Test != "" {
		if !in.has(name) {
			return ""
		}
		return name
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

// inputs returns the files that may be what is to be reduced: no programs, if there is
// anything else.
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

// isInput reports whether a file may be an input, by its name.
func (l Layout) isInput(in folder, f file) bool {
	if len(l.Input) == 0 {
		return !tells(f.name) && !in.ours(f.name)
	}
	return !in.ours(f.name) && slices.ContainsFunc(l.Input, func(pattern string) bool {
		matches, _ := filepath.Match(pattern, f.name)
		return matches
	})
}

// told are the beginnings of the names of files that are about cases, in small letters: of
// people, and of fuzzers.
var told = []string{"readme", "license", "licence", "copying", "case.txt", "honggfuzz.report.txt", "fuzzer_stats"}

// tells reports whether a file is about a case, by its name, or hidden.
func tells(name string) bool {
	if strings.HasPrefix(name, ".") || strings.EqualFold(filepath.Ext(name), ".md") || filepath.Ext(name) == ".log" {
		return true
	}
	return slices.ContainsFunc(told, func(t string) bool { return strings.HasPrefix(strings.ToLower(name), t) })
}

// A folder is what is in a folder, in the order of the names.
type folder struct {
	dir     string
	files   []file
	folders []string
	links   []string // to folders
}

type file struct {
	name    string
	size    int64
	program bool
}

// readFolder reads a folder. Only files and folders are in it, without hidden folders, those that
// whittle has made, and links to folders: results would be written elsewhere.
func readFolder(dir string) (folder, error) {
	f := folder{dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f, err
	}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		switch {
		case err != nil: // a link to nothing, or gone
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

// ours reports whether whittle gives a name like this to what it writes about another file
// that is there: small.reduced.c, its journal, small.other, and so on.
func (f folder) ours(name string) bool {
	for _, mark := range []string{".reduced", ".report.", ".other"} {
		stem, rest, ok := strings.Cut(name, mark)
		if !ok || stem == "" || mark == ".other" && rest != "" {
			continue
		}
		if slices.ContainsFunc(f.files, func(g file) bool {
			ext := filepath.Ext(g.name)
			about := strings.TrimSuffix(g.name, ext) == stem || mark == ".report." && g.name == stem
			return g.name != name && about &&
				(mark != ".reduced" || strings.HasPrefix(rest, ext))
		}) {
			return true
		}
	}
	return false
}
