// Package includes makes one file of a file and what it includes of the user's own: each
// line that includes a file becomes what is in that. So the file can be understood where
// the others are not.
package includes

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
)

// directive is a line that includes a file, by its name in quotes or angle brackets.
var directive = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:include|import)[ \t]*(["<])([^">\n]+)[">].*\n?`)

// once and guard are what a file begins with that is included only once, as far as it says.
var (
	once  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+once\b.*\n?`)
	guard = regexp.MustCompile(`^(?:\s|//.*|(?s:/\*.*?\*/))*#[ \t]*ifndef[ \t]+(\w+)\s*\n\s*#[ \t]*define[ \t]+(\w+)`)
)

// A Paster pastes files into one.
type Paster struct {
	Dirs []string // in which files of the user's own are looked for, besides that of who includes them
	Read func(path string) ([]byte, error)

	files []string // that were pasted, each once
	once  []string // that say what they say only once
	open  []string // that are being pasted
}

// Paste returns the text of a file with all that it includes, as far as that is found and
// does not include itself. Files are what was pasted.
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

// find returns the first file of that name in the directories; its content is nil if there
// is none.
func (p *Paster) find(dirs []string, name string) (path string, content []byte) {
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if content, err := p.Read(path); err == nil {
			return path, append([]byte{}, content...)
		}
	}
	return "", nil
}
