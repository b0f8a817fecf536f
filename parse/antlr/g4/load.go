package g4

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"whittle/parse/antlr/g4/internal/syntax"
)

// Load reads the grammar in the given files: one combined grammar, or a lexer
// grammar, or a parser grammar with or without its lexer grammar, in any
// order, and what they import. Grammars that are named in them but not given
// are looked for beside the given files. read returns the bytes of a file, as
// os.ReadFile does. The error is Problems if something is wrong in a file.
func Load(read func(path string) ([]byte, error), paths ...string) (*Grammar, error) {
	l := &loader{read: read, files: map[string]*syntax.File{}}
	g, err := l.load(paths)
	if err != nil {
		return nil, err
	}
	if len(l.problems) > 0 {
		return nil, l.problems.Sorted()
	}
	return g, nil
}

type loader struct {
	read     func(path string) ([]byte, error)
	files    map[string]*syntax.File // by path
	given    []*syntax.File
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

// file reads and parses a file.
func (l *loader) file(path string) (*syntax.File, error) {
	text, err := l.read(path)
	if err != nil {
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	var src *syntax.File
	if strings.HasSuffix(path, ".tokens") {
		src = syntax.ParseTokens(path, baseName(path), text, &l.problems)
	} else {
		src = syntax.Parse(path, text, &l.problems)
	}
	l.files[path] = src
	return src, nil
}

// link finds the grammars that src names, and those that these name.
func (l *loader) link(src *syntax.File) error {
	if src.Linked {
		return nil
	}
	src.Linked = true
	for _, name := range src.ImportNames {
		imported, err := l.find(name, src, "imported grammar")
		if err != nil {
			return err
		}
		if imported == nil {
			continue
		}
		if src.Kind != syntax.Combined && imported.Kind != src.Kind {
			l.problems.Add(name.Pos, "%s grammar cannot import %s grammar %s", src.Kind, imported.Kind, name.Text)
			continue
		}
		src.Imports = append(src.Imports, imported)
		if err := l.link(imported); err != nil {
			return err
		}
	}
	vocab := src.Option("tokenVocab")
	if vocab == nil {
		return nil
	}
	name := *vocab
	var err error
	src.Vocab, err = l.find(name, src, "tokenVocab")
	if err != nil || src.Vocab == nil {
		return err
	}
	if src.Vocab.Kind == syntax.ParserOnly {
		l.problems.Add(name.Pos, "tokenVocab %s is a parser grammar: it makes no tokens", name.Text)
	}
	return l.link(src.Vocab)
}

// find returns the grammar of a name: one of the given files, or a file beside
// src, or beside a given file; nil if there is none, which is a problem.
func (l *loader) find(name syntax.Ident, src *syntax.File, what string) (*syntax.File, error) {
	for _, given := range l.given {
		if given.Name.Text == name.Text || baseName(given.Path) == name.Text {
			return given, nil
		}
	}
	dirs := []string{dirOf(src.Path)}
	for _, given := range l.given {
		dirs = append(dirs, dirOf(given.Path))
	}
	endings := []string{".g4"}
	if what == "tokenVocab" {
		endings = append(endings, ".tokens")
	}
	var tried []string
	for _, ending := range endings {
		for _, dir := range dirs {
			path := dir + filepath.Base(name.Text) + ending
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
	l.problems.Add(name.Pos, "%s %s is not there: looked for %s", what, name.Text, strings.Join(tried, ", "))
	return nil, nil
}

// dirOf returns the folder of a file with the separator behind it.
func dirOf(path string) string {
	return path[:1+strings.LastIndexAny(path, "/"+string(filepath.Separator))]
}

func baseName(path string) string {
	name := path[len(dirOf(path)):]
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// roles tells the grammar that is wanted from those that only serve it. lexer
// is what makes the tokens of main; nil if main does, or nothing.
func (l *loader) roles() (main, lexer *syntax.File) {
	serves := map[*syntax.File]bool{}
	for _, src := range l.given {
		for _, used := range uses(src, map[*syntax.File]bool{src: true}) {
			serves[used] = true
		}
	}
	var mains []*syntax.File
	for _, src := range l.given {
		if !serves[src] {
			mains = append(mains, src)
		}
	}
	if len(mains) == 2 && mains[0].Kind == syntax.LexerOnly {
		mains[0], mains[1] = mains[1], mains[0]
	}
	switch {
	case len(mains) == 0:
		l.problems.Add(l.given[0].Name.Pos, "the given grammars all serve one another: none is the main one")
		return nil, nil
	case len(mains) == 1:
		return mains[0], mains[0].Vocab
	case len(mains) == 2 && mains[0].Vocab == nil &&
		mains[0].Kind == syntax.ParserOnly && mains[1].Kind == syntax.LexerOnly:
		return mains[0], mains[1]
	}
	for _, src := range mains[1:] {
		l.problems.Add(src.Name.Pos, "%s grammar %s has nothing to do with %s grammar %s", src.Kind, src.Name.Text,
			mains[0].Kind, mains[0].Name.Text)
	}
	return nil, nil
}

// uses returns the grammars that a grammar names, and those that they name, but
// for those that were seen.
func uses(s *syntax.File, seen map[*syntax.File]bool) (used []*syntax.File) {
	for _, src := range append(slices.Clone(s.Imports), s.Vocab) {
		if src != nil && !seen[src] {
			seen[src] = true
			used = append(append(used, src), uses(src, seen)...)
		}
	}
	return used
}
