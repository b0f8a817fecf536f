// Package parse holds what a file is to whittle: a tree of nodes over a row of
// tokens, the candidates that keep some of the tokens, and their bytes.
//
// Front ends in the folders below fill trees in. A tree is a plain Go value
// that nobody changes after its front end has returned it.
package parse

import (
	"bytes"
	"math"
)

// Slot is what the grammar says about the place a node stands in.
type Slot uint8

const (
	// Required: the node must be there, though something else may stand in.
	Required Slot = iota
	// Optional: the node may be left out.
	Optional
	// Star: the node is a member of a list that may be empty.
	Star
	// Plus: the node is a member of a list that needs one member.
	Plus
	// Separator: the node stands between two members of a list and goes
	// with one of them.
	Separator
)

// Droppable reports whether a node in this slot may go by itself, or with the
// separator next to it.
func (s Slot) Droppable() bool { return s == Optional || s == Star || s == Plus }

// Token is a leaf: the bytes Source[Start:End]. The text between two tokens is
// the gap of the later one.
type Token struct{ Start, End int32 }

// Node is one node of a tree. Nodes are stored in pre-order, so the children of
// n are n+1, Nodes[n+1].Next, and so on below Nodes[n].Next. A chain of nodes
// that each have a single child is one node.
type Node struct {
	First, Last int32 // its tokens are Tokens[First:Last]
	Next        int32 // index of the first node behind its subtree
	Parent      int32 // -1 at the root
	Chain       int32 // its kinds and fields, from the top down: an index in Links
	Slot        Slot
	Comment     bool // comments and the like, which may stand anywhere
	Named       bool // a leaf of which the text is not fixed, as an identifier
	Fixed       bool // a leaf with a text of its own, as a keyword, and nothing more
}

// Tree is a parsed file. Node 0 is the root. Every byte of Source that is not
// white space is in a token, so an untouched tree renders to Source.
type Tree struct {
	Source []byte
	Tokens []Token
	Nodes  []Node

	// Names are the names of kinds and fields, which trees of a language share.
	// Names[0] is "".
	Names []string
	// Links are the chains of the nodes, each once. Links[0] is no link.
	Links []Link
	// Weights is the weight of each token; nil if each weighs 1.
	Weights []int32
	// Errors is the number of syntax errors in Source.
	Errors int
	// NoSyntax says that every text is right: Errors is 0 for each.
	NoSyntax bool
	// Indented reports whether the indentation of lines means something.
	Indented bool
	// Parts are the files of a tree that joins several, in order; else nil.
	Parts []Part
	// Fits reports whether the grammar lets a node, or a run of siblings, stand
	// where n does. Nil if anything may stand anywhere. It is called from one
	// goroutine at a time.
	Fits func(n int32, run []int32) bool
	// Least returns the shortest single token that the grammar lets stand where n
	// does, if its text is fixed; else nil. Nil if the front end does not know.
	Least func(n int32) []byte
	// Fuse reports whether token i, with the text a, and a text b behind it read
	// otherwise without a space between them, and right with one. Nil if the
	// front end does not know; then their characters decide.
	Fuse func(i int, a, b []byte) bool
	// Needs are tokens that are wrong without others, though the grammar does
	// not say so.
	Needs []Need
}

// A Need says that Token may be live only if one of Any is.
type Need struct {
	Token int32
	Any   []int32
}

// IsLeaf reports whether n has no children.
func (t *Tree) IsLeaf(n int32) bool { return t.Nodes[n].Next == n+1 }

// InPlainList reports whether n is a member of a list without separators, or with
// such that end a statement or line. A whole file is none.
func (t *Tree) InPlainList(n int32) bool {
	if s := t.Nodes[n].Slot; s != Star && s != Plus {
		return false
	}
	parent := t.Nodes[n].Parent
	return parent >= 0 && !t.isPart(n) && !t.separates(t.Nodes[n].Next, parent) && !t.separates(n-1, parent)
}

// separates reports whether n is a separator below parent with more to it than
// white space and semicolons.
func (t *Tree) separates(n, parent int32) bool {
	if n >= int32(len(t.Nodes)) || t.Nodes[n].Slot != Separator || t.Nodes[n].Parent != parent {
		return false
	}
	token := t.Tokens[t.Nodes[n].First]
	return len(bytes.Trim(t.Source[token.Start:token.End], " \t\r\n;")) > 0
}

// Replaceable reports whether the grammar lets a node, or a run of siblings, stand
// in for n.
func (t *Tree) Replaceable(n int32, run ...int32) bool { return t.Fits == nil || t.Fits(n, run) }

// IsFixed reports whether n is a token with a text of its own, as a keyword, and
// nothing more.
func (t *Tree) IsFixed(n int32) bool { return t.Nodes[n].Fixed }

// text returns the bytes of token i.
func (t *Tree) text(i int) []byte { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }

// weight returns the weight of token i.
func (t *Tree) weight(i int) int {
	if t.Weights == nil {
		return 1
	}
	return int(t.Weights[i])
}

// rangeOf returns the range of the tokens of a row of siblings.
func (t *Tree) rangeOf(siblings []int32) (from, to int) {
	return int(t.Nodes[siblings[0]].First), int(t.Nodes[siblings[len(siblings)-1]].Last)
}

// gap returns the text before token i, or behind the last one.
func (t *Tree) gap(i int) []byte {
	start, end := int32(0), int32(len(t.Source))
	if i > 0 {
		start = t.Tokens[i-1].End
	}
	if i < len(t.Tokens) {
		end = t.Tokens[i].Start
	}
	return t.Source[start:end]
}

// A Language turns the bytes of a file into a tree. It may be used by many
// goroutines.
type Language interface {
	// Parse reads any bytes, right or wrong; syntax errors become nodes.
	// It fails only where the file cannot be handled at all: with a *Refusal if
	// another language may be able to.
	Parse(source []byte) (*Tree, error)
	// Errors counts the syntax errors in text, without making a tree. It returns
	// Unreadable where Parse fails.
	Errors(text []byte) int
}

// Unreadable is more syntax errors than any text has.
const Unreadable = math.MaxInt32

// A Refusal says why a language cannot read a text that another may read: it is
// nested too deeply, takes too long, or breaks the parser.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }
