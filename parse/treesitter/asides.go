package treesitter

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// An Aside is a kind of text that a compiler takes in more places than the grammar
// knows, or than any grammar could tell, as an attribute of GNU C. To the parser it is
// a comment, which may stand anywhere; in the tree it is a node with tokens of its own.
//
// Where the grammar has no place for it, a parser that meets it does not go on as a
// compiler does: with one of a class in the middle of 100,000 tokens the
// whole file was an error, without any of its namespaces and classes.
type Aside struct {
	Word   string
	Before string // the word that has to stand behind it; "" for any
	Behind byte   // what it has to stand behind; 0 for anything
	Called bool   // what stands in parentheses behind it belongs to it
	Read   ReadAs
}

// ReadAs is what the parser takes an aside for.
type ReadAs uint8

const (
	// AsComment: it may stand anywhere; its word has at least four letters.
	AsComment ReadAs = iota
	// AsPart: it is a part of the token behind it.
	AsPart
	// AsName: it is a name.
	AsName
)

// With returns the language that reads asides, in a grammar with comments as in C.
func (l *Language) With(asides ...Aside) *Language {
	with := *l
	with.asides = asides
	return &with
}

// veil returns the text with the asides as comments, each as long as before.
func (l *Language) veil(text []byte) []byte {
	if len(l.asides) == 0 {
		return text
	}
	veiled := text
	for i := 0; i < len(text); {
		n := skipped(text[i:])
		if n == 0 {
			n = wordLength(text[i:])
			if a, end := l.aside(text, i, n); end > 0 {
				if &veiled[0] == &text[0] {
					veiled = bytes.Clone(text)
				}
				switch a.Read {
				case AsComment:
					comment(veiled[i:end])
				case AsPart:
					copy(veiled[i:end], bytes.Repeat([]byte{' '}, end-i))
				case AsName:
					copy(veiled[i+n:end], bytes.Repeat([]byte{'_'}, end-i-n))
				}
				n = end - i
			}
		}
		i += max(n, 1)
	}
	return veiled
}

// aside returns the aside that begins with the word text[i:i+n], and its end, or 0.
func (l *Language) aside(text []byte, i, n int) (Aside, int) {
	word := text[i : i+n]
	k := slices.IndexFunc(l.asides, func(a Aside) bool { return a.Word == string(word) })
	if k < 0 {
		return Aside{}, 0
	}
	a, end, behind := l.asides[k], i+n, i+n
	for behind < len(text) && space(text[behind:]) > 0 {
		behind += space(text[behind:])
	}
	next := text[behind : behind+wordLength(text[behind:])]
	switch {
	case a.Read == AsPart && len(next) == 0, a.Before != "" && string(next) != a.Before:
		return a, 0
	case a.Behind != 0 && !bytes.HasSuffix(bytes.TrimRight(text[:i], " \t\r\n"), []byte{a.Behind}):
		return a, 0
	case a.Called && (behind == len(text) || text[behind] != '('):
		return a, 0
	case a.Called:
		end = closed(text, behind)
	}
	return a, end
}

// closed returns the place behind the parenthesis that closes the one at i, or 0.
func closed(text []byte, i int) int {
	for depth := 0; i < len(text); {
		n := skipped(text[i:])
		switch {
		case n > 0:
		case text[i] == '(':
			depth++
		case text[i] == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case text[i] == ';' || text[i] == '{' || text[i] == '}': // none that closes it
			return 0
		}
		i += max(n, 1)
	}
	return 0
}

// comment makes a comment of a text that is no shorter than an empty one. Its lines
// stay lines.
func comment(text []byte) {
	for i, c := range text {
		if c == '*' {
			text[i] = ' '
		}
	}
	copy(text, "/*")
	copy(text[len(text)-2:], "*/")
}

// commentLength returns the length of the comment that text begins with, or 0.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + 4
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("//")):
		for i := 2; i < len(text); i++ {
			if n := space(text[i:]); n > 1 { // the line goes on
				i += n - 1
			} else if text[i] == '\n' {
				return i
			}
		}
		return len(text)
	}
	return 0
}

// skipped returns the length of the comment or literal that text begins with, or 0.
func skipped(text []byte) int {
	switch text[0] {
	case '/':
		return commentLength(text)
	case '"', '\'':
		for i := 1; i < len(text) && text[i] != '\n'; i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == text[0] {
				return i + 1
			}
		}
	}
	return 0
}

// wordLength returns the length of the word or number that text begins with.
func wordLength(text []byte) (n int) {
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return n
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// isVeiled reports whether the parser saw another text than the source has.
func (b *builder) isVeiled(start, end int) bool {
	return len(b.veiled) == len(b.tree.Source) && !bytes.Equal(b.veiled[start:end], b.tree.Source[start:end])
}

// aside makes the node of an aside: a comment that has the tokens of its text below it.
func (b *builder) aside(n parse.Node, m mark, start, end int) {
	self := int32(len(b.tree.Nodes))
	b.add(n, m)
	for at := start; at < end; {
		text := b.tree.Source[at:end]
		if n := space(text); n > 0 {
			at += n
			continue
		}
		length := max(wordLength(text), skipped(text), 1)
		token := int32(len(b.tree.Tokens))
		b.add(parse.Node{
			First: token, Last: token + 1, Next: int32(len(b.tree.Nodes) + 1), Parent: self,
			Fixed: length == 1, Named: length > 1,
		}, m)
		b.tree.Tokens = append(b.tree.Tokens, parse.Token{Start: int32(at), End: int32(at + length)})
		b.leaves = append(b.leaves, leaf{state: m.state, symbol: m.inner, named: true, aside: true})
		at += length
	}
	b.end = end
	node := &b.tree.Nodes[self]
	node.Last, node.Next = int32(len(b.tree.Tokens)), int32(len(b.tree.Nodes))
}
