package tool

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed languages.txt
var languages string

// NeededFiles returns the sorted paths of the user's files that a file needs, directly or indirectly. The
// files are below the current directory, as a test finds several files by their paths from there.
func NeededFiles(language, path string, read func(path string) ([]byte, error)) (files []string) {
	names, targets := naming(language)
	if names == nil || !filepath.IsLocal(path) {
		return nil
	}
	found := []string{filepath.Clean(path)}
	for i := 0; i < len(found); i++ {
		text, err := read(found[i])
		if err != nil {
			continue
		}
		for _, m := range names.FindAllSubmatch(text, -1) {
			for _, target := range targets {
				needed := filepath.Join(filepath.Dir(found[i]), named(target, string(m[1])))
				if _, err := read(needed); err != nil || !filepath.IsLocal(needed) {
					continue
				}
				if !slices.Contains(found, needed) {
					found = append(found, needed)
				}
				break
			}
		}
	}
	files = found[1:]
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
