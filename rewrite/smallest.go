package rewrite

import (
	"cmp"
	"slices"

	"whittle/parse"
)

const (
	maxSmallWeight = 2
	// These limit the replacements, those tried in one place, and the places.
	maxTexts, maxFitting, maxPlaces = 64, 2, 500
)

// smallest replaces a node by 0 or by one of the smallest trees of the file that fit there. The lightest nodes come
// first, because small changes are the most likely to be interesting.
//
//	int a; f(a, g(b) + 1);  =>  f(a, 0);  f(a, a);
//
// It covers the replacements of Perses for nodes without a fitting descendant, and the compatible productions of SFC
// (OOPSLA 2025) that occur in the file.
func smallest(f *File) (changes []Change) {
	parts := f.smallParts()
	for _, n := range f.places() {
		outlined := f.isOutlined(f.leafAt(f.Nodes[n].First)) && !f.InPlainList(n)
		changes = append(changes, f.inPlace(n, parse.Literal("", "0")))
		found := 0
		for _, d := range parts {
			if f.weigh(d) >= f.weigh(n) || found == maxFitting {
				break
			}
			if !f.within(d, n) && (f.Replaceable(n, d) || outlined && f.isOutlined(d) && f.isWord(d)) {
				changes = append(changes, f.inPlace(n, parse.Nodes(d)))
				found++
			}
		}
	}
	return changes
}

func (f *File) places() (nodes []int32) {
	for n := int32(1); n < int32(len(f.Nodes)); n++ {
		if f.weigh(n) > 1 && !f.Nodes[n].Comment && !f.Needed(n) && f.InFile(n) {
			nodes = append(nodes, n)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int { return f.weigh(a) - f.weigh(b) })
	return nodes[:min(len(nodes), maxPlaces)]
}

// smallParts returns the smallest trees of each kind and text: the lightest first, then the most frequent, since
// these are probably declared.
func (f *File) smallParts() []int32 {
	type text struct {
		first int32
		count int
	}
	texts := map[string]*text{}
	var all []*text
	for n := int32(1); n < int32(len(f.Nodes)); n++ {
		if w := f.weigh(n); w == 0 || w > maxSmallWeight || !f.InFile(n) ||
			f.Nodes[n].Comment || f.Nodes[n].Slot == parse.Separator {
			continue
		}
		key := f.Kind(n) + "\x00" + f.source(n)
		if texts[key] == nil {
			texts[key] = &text{first: n}
			all = append(all, texts[key])
		}
		texts[key].count++
	}
	slices.SortStableFunc(all, func(a, b *text) int {
		return cmp.Or(cmp.Compare(f.weigh(a.first), f.weigh(b.first)), cmp.Compare(b.count, a.count),
			cmp.Compare(len(f.source(a.first)), len(f.source(b.first))))
	})
	parts := make([]int32, 0, maxTexts)
	for _, t := range all[:min(len(all), maxTexts)] {
		parts = append(parts, t.first)
	}
	return parts
}
