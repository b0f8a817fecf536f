package pass

import (
	"bytes"
	"maps"

	"whittle/parse"
)

// Names are the words of the leaves of a candidate.
type Names struct {
	words  []string
	ids    map[string]int // of words
	leaves []leaf
}

type leaf struct {
	node     int32
	declares bool
	words    []int // of Names
}

// NamesOf returns the names of a candidate.
func NamesOf(c *parse.Candidate) *Names {
	t := c.Tree()
	ns := &Names{ids: map[string]int{}}
	for n := range int32(len(t.Nodes)) {
		if !t.IsLeaf(n) || !t.Nodes[n].Named || t.Nodes[n].Comment || !c.Live(n) {
			continue
		}
		l := leaf{node: n, declares: declares(t, n)}
		for _, word := range parse.Words(c.TextOf(n)) {
			id, known := ns.ids[word]
			if !known {
				id = len(ns.ids)
				ns.ids[word], ns.words = id, append(ns.words, word)
			}
			l.words = append(l.words, id)
		}
		if len(l.words) > 0 {
			ns.leaves = append(ns.leaves, l)
		}
	}
	return ns
}

// declares reports whether a leaf is in a field for declared names.
func declares(t *parse.Tree, n int32) bool {
	for _, field := range t.Kinds(n) {
		switch field {
		case "name", "declarator", "pattern", "label", "alias", "left":
			return true
		}
	}
	return t.Is(t.Nodes[n].Parent, "parenthesized_declarator") // int (f)(void)
}

// Undefined returns the names that c mentions although it deletes their definition. The definition is the first
// declaration in base. A name without declaration is ignored if declared is set; otherwise its first mention counts.
// Names in the text of edits may be moved definitions, and are not undefined. Both must be made from the candidate of
// [NamesOf]. The result is nil if ns is nil, or if c replaces a name.
func (ns *Names) Undefined(base, c *parse.Candidate, declared bool) (undefined []string) {
	if ns == nil {
		return nil
	}
	type word struct{ known, declared, gone, mentioned, moved bool }
	words := make([]word, len(ns.words))
	before := maps.Collect(base.Edited())
	for i, text := range c.Edited() {
		if !bytes.Equal(text, before[i]) {
			for _, name := range parse.Words(text) {
				if id, known := ns.ids[name]; known {
					words[id].moved = true
				}
			}
		}
	}
	for _, l := range ns.leaves {
		if !base.Live(l.node) {
			continue
		}
		live := c.Live(l.node)
		if live && !bytes.Equal(c.TextOf(l.node), base.TextOf(l.node)) {
			return nil
		}
		for _, id := range l.words {
			w := &words[id]
			if !w.known || l.declares && !w.declared {
				w.known, w.declared, w.gone = true, l.declares, !live
			}
			w.mentioned = w.mentioned || live
		}
	}
	for id, w := range words {
		if w.gone && w.mentioned && !w.moved && (w.declared || !declared) {
			undefined = append(undefined, ns.words[id])
		}
	}
	return undefined
}
