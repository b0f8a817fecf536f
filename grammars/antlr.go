package grammars

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"whittle/parse"
	"whittle/parse/antlr"
	"whittle/parse/antlr/g4"
)

//go:embed *.g4
var files embed.FS

type bundled func() *antlr.Language

func (b bundled) Parse(source []byte) (*parse.Tree, error) { return b().Parse(source) }
func (b bundled) Errors(text []byte) int                   { return b().Errors(text) }

// ours returns the table entry for a grammar of this package. Its first rule is the start rule.
func ours(name, grammar, names string) Language {
	return Language{name, "antlr", strings.Fields(names), bundled(sync.OnceValue(func() *antlr.Language {
		l, _, err := load(files.ReadFile, strings.Fields(grammar), "")
		if err != nil {
			panic(err) // a test reads them all
		}
		return l
	}))}
}

// Open returns the language of ANTLR grammar files. If start is "", it finds the start rule. The
// warnings name unsupported features.
func Open(paths []string, start string) (Language, []g4.Problem, error) {
	l, warnings, err := load(readFile, paths, start)
	if err != nil {
		return Language{}, nil, err
	}
	name := strings.TrimSuffix(filepath.Base(paths[len(paths)-1]), ".g4")
	return Language{Name: name, FrontEnd: "antlr", Language: l}, warnings, nil
}

// readFile reads a regular file. Others, as pipes, may block or be endless.
func readFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is not a plain file")}
	}
	return os.ReadFile(path)
}

func load(read func(string) ([]byte, error), paths []string, start string) (*antlr.Language, []g4.Problem, error) {
	g, err := g4.Load(read, paths...)
	if err != nil {
		return nil, nil, err
	}
	l, err := antlr.New(g, start)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), err)
	}
	return l, g.Warnings, nil
}
