// Package rewrite has passes that put something else in the place of what cannot go:
// where deletion ends, a smaller or plainer program often is one step away that no
// deletion makes.
//
// A [Family] finds changes of one sort in a file. [Pass] asks about those of many
// families like about the items of lists, so what is learned in one run about which
// of them pay steers it.
package rewrite

import "whittle/parse"

// A Change is one rewrite of a file: edits that are made together, and nodes that go
// with them. A rewrite comes with the deletion that it makes possible: what inlines a
// function takes the function away.
type Change struct {
	Edits []parse.Edit // of disjoint ranges
	Drop  []int32      // nodes outside these ranges
}

// A Family finds changes of one sort.
type Family struct {
	Name string
	// Find returns changes of the whole of a file, in the order in which they are worth
	// a test. It need not know whether they parse, or are better.
	Find func(f *File) []Change
	// Usually is the part of the family's changes that is interesting: what runs over real
	// bugs have come to, rounded. 0 is as much as for one that nothing is known of.
	Usually float64
}

// A File is a tree, with what families need to know of it.
type File struct {
	*parse.Tree
	names    []*Name
	byText   map[string]*Name
	leaves   []int32         // of each token
	declared map[int32]*Name // by the leaves that are declared
}

// NewFile returns the file of a tree.
func NewFile(t *parse.Tree) *File { return &File{Tree: t} }

// Families returns those that work on what the tree of any language says.
func Families() []Family {
	return []Family{
		{Name: "substitute", Find: substitute, Usually: 0.25},
		{Name: "default", Find: defaults, Usually: 0.05},
		{Name: "twin", Find: twin, Usually: 0.3},
		{Name: "merge", Find: merge, Usually: 0.05},
		{Name: "echo", Find: echo},
		{Name: "label", Find: labels},
		{Name: "parameter", Find: parameter, Usually: 0.12},
		{Name: "inline", Find: inline, Usually: 0.2},
		{Name: "macro", Find: macro, Usually: 0.25},
		{Name: "unassign", Find: unassign, Usually: 0.1},
		{Name: "flatten", Find: flatten, Usually: 0.1},
		{Name: "result", Find: result, Usually: 0.08},
		{Name: "wrapper", Find: wrapper, Usually: 0.08},
		{Name: "members", Find: members, Usually: 0.1},
		{Name: "release", Find: release, Usually: 0.2},
		{Name: "promote", Find: promote},
		{Name: "include", Find: include},
		{Name: "spill", Find: spill, Usually: 0.05},
		{Name: "forward", Find: forward},
		{Name: "pairs", Find: pairs, Usually: 0.03},
		{Name: "unwrap", Find: unwrap, Usually: 0.06},
		{Name: "smallest", Find: smallest, Usually: 0.03},
		{Name: "windows", Find: windows, Usually: 0.04},
	}
}
