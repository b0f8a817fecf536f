package tool

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
)

// directive matches a line that includes a file.
var directive = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:include|import)[ \t]*(["<])([^">\n]+)[">].*\n?`)

// once and guard match the beginnings of files that take effect only once.
var (
	once  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+once\b.*\n?`)
	guard = regexp.MustCompile(`^(?:\s|//.*|(?s:/\*.*?\*/))*#[ \t]*ifndef[ \t]+(\w+)\s*\n\s*#[ \t]*define[ \t]+(\w+)`)
)

// A Paster inlines included files.
type Paster struct {
	Dirs []string // to search, after the directory of the including file
	Read func(path string) ([]byte, error)

	files []string // inlined, without duplicates
	once  []string // not to be inlined again
	open  []string // being inlined
}

// Paste returns a file with its includes inlined, except files that are not found or include
// themselves, and the names of the inlined files.
func (p *Paster) Paste(path string, text []byte) (pasted []byte, files []string) {
	return p.paste(path, text), p.files
}

func (p *Paster) paste(path string, text []byte) []byte {
	p.open = append(p.open, path)
	defer func() { p.open = p.open[:len(p.open)-1] }()
	return directive.ReplaceAllFunc(text, func(line []byte) []byte {
		m := directive.FindSubmatch(line)
		dirs := p.Dirs
		if string(m[1]) == `"` {
			dirs = slices.Concat([]string{filepath.Dir(path)}, dirs)
		}
		found, content := p.find(dirs, string(m[2]))
		if content == nil || slices.Contains(p.open, found) {
			return line
		}
		if !slices.Contains(p.files, found) {
			p.files = append(p.files, found)
		} else if slices.Contains(p.once, found) {
			return nil
		}
		if m := guard.FindSubmatch(content); m != nil && bytes.Equal(m[1], m[2]) || once.Match(content) {
			p.once = append(p.once, found)
		}
		content = p.paste(found, once.ReplaceAll(content, nil))
		if len(content) > 0 && content[len(content)-1] != '\n' {
			content = append(content, '\n')
		}
		return content
	})
}

// find returns the first file with a name in the directories, or nil content.
func (p *Paster) find(dirs []string, name string) (path string, content []byte) {
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if content, err := p.Read(path); err == nil {
			return path, append([]byte{}, content...)
		}
	}
	return "", nil
}
