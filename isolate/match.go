package isolate

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"whittle/parse/archive"
)

// alike is which part of the lines of a file has to be in another for that to be the
// same by another name. It is git's.
const alike = 0.5

// mostRenames is how many pairs of files that were removed and added are compared by
// what they hold; if there are more, only files that are the same are pairs.
const mostRenames = 10_000

// match returns the files of two versions as pairs, in the order of their paths: first
// those of one path, then those that were removed and added and hold much the same.
// Directories that hold something come with that.
func match(old, new []archive.Entry) (pairs []pair) {
	byPath := map[string]*pair{}
	side := func(entries []archive.Entry, of func(*pair) **archive.Entry) {
		for i, e := range entries {
			if byPath[e.Path] == nil {
				byPath[e.Path] = &pair{}
			}
			*of(byPath[e.Path]) = &entries[i]
		}
	}
	side(old, func(p *pair) **archive.Entry { return &p.old })
	side(new, func(p *pair) **archive.Entry { return &p.new })
	implied(byPath, old, new)
	var removed, added []*pair
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		switch p := byPath[path]; {
		case p.old == nil && p.new == nil:
		case p.new == nil && p.old.Mode.IsRegular() && len(p.old.Content) > 0:
			removed = append(removed, p)
		case p.old == nil && p.new.Mode.IsRegular() && len(p.new.Content) > 0:
			added = append(added, p)
		}
	}
	rename(removed, added)
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if p := byPath[path]; p.old != nil || p.new != nil {
			pairs = append(pairs, *p)
		}
	}
	return pairs
}

// implied forgets the directories of one version that hold something: they come and go
// with that.
func implied(byPath map[string]*pair, old, new []archive.Entry) {
	inOld, inNew := parents(old), parents(new)
	isDir := func(e *archive.Entry) bool { return e != nil && e.Mode.IsDir() }
	for name, p := range byPath {
		if isDir(p.old) && isDir(p.new) {
			p.new = p.old // whose permissions stay
			continue
		}
		if isDir(p.old) && inOld[name] {
			p.old = nil
		}
		if isDir(p.new) && inNew[name] {
			p.new = nil
		}
	}
}

// rename makes one pair of a file that was removed and one that was added, the most like
// it, at the new path.
func rename(removed, added []*pair) {
	type likeness struct {
		old, new *pair
		share    float64
	}
	var found []likeness
	few := len(removed)*len(added) <= mostRenames
	lines := map[*pair]map[string]int{}
	for _, p := range slices.Concat(removed, added) {
		if few {
			lines[p] = linesOf(cmp.Or(p.old, p.new).Content)
		}
	}
	for _, a := range added {
		for _, r := range removed {
			share := 0.0
			switch {
			case bytes.Equal(r.old.Content, a.new.Content):
				share = 1
			case few:
				share = shared(lines[r], lines[a]) / float64(max(len(r.old.Content), len(a.new.Content)))
			}
			if share >= alike {
				found = append(found, likeness{r, a, share})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b likeness) int { return cmp.Compare(b.share, a.share) })
	for _, f := range found {
		if f.old.old != nil && f.new.old == nil {
			f.new.old, f.old.old = f.old.old, nil
		}
	}
}

// linesOf counts the lines of a text.
func linesOf(text []byte) map[string]int {
	lines := map[string]int{}
	for line := range bytes.Lines(text) {
		lines[string(line)]++
	}
	return lines
}

// shared returns the bytes of the lines that two texts have in common.
func shared(a, b map[string]int) (n float64) {
	for line, times := range a {
		n += float64(min(times, b[line]) * len(line))
	}
	return n
}
