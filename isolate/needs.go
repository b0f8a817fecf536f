package isolate

import (
	"slices"

	"whittle/parse/archive"
)

// A Name is a word in a file that may define or use an entity.
type Name struct {
	Word    string
	At      int // byte offset
	Defines bool
}

// Needs records dependencies between the changes: the use of a new name needs its definition, and the removal of a last
// definition needs the removal of the uses. names returns the names of a file, in order. Names are compared as text,
// so this is a heuristic.
func (p *Project) Needs(c *Changes, names func(archive.Entry) []Name) {
	old, new := newIndex(), newIndex()
	for _, pair := range p.pairs {
		old.add(pair, pair.old, false, names)
		new.add(pair, pair.new, true, names)
	}
	needs := make([][]int, c.Count)
	link := func(from, to []int) {
		for _, a := range from {
			for _, b := range to {
				if a != b && len(needs[a]) < mostNeeds {
					needs[a] = append(needs[a], b)
				}
			}
		}
	}
	for word, defined := range new.defined {
		if !old.known[word] {
			link(new.used[word], defined)
		}
	}
	for word, defined := range old.defined {
		if !new.known[word] {
			link(defined, old.used[word])
		}
	}
	c.needs = needs
	for i, l := range c.Levels {
		c.Levels[i].Needs = l.of(c.Count, needs)
	}
}

// Above adds a level above the others.
func (c *Changes) Above(l Level) {
	l.Needs = l.of(c.Count, c.needs)
	c.Levels = slices.Insert(c.Levels, 0, l)
}

// mostNeeds limits the needs of one change: a name that occurs everywhere says little.
const mostNeeds = 64

// of converts needs between changes to needs between groups.
func (l Level) of(changes int, needs [][]int) [][]int {
	in := make([]int, changes)
	for i, g := range l.Groups {
		for _, change := range g {
			in[change] = i
		}
	}
	all := make([][]int, len(l.Groups))
	for change, wanted := range needs {
		for _, other := range wanted {
			if in[other] != in[change] {
				all[in[change]] = append(all[in[change]], in[other])
			}
		}
	}
	for i := range all {
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
	}
	return all
}

// An index has the definitions and uses of names in one version, by change.
type index struct {
	known         map[string]bool // all defined names
	defined, used map[string][]int
}

func newIndex() index { return index{map[string]bool{}, map[string][]int{}, map[string][]int{}} }

func (x index) add(p pair, e *archive.Entry, isNew bool, names func(archive.Entry) []Name) {
	if e == nil || p.mix == nil || e.Language == nil {
		return
	}
	ends, changes := p.mix.extents(isNew)
	for _, n := range names(*e) {
		i, _ := slices.BinarySearch(ends, n.At+1)
		change := -1
		if i < len(changes) && changes[i] >= 0 {
			change = p.first + changes[i]
		}
		to := x.used
		if n.Defines {
			x.known[n.Word] = true
			to = x.defined
		}
		if list := to[n.Word]; change >= 0 && (len(list) == 0 || list[len(list)-1] != change) {
			to[n.Word] = append(list, change)
		}
	}
}

// extents returns the end of each piece in one of the files, and its change or -1.
func (m *mixture) extents(isNew bool) (ends, changes []int) {
	at, next := 0, 0
	for _, p := range m.pieces {
		t, change := p.good, -1
		if isNew {
			t = p.bad
		}
		if p.changes {
			change = next
			next++
		}
		at += len(t.text)
		ends, changes = append(ends, at), append(changes, change)
	}
	return ends, changes
}
