package search

import (
	"maps"

	"whittle/algo"
	"whittle/oracle"
)

// A cache has the answers to the search and to speculative tests. They are separate, so that
// speculation does not change which answers are forgotten. Only the search's goroutine uses it.
type cache struct {
	layer        // other questions
	asked memory // in order
	early memory
}

func (c *cache) recall(about candidate) (oracle.Recollection, bool) {
	for _, m := range []*memory{&c.asked, &c.early} {
		if known, ok := m.get(about.key); ok {
			return oracle.Recollection{Outcome: known.outcome}, true
		}
	}
	return c.layer.recall(about)
}

func (c *cache) learn(about candidate, outcome algo.Outcome) {
	c.layer.learn(about, outcome)
	c.asked.put(about.key, known{outcome, int32(len(about.bytes))})
}

func (c *cache) doubt() {
	c.layer.doubt()
	c.asked.doubt()
	c.early.doubt()
}

func (c *cache) forget(bytes int) {
	c.asked.forget(bytes)
	c.early.forget(bytes)
}

// memory keeps the latest outcomes, between generation and twice as many, in 26 MB.
type memory struct{ young, old map[oracle.Key]known }

// generation is the number of outcomes in young.
const generation = 1 << 18

type known struct {
	outcome algo.Outcome
	size    int32 // in bytes
}

func (m *memory) has(k oracle.Key) bool {
	_, ok := m.get(k)
	return ok
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

func (m *memory) forget(bytes int) {
	m.drop(func(f known) bool { return int(f.size) > bytes })
}

func (m *memory) doubt() {
	m.drop(func(f known) bool { return f.outcome == algo.Interesting })
}

func (m *memory) drop(unwanted func(known) bool) {
	for _, half := range []map[oracle.Key]known{m.young, m.old} {
		maps.DeleteFunc(half, func(_ oracle.Key, f known) bool { return unwanted(f) })
	}
}
