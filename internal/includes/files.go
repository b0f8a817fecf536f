package includes

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed languages.txt
var languages string

// Files returns the sorted paths of the user's files that a file needs, directly or indirectly. The
// files are below the current directory, as a test finds several files by their paths from there.
func Files(language, path string, read func(path string) ([]byte, error)) (files []string) {
	names, targets := naming(language)
	if names == nil || !filepath.IsLocal(path) {
		return nil
	}
	waiting := []string{filepath.Clean(path)}
	known := slices.Clone(waiting)
	for len(waiting) > 0 {
		file := waiting[0]
		waiting = waiting[1:]
		text, err := read(file)
		if err != nil {
			continue
		}
		for _, m := range names.FindAllSubmatch(text, -1) {
			for _, target := range targets {
				needed := filepath.Join(filepath.Dir(file), named(target, string(m[1])))
				if _, err := read(needed); err != nil || !filepath.IsLocal(needed) {
					continue
				}
				if !slices.Contains(known, needed) {
					known, waiting, files = append(known, needed), append(waiting, needed), append(files, needed)
				}
				break
			}
		}
	}
	slices.Sort(files)
	return files
}

func naming(language string) (names *regexp.Regexp, targets []string) {
	for line := range strings.Lines(languages) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if fields[0] == language && len(fields) == 3 {
			return regexp.MustCompile(fields[1]), strings.Fields(fields[2])
		}
	}
	return nil, nil
}

func named(target, name string) string {
	if rest, ok := strings.CutPrefix(target, "$/"); ok && (rest[0] == '.' || rest[0] == '/') {
		return strings.ReplaceAll(name, ".", "/") + rest
	}
	return strings.ReplaceAll(target, "$", name)
}
