package rewrite

import (
	"cmp"
	"slices"

	"whittle/parse"
)

// most is how many other names are tried in the place of one.
const most = 3

// merge puts another name in the place of one, everywhere, and takes the definitions of
// the one away (Vulcan's identifier replacement, together with the deletion it makes
// possible). The commonest names of the same kind come first.
//
//	int a, b; f(a, b);        int a; f(a, a);
func merge(f *File) (changes []Change) {
	names := slices.Clone(f.Names())
	slices.SortStableFunc(names, func(a, b *Name) int { return cmp.Compare(len(b.Uses), len(a.Uses)) })
	for i := range slices.Backward(names) {
		tried := 0
		for _, other := range names {
			if tried == most || other == names[i] || !f.alike(names[i], other) {
				continue
			}
			if ch, ok := f.replaceName(names[i], parse.Literal("", other.Text)); ok {
				changes = append(changes, ch)
				tried++
			}
		}
	}
	return changes
}

// alike reports whether one name may stand where another does.
func (f *File) alike(name, other *Name) bool {
	return name.Kind == other.Kind || f.isType(name.Uses[0]) && f.isType(other.Uses[0])
}
