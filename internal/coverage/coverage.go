// Package coverage finds the code of a candidate that its test runs. Python records lines by a trace function, and
// Node.js records ranges by V8's block coverage (https://v8.dev/blog/javascript-code-coverage).
package coverage

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"whittle/internal/local"
	"whittle/oracle"
	"whittle/parse/archive"
	"whittle/pass"
)

//go:embed sitecustomize.py
var recorder []byte

// Records reports whether an interpreter of a language records.
func Records(language string) bool { return language == "python" || language == "javascript" }

// Archive returns the marks of an archive of a set. marks are those of its files, by path.
func Archive(set *archive.Set, file []byte, marks map[string][]pass.Mark) ([]pass.Mark, error) {
	entries, err := set.Entries(file)
	return set.Gather(func(e archive.Entry) ([]byte, bool) {
		i := slices.IndexFunc(entries, func(of archive.Entry) bool { return of.Path == e.Path })
		if i < 0 {
			return nil, false
		}
		known, size := marks[e.Path], len(entries[i].Content)
		if len(known) != size {
			known = make([]pass.Mark, size)
		}
		return known, true
	}), err
}

// Marks runs the test of a candidate once more and returns the marks of the bytes of its files, by path. Files that no
// interpreter read are missing. It returns nil on an error, which the next test reports.
func Marks(ctx context.Context, x local.Executor, spec oracle.Spec, candidate []byte) map[string][]pass.Mark {
	marks := map[string][]pass.Mark{}
	x.Keeper, x.Reads = nil, nil
	x.Around = func(root, tmp string) ([]string, func()) {
		path := filepath.Join(tmp, "whittle-recorder") // a sandbox may hide other directories
		if os.Mkdir(path, 0o755) != nil || os.WriteFile(filepath.Join(path, "sitecustomize.py"), recorder, 0o644) != nil {
			return nil, func() {}
		}
		if p := os.Getenv("PYTHONPATH"); p != "" {
			path += string(os.PathListSeparator) + p
		}
		return []string{"PYTHONPATH=" + path, "WHITTLE_DIR=" + root, "NODE_V8_COVERAGE=" + tmp}, func() {
			readPython(root, tmp, marks)
			readV8(root, tmp, marks)
		}
	}
	if _, err := x.Run(ctx, spec, candidate); err != nil {
		return nil
	}
	return marks
}

// mark adds the marks of a process.
func mark(all map[string][]pass.Mark, path string, marks []pass.Mark) {
	if old := all[path]; len(old) == len(marks) {
		for i, m := range old {
			if m == pass.Ran || marks[i] == pass.NoCode {
				marks[i] = m
			}
		}
	}
	all[path] = marks
}

// readPython reads the files of the recorder. A line of them is the number of a line, whether it ran, and a path.
func readPython(root, tmp string, all map[string][]pass.Mark) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "whittle-python-*"))
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		files, starts := map[string][]pass.Mark{}, map[string][]int{}
		for entry := range strings.Lines(string(text)) {
			f := strings.SplitN(strings.TrimSuffix(entry, "\n"), " ", 3)
			if len(f) != 3 {
				continue
			}
			path := f[2]
			if starts[path] == nil {
				source, _ := os.ReadFile(filepath.Join(root, path))
				files[path] = make([]pass.Mark, len(source))
				at := 0
				for line := range bytes.Lines(source) {
					starts[path] = append(starts[path], at)
					at += len(line)
				}
				starts[path] = append(starts[path], at)
			}
			m := pass.NotRan
			if f[1] == "1" {
				m = pass.Ran
			}
			if line, _ := strconv.Atoi(f[0]); line > 0 && line < len(starts[path]) {
				fill(files[path], starts[path][line-1], starts[path][line], m)
			}
		}
		for path, marks := range files {
			mark(all, path, marks)
		}
	}
}

func fill(marks []pass.Mark, from, to int, m pass.Mark) {
	for i := max(from, 0); i < min(to, len(marks)); i++ {
		marks[i] = m
	}
}

// A script is the result of V8 for a file. Offsets are in UTF-16 code units. Ranges contain each other, the outer ones
// first.
type script struct {
	URL       string
	Functions []struct {
		Ranges []struct{ StartOffset, EndOffset, Count int }
	}
}

// readV8 reads the JSON files of NODE_V8_COVERAGE.
func readV8(root, tmp string, all map[string][]pass.Mark) {
	logs, _ := filepath.Glob(filepath.Join(tmp, "coverage-*.json"))
	for _, log := range logs {
		var read struct{ Result []script }
		text, _ := os.ReadFile(log)
		if json.Unmarshal(text, &read) != nil {
			continue // a process was killed while it wrote
		}
		for _, s := range read.Result {
			u, err := url.Parse(s.URL)
			if err != nil || u.Scheme != "file" {
				continue // a module of Node.js
			}
			path, err := filepath.Rel(root, u.Path)
			source, unread := os.ReadFile(u.Path)
			if err == nil && unread == nil && filepath.IsLocal(path) {
				mark(all, filepath.ToSlash(path), s.marks(string(source)))
			}
		}
	}
}

func (s *script) marks(source string) []pass.Mark {
	at, marks := offsets(source), slices.Repeat([]pass.Mark{pass.Ran}, len(source))
	for _, f := range s.Functions {
		for _, r := range f.Ranges {
			switch {
			case r.StartOffset < 0 || r.EndOffset >= len(at) || r.StartOffset > r.EndOffset:
			case r.Count > 0:
				fill(marks, at[r.StartOffset], at[r.EndOffset], pass.Ran)
			default: // the first byte stays: others may name the function that begins there
				fill(marks, at[r.StartOffset]+1, at[r.EndOffset], pass.NotRan)
			}
		}
	}
	return marks
}

// offsets returns the byte of each UTF-16 code unit, and the length.
func offsets(source string) (at []int) {
	for i, r := range source {
		at = append(at, slices.Repeat([]int{i}, max(utf16.RuneLen(r), 1))...)
	}
	return append(at, len(source))
}
