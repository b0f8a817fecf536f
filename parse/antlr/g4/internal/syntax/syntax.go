// Package syntax reads a file of a grammar: what stands in it, before names mean
// anything, and all that is wrong with how it is written.
package syntax

type (
	// File is a grammar file.
	File struct {
		Path     string
		Kind     Kind
		Name     Ident
		Options  []Option
		Tokens   []Ident
		Channels []Ident
		Rules    []*Rule // of the parser, and of the lexer's default mode
		Modes    []*Mode // those that the file names

		ImportNames []Ident
		// What these names and the option tokenVocab stand for.
		Imports []*File
		Vocab   *File
		Linked  bool
		Types   []NamedType // of a .tokens file, which has nothing else
	}

	// NamedType is a line of a .tokens file.
	NamedType struct {
		Ident // a name, or a literal in its quotes
		Value int
	}

	// Mode is a mode of a lexer.
	Mode struct {
		Name  Ident
		Rules []*Rule
	}

	// Rule is a rule of a lexer or a parser.
	Rule struct {
		Name     Ident
		Options  []Option
		Fragment bool
		Body     *Block
	}

	// Command is what stands behind -> in a rule of a lexer.
	Command struct {
		Name Ident
		Arg  *Ident // nil if there is none
	}

	// Ident is a name, and where it stands.
	Ident struct {
		Pos
		Text string
	}

	// Option is what stands in options {}.
	Option struct {
		Name  Ident
		Value Ident
	}
)

// Kind is what a grammar is of.
type Kind uint8

// A combined grammar has the rules of both.
const (
	Combined Kind = iota
	LexerOnly
	ParserOnly
)

func (k Kind) String() string {
	return [...]string{"combined", "lexer", "parser"}[k]
}

// An Element is a part of an alternative: [Ref], [Literal], [CharSet], [Span],
// [Wildcard], [Not], *[Block], [Repeat] or [Code].
type Element interface{ At() Pos }

type (
	// Ref is the name of a rule or token.
	Ref struct{ Ident }
	// Literal is 'text', with its escapes, without its quotes.
	Literal struct{ Ident }
	// CharSet is [text], with its escapes, without its brackets.
	CharSet struct{ Ident }
	// Span is 'a'..'z'.
	Span struct{ From, To Literal }
	// Wildcard is a dot.
	Wildcard struct{ Pos }

	// Not is ~ before one element, or before a block of alternatives that
	// have one element each.
	Not struct {
		Pos
		Of Element
	}

	// Block is alternatives in brackets, or the body of a rule.
	Block struct {
		Pos
		Alts []*Alt
	}

	// Alt is an alternative.
	Alt struct {
		Pos
		Elements   []Element
		Labels     []string // of the elements, "" where there is none
		RightAssoc bool
		Label      string    // # label, of a parser rule
		Commands   []Command // of a lexer rule
	}

	// Repeat is an element with ?, * or + behind it.
	Repeat struct {
		Pos
		Body                      Element
		Optional, Many, NonGreedy bool
	}

	// Code is an action or a predicate.
	Code struct {
		Ident
		Predicate bool
	}
)

// At returns the place.
func (p Pos) At() Pos { return p }

// At returns where the span begins.
func (s Span) At() Pos { return s.From.Pos }

// IsTokenName reports whether a name is one of a token or lexer rule, not of a parser rule.
func IsTokenName(name string) bool {
	return isUpper(firstRune(name))
}

// Option returns the value of an option of a grammar, nil if it is not set.
func (s *File) Option(name string) *Ident { return FindOption(s.Options, name) }

// FindOption returns the value of the option with a name, nil if there is none.
func FindOption(options []Option, name string) *Ident {
	for i := range options {
		if options[i].Name.Text == name {
			return &options[i].Value
		}
	}
	return nil
}
