package passtest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
	"whittle/parse/archive"
)

// Project parses a project. The files are given as paths, each with its content.
func Project(t *testing.T, files ...string) (*archive.Set, *parse.Tree) {
	t.Helper()
	var entries []archive.Entry
	seen := map[string]bool{}
	for i := 0; i < len(files); i += 2 {
		path, content := files[i], []byte(files[i+1])
		for at, c := range path {
			if dir := path[:at]; c == '/' && !seen[dir] {
				seen[dir] = true
				entries = append(entries, archive.Entry{Path: dir, Mode: fs.ModeDir | 0o755})
			}
		}
		l := grammars.NewReading(grammars.ForFile(path), path, content, func(string) {})
		entries = append(entries, archive.Entry{Path: path, Mode: 0o644, Content: content, Language: l})
	}
	slices.SortStableFunc(entries, func(a, b archive.Entry) int {
		return strings.Compare(strings.ReplaceAll(a.Path, "/", "\x00"), strings.ReplaceAll(b.Path, "/", "\x00"))
	})
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	return set, tree
}
