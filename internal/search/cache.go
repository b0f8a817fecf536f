package search

import (
	"maps"

	"whittle/algo"
	"whittle/oracle"
)

// memory keeps the latest outcomes, between generation and twice as many, in 26 MB.
type memory struct{ young, old map[oracle.Key]known }

// generation is the number of outcomes in young.
const generation = 1 << 18

type known struct {
	outcome algo.Outcome
	size    int32 // in bytes
}

func (m *memory) get(k oracle.Key) (known, bool) {
	f, ok := m.young[k]
	if !ok {
		f, ok = m.old[k]
	}
	return f, ok
}

func (m *memory) put(k oracle.Key, f known) {
	if m.young == nil || len(m.young) >= generation {
		m.young, m.old = map[oracle.Key]known{}, m.young
	}
	m.young[k] = f
}

func (m *memory) drop(unwanted func(known) bool) {
	for _, half := range []map[oracle.Key]known{m.young, m.old} {
		maps.DeleteFunc(half, func(_ oracle.Key, f known) bool { return unwanted(f) })
	}
}
