package isolate

import (
	"slices"

	"whittle/parse/archive"
)

// A Name is a word of a file that may be the name of something, and whether it is defined
// there or used.
type Name struct {
	Word    string
	At      int // the byte where it begins
	Defines bool
}

// Needs finds out what needs what among the changes, by names: what uses a name hardly
// makes sense without what defines it, if that is new; and a definition hardly goes
// without its uses, if no other comes. The names of a file, by their places, are up to
// names. It is a guess, as names are told apart by their text only.
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

// Above puts a level above the others: groups of what comes from one place, say.
func (c *Changes) Above(l Level) {
	l.Needs = l.of(c.Count, c.needs)
	c.Levels = slices.Insert(c.Levels, 0, l)
}

// mostNeeds is how many changes one may need: of a name that is everywhere little is to
// be learned.
const mostNeeds = 64

// of returns the needs of groups, of those of changes.
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

// An index says which changes define and use which names in one version.
type index struct {
	known         map[string]bool // what is defined, by a change or not
	defined, used map[string][]int
}

func newIndex() index { return index{map[string]bool{}, map[string][]int{}, map[string][]int{}} }

// add adds what is in one version of a pair.
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

// extents returns where each piece of one of the files ends, and which change it is, -1 for
// none.
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
