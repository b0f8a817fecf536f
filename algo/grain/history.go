package grain

import (
	"maps"

	"whittle/algo"
)

// A history is what a run has learned from its lists, by their kinds. It is a
// value; the zero value knows nothing.
type history struct {
	posteriors map[string]posterior
	choices    map[string]tally
	failed     *failed
}

// A lesson is what a search of a list ends with.
type lesson func(history) history

// withList returns the history with what a list has taught: its posterior was
// before, and is after now.
func (h history) withList(kind string, before, after *posterior, fade float64) history {
	p := h.posteriors[kind]
	for i := range p {
		p[i] = fade * (p[i] + after[i] - before[i])
	}
	h.posteriors = with(h.posteriors, kind, p)
	return h
}

// A tally counts how often choices of a kind were interesting.
type tally struct{ successes, failures float64 }

// chance returns the probability that the next choice of the kind is interesting.
// It begins at one in five.
func (t tally) chance(p *Params) float64 {
	return (t.successes + p.Successes) / (t.successes + t.failures + p.Successes + p.Failures)
}

// withChoice returns the history after one more choice.
func (h history) withChoice(kind string, o algo.Outcome) history {
	t := h.choices[kind]
	if o == algo.Interesting {
		t.successes++
	} else {
		t.failures++
	}
	h.choices = with(h.choices, kind, t)
	return h
}

// withFailed returns the history after what is known by these has failed alone.
func (h history) withFailed(known []uint64) history {
	for _, k := range known {
		h.failed = h.failed.with(k)
	}
	return h
}

// with returns the map with one value changed.
func with[V any](m map[string]V, kind string, v V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[kind] = v
	return m
}
