// Package g4 reads ANTLR 4 grammar files and resolves imports, token vocabularies, literals and names.
package g4

import "iter"

// Grammar is a lexer, a parser, or both.
type Grammar struct {
	Name       string
	Tokens     []Token  // Tokens[i] has type i+1
	Channels   []string // 0 is DEFAULT_TOKEN_CHANNEL, 1 HIDDEN
	Rules      []*Rule
	LexerRules []*Rule  // in order, with fragments; rules of implicit literals come first
	Modes      []Mode   // 0 is DEFAULT_MODE
	Warnings   Problems // such as predicates and superclasses
}

// EOF is the type of the token at the end of the file.
const EOF = -1

// Token is a type of token.
type Token struct {
	Name    string // "" for an implicit literal
	Literal string // the text without quotes and escapes; "" if it is not fixed
}

// Mode is a lexer mode.
type Mode struct {
	Name  string
	Rules []int // indexes of LexerRules without fragments
}

// Rule is a rule of the lexer or the parser.
type Rule struct {
	Pos
	Name     string
	Body     *Block
	Type     int         // of a lexer rule's token; 0 for fragments
	Commands [][]Command // for each alternative of a lexer rule

	fragment bool
	options  []option
}

// Command is a lexer command such as skip or pushMode(M).
type Command struct {
	Kind CommandKind
	Arg  int // mode index, token type or channel
}

// CommandKind is the kind of a lexer command.
type CommandKind uint8

const (
	Skip CommandKind = iota
	More
	Type
	Channel
	SetMode
	PushMode
	PopMode
)

// Element is a *RuleRef, *TokenRef, *Set, *Block, *Repeat or *Code. In a parser rule it may have a label, as in
// args+=expr. The label of a repetition belongs to the repeated element.
type Element interface{ element() }

// Label is the label of an element, or "".
type Label string

func (l *Label) label() *Label { return l }

// LabelOf returns the label of any element.
func LabelOf(e Element) string {
	if l, ok := e.(interface{ label() *Label }); ok {
		return string(*l.label())
	}
	return ""
}

// RuleRef refers to a parser rule in a parser rule, and to a lexer rule in a lexer rule.
type RuleRef struct {
	Pos
	Label
	Rule int // index in Rules or LexerRules
}

// TokenRef is one token of a parser rule, or EOF in either kind of rule.
type TokenRef struct {
	Pos
	Label
	Type int
}

// Set matches one character in a lexer rule, or one token in a parser rule, that is in the ranges (with Not: outside).
// Ranges ascend and are disjoint. A dot is outside of no ranges. A literal of n characters in a lexer rule is n sets.
type Set struct {
	Pos
	Label
	Not    bool
	Ranges []Range
}

// Block is a choice between alternatives.
type Block struct {
	Pos
	Label
	Alts []*Alt
}

// Alt is a possibly empty sequence of elements.
type Alt struct {
	Pos
	Elements   []Element
	RightAssoc bool   // <assoc=right>
	Label      string // # Label, of an alternative of a parser rule

	labels   []string
	commands []lexerCommand
}

// Repeat is a block with ?, * or +.
type Repeat struct {
	Pos
	Body      *Block
	Optional  bool
	Many      bool
	NonGreedy bool
}

// Code is an action or a predicate. Neither is run.
type Code struct {
	Pos
	Predicate bool
	Text      string
}

func (*RuleRef) element()  {}
func (*TokenRef) element() {}
func (*Set) element()      {}
func (*Block) element()    {}
func (*Repeat) element()   {}
func (*Code) element()     {}

// All returns the elements of a block and of its nested blocks, in order.
func (b *Block) All() iter.Seq[Element] {
	return func(yield func(Element) bool) { b.all(yield) }
}

func (b *Block) all(yield func(Element) bool) bool {
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			if !yield(e) {
				return false
			}
			if inner := blockOf(e); inner != nil && !inner.all(yield) {
				return false
			}
		}
	}
	return true
}

// blockOf returns the block that e is or repeats, or nil.
func blockOf(e Element) *Block {
	if r, ok := e.(*Repeat); ok {
		return r.Body
	}
	b, _ := e.(*Block)
	return b
}
