package g4

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Load reads a combined grammar, a lexer grammar, or a parser grammar with or without its lexer grammar. It looks for
// imports and vocabularies in their directories. read is like os.ReadFile. The error is of type Problems if a file is
// malformed.
func Load(read func(path string) ([]byte, error), paths ...string) (*Grammar, error) {
	l := &loader{read: read, files: map[string]*file{}}
	g, err := l.load(paths)
	if err != nil {
		return nil, err
	}
	if len(l.problems) > 0 {
		return nil, l.problems.sorted()
	}
	return g, nil
}

type loader struct {
	read     func(path string) ([]byte, error)
	files    map[string]*file
	given    []*file
	problems Problems
}

func (l *loader) load(paths []string) (*Grammar, error) {
	if len(paths) == 0 {
		return nil, errors.New("no grammar file is given")
	}
	for _, path := range paths {
		if l.files[path] != nil {
			continue
		}
		src, err := l.file(path)
		if err != nil {
			return nil, err
		}
		l.given = append(l.given, src)
	}
	for i := 0; i < len(l.given); i++ {
		if err := l.link(l.given[i]); err != nil {
			return nil, err
		}
	}
	if len(l.problems) > 0 {
		return nil, nil
	}
	main, lexer := l.roles()
	if len(l.problems) > 0 {
		return nil, nil
	}
	return build(main, lexer, &l.problems), nil
}

func (l *loader) file(path string) (*file, error) {
	text, err := l.read(path)
	if err != nil {
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	var src *file
	if strings.HasSuffix(path, ".tokens") {
		src = parseTokens(path, baseName(path), text, &l.problems)
	} else {
		src = parseFile(path, text, &l.problems)
	}
	l.files[path] = src
	return src, nil
}

func (l *loader) link(src *file) error {
	if src.linked {
		return nil
	}
	src.linked = true
	for _, name := range src.importNames {
		imported, err := l.find(name, src, "imported grammar")
		if err != nil {
			return err
		}
		if imported == nil {
			continue
		}
		if src.kind != combined && imported.kind != src.kind {
			l.problems.add(name.Pos, "%s grammar cannot import %s grammar %s", src.kind, imported.kind, name.text)
			continue
		}
		src.imports = append(src.imports, imported)
		if err := l.link(imported); err != nil {
			return err
		}
	}
	vocab := src.option("tokenVocab")
	if vocab == nil {
		return nil
	}
	name := *vocab
	var err error
	src.vocab, err = l.find(name, src, "tokenVocab")
	if err != nil || src.vocab == nil {
		return err
	}
	if src.vocab.kind == parserOnly {
		l.problems.add(name.Pos, "tokenVocab %s is a parser grammar: it defines no tokens", name.text)
	}
	return l.link(src.vocab)
}

// find returns a given file, or one in the directory of src or of a given file. It reports a problem and returns nil
// for a missing one.
func (l *loader) find(name ident, src *file, role string) (*file, error) {
	for _, given := range l.given {
		if given.name.text == name.text || baseName(given.path) == name.text {
			return given, nil
		}
	}
	dirs := []string{dirOf(src.path)}
	for _, given := range l.given {
		dirs = append(dirs, dirOf(given.path))
	}
	endings := []string{".g4"}
	if role == "tokenVocab" {
		endings = append(endings, ".tokens")
	}
	var tried []string
	for _, ending := range endings {
		for _, dir := range dirs {
			path := dir + filepath.Base(name.text) + ending
			if found := l.files[path]; found != nil {
				return found, nil
			}
			found, err := l.file(path)
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				return found, err
			}
			if len(tried) == 0 || tried[len(tried)-1] != path {
				tried = append(tried, path)
			}
		}
	}
	l.problems.add(name.Pos, "%s %s does not exist, looked for %s", role, name.text, strings.Join(tried, ", "))
	return nil, nil
}

// dirOf returns the directory of a file with a trailing separator.
func dirOf(path string) string {
	return path[:1+strings.LastIndexAny(path, "/"+string(filepath.Separator))]
}

func baseName(path string) string {
	name := path[len(dirOf(path)):]
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// roles finds the main grammar among the given files, and the lexer of its tokens, or nil.
func (l *loader) roles() (main, lexer *file) {
	used := map[*file]bool{}
	for _, src := range l.given {
		for _, other := range uses(src, map[*file]bool{src: true}) {
			used[other] = true
		}
	}
	var mains []*file
	for _, src := range l.given {
		if !used[src] {
			mains = append(mains, src)
		}
	}
	if len(mains) == 2 && mains[0].kind == lexerOnly {
		mains[0], mains[1] = mains[1], mains[0]
	}
	switch {
	case len(mains) == 0:
		l.problems.add(l.given[0].name.Pos, "the given grammars all use one another, so none is the main one")
		return nil, nil
	case len(mains) == 1:
		return mains[0], mains[0].vocab
	case len(mains) == 2 && mains[0].vocab == nil &&
		mains[0].kind == parserOnly && mains[1].kind == lexerOnly:
		return mains[0], mains[1]
	}
	for _, src := range mains[1:] {
		l.problems.add(src.name.Pos, "%s grammar %s is unrelated to %s grammar %s", src.kind, src.name.text,
			mains[0].kind, mains[0].name.text)
	}
	return nil, nil
}

func uses(s *file, seen map[*file]bool) (used []*file) {
	for _, src := range append(slices.Clone(s.imports), s.vocab) {
		if src != nil && !seen[src] {
			seen[src] = true
			used = append(append(used, src), uses(src, seen)...)
		}
	}
	return used
}
