// Package rewrite has passes that replace code that cannot be deleted. [Pass] tests changes of several families.
package rewrite

import (
	"slices"

	"whittle/parse"
)

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
	// Closed: a change deletes something together with its uses, and may succeed although no part of it does.
	Closed bool
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
		{Name: "default", Find: each((*File).Names, (*File).defaults), SuccessRate: 0.03},
		{Name: "twin", Find: twin, SuccessRate: 0.3},
		{Name: "base", Find: each((*File).Names, (*File).base), SuccessRate: 0.1},
		{Name: "merge", Find: merge, SuccessRate: 0.1},
		{Name: "echo", Find: echo},
		{Name: "label", Find: labels},
		{Name: "parameter", Find: parameter, SuccessRate: 0.12, Closed: true},
		{Name: "inline", Find: inline, SuccessRate: 0.2},
		{Name: "unfold", Find: unfold, SuccessRate: 0.2},
		{Name: "macro", Find: each((*File).Names, (*File).macro), SuccessRate: 0.25},
		{Name: "unassign", Find: each((*File).Names, (*File).unassign), SuccessRate: 0.1},
		{Name: "fold", Find: each((*File).all, (*File).fold), SuccessRate: 0.5},
		{Name: "flatten", Find: flattened, SuccessRate: 0.1},
		{Name: "result", Find: each((*File).functions, (*File).result), SuccessRate: 0.08},
		{Name: "wrapper", Find: each((*File).Names, (*File).wrapper), SuccessRate: 0.08},
		{Name: "members", Find: each((*File).all, (*File).members), SuccessRate: 0.1},
		{Name: "release", Find: each((*File).all, (*File).release, (*File).free), SuccessRate: 0.2},
		{Name: "promote", Find: promote},
		{Name: "include", Find: each((*File).files,
			(*File).module, (*File).include, (*File).require, (*File).join, (*File).pull)},
		{Name: "spill", Find: each((*File).Names, (*File).spill), SuccessRate: 0.05},
		{Name: "forward", Find: forward},
		{Name: "pairs", Find: pairs, SuccessRate: 0.05},
		{Name: "unwrap", Find: unwrap, SuccessRate: 0.06},
		{Name: "smallest", Find: smallest, SuccessRate: 0.03},
		{Name: "prefix", Find: prefixes},
		{Name: "windows", Find: windows, SuccessRate: 0.04},
	}
}

// each is the Find of a family with a change, or with several, for each item of a file. Edits may be within others.
func each[T any](items func(*File) []T, find ...func(*File, T) (Change, bool)) func(*File) []Change {
	return func(f *File) (changes []Change) {
		for _, item := range items(f) {
			for _, change := range find {
				if ch, ok := change(f, item); ok {
					ch.Edits = outermost(ch.Edits)
					changes = append(changes, ch)
				}
			}
		}
		return changes
	}
}

func (f *File) all() []int32 {
	nodes := make([]int32, len(f.Nodes))
	for n := range nodes {
		nodes[n] = int32(n)
	}
	return nodes
}

// files returns the files of a project. Files that mention others are last: a path may change its meaning with them.
func (f *File) files() []parse.Part {
	var first, last []parse.Part
	for _, p := range f.Parts {
		if slices.ContainsFunc(f.Mentions, func(m parse.Mention) bool { return f.within(m.Node, p.Node) }) {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	return append(first, last...)
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
