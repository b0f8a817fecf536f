package rewrite

import (
	"cmp"
	"slices"

	"whittle/parse"
)

const (
	// heaviestPart is what a tree weighs at most that stands in for others.
	heaviestPart = 2
	// mostTexts is how many of these are known, mostFitting how many of them are asked
	// about in one place, and mostPlaces how many places there are.
	mostTexts, mostFitting, mostPlaces = 64, 2, 500
)

// smallest puts a smaller tree in the place of a node: 0, or one of the smallest of
// those in the file that the grammar lets stand there. The lightest nodes have their turn
// first, as the less goes the likelier it may.
//
//	int a; f(a, g(b) + 1);  =>  f(a, 0);  f(a, a);
//
// It is what remains of Perses' replacements where nothing below a node fits, and
// of the compatible productions of SFC (OOPSLA 2025) as far as the file has them.
func smallest(f *File) (changes []Change) {
	parts := f.smallParts()
	for _, n := range f.places() {
		changes = append(changes, f.inPlace(n, parse.Literal("", "0")))
		found := 0
		for _, d := range parts {
			if f.weigh(d) >= f.weigh(n) || found == mostFitting {
				break
			}
			if !f.within(d, n) && f.Replaceable(n, d) {
				changes = append(changes, f.inPlace(n, parse.Nodes(d)))
				found++
			}
		}
	}
	return changes
}

// places returns the nodes of more than one token, the lightest first.
func (f *File) places() (nodes []int32) {
	for n := int32(1); n < int32(len(f.Nodes)); n++ {
		if f.weigh(n) > 1 && !f.Nodes[n].Comment && f.InFile(n) {
			nodes = append(nodes, n)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int { return f.weigh(a) - f.weigh(b) })
	return nodes[:min(len(nodes), mostPlaces)]
}

// smallParts returns the first of each of the smallest trees in the file with different
// texts, the lightest first, and of those the commonest: they are the likeliest to be
// declared.
func (f *File) smallParts() []int32 {
	type text struct {
		first int32
		count int
	}
	texts := map[string]*text{}
	var all []*text
	for n := int32(1); n < int32(len(f.Nodes)); n++ {
		if w := f.weigh(n); w == 0 || w > heaviestPart || !f.InFile(n) ||
			f.Nodes[n].Comment || f.Nodes[n].Slot == parse.Separator {
			continue
		}
		key := f.Kind(n) + "\x00" + string(f.text(n))
		if texts[key] == nil {
			texts[key] = &text{first: n}
			all = append(all, texts[key])
		}
		texts[key].count++
	}
	slices.SortStableFunc(all, func(a, b *text) int {
		return cmp.Or(cmp.Compare(f.weigh(a.first), f.weigh(b.first)), cmp.Compare(b.count, a.count),
			cmp.Compare(len(f.text(a.first)), len(f.text(b.first))))
	})
	parts := make([]int32, 0, mostTexts)
	for _, t := range all[:min(len(all), mostTexts)] {
		parts = append(parts, t.first)
	}
	return parts
}

// text returns the text of node n.
func (f *File) text(n int32) []byte {
	node := f.Nodes[n]
	return f.Source[f.Tokens[node.First].Start:f.Tokens[node.Last-1].End]
}
