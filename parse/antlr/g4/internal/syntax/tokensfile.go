package syntax

import (
	"strconv"
	"strings"
)

// MaxType is the greatest type that a token can have in ANTLR's automata.
const MaxType = 0xffff

// ParseTokens reads a .tokens file, which ANTLR writes for a lexer: lines
// name=type or 'literal'=type.
func ParseTokens(path, name string, text []byte, problems *Problems) *File {
	src := &File{Path: path, Kind: LexerOnly, Linked: true}
	src.Name = Ident{Pos{path, 1, 1}, name}
	for i, line := range strings.Split(string(text), "\n") {
		at := Pos{path, i + 1, 1}
		line = strings.TrimSpace(line)
		equals := strings.LastIndexByte(line, '=')
		if line == "" {
			continue
		}
		value, err := strconv.Atoi(strings.TrimSpace(line[equals+1:]))
		if equals < 1 || err != nil || value < -1 || value > MaxType {
			problems.Add(at, "unexpected %q, expected a name or literal, = and a token type", line)
			continue
		}
		if value > 0 {
			src.Types = append(src.Types, NamedType{Ident{at, strings.TrimSpace(line[:equals])}, value})
		}
	}
	return src
}
