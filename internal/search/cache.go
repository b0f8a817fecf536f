package search

import (
	"maps"

	"whittle/algo"
	"whittle/oracle"
)

// A cache has what a search was told, and what was found out before it asked. What
// was asked is apart from the rest, so that it does not depend on what was tested early
// which of it is still known. Only the goroutine of the search uses it.
type cache struct {
	layer        // asked about all else
	asked memory // in order
	early memory
}

// recall returns what is known of a candidate.
func (c *cache) recall(about candidate) (oracle.Recollection, bool) {
	for _, m := range []*memory{&c.asked, &c.early} {
		if known, ok := m.get(about.key); ok {
			return oracle.Recollection{Outcome: known.outcome}, true
		}
	}
	return c.layer.recall(about)
}

// learn is told an outcome.
func (c *cache) learn(about candidate, outcome algo.Outcome) {
	c.layer.learn(about, outcome)
	c.asked.put(about.key, known{outcome, int32(len(about.bytes))})
}

// doubt lets go of the candidates that were interesting.
func (c *cache) doubt() {
	c.layer.doubt()
	c.asked.doubt()
	c.early.doubt()
}

// forget lets go of the candidates with more than so many bytes.
func (c *cache) forget(bytes int) {
	c.asked.forget(bytes)
	c.early.forget(bytes)
}

// memory keeps the outcomes of the candidates that were met last, at least
// generation of them and at most twice as many, in 26 MB.
type memory struct{ young, old map[oracle.Key]known }

// generation is how many outcomes make the earlier ones old.
const generation = 1 << 18

// known is what is known of a candidate.
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

// forget lets go of the candidates with more than so many bytes.
func (m *memory) forget(bytes int) {
	m.drop(func(f known) bool { return int(f.size) > bytes })
}

// doubt lets go of the candidates that were interesting.
func (m *memory) doubt() {
	m.drop(func(f known) bool { return f.outcome == algo.Interesting })
}

func (m *memory) drop(unwanted func(known) bool) {
	for _, half := range []map[oracle.Key]known{m.young, m.old} {
		maps.DeleteFunc(half, func(_ oracle.Key, f known) bool { return unwanted(f) })
	}
}
