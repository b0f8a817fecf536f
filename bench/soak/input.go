package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/testkit/samples"
)

// An input is a file, several files, or a directory.
type input struct {
	language string            // of the first file
	args     []string          // on the command line
	files    map[string][]byte // by path, relative to a directory
	links    map[string]string // in a directory
}

func drawInput(r *rand.Rand, root string) (*input, error) {
	languages, err := os.ReadDir(filepath.Join(root, "grammars", "testdata", "samples"))
	if err != nil {
		return nil, err
	}
	in := &input{files: map[string][]byte{}, links: map[string]string{}}
	add := func(dir string, limit int) (string, error) {
		language := languages[r.IntN(len(languages))].Name()
		all, err := samples.Of(root, language)
		if err != nil {
			return "", err
		}
		text := samples.Draw(r, all, limit)
		for len(bytes.TrimSpace(text)) == 0 {
			text = samples.Draw(r, all, limit)
		}
		if in.language == "" {
			in.language = language
		}
		path := filepath.Join(dir, name(r, all, len(in.files)))
		for in.files[path] != nil { // a second Dockerfile
			path = filepath.Join(filepath.Dir(path), "more", filepath.Base(path))
		}
		in.files[path] = text
		return path, nil
	}
	switch kind := r.IntN(10); {
	case kind < 6:
		path, err := add("", 600)
		if err != nil {
			return nil, err
		}
		in.args = []string{path}
	case kind < 8:
		for range 2 + r.IntN(2) {
			path, err := add([]string{"", "src"}[r.IntN(2)], 300)
			if err != nil {
				return nil, err
			}
			in.args = append(in.args, path)
		}
	default:
		in.args = []string{"proj"}
		for range 1 + r.IntN(5) {
			if _, err := add([]string{"proj", "proj/a", "proj/a/b"}[r.IntN(3)], 200); err != nil {
				return nil, err
			}
		}
		if r.IntN(3) == 0 {
			in.links["proj/link"] = "a"
		}
	}
	return in, nil
}

// name returns a usually plain file name that identifies the language.
func name(r *rand.Rand, all []samples.Sample, n int) string {
	base := strings.TrimPrefix(all[r.IntN(len(all))].Name, "wrong-")
	ext := filepath.Ext(base)
	if ext == "" || ext == base || ext == ".cfg" {
		return base // Dockerfile
	}
	stems := []string{
		"small", "small", "small", "a b", "-x", "é", "{}", "it's", "$HOME", "a\tb", strings.Repeat("l", 100),
	}
	return fmt.Sprintf("%s%d%s", stems[r.IntN(len(stems))], n, ext)
}

func (in *input) write(dir string) error {
	for path, content := range in.files {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	for path, to := range in.links {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(to, filepath.Join(dir, path)); err != nil {
			return err
		}
	}
	return nil
}

func (in *input) size() (n int) {
	for path, content := range in.files {
		n += len(path) + len(content)
	}
	return n
}

func (in *input) isDir() bool { return in.files[in.args[0]] == nil }

func (in *input) original(arg string) map[string]string {
	all := map[string]string{}
	for path, content := range in.files {
		if path == arg || strings.HasPrefix(path, arg+"/") {
			all[path[len(arg):]] = string(content)
		}
	}
	for path, to := range in.links {
		if strings.HasPrefix(path, arg+"/") {
			all[path[len(arg):]] = "-> " + to
		}
	}
	return all
}

// readAll reads a file, with the path "", or a directory. A missing file is empty.
func readAll(path string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below := strings.TrimPrefix(p, path)
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(p)
			all[below] = "-> " + to
			return err
		}
		content, err := os.ReadFile(p)
		all[below] = string(content)
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return all, err
}

// arguments puts "--" or "./" before a name like a flag.
func (in *input) arguments() []string {
	args := slices.Clone(in.args)
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			args[i] = "./" + a
		}
	}
	return args
}
