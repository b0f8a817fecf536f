package tool

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/oracle"
)

// NameInput replaces paths of the file by [oracle.Placeholder], also after a =.
func NameInput(words []string, isFile func(path string) bool) []string {
	words = shell.EditScript(words, func(words, _ []string) []string { return NameInput(words, isFile) })
	named := []string{words[0]}
	for _, w := range words[1:] {
		name, value, found := strings.Cut(w, "=")
		switch {
		case isFile(w):
			w = oracle.Placeholder
		case found && isFile(value):
			w = name + "=" + oracle.Placeholder
		}
		named = append(named, w)
	}
	return named
}

// AbsoluteWords makes paths of existing files and directories absolute by find, so that the command can run
// in another directory. Outputs stay, and plain words, which need not be files, unless they follow an
// option that takes a path. Scripts of shells among the words change in the same way, except for files that they write.
func AbsoluteWords(words []string, find func(path string) (absolute string)) []string {
	words = shell.EditScript(words, func(words, written []string) []string {
		find := func(path string) string {
			if slices.Contains(written, filepath.Clean(path)) {
				return ""
			}
			return find(path)
		}
		if words[0] == "<" {
			return []string{"<", cmp.Or(find(words[1]), words[1])}
		}
		return AbsoluteWords(words, find)
	})
	c, _ := open(words)
	absolute := []string{words[0]}
	if path := find(words[0]); path != "" && strings.Contains(words[0], "/") {
		absolute[0] = path
	}
	before := "" // the previous option
	for _, w := range words[1:] {
		option := ""
		if isOption(w) {
			option = w
		}
		path := find(w)
		switch {
		case c.tool.Keeps(before) && slices.Contains(c.tool.Takes, before) || strings.Contains(w, oracle.Placeholder):
		case path == "" || option != "":
			w = c.joined(w, find)
		case strings.ContainsAny(w, "./") || slices.Contains(c.tool.Path, before):
			w = path
		}
		absolute, before = append(absolute, w), option
	}
	return absolute
}

// joined makes paths within a word absolute: after a =, after an option in the same word, or in a
// list of paths.
func (c *Reducible) joined(word string, find func(string) string) string {
	name, value, found := strings.Cut(word, "=")
	if path := find(value); found && path != "" && !c.tool.Keeps(word) {
		return name + "=" + path
	}
	for _, prefix := range c.tool.Path {
		if rest, ok := strings.CutPrefix(word, prefix); ok {
			if path := find(rest); path != "" {
				return prefix + path
			}
		}
	}
	if !isOption(word) && strings.Contains(word, ":") {
		list := filepath.SplitList(word)
		for i, part := range list {
			if list[i] = find(part); list[i] == "" {
				return word
			}
		}
		return strings.Join(list, ":")
	}
	return word
}
