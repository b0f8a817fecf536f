// Package rewrite has passes that replace code that cannot be deleted. [Pass] tests changes of several families.
package rewrite

import "whittle/parse"

// A Change is one rewrite of a file, such as inlining a function and deleting it.
type Change struct {
	Edits []parse.Edit // of disjoint ranges
	Drop  []int32      // nodes outside these ranges
}

// A Family finds changes of one kind.
type Family struct {
	Name string
	// Find returns changes, the most promising first. They may be worse or have syntax errors.
	Find func(f *File) []Change
	// SuccessRate is the fraction of changes that are interesting, rounded from real bugs. 0 means unknown.
	SuccessRate float64
}

// A File is a tree with lazily computed facts about its names.
type File struct {
	*parse.Tree
	names    []*Name
	byText   map[string]*Name
	leaves   []int32
	declared map[int32]*Name // by declaring leaves
}

func NewFile(t *parse.Tree) *File { return &File{Tree: t} }

// Families returns the families for all languages.
func Families() []Family {
	return []Family{
		{Name: "substitute", Find: substitute, SuccessRate: 0.25},
		{Name: "default", Find: defaults, SuccessRate: 0.05},
		{Name: "twin", Find: twin, SuccessRate: 0.3},
		{Name: "merge", Find: merge, SuccessRate: 0.05},
		{Name: "echo", Find: echo},
		{Name: "label", Find: labels},
		{Name: "parameter", Find: parameter, SuccessRate: 0.12},
		{Name: "inline", Find: inline, SuccessRate: 0.2},
		{Name: "macro", Find: macro, SuccessRate: 0.25},
		{Name: "unassign", Find: unassign, SuccessRate: 0.1},
		{Name: "flatten", Find: flatten, SuccessRate: 0.1},
		{Name: "result", Find: result, SuccessRate: 0.08},
		{Name: "wrapper", Find: wrapper, SuccessRate: 0.08},
		{Name: "members", Find: members, SuccessRate: 0.1},
		{Name: "release", Find: release, SuccessRate: 0.2},
		{Name: "promote", Find: promote},
		{Name: "include", Find: include},
		{Name: "spill", Find: spill, SuccessRate: 0.05},
		{Name: "forward", Find: forward},
		{Name: "pairs", Find: pairs, SuccessRate: 0.03},
		{Name: "unwrap", Find: unwrap, SuccessRate: 0.06},
		{Name: "smallest", Find: smallest, SuccessRate: 0.03},
		{Name: "windows", Find: windows, SuccessRate: 0.04},
	}
}

func changesOf[T any](items []T, find ...func(T) (Change, bool)) (changes []Change) {
	for _, it := range items {
		for _, change := range find {
			if ch, ok := change(it); ok {
				changes = append(changes, ch)
			}
		}
	}
	return changes
}

func (f *File) all() []int32 {
	nodes := make([]int32, len(f.Nodes))
	for n := range nodes {
		nodes[n] = int32(n)
	}
	return nodes
}

func (f *File) replaceEach(nodes []int32, with ...parse.Piece) []parse.Edit {
	edits := make([]parse.Edit, len(nodes))
	for i, n := range nodes {
		edits[i] = f.Replace([]int32{n}, with...)
	}
	return edits
}

func (f *File) inPlace(n int32, with ...parse.Piece) Change {
	return Change{Edits: []parse.Edit{f.Replace([]int32{n}, with...)}}
}
