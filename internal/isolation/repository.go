package isolation

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whittle/oracle"
	"whittle/parse/archive"
)

// errNoGit means that git is not installed.
var errNoGit = oracle.Errorf("this needs git, which is not in PATH; install it")

// A repository is a git repository, perhaps bare.
type repository struct {
	Root string // work tree or bare repository

	bare bool
	env  []string
}

// openRepository returns the repository around a directory.
func openRepository(ctx context.Context, dir string) (*repository, error) {
	r := &repository{Root: dir, env: os.Environ()}
	bare, err := r.text(ctx, "rev-parse", "--is-bare-repository")
	if err != nil {
		return nil, err
	}
	if r.bare = bare == "true"; r.bare {
		return r, nil
	}
	r.Root, err = r.text(ctx, "rev-parse", "--show-toplevel")
	return r, err
}

// Commit returns a revision's hash.
func (r *repository) Commit(ctx context.Context, revision string) (string, error) {
	commit, err := r.text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("there is no commit %s in the repository %s", revision, r.Root)
	}
	return commit, err
}

// A tree is a version of the files.
type tree struct {
	Files      []archive.Entry
	Submodules map[string]string // the commit of each path
}

// Tree returns the files of a commit, without those of submodules.
func (r *repository) Tree(ctx context.Context, commit string) (t tree, err error) {
	list, err := r.output(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return t, err
	}
	t.Submodules = map[string]string{}
	var names bytes.Buffer
	for line := range bytes.SplitSeq(bytes.TrimSuffix(list, []byte{0}), []byte{0}) {
		info, path, ok := bytes.Cut(line, []byte("\t"))
		words := strings.Fields(string(info))
		if !ok || len(words) != 3 {
			continue // an empty tree
		}
		if words[1] == "commit" {
			t.Submodules[string(path)] = words[2]
			continue
		}
		mode, err := strconv.ParseUint(words[0], 8, 32)
		if err != nil {
			return t, fmt.Errorf("git ls-tree: %q", line)
		}
		e := archive.Entry{Path: string(path), Mode: fs.FileMode(mode).Perm()}
		if mode&0o170000 == 0o120000 {
			e.Mode = fs.ModeSymlink | fs.ModePerm
		}
		t.Files = append(t.Files, e)
		names.WriteString(words[2] + "\n")
	}
	contents, err := r.output(ctx, &names, "cat-file", "--batch")
	if err != nil {
		return t, err
	}
	from := bufio.NewReader(bytes.NewReader(contents))
	for i, e := range t.Files {
		content, err := object(from)
		if err != nil {
			return t, fmt.Errorf("git cat-file, %s: %w", e.Path, err)
		}
		if e.Mode.IsRegular() {
			t.Files[i].Content = content
		} else {
			t.Files[i].Link = string(content)
		}
	}
	return t, nil
}

// object reads from cat-file --batch.
func object(from *bufio.Reader) ([]byte, error) {
	head, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	words := strings.Fields(head)
	size, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return nil, errors.New(strings.TrimSpace(head)) // as "missing"
	}
	content := make([]byte, size+1)
	_, err = io.ReadFull(from, content)
	return content[:size], err
}

// WorkTree returns the files that git does not ignore, and the submodules. Files unchanged since
// commit come from its tree, to avoid filters. Other nested repositories are left out.
func (r *repository) WorkTree(ctx context.Context, commit string, at tree) (t tree, err error) {
	if r.bare {
		return t, fmt.Errorf("the repository %s is bare, it has no work tree; give OLD..NEW", r.Root)
	}
	differ, err := r.output(ctx, nil, "diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", commit, "--")
	if err != nil {
		return t, err
	}
	same, sameModules := map[string]archive.Entry{}, maps.Clone(at.Submodules)
	for _, e := range at.Files {
		same[e.Path] = e
	}
	for name := range strings.SplitSeq(string(differ), "\x00") {
		delete(same, name)
		delete(sameModules, name)
	}
	list, err := r.output(ctx, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		return t, err
	}
	t.Submodules = map[string]string{}
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return t, err
	}
	defer root.Close()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if name == "" {
			continue
		}
		info, err := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // deleted, but in the index
		case err != nil:
			return t, err
		case info.IsDir() && strings.HasSuffix(name, "/"):
			continue // a nested repository
		case info.IsDir():
			t.Submodules[name] = cmp.Or(sameModules[name], "changed")
			continue
		}
		if e, ok := same[name]; ok {
			t.Files = append(t.Files, e)
			continue
		}
		e := archive.Entry{Path: name, Mode: 0o644}
		switch {
		case info.Mode().IsRegular():
			if info.Mode()&0o100 != 0 {
				e.Mode = 0o755
			}
			e.Content, err = root.ReadFile(name)
		case info.Mode().Type() == fs.ModeSymlink:
			e.Mode = fs.ModeSymlink | fs.ModePerm
			e.Link, err = root.Readlink(name)
		default:
			err = fmt.Errorf("%s is neither a file nor a link", filepath.Join(r.Root, name))
		}
		if err != nil {
			return t, err
		}
		t.Files = append(t.Files, e)
	}
	return t, nil
}

// text returns git's output without line break.
func (r *repository) text(ctx context.Context, arguments ...string) (string, error) {
	out, err := r.output(ctx, nil, arguments...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// output returns git's output, without locks, file system monitor and fetches.
func (r *repository) output(ctx context.Context, stdin io.Reader, arguments ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, arguments...)...)
	c.Dir, c.Stdin = r.Root, stdin
	c.Env = append(slices.Clip(r.env), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	out, err := c.Output()
	switch exit := (*exec.ExitError)(nil); {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errNoGit
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit):
		said := strings.TrimSpace(string(exit.Stderr))
		if said == "" {
			return nil, fmt.Errorf("git %s: %w", arguments[0], err)
		}
		return nil, fmt.Errorf("git %s in %s: %s", arguments[0], r.Root, said)
	}
	return out, err
}
