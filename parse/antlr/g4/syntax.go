package g4

// The syntax of a file, before names mean anything.

type (
	// source is a grammar file.
	source struct {
		path     string
		kind     grammarKind
		name     ident
		options  []option
		tokens   []ident
		channels []ident
		rules    []*rule // of the parser, and of the lexer's default mode
		modes    []*mode // those that the file names

		importNames []ident
		// What these names and the option tokenVocab stand for.
		imports []*source
		vocab   *source
		linked  bool
		types   []namedType // of a .tokens file, which has nothing else
	}

	// namedType is a line of a .tokens file.
	namedType struct {
		ident // a name, or a literal in its quotes
		value int
	}

	mode struct {
		name  ident
		rules []*rule
	}

	rule struct {
		name     ident
		options  []option
		fragment bool
		body     *block
	}

	command struct {
		name ident
		arg  *ident // nil if there is none
	}

	ident struct {
		Pos
		text string
	}

	option struct {
		name  ident
		value ident
	}
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

// An element of an alternative: ref, literal, charSet, span,
// wildcard, not, *block, repeat or code.
type element interface{ pos() Pos }

type (
	ref      struct{ ident }
	literal  struct{ ident } // with its escapes, without its quotes
	charSet  struct{ ident } // with its escapes, without its brackets
	span     struct{ from, to literal }
	wildcard struct{ Pos }

	// not is ~ before one element, or before a block of alternatives that
	// have one element each.
	not struct {
		Pos
		of element
	}

	block struct {
		Pos
		alts []*alt
	}

	alt struct {
		Pos
		elements   []element
		labels     []string // of the elements, "" where there is none
		rightAssoc bool
		label      string    // # label, of a parser rule
		commands   []command // of a lexer rule
	}

	repeat struct {
		Pos
		body                      element
		optional, many, nonGreedy bool
	}

	code struct {
		ident
		predicate bool
	}
)

func (p Pos) pos() Pos  { return p }
func (s span) pos() Pos { return s.from.Pos }

// isTokenName tells names of tokens and lexer rules from those of parser rules.
func isTokenName(name string) bool {
	return isUpper(firstRune(name))
}

// option gives the value of an option of a grammar, nil if it is not set.
func (s *source) option(name string) *ident { return findOption(s.options, name) }

func findOption(options []option, name string) *ident {
	for i := range options {
		if options[i].name.text == name {
			return &options[i].value
		}
	}
	return nil
}
