// Package parse defines immutable syntax trees over tokens, and candidates, which keep and edit some of the tokens.
package parse

import (
	"bytes"
	"fmt"
	"math"
)

// A Slot says whether the grammar needs a node at its place.
type Slot uint8

const (
	Required  Slot = iota // perhaps another node
	Optional              // may be deleted
	Star                  // in a list that may be empty
	Plus                  // in a list that needs one member
	Separator             // between members of a list; deleted with one of them
)

// Droppable reports whether the node may be deleted, perhaps with a separator.
func (s Slot) Droppable() bool { return s == Optional || s == Star || s == Plus }

// A Token is the bytes Source[Start:End]. The text between two tokens is the gap of the later one.
type Token struct{ Start, End int32 }

// A Node is a node of a [Tree]. Nodes are in pre-order, so the children of n are n+1,
// Nodes[n+1].Next, and so on. A chain of nodes with a single child each is one Node.
type Node struct {
	First, Last int32 // its tokens are Tokens[First:Last]
	Next        int32 // the first node after the subtree
	Parent      int32 // -1 at the root
	Chain       int32 // kinds and fields, from the top down: an index in Links
	Slot        Slot
	Comment     bool // may be anywhere
	Named       bool // a leaf with a variable text, as an identifier
	Fixed       bool // only a token with a fixed text, as a keyword
}

// A Tree is a parsed file. Node 0 is the root. Tokens contain every byte of Source that is not
// white space, so an unchanged tree renders to Source.
type Tree struct {
	Source []byte
	Tokens []Token
	Nodes  []Node

	Names    []string  // of kinds and fields, shared by the trees of a language; Names[0] is ""
	Links    []Link    // the chains of the nodes without duplicates; Links[0] ends a chain
	Weights  []int32   // of the tokens; nil means 1 each
	Errors   int       // number of syntax errors in Source
	NoSyntax bool      // Errors is 0 for every text
	Indented bool      // indentation is significant
	Parts    []Part    // the files of an archive, in order; otherwise nil
	Needs    []Need    // dependencies that the grammar does not express
	Mentions []Mention // of Parts, in pre-order

	// Fits reports whether the grammar allows a node, or a run of siblings, at the place of n; nil
	// means always. It is not safe for concurrent use.
	Fits func(n int32, run []int32) bool
	// Least returns the shortest fixed token that fits at the place of n, or nil. The func may be nil.
	Least func(n int32) []byte
	// Fuse reports whether token i with text a reads differently when text b follows without a space. If it is
	// nil, the characters decide.
	Fuse   func(i int, a, b []byte) bool
	Derive Derivation // may be nil
}

// A Derivation returns edits of a candidate that follow from its other text, such as a count. In an archive, the nodes
// of the file begin at first.
type Derivation func(c *Candidate, first int32) []Edit

// A Need says that Token may be live only if a token of Any is.
type Need struct {
	Token int32
	Any   []int32
}

// IsLeaf reports whether n has no children.
func (t *Tree) IsLeaf(n int32) bool { return t.Nodes[n].Next == n+1 }

// InPlainList reports whether n is a member of a list without separators other than semicolons and line breaks.
// Files of an archive are not.
func (t *Tree) InPlainList(n int32) bool {
	if s := t.Nodes[n].Slot; s != Star && s != Plus {
		return false
	}
	parent := t.Nodes[n].Parent
	return parent >= 0 && !t.IsPart(n) && !t.separates(t.Nodes[n].Next, parent) && !t.separates(n-1, parent)
}

func (t *Tree) separates(n, parent int32) bool {
	if n >= int32(len(t.Nodes)) || t.Nodes[n].Slot != Separator || t.Nodes[n].Parent != parent {
		return false
	}
	token := t.Tokens[t.Nodes[n].First]
	return len(bytes.Trim(t.Source[token.Start:token.End], " \t\r\n;")) > 0
}

// Replaceable reports whether the grammar allows a node, or a run of siblings, at the place of n.
func (t *Tree) Replaceable(n int32, run ...int32) bool { return t.Fits == nil || t.Fits(n, run) }

// IsLead reports whether n belongs to the sibling after it, as an attribute of Rust does.
func (t *Tree) IsLead(n int32) bool { return t.Is(n, "attribute_item") }

// IsFixed returns [Node.Fixed] of n.
func (t *Tree) IsFixed(n int32) bool { return t.Nodes[n].Fixed }

func (t *Tree) text(i int) []byte { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }

func (t *Tree) weight(i int) int {
	if t.Weights == nil {
		return 1
	}
	return int(t.Weights[i])
}

func (t *Tree) rangeOf(siblings []int32) (from, to int) {
	return int(t.Nodes[siblings[0]].First), int(t.Nodes[siblings[len(siblings)-1]].Last)
}

// gap returns the text before token i. The last gap is the end of the file.
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

// A Language parses files. It is safe for concurrent use.
type Language interface {
	// Parse accepts any bytes; syntax errors become nodes. A *Refusal means that another language may parse them.
	Parse(source []byte) (*Tree, error)
	// Errors returns the number of syntax errors, or [Unreadable] if Parse fails.
	Errors(text []byte) int
}

// CheckSize returns an error for files that are too large for the offsets of a [Tree].
func CheckSize(source []byte) error {
	if len(source) > math.MaxInt32 {
		return fmt.Errorf("the input has %d bytes; at most %d can be parsed", len(source), math.MaxInt32)
	}
	return nil
}

// Unreadable is more syntax errors than any text has.
const Unreadable = math.MaxInt32

// A Refusal is the reason why a language cannot parse a text.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }
