package isolate

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"whittle/parse/archive"
)

// alike is the least share of common lines of a renamed file, as in git.
const alike = 0.5

// mostRenames limits the pairs of removed and added files that are compared by lines. With more, only
// equal files are renames.
const mostRenames = 10_000

// match pairs files with equal paths, and removed files with similar added ones. The pairs are sorted
// by path.
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

// implied removes directories that hold files, since the files imply them.
func implied(byPath map[string]*pair, old, new []archive.Entry) {
	inOld, inNew := parents(old), parents(new)
	isDir := func(e *archive.Entry) bool { return e != nil && e.Mode.IsDir() }
	for name, p := range byPath {
		if isDir(p.old) && isDir(p.new) {
			p.new = p.old // keeps its permissions
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

// rename joins removed files with the most similar added ones, at the new path.
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

func linesOf(text []byte) map[string]int {
	lines := map[string]int{}
	for line := range bytes.Lines(text) {
		lines[string(line)]++
	}
	return lines
}

// shared returns the number of bytes in common lines.
func shared(a, b map[string]int) (n float64) {
	for line, times := range a {
		n += float64(min(times, b[line]) * len(line))
	}
	return n
}
