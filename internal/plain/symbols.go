package plain

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"whittle/parse"
)

// A span is a part of a text that is a name. A new name replaces all of it; a name may be in quotes.
type span struct {
	from, to int
	name     string
}

// symbols finds names in the leaves of a tree.
type symbols struct {
	tree  *parse.Tree
	kinds map[string]string // see [pass.Facts]
	known map[string]bool   // names of several words, and contents of strings that occur elsewhere
}

// symbol matches a name and its parts. Signs at its ends do not belong to it, and a colon is between two names.
var symbol = regexp.MustCompile(`(?:[\w$]|[^\x00-\x7f])+(?:[-.@%]+(?:[\w$]|[^\x00-\x7f])+)*`)

// whole returns the name that a leaf is by the facts, with its quotes.
func (s *symbols) whole(n int32, text string) (span, bool) {
	for kind := range s.tree.Kinds(n) {
		if quotes, is := s.kinds[kind]; is {
			name := text
			if len(quotes) == 2 && len(text) > 2 && text[0] == quotes[0] && text[len(text)-1] == quotes[1] {
				name = text[1 : len(text)-1]
			}
			return span{0, len(text), name}, hasLetter(name) || isDigit(name[0])
		}
	}
	return span{}, false
}

// names returns the names that a leaf consists of.
func (s *symbols) names(n int32, text string) (spans []span) {
	if whole, is := s.whole(n, text); is {
		return []span{whole}
	}
	if !isName(s.tree, n, []byte(text)) {
		return nil
	}
	for _, at := range symbol.FindAllStringIndex(text, -1) {
		if name := text[at[0]:at[1]]; !isDigit(name[0]) {
			spans = append(spans, span{at[0], at[1], name})
		}
	}
	return spans
}

// content returns the content of a string without spaces, as an identifier in data.
func (s *symbols) content(n int32, text string) (span, bool) {
	at := []int{0, 0, 0, len(text)}
	if !inQuotes(s.tree, n) {
		if at = quotedSymbol.FindStringSubmatchIndex(text); at == nil {
			return span{}, false
		}
	}
	name := text[at[2]:at[3]]
	return span{at[2], at[3], name}, len(name) > 1 && isSymbol.MatchString(name)
}

var (
	quotedSymbol = regexp.MustCompile("^[\"'`](.*)[\"'`]$")
	isSymbol     = regexp.MustCompile(`^[\w$.:/@#-]+$`)
)

// uses returns the names and words in any leaf.
func (s *symbols) uses(n int32, text string) (spans []span) {
	if spans = s.names(n, text); spans != nil {
		return spans
	}
	if c, is := s.content(n, text); is && s.known[c.name] {
		return []span{c}
	}
	for _, at := range symbol.FindAllStringIndex(text, -1) {
		if name := text[at[0]:at[1]]; s.known[name] {
			spans = append(spans, span{at[0], at[1], name})
			continue
		}
		for _, word := range anyWord.FindAllStringIndex(text[at[0]:at[1]], -1) {
			from, to := at[0]+word[0], at[0]+word[1]
			if !isDigit(text[from]) {
				spans = append(spans, span{from, to, text[from:to]})
			}
		}
	}
	return spans
}

// anyWord matches the words of [parse.Words].
var anyWord = regexp.MustCompile(`(?:[\w$]|[^\x00-\x7f])+`)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hasLetter(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
	})
}

// isName excludes comments and quoted texts. A leaf may have several names, as a:b.
func isName(t *parse.Tree, n int32, text []byte) bool {
	if !t.Nodes[n].Named || t.Nodes[n].Comment || inQuotes(t, n) {
		return false
	}
	return len(text) > 0 && !isDigit(text[0]) && !bytes.ContainsFunc(text, func(c rune) bool {
		return c < 0x80 && !strings.ContainsRune(":.-@_$%", c) && !hasLetter(string(c)) && (c < '0' || c > '9')
	})
}

// inQuotes reports whether there are quotes around a leaf or its siblings.
func inQuotes(t *parse.Tree, n int32) bool {
	around := func(first, last int32) bool {
		return first >= 0 && int(last) < len(t.Tokens) &&
			isQuote(t.Source[t.Tokens[first].End-1]) && isQuote(t.Source[t.Tokens[last].Start])
	}
	i, p := t.Nodes[n].First, t.Nodes[t.Nodes[n].Parent]
	return around(i-1, i+1) || p.First < i && i < p.Last-1 && around(p.First, p.Last-1)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// isDeclared includes C's functions without a type, which are parsed as calls before a block.
func isDeclared(t *parse.Tree, n int32) bool {
	for _, field := range t.Kinds(n) {
		switch field {
		case "name", "declarator", "pattern", "label":
			return true
		case "function":
			last := int(t.Nodes[t.Nodes[n].Parent].Last)
			return last < len(t.Tokens) && t.Source[t.Tokens[last].Start] == '{'
		}
	}
	return false
}

func isHead(t *parse.Tree, n int32) bool {
	first := t.Nodes[n].First
	return slices.ContainsFunc(t.Parts, func(p parse.Part) bool { return t.Nodes[p.Node].First == first })
}
