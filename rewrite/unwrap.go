package rewrite

import (
	"slices"

	"whittle/parse"
)

const (
	// depthOfParts is how far below a statement the parts that may replace it are looked
	// for, and mostParts how many of them are asked about.
	depthOfParts, mostParts = 4, 8
)

// unwrap puts a part of a statement in its place that deletion has not tried there:
// what brackets hold, where that is of another kind than the parse table expects, or
// an expression with the semicolon that the statement ends with.
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
		offer := func(with ...parse.Piece) {
			if parts++; parts <= mostParts {
				changes = append(changes, Change{Edits: []parse.Edit{f.Replace(whole, with...)}})
			}
		}
		semicolon := f.semicolon(n)
		for _, d := range f.below(n, depthOfParts) {
			for _, row := range f.Runs(f.children(d)) {
				if len(whole) > 1 || !f.Replaceable(n, row...) {
					offer(parse.Nodes(row...))
				}
			}
			if semicolon >= 0 && !f.IsFixed(d) && f.semicolon(d) < 0 && f.weigh(d)+1 < f.weigh(n) &&
				f.Replaceable(n, d, semicolon) {
				offer(parse.Nodes(d), parse.Nodes(semicolon))
			}
		}
	}
	return changes
}

// withSemicolon returns n, and the semicolon that stands behind it for itself, as that
// of a class does.
func (f *File) withSemicolon(n int32) []int32 {
	parent, next := f.Nodes[n].Parent, f.Nodes[n].Next
	if next < f.Nodes[parent].Next && f.semicolon(n) < 0 && f.semicolon(next) == next {
		return []int32{n, next}
	}
	return []int32{n}
}

// inPlace is the change that puts pieces in the place of n.
func (f *File) inPlace(n int32, with ...parse.Piece) Change {
	return Change{Edits: []parse.Edit{f.Replace([]int32{n}, with...)}}
}

// semicolon returns the last leaf of n if that is a semicolon, or -1.
func (f *File) semicolon(n int32) int32 {
	if last := f.Nodes[n].Next - 1; f.IsFixed(last) && f.Text(last) == ";" {
		return last
	}
	return -1
}

// below returns the nodes below n, to a depth, the heaviest first.
func (f *File) below(n int32, depth int) (found []int32) {
	for _, d := range f.children(n) {
		if found = append(found, d); depth > 1 {
			found = append(found, f.below(d, depth-1)...)
		}
	}
	slices.SortStableFunc(found, func(a, b int32) int { return f.weigh(b) - f.weigh(a) })
	return found
}

// weigh returns the number of tokens of node n.
func (f *File) weigh(n int32) int { return int(f.Nodes[n].Last - f.Nodes[n].First) }
