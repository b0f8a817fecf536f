package treesitter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"whittle/parse"
)

// A Mask describes text that compilers accept in more places than the grammar does, as an attribute of GNU C. The
// parser sees a comment instead; the tree has a node with the original tokens.
//
// Without masks, one attribute in 100,000 tokens made the whole file an error.
type Mask struct {
	// Word may also be "(", for the types of a compound literal, as in (T){1}, "::*", for the class before a pointer to
	// its member, ">=", for an operator that may be in template arguments, "\n", for the end of a member before a call
	// signature as <T>(a: T): T, or [Macros].
	Word   string
	Next   string // the word that must follow; "" means any
	Prev   byte   // the character that must come before; 0 means any
	Called bool   // includes an argument list in parentheses, which must follow
	Listed bool   // the list must have several arguments
	Read   ReadAs
}

// ReadAs selects the text that the parser sees instead of a masked one.
type ReadAs uint8

const (
	// AsComment: a comment. The word must have at least four letters.
	AsComment ReadAs = iota
	// AsPart: white space before the next token.
	AsPart
	// AsName: a name.
	AsName
	// AsEqual: the operator ==.
	AsEqual
	// AsSemicolon: a semicolon.
	AsSemicolon
)

// With returns the language with masks. Its grammar must have comments as in C.
func (l *Language) With(masks ...Mask) *Language {
	with := *l
	with.masks, with.masked = masks, [256]bool{}
	for _, m := range masks {
		with.masked[m.Word[0]] = true
		with.macros = with.macros || m.Word == Macros
	}
	return &with
}

// mask returns text with masked parts overwritten.
func (l *Language) mask(text []byte) []byte {
	if len(l.masks) == 0 {
		return text
	}
	masked := bytes.Clone(text)
	before, directive := 0, 0 // ends of the code before i, and of a directive
	for i := 0; i < len(text); {
		directive = max(directive, i+directiveLength(text, i))
		n, code := skipped(text[i:]), i >= directive
		if n == 0 {
			n = wordLen(text[i:])
			m, end := l.maskAt(text, before, i, n)
			if end == 0 && l.macros && code {
				m, end = Mask{}, macroAt(text, text[:before], i, n)
			}
			if end > 0 {
				switch m.Read {
				case AsComment:
					comment(masked[i:end])
				case AsPart:
					copy(masked[i:end], bytes.Repeat([]byte{' '}, end-i))
				case AsName:
					copy(masked[i+parse.WordLen(text[i:]):end], bytes.Repeat([]byte{'_'}, end-i))
				case AsEqual:
					copy(masked[i:end], "==")
				case AsSemicolon:
					copy(masked[i:end], ";")
				}
				n, code = end-i, m.Read != AsComment
			}
			code = code && parse.SpaceLen(text[i:]) == 0
		} else if text[i] == '/' {
			code = false
		}
		if i += n; code {
			before = i
		}
	}
	return masked
}

// wordLen returns the length of a qualified name, with :: before a pointer to a member; 1 for other text.
func wordLen(text []byte) int {
	n := parse.WordLen(text)
	for n > 0 && bytes.HasPrefix(text[n:], []byte("::")) {
		after := text[n+2:]
		if bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte("*")) {
			return n + 2
		}
		more := parse.WordLen(after)
		if more == 0 {
			break
		}
		n += 2 + more
	}
	return max(n, 1)
}

// maskAt returns the mask for the word text[i:i+n], and its end, or 0. The code before ends at before.
func (l *Language) maskAt(text []byte, before, i, n int) (Mask, int) {
	word := text[i : i+n]
	if bytes.HasSuffix(word, []byte("::")) {
		word = []byte("::*")
	}
	if bytes.HasPrefix(text[i:], []byte(">=")) {
		word = []byte(">=")
	}
	if !l.masked[word[0]] { // most words
		return Mask{}, 0
	}
	k := slices.IndexFunc(l.masks, func(m Mask) bool { return m.Word == string(word) })
	if k < 0 {
		return Mask{}, 0
	}
	m, end, after := l.masks[k], i+n, i+n
	switch m.Word {
	case "(":
		return m, castsTo(text, i)
	case "::*":
		return m, end
	case ">=":
		if !inAngles(text[:i]) {
			return m, 0
		}
		return m, i + len(word)
	case "\n":
		if !signature.Match(text[i:min(i+longestSignature, len(text))]) || !ends(text[:before]) {
			return m, 0
		}
		return m, end
	}
	for after < len(text) && parse.SpaceLen(text[after:]) > 0 {
		after += parse.SpaceLen(text[after:])
	}
	next := text[after : after+parse.WordLen(text[after:])]
	switch {
	case m.Read == AsPart && len(next) == 0 && !bytes.HasPrefix(text[after:], []byte("(")):
		return m, 0
	case m.Next != "" && string(next) != m.Next:
		return m, 0
	case m.Prev != 0 && !bytes.HasSuffix(bytes.TrimRight(text[:i], " \t\r\n"), []byte{m.Prev}):
		return m, 0
	case m.Called && (after == len(text) || text[after] != '('):
		return m, 0
	case m.Called:
		end = closed(text, after)
		if m.Listed && !isListed(text[after:max(after, end)]) {
			return m, 0
		}
	}
	return m, end
}

// signature matches the beginning of a call signature of TypeScript.
var signature = regexp.MustCompile(`^\n[ \t]*<[A-Za-z_$][A-Za-z_$0-9]*(,|>[ \t]*\(| extends )`)

const longestSignature = 200

// ends reports whether code may end a type.
func ends(text []byte) bool {
	return len(text) > 0 && (parse.WordLen(text[len(text)-1:]) > 0 || strings.IndexByte(`)]}>'"`, text[len(text)-1]) >= 0)
}

// castsTo returns the end of the types in parentheses at text[i] if a value in braces follows, or 0.
func castsTo(text []byte, i int) (end int) {
	before := bytes.TrimRight(text[:i], " \t\r\n")
	k := len(before)
	for k > 0 && parse.WordLen(before[k-1:k]) > 0 {
		k--
	}
	opens := k > 0 && k == len(before) && bytes.IndexByte([]byte("=,({[?"), before[k-1]) >= 0 &&
		!bytes.HasSuffix(bytes.TrimRight(before, "=+-*/%&|^<>!, "), []byte("operator"))
	if word := string(before[k:]); !opens && word != "return" && word != "__extension__" {
		return 0
	}
	for inside := false; i < len(text) && text[i] != '{'; i++ {
		switch c := text[i : i+1]; {
		case parse.SpaceLen(c) > 0:
		case inside && c[0] == ')':
			inside, end = false, i+1
		case !inside && c[0] == '(':
			inside = true
		case !inside || c[0] != '*' && c[0] != ':' && parse.WordLen(c) == 0:
			return 0
		}
	}
	return end
}

// inAngles reports whether a < follows a word in the statement or definition at the end of text.
func inAngles(text []byte) bool {
	const longest = 512
	text = text[max(0, len(text)-longest):]
	text = text[bytes.LastIndexAny(text, ";{}")+1:]
	i := bytes.LastIndexByte(text, '<')
	return i > 0 && parse.WordLen(text[i-1:i]) > 0 && text[len(text)-1] != '>' &&
		!bytes.HasSuffix(bytes.TrimSpace(text), []byte("operator"))
}

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
		case text[i] == ';' || text[i] == '{' || text[i] == '}': // not closed
			return 0
		}
		i += max(n, 1)
	}
	return 0
}

// isListed reports whether an argument list has a comma that is in no other parentheses.
func isListed(list []byte) bool {
	depth := 0
	for _, c := range list {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 1 {
				return true
			}
		}
	}
	return false
}

// comment overwrites text, but no line breaks.
func comment(text []byte) {
	copy(text, bytes.ReplaceAll(text, []byte{'*'}, []byte{' '}))
	copy(text, "/*")
	copy(text[len(text)-2:], "*/")
}

func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + 4
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("//")):
		for i := 2; i < len(text); i++ {
			if n := parse.SpaceLen(text[i:]); n > 1 { // a continued line
				i += n - 1
			} else if text[i] == '\n' {
				return i
			}
		}
		return len(text)
	}
	return 0
}

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

func (b *builder) wasMasked(start, end int) bool {
	return !bytes.Equal(b.masked[start:end], b.tree.Source[start:end])
}

func (b *builder) addMasked(n parse.Node, m mark, start, end int) {
	self := int32(len(b.tree.Nodes))
	b.add(n, m)
	for at := start; at < end; {
		text := b.tree.Source[at:end]
		if n := parse.SpaceLen(text); n > 0 {
			at += n
			continue
		}
		length := max(parse.WordLen(text), skipped(text), 1)
		token := int32(len(b.tree.Tokens))
		b.add(parse.Node{
			First: token, Last: token + 1, Next: int32(len(b.tree.Nodes) + 1), Parent: self,
			Fixed: length == 1, Named: length > 1,
		}, m)
		b.tree.Tokens = append(b.tree.Tokens, parse.Token{Start: int32(at), End: int32(at + length)})
		b.leaves = append(b.leaves, leaf{state: m.state, symbol: m.inner, named: true, masked: true})
		at += length
	}
	b.end = end
	node := &b.tree.Nodes[self]
	node.Last, node.Next = int32(len(b.tree.Tokens)), int32(len(b.tree.Nodes))
}
