// package g4 reads ANTLR 4 grammar files: it resolves imports, token
// vocabularies, literals and names, and makes a Grammar with nothing left to
// look up. It knows nothing of automata or trees.
package g4

import (
	"whittle/parse/antlr/g4/internal/chars"
	"whittle/parse/antlr/g4/internal/syntax"
)

// Grammar is a lexer, a parser, or both.
type Grammar struct {
	Name       string
	Tokens     []Token  // Tokens[i] has type i+1
	Channels   []string // 0 is DEFAULT_TOKEN_CHANNEL, 1 HIDDEN
	Rules      []*Rule  // of the parser
	LexerRules []*Rule  // in order, fragments too; those of implicit literals first
	Modes      []Mode   // 0 is DEFAULT_MODE
	// Warnings say what the grammar asks for that cannot be done, as
	// predicates and superclasses. Everything else about it works.
	Warnings Problems
}

// EOF is the type of the token at the end of the file.
const EOF = -1

// Token is a type of token.
type Token struct {
	Name    string // "" for an implicit literal
	Literal string // the text without quotes and escapes, "" if it is not fixed
}

// Mode is a lexer mode.
type Mode struct {
	Name  string
	Rules []int // indexes of LexerRules that are no fragments
}

// Pos is a place in a grammar file.
type Pos = syntax.Pos

// Problem is something wrong in a grammar file.
type Problem = syntax.Problem

// Problems are all that is wrong with a grammar, by place.
type Problems = syntax.Problems

// Rule is a rule of the lexer or the parser.
type Rule struct {
	Pos
	Name string
	Body *Block
	Type int // of a lexer rule's token; 0 for fragments
	// Commands are of lexer rules, one list for each alternative of Body.
	Commands [][]Command
}

// Command is what a lexer does when it has found a token.
type Command struct {
	Kind CommandKind
	Arg  int // mode index, token type or channel
}

// CommandKind is what a lexer command does.
type CommandKind uint8

// The lexer commands of the ANTLR reference.
const (
	Skip CommandKind = iota
	More
	Type
	Channel
	SetMode
	PushMode
	PopMode
)

// Element is a part of a rule: *RuleRef, *TokenRef, *Set, *Any, *Block,
// *Repeat, *Code. In a parser rule it may have a label, as in left=expr or
// args+=expr; that of a *Repeat is the label of what is repeated.
type Element interface{ element() }

// LabelOf returns the label of an element, or "".
func LabelOf(e Element) string {
	if l := labelOf(e); l != nil {
		return *l
	}
	return ""
}

func labelOf(e Element) *string {
	switch e := e.(type) {
	case *RuleRef:
		return &e.Label
	case *TokenRef:
		return &e.Label
	case *Set:
		return &e.Label
	case *Any:
		return &e.Label
	case *Block:
		return &e.Label
	}
	return nil
}

// RuleRef refers to a rule, of the parser in a parser rule, else of the lexer.
type RuleRef struct {
	Pos
	Rule  int // index in Rules or LexerRules
	Label string
}

// TokenRef is one token of a parser rule, or EOF in either kind of rule.
type TokenRef struct {
	Pos
	Type  int
	Label string
}

// Set is one character of a lexer rule or one token of a parser rule, from any
// of the ranges, or with Not from none of them. Ranges ascend and are disjoint.
// Letters of rules that ignore case are sets of both cases. A literal of n
// characters is n sets, in a Block of its own where it is one element.
type Set struct {
	Pos
	Not    bool
	Ranges []Range
	Label  string
}

// Range is an interval of characters or token types, both ends in it.
type Range = chars.Range

// Any is any one token or character.
type Any struct {
	Pos
	Label string
}

// Block is a choice between alternatives.
type Block struct {
	Pos
	Alts  []*Alt
	Label string
}

// Alt is a sequence of elements, which may be empty.
type Alt struct {
	Pos
	Elements   []Element
	RightAssoc bool   // <assoc=right>
	Label      string // # Label, of an alternative of a parser rule
}

// Repeat is a block with ?, * or +.
type Repeat struct {
	Pos
	Body      *Block
	Optional  bool // may be left out: ? and *
	Many      bool // may come more than once: * and +
	NonGreedy bool
}

// Code is an action or a predicate, which whittle cannot run.
type Code struct {
	Pos
	Predicate bool
	Text      string
}

func (*RuleRef) element()  {}
func (*TokenRef) element() {}
func (*Set) element()      {}
func (*Any) element()      {}
func (*Block) element()    {}
func (*Repeat) element()   {}
func (*Code) element()     {}
