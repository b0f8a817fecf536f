package deps

import (
	"cmp"
	"slices"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

const (
	fewestLayers = 4  // of a chain
	maxWords     = 64 // as replacements of mentions
	leastCut     = 10 // 1/leastCut of the file is removed by a cut
)

// A chain is the required definitions and what they mention, in layers by distance. The cut after a layer removes its
// mentions of definitions of one kind in the next one, and all definitions that are mentioned nowhere then.
type chain struct {
	*explorer
	roots  []int32
	needs  needs
	layers [][]link
	words  []int32 // the replacements
	then   func(base *parse.Candidate) *pass.Step
}

// A link is a mention in a unit of a definition in the next layer.
type link struct {
	node, unit int32
	kind       string // of the definition
}

// searchLinks searches the layer where the chain may end: at the distances 1, 2, 4, … until a cut succeeds, then by
// bisection. So the number of questions is logarithmic. A mention is replaced by a word of the file, or dropped with
// the smallest optional node around it.
//
//	typedef int a;   typedef a b;   typedef b c;   typedef c d;     d is required
//	- the cut after c -
//	typedef int c;   typedef c d;
func (h *explorer) searchLinks(t progress) *pass.Step {
	if h.plan.Abreast || len(t.needed) == 0 {
		return nil
	}
	return h.searchKinds(t, t.base.Weight(), h.plainWords(t.base), nil)
}

// searchKinds searches the chains of functions, of types and so on, one after the other. After a success, the roots
// are searched again.
func (h *explorer) searchKinds(t progress, weight int, words []int32, done []string) *pass.Step {
	layers := h.layers(t)
	for _, links := range layers {
		for _, l := range links {
			if slices.Contains(done, l.kind) {
				continue
			}
			c := &chain{explorer: h, roots: t.roots, needs: t.learned.needs, words: words}
			for _, links := range layers {
				if links = slices.DeleteFunc(slices.Clone(links), func(o link) bool { return o.kind != l.kind }); len(links) > 0 {
					c.layers = append(c.layers, links)
				}
			}
			done = append(slices.Clip(done), l.kind)
			if len(c.layers) < fewestLayers {
				continue
			}
			c.then = func(base *parse.Candidate) *pass.Step {
				next := t
				next.base = base
				return h.searchKinds(next, weight, words, done)
			}
			return c.search(t.base, cuts{low: -1, high: len(c.layers), step: 1})
		}
	}
	if t.base.Weight() < weight {
		return h.searchRoots(t)
	}
	return nil
}

// Cuts are the state of a search: the cut after layer low failed, the one after high succeeded.
type cuts struct {
	low, high, step int  // step is 0 after a success
	drop            bool // the last success dropped mentions
}

func (c *chain) search(base *parse.Candidate, q cuts) *pass.Step {
	if q.high-q.low < 2 {
		return c.then(base)
	}
	at := min(q.low+q.step, q.high-1)
	if q.step == 0 {
		at = (q.low + q.high) / 2
	}
	failed := cuts{at, q.high, 2 * q.step, q.drop}
	return c.ask(base, at, cuts{q.low, at, 0, q.drop}, func() *pass.Step {
		return c.ask(base, at, cuts{q.low, at, 0, !q.drop}, func() *pass.Step { return c.search(base, failed) })
	})
}

// ask tests the cut after a layer if it removes 1/leastCut of the file.
func (c *chain) ask(base *parse.Candidate, at int, won cuts, failed func() *pass.Step) *pass.Step {
	cut := c.cut(base, at, won.drop)
	if cut == nil || (base.Weight()-cut.Weight())*leastCut < base.Weight() || !c.gate.Allows(base, cut) {
		return failed()
	}
	return &pass.Step{Candidate: cut, Next: func(o algo.Outcome) *pass.Step {
		if o == algo.Interesting {
			return c.search(cut, won)
		}
		return failed()
	}}
}

// cut returns nil if a mention cannot be removed.
func (c *chain) cut(base *parse.Candidate, at int, drop bool) *parse.Candidate {
	var gone []int32
	with := map[int32]parse.Piece{}
	for _, l := range c.layers[at] {
		if !base.Live(l.node) {
			continue
		}
		n, unit := l.node, c.units[l.unit].node
		if parent := c.tree.Nodes[n].Parent; c.tree.Child(parent, "function") == n {
			n = parent
		}
		for ; n != unit; n = c.tree.Nodes[n].Parent {
			if drop && c.tree.Nodes[n].Slot.Droppable() {
				break
			}
			if piece, ok := c.piece(n); ok && !drop {
				with[n] = piece
				break
			}
		}
		if n == unit {
			return nil
		}
		gone = append(gone, n)
	}
	slices.Sort(gone)
	var edits []parse.Edit
	for i, end := 0, int32(0); i < len(gone); i++ {
		if n := gone[i]; n >= end && !drop {
			edits = append(edits, c.tree.Replace([]int32{n}, with[n]))
			end = c.tree.Nodes[n].Next
		}
	}
	more := c.without(base.Drop(gone...), c.roots, c.needs)
	if drop {
		return base.Drop(append(gone, more...)...)
	}
	return base.Apply(edits...).Drop(more...)
}

// piece returns the shortest text in place of n, or the first word that fits.
func (c *chain) piece(n int32) (piece parse.Piece, ok bool) {
	if c.tree.Least != nil {
		if text := c.tree.Least(n); text != nil {
			return parse.Literal("", string(text)), true
		}
	}
	for _, w := range c.words {
		if c.tree.Replaceable(n, w) {
			return parse.Nodes(w), true
		}
	}
	return piece, false
}

// layers ends with the layer that mentions the last definitions.
func (h *explorer) layers(t progress) (layers [][]link) {
	seen, named := make([]bool, len(h.units)), make([]bool, len(h.define))
	var layer []int32
	see := func(to []int32, u int32) []int32 {
		if u < 0 || seen[u] || !t.base.Live(h.units[u].node) {
			return to
		}
		seen[u] = true
		return append(to, u)
	}
	for _, u := range t.needed {
		layer = see(layer, u)
	}
	for {
		for i := 0; i < len(layer); i++ { // grows
			layer = see(layer, h.units[layer[i]].parent)
		}
		var next []int32
		var links []link
		further := map[int32]string{} // the kinds of names
		for _, u := range layer {
			for _, m := range h.units[u].mentions {
				if !t.base.Live(m.node) {
					continue
				}
				if before := len(next); !named[m.name] {
					named[m.name] = true
					for _, d := range h.define[m.name] {
						next = see(next, d)
					}
					if len(next) > before {
						further[m.name] = h.tree.Kind(h.units[next[before]].node)
					}
				}
				if kind, found := further[m.name]; found {
					links = append(links, link{m.node, u, kind})
				}
			}
		}
		if layer = next; len(links) == 0 {
			return layers
		}
		layers = append(layers, links)
	}
}

// plainWords returns leaves that mention no definition, one of each text: numbers first, then the most frequent.
func (h *explorer) plainWords(base *parse.Candidate) (words []int32) {
	count := map[string]int{}
	h.leaves(func(n int32, _ []int32) {
		text := string(base.TextOf(n))
		if _, defined := h.ids[text]; defined || len(parse.Words([]byte(text))) != 1 {
			return
		}
		if count[text]++; count[text] == 1 {
			words = append(words, n)
		}
	})
	isNumber := func(n int32) int {
		if c := base.TextOf(n)[0]; '0' <= c && c <= '9' {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(words, func(a, b int32) int {
		return cmp.Or(isNumber(b)-isNumber(a), count[string(base.TextOf(b))]-count[string(base.TextOf(a))])
	})
	return words[:min(len(words), maxWords)]
}
