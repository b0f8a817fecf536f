package tool

import (
	"path/filepath"
	"slices"
	"strings"

	"whittle/oracle"
)

// WithoutOutput removes the options that name an output file, which are irrelevant for a failure.
// /dev/null and standard output stay.
func WithoutOutput(words []string) []string {
	if len(words) == 0 {
		return words
	}
	c, start := open(words)
	kept := slices.Clone(words[:start])
	for i := start; i < len(words); i++ {
		if o, ok := c.output(i); ok && c.tool.Known && isOutputFile(o.path) {
			i = o.end - 1
		} else {
			kept = append(kept, words[i])
		}
	}
	return kept
}

// Local replaces outputs in other directories by their base names, since concurrent tests would share
// these files. moved are the replaced paths. inside reports whether a relative path is in an existing
// directory. Devices stay.
func LocalOutputs(words []string, inside func(path string) bool) (local, moved []string) {
	c, _ := open(words)
	local = slices.Clone(words)
	for i := 1; i < len(words); i++ {
		o, ok := c.output(i)
		path := filepath.Clean(o.path)
		if !ok || !isOutputFile(o.path) || strings.HasPrefix(path, "/dev/") ||
			filepath.IsLocal(path) && (filepath.Dir(path) == "." || inside(path)) {
			continue
		}
		moved = append(moved, path)
		to := "."
		if !o.directory {
			to = filepath.Base(path)
		}
		local[o.end-1] = strings.TrimSuffix(words[o.end-1], o.path) + to
		i = o.end - 1
	}
	return local, moved
}

// An output is the target of an output option.
type output struct {
	path      string
	directory bool
	end       int // of its words; the last ends with the path
}

func (c *Reducible) output(i int) (o output, ok bool) {
	word := c.words[i]
	for _, options := range [][]string{c.tool.Output, c.tool.OutDir} {
		name, value, found := strings.Cut(word, "=")
		switch {
		case slices.Contains(options, word) && i+1 < len(c.words):
			return output{c.words[i+1], o.directory, i + 2}, true
		case found && slices.Contains(options, name):
			return output{value, o.directory, i + 1}, true
		case len(word) > 2 && filepath.IsAbs(word[2:]) && slices.Contains(options, word[:2]): // as in -o/out
			return output{word[2:], o.directory, i + 1}, true
		}
		o.directory = true
	}
	return output{}, false
}

func isOutputFile(path string) bool {
	return path != "/dev/null" && path != "-" && !strings.Contains(path, oracle.Placeholder)
}
