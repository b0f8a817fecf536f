package grain

import (
	"maps"

	"whittle/algo"
)

// A history is the experience with lists by kind. It is immutable.
type history struct {
	posteriors map[string]posterior
	choices    map[string]tally
	failed     *failed
}

// A lesson is the End of a list search.
type lesson func(history) history

func (l lesson) then(next lesson) lesson { return func(h history) history { return next(l(h)) } }

func (h history) withList(kind string, before, after *posterior, fade float64) history {
	p := h.posteriors[kind]
	for i := range p {
		p[i] = fade * (p[i] + after[i] - before[i])
	}
	h.posteriors = with(h.posteriors, kind, p)
	return h
}

type tally struct{ successes, failures float64 }

// chance is initially one in five.
func (t tally) chance(p *Params) float64 {
	return (t.successes + p.Successes) / (t.successes + t.failures + p.Successes + p.Failures)
}

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

func (h history) withFailed(known []uint64) history {
	for _, k := range known {
		h.failed = h.failed.with(k)
	}
	return h
}

func with[V any](m map[string]V, kind string, v V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[kind] = v
	return m
}
