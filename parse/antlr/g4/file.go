package g4

import (
	"strconv"
	"strings"
)

type (
	// file is a parsed grammar file with unresolved names and literals.
	file struct {
		path     string
		kind     grammarKind
		name     ident
		options  []option
		tokens   []ident
		channels []ident
		rules    []*Rule
		modes    []*section

		importNames []ident
		imports     []*file
		vocab       *file // the file of the option tokenVocab, set by loader.link
		linked      bool
		types       []namedType
	}

	namedType struct {
		ident
		value int
	}

	section struct {
		name  ident
		rules []*Rule
	}

	// lexerCommand follows -> in a lexer rule; arg may be nil.
	lexerCommand struct {
		name ident
		arg  *ident
	}

	ident struct {
		Pos
		text string
	}

	option struct{ name, value ident }
)

type grammarKind uint8

const (
	combined grammarKind = iota
	lexerOnly
	parserOnly
)

func (k grammarKind) String() string {
	return [...]string{"combined", "lexer", "parser"}[k]
}

type (
	ref struct{ ident }
	// literal is 'text' without quotes; escapes are not decoded.
	literal struct{ ident }
	// charSet is [text] without brackets; escapes are not decoded.
	charSet struct{ ident }
	span    struct{ from, to literal }
	// not is ~ before one element, or before a block whose alternatives have one element each.
	not struct {
		Pos
		of Element
	}
)

func (ref) element()     {}
func (literal) element() {}
func (charSet) element() {}
func (span) element()    {}
func (not) element()     {}

func findOption(options []option, name string) *ident {
	for i := range options {
		if options[i].name.text == name {
			return &options[i].value
		}
	}
	return nil
}

// maxType is the limit of ANTLR's automata.
const maxType = 0xffff

// parseTokens reads ANTLR's .tokens file of a lexer, with lines name=type or 'literal'=type.
func parseTokens(path, name string, text []byte, problems *Problems) *file {
	src := &file{path: path, kind: lexerOnly, linked: true, name: ident{Pos{path, 1, 1}, name}}
	for i, line := range strings.Split(string(text), "\n") {
		at := Pos{path, i + 1, 1}
		line = strings.TrimSpace(line)
		equals := strings.LastIndexByte(line, '=')
		if line == "" {
			continue
		}
		value, err := strconv.Atoi(strings.TrimSpace(line[equals+1:]))
		if equals < 1 || err != nil || value < -1 || value > maxType {
			problems.add(at, "unexpected %q, expected a name or literal, = and a token type", line)
			continue
		}
		if value > 0 {
			src.types = append(src.types, namedType{ident{at, strings.TrimSpace(line[:equals])}, value})
		}
	}
	return src
}
