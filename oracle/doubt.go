package oracle

import "whittle/algo"

// Doubt forgets which candidates were interesting: they are asked again where a
// search comes to them. It must not be called during a search.
func (o *Oracle) Doubt() {
	o.Journal.doubt()
	for k, a := range o.known {
		if a.outcome == algo.Interesting {
			delete(o.known, k)
		}
	}
}
