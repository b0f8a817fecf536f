package queue

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// names are the names of a file: the words of each leaf, and the leaf that most likely defines each word.
type names struct {
	leaves  []leaf
	defines []int // leaf, by word
}

type leaf struct {
	node  int32
	words []int32
}

func namesOf(c *parse.Candidate) *names {
	t := c.Tree()
	ids, ns := map[string]int32{}, &names{}
	var declared []bool // by word
	for n := range int32(len(t.Nodes)) {
		if !t.IsLeaf(n) || !t.Nodes[n].Named || t.Nodes[n].Comment || !c.Live(n) {
			continue
		}
		l, declares := leaf{node: n}, declares(t, n)
		for _, word := range parse.Words(c.TextOf(n)) {
			id, known := ids[word]
			if !known {
				id = int32(len(ids))
				ids[word], ns.defines, declared = id, append(ns.defines, len(ns.leaves)), append(declared, declares)
			} else if declares && !declared[id] {
				ns.defines[id], declared[id] = len(ns.leaves), true
			}
			l.words = append(l.words, id)
		}
		if len(l.words) > 0 {
			ns.leaves = append(ns.leaves, l)
		}
	}
	return ns
}

// declares reports whether the grammar calls a leaf the name of something.
func declares(t *parse.Tree, n int32) bool {
	for _, field := range t.Kinds(n) {
		switch field {
		case "name", "declarator", "pattern", "label", "alias", "left":
			return true
		}
	}
	return false
}

// undefines reports whether c, which only deletes, lacks the definition of a name and has other mentions. A name
// without a declaration is most often defined by its first mention.
func (ns *names) undefines(best, c *parse.Candidate) bool {
	gone := make([]bool, len(ns.defines)) // words without their definition
	for i, l := range ns.leaves {
		live := c.Live(l.node)
		if live && !bytes.Equal(c.TextOf(l.node), best.TextOf(l.node)) {
			return false
		}
		for _, word := range l.words {
			gone[word] = gone[word] || !live && ns.defines[word] == i
		}
	}
	return slices.ContainsFunc(ns.leaves, func(l leaf) bool {
		return c.Live(l.node) && slices.ContainsFunc(l.words, func(word int32) bool { return gone[word] })
	})
}
