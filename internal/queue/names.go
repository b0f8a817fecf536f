package queue

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// names are the names of a file: the words of each leaf, and the first leaf of each word.
type names struct {
	leaves []leaf
	first  []int // leaf, by word
}

type leaf struct {
	node  int32
	words []int32
}

func namesOf(c *parse.Candidate) *names {
	t := c.Tree()
	ids, ns := map[string]int32{}, &names{}
	for n := range int32(len(t.Nodes)) {
		if !t.IsLeaf(n) || !t.Nodes[n].Named || t.Nodes[n].Comment || !c.Live(n) {
			continue
		}
		l := leaf{node: n}
		for _, word := range parse.Words(c.TextOf(n)) {
			id, known := ids[word]
			if !known {
				id = int32(len(ids))
				ids[word], ns.first = id, append(ns.first, len(ns.leaves))
			}
			l.words = append(l.words, id)
		}
		if len(l.words) > 0 {
			ns.leaves = append(ns.leaves, l)
		}
	}
	return ns
}

// undefines reports whether c, which only deletes, lacks the first mention of a name and has others. The first mention
// is most often the definition.
func (ns *names) undefines(best, c *parse.Candidate) (undefined bool) {
	gone := make([]bool, len(ns.first)) // words without their first mention
	for i, l := range ns.leaves {
		if live := c.Live(l.node); live && !bytes.Equal(c.TextOf(l.node), best.TextOf(l.node)) {
			return false
		} else if live {
			undefined = undefined || slices.ContainsFunc(l.words, func(word int32) bool { return gone[word] })
			continue
		}
		for _, word := range l.words {
			gone[word] = gone[word] || ns.first[word] == i
		}
	}
	return undefined
}
