package algo

import "maps"

// Lore is what a run has learned from its lists, by their kinds. It is a value;
// the zero value knows nothing.
type Lore struct {
	hunches map[string]hunch
	chances map[string]chance
}

// A lesson is what a search ends with from which something can be learned.
type lesson func(Lore) Lore

// after is the lore after a search with that end.
func (l Lore) after(search *Step[[]int]) Lore {
	if search == nil {
		return l
	}
	if learn, ok := search.End.(lesson); ok {
		return learn(l)
	}
	return l
}

// faded is how much is left of what a list has taught when the next one begins,
// for lists differ and what is further down in a file is needed more often, and of
// what a part of it has taught behind a needed item.
const faded = 0.5

// withHunch is the lore with what a list taught: its hunch was before, and is
// after now.
func (l Lore) withHunch(kind string, before, after hunch) Lore {
	h := l.hunches[kind]
	for i := range h {
		h[i] = faded * (h[i] + after[i] - before[i])
	}
	l.hunches = with(l.hunches, kind, h)
	return l
}

// A chance counts how often choices of a kind were interesting.
type chance struct{ yes, no float64 }

// probability begins at one in five.
func (c chance) probability() float64 { return (c.yes + 0.5) / (c.yes + c.no + 2.5) }

// withChance is the lore after one more choice.
func (l Lore) withChance(kind string, o Outcome) Lore {
	c := l.chances[kind]
	if o == Interesting {
		c.yes++
	} else {
		c.no++
	}
	l.chances = with(l.chances, kind, c)
	return l
}

// with is the map with one value changed.
func with[V any](m map[string]V, kind string, v V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[kind] = v
	return m
}
