package g4

import (
	"strconv"
	"strings"
)

// maxType is the greatest type that a token can have in ANTLR's automata.
const maxType = 0xffff

// parseTokens reads a .tokens file, which ANTLR writes for a lexer: lines
// name=type or 'literal'=type.
func parseTokens(path string, text []byte, problems *Problems) *source {
	src := &source{path: path, kind: lexerOnly, linked: true}
	src.name = ident{Pos{path, 1, 1}, baseName(path)}
	for i, line := range strings.Split(string(text), "\n") {
		at := Pos{path, i + 1, 1}
		line = strings.TrimSpace(line)
		equals := strings.LastIndexByte(line, '=')
		if line == "" {
			continue
		}
		value, err := strconv.Atoi(strings.TrimSpace(line[equals+1:]))
		if equals < 1 || err != nil || value < EOF || value > maxType {
			problems.add(at, "unexpected %q, expected a name or literal, = and a token type", line)
			continue
		}
		if value > 0 {
			src.types = append(src.types, namedType{ident{at, strings.TrimSpace(line[:equals])}, value})
		}
	}
	return src
}
