package rewrite

import (
	"slices"

	"whittle/parse"
)

const (
	maxPartDepth, maxUnwrapParts = 4, 8
)

// unwrap replaces a statement by the content of brackets of an unexpected kind, or by an expression with the semicolon
// of the statement. Deletion has tried the other parts.
//
//	class c { int a; int b; };  =>  int a; int b;
//	int a = g(x);               =>  g(x);
//	for (; a; g()) ;            =>  g();
func unwrap(f *File) (changes []Change) {
	for n := int32(1); n < int32(len(f.Nodes)); n++ {
		if f.IsLeaf(n) || f.Nodes[n].Comment || !f.InFile(n) {
			continue
		}
		whole, parts := f.withSemicolon(n), 0
		propose := func(with ...parse.Piece) {
			if parts++; parts <= maxUnwrapParts {
				changes = append(changes, Change{Edits: []parse.Edit{f.Replace(whole, with...)}})
			}
		}
		semicolon := f.semicolon(n)
		for _, d := range f.below(n, maxPartDepth) {
			for _, run := range f.Runs(f.children(d)) {
				if len(whole) > 1 || !f.Replaceable(n, run...) {
					propose(parse.Nodes(run...))
				}
			}
			if semicolon >= 0 && !f.IsFixed(d) && f.semicolon(d) < 0 && f.weigh(d)+1 < f.weigh(n) &&
				f.Replaceable(n, d, semicolon) {
				propose(parse.Nodes(d), parse.Nodes(semicolon))
			}
		}
	}
	return changes
}

// withSemicolon adds a semicolon after n that is a sibling, as after a class.
func (f *File) withSemicolon(n int32) []int32 {
	parent, next := f.Nodes[n].Parent, f.Nodes[n].Next
	if next < f.Nodes[parent].Next && f.semicolon(n) < 0 && f.semicolon(next) == next {
		return []int32{n, next}
	}
	return []int32{n}
}

func (f *File) semicolon(n int32) int32 {
	if last := f.Nodes[n].Next - 1; f.IsFixed(last) && f.Text(last) == ";" {
		return last
	}
	return -1
}

func (f *File) below(n int32, depth int) (found []int32) {
	for _, d := range f.children(n) {
		if found = append(found, d); depth > 1 {
			found = append(found, f.below(d, depth-1)...)
		}
	}
	slices.SortStableFunc(found, func(a, b int32) int { return f.weigh(b) - f.weigh(a) })
	return found
}

func (f *File) weigh(n int32) int { return int(f.Nodes[n].Last - f.Nodes[n].First) }
