// Package project divides the directory of a project into files to reduce, directories that tests need unchanged, and
// the rest, such as build products.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/internal/shell"
	"whittle/oracle"
)

// A Project is a directory in which a command runs.
type Project struct {
	Root    string   // absolute
	Outside []string // paths that each test finds unchanged, such as dependencies
	LeftOut []string // outermost paths that tests do not find
	History []string // likewise, of version control
	Pulled  []string // packages in Outside that are reduced, too

	skipped map[string]bool
}

// Open divides the directory root for a command that runs there. git selects the files: tracked ones, and others that
// no .gitignore excludes, also outside of a repository. Lock files are selected, too, as tools would need the network
// without them. Known caches and build products are left out unless they are tracked. Directories of dependencies are
// outside, and also the ignored paths in words, the command. A program in the project is reduced with it, so env starts
// the copy.
func Open(root string, words []string) (p *Project, command []string, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return nil, nil, oracle.Errorf("cannot find the project: %w", err)
	}
	p = &Project{Root: root, skipped: map[string]bool{}}
	if strings.Contains(words[0], "/") && p.Has(words[0]) {
		words = slices.Concat([]string{"env"}, words)
	}
	tracked, selected := list(root)
	return p, words, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return oracle.Errorf("cannot read the project: %w", err)
		}
		name, err := filepath.Rel(root, file)
		if err != nil || name == "." || tracked.has(name) {
			return err
		}
		history := slices.Contains(VersionControl, d.Name())
		isDir := d.IsDir()
		if d.Type() == fs.ModeSymlink {
			info, err := os.Stat(file)
			isDir = err == nil && info.IsDir()
		}
		depends, product := isDir && isDependency(file), d.IsDir() && isProduct(file)
		lock := !d.IsDir() && grammars.ForContent(name, nil).Name == "lock"
		if (selected.has(name) || lock) && !history && !depends && !product {
			return nil
		}
		p.skipped[name] = true
		switch {
		case history:
			p.History = append(p.History, name)
		case depends, !product && names(words, name):
			p.Outside = append(p.Outside, name)
		default:
			p.LeftOut = append(p.LeftOut, name)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// Skips reports whether a path below Root is not reduced. Its directory must not be skipped.
func (p *Project) Skips(name string) bool { return p != nil && p.skipped[name] }

// Need adds paths to Outside, and takes them from LeftOut.
func (p *Project) Need(paths []string) {
	p.Outside = append(p.Outside, paths...)
	p.LeftOut = slices.DeleteFunc(slices.Clone(p.LeftOut), func(name string) bool { return slices.Contains(paths, name) })
}

// Name returns the name of the directory, or "".
func (p *Project) Name() string {
	if p == nil {
		return ""
	}
	return filepath.Base(p.Root)
}

// String returns a line about the paths that are not reduced, or "".
func (p *Project) String() string {
	if p == nil {
		return ""
	}
	var parts []string
	for _, kind := range []struct {
		names []string
		what  string
	}{{p.LeftOut, "left out"}, {p.Outside, "there for each test, but not reduced"}} {
		if len(kind.names) > 0 {
			parts = append(parts, kind.what+": "+printable.Line(Few(kind.names)))
		}
	}
	return strings.Join(parts, "; ")
}

// Few returns a list of at most six names.
func Few(names []string) string {
	const most = 5
	if n := len(names); n > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n-most)
	}
	return strings.Join(names, ", ")
}

// Has reports whether a relative path of the command is in the project.
func (p *Project) Has(name string) bool {
	return p != nil && filepath.IsLocal(name) && disk.Exists(filepath.Join(p.Root, name))
}

// Dependencies returns Outside for the layout of tests, without pulled packages, or nil.
func (p *Project) Dependencies() *oracle.Outside {
	if p == nil || len(p.Outside) == 0 {
		return nil
	}
	return &oracle.Outside{Root: p.Root, Paths: p.Outside, Except: p.Pulled}
}

// paths are files with their directories, and directories with all of their files, which end with a slash.
type paths map[string]bool

// list returns the tracked and the selected files of a directory. All are selected without git.
func list(root string) (tracked, selected paths) {
	tracked = gitFiles(root, "", "--cached")
	if selected = gitFiles(root, "", "--others", "--exclude-standard"); len(tracked)+len(selected) > 0 {
		return tracked, selected
	}
	// There is no repository, or one that ignores the project.
	dir, err := os.MkdirTemp("", "whittle-git-")
	if err == nil {
		defer os.RemoveAll(dir)
		if git(root, "init", "--quiet", "--bare", dir).Run() == nil {
			selected = gitFiles(root, dir, "--others", "--exclude-standard")
		}
	}
	if len(selected) == 0 {
		selected = paths{"./": true}
	}
	return nil, selected
}

func gitFiles(root, repository string, which ...string) paths {
	var args []string
	if repository != "" {
		args = []string{"--git-dir=" + repository, "--work-tree=."}
	}
	output, err := git(root, slices.Concat(args, []string{"ls-files", "-z"}, which)...).Output()
	if err != nil {
		return nil
	}
	found := paths{}
	for name := range strings.SplitSeq(string(output), "\x00") {
		info, err := os.Lstat(filepath.Join(root, name))
		if name == "" || err != nil {
			continue
		}
		if name = path.Clean(name); info.IsDir() { // a repository of its own
			found[name+"/"] = true
		}
		for ; !found[name]; name = path.Dir(name) {
			found[name] = true
		}
	}
	return found
}

func git(dir string, args ...string) *exec.Cmd {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	return c
}

func (p paths) has(name string) bool {
	if p[name] {
		return true
	}
	for ; !p[name+"/"]; name = path.Dir(name) {
		if name == "." {
			return false
		}
	}
	return true
}

// names reports whether a word of a command is name or below it.
func names(words []string, name string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		_, value, _ := strings.Cut(word, "=")
		return below(word, name) || below(value, name)
	})
}

func below(word, name string) bool { return strings.HasPrefix(path.Clean(word)+"/", name+"/") }

// Find opens the project in whose root words run as a command, if any, and returns the inputs and the command for it.
// Of the project in the current directory, inputs may be the only files to reduce.
func Find(command string, inputs, words []string, inPlace bool) (p *Project, in, argv []string, err error) {
	whole := isProject(command, inputs, words)
	switch {
	case !whole && !isPart(command, inputs, words):
		return nil, inputs, words, nil
	case inPlace:
		return nil, nil, nil, errors.New("--in-place is for files; a project does not change, and the result is a " +
			"directory next to it")
	case whole:
		p, argv, err = Open(inputs[0], words)
		return p, inputs, argv, err
	}
	if p, argv, err = Open(".", words); err == nil {
		err = p.only(inputs)
	}
	return p, []string{"."}, argv, err
}

// only moves all but these files and directories to Outside.
func (p *Project) only(inputs []string) error {
	return filepath.WalkDir(p.Root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return oracle.Errorf("cannot read the project: %w", err)
		}
		name, err := filepath.Rel(p.Root, file)
		above := name == "." || slices.ContainsFunc(inputs, func(in string) bool { return below(in, name) })
		within := slices.ContainsFunc(inputs, func(in string) bool { return below(name, path.Clean(in)) })
		switch {
		case err != nil || above && !within:
			return err
		case !within && !p.skipped[name]:
			p.skipped[name] = true
			p.Outside = append(p.Outside, name)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// commands of whittle for which a command runs in a project.
var commands = []string{"reduce", "check"}

// builders are programs that run in the root of a project, and do not read files from their standard input.
var builders = strings.Fields(`make gmake cmake ctest ninja meson scons bazel cargo go npm npx yarn pnpm deno bun
	pytest tox nox mvn mvnw gradle gradlew sbt dotnet rake bundle rspec phpunit composer mix stack cabal dune zig`)

// runners are programs that need manifests and dependencies in the current directory, also for one file.
var runners = strings.Fields("npx npm yarn pnpm bunx go bundle poetry uv pipenv pdm hatch mix")

// manifests are files that tell that a directory is for runners.
var manifests = strings.Fields("package.json node_modules go.mod Gemfile pyproject.toml Pipfile mix.exs")

// written matches files of whittle.
var written = regexp.MustCompile(`^\..*\.whittle$|\.(reduced|other)\b`)

// started returns the words of a command and of the commands of a script in it, and whether one of them starts a
// program.
func started(words, programs []string) (all []string, starts bool) {
	all = slices.Clone(words)
	starts = slices.Contains(programs, filepath.Base(words[0]))
	shell.EditScript(words, func(script, _ []string) []string {
		all = append(all, script...)
		starts = starts || slices.Contains(programs, filepath.Base(script[0]))
		return script
	})
	return all, starts
}

// Beside returns the paths in the current directory that do not have the inputs, if words start a runner there.
func Beside(inputs, words []string) (paths []string) {
	if _, starts := started(words, runners); !starts || !slices.ContainsFunc(manifests, disk.Exists) {
		return nil
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		return nil // the test tells
	}
	for _, e := range entries {
		reduced := slices.ContainsFunc(inputs, func(in string) bool { return below(in, e.Name()) })
		if !reduced && !slices.Contains(VersionControl, e.Name()) && !written.MatchString(e.Name()) {
			paths = append(paths, e.Name())
		}
	}
	return paths
}

// isPart reports whether words build the current directory, and inputs are a part of it that they do not name.
func isPart(command string, inputs, words []string) bool {
	all, builds := started(words, builders)
	return builds && slices.Contains(commands, command) && !hasPlaceholder(words) &&
		!slices.ContainsFunc(inputs, func(in string) bool {
			in = path.Clean(in)
			return !filepath.IsLocal(in) || in == "." || !disk.Exists(in) || names(all, in)
		})
}

// isProject reports whether words run in the root of the only input: a directory that no word names, also by {}.
func isProject(command string, inputs, words []string) bool {
	info, err := os.Stat(inputs[0])
	dir := path.Clean(inputs[0])
	return slices.Contains(commands, command) && len(inputs) == 1 && err == nil && info.IsDir() &&
		!hasPlaceholder(words) && (dir == "." || !names(words, dir))
}

// Runs reports whether words are a command for the current directory, not a test with files of odd names.
func Runs(command string, words []string) bool {
	oddFile := func(word string) bool { return strings.HasPrefix(word, "-") && disk.Exists(word) }
	return slices.Contains(commands, command) && len(words) > 0 && !hasPlaceholder(words) &&
		!slices.ContainsFunc(words, oddFile)
}

func hasPlaceholder(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, oracle.Placeholder) })
}

// workspaces are files in the root of a project of projects.
var workspaces = strings.Fields("package.json pnpm-workspace.yaml go.work Cargo.toml pom.xml settings.gradle " +
	"settings.gradle.kts pyproject.toml CMakeLists.txt Makefile")

// Around returns the directories around a project that may have further files of it: the root of its repository or,
// without a repository, the roots of workspaces.
func Around(dir string) (roots []string) {
	if top, err := git(dir, "rev-parse", "--show-toplevel").Output(); err == nil {
		if top := strings.TrimSpace(string(top)); top != dir {
			roots = []string{top}
		}
		return roots
	}
	const most = 4
	for outer := filepath.Dir(dir); len(outer) > 1 && len(roots) < most; outer = filepath.Dir(outer) {
		isRoot := func(name string) bool { return disk.Exists(filepath.Join(outer, name)) }
		if !slices.ContainsFunc(workspaces, isRoot) {
			break
		}
		roots = append(roots, outer)
	}
	return roots
}
