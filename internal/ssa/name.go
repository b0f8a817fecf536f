package ssa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

// named returns the tree with names in place of consecutive numbers, or nil if some numbers are unclear.
func (g *graph) named() *parse.Candidate {
	n := namer{graph: g}
	for leaf := range int32(len(g.Nodes)) {
		if number, sigil := g.number(leaf); sigil != "" {
			n.rename(leaf, sigil+n.prefix+number)
		} else if in := g.Nodes[leaf].Parent; in >= 0 && g.is(in, isBlock) && g.IsLeaf(leaf) &&
			isNumber(strings.TrimSuffix(g.text(leaf), ":")) {
			n.rename(leaf, n.prefix+g.text(leaf))
		}
	}
	n.separate()
	for i := range g.regions {
		if !n.implicit(&g.regions[i]) {
			return nil
		}
	}
	return parse.Whole(g.Tree).Apply(n.edits...)
}

// separate gives names of their own to the values of different regions.
func (n *namer) separate() {
	for id, d := range n.names {
		same := n.regions[d.region].local[d.text]
		if i := slices.Index(same, int32(id)); i > 0 {
			text := fmt.Sprint(d.text[:1], n.prefix, i, "_", d.text[1:])
			n.rename(d.leaf, text)
			for _, m := range d.uses {
				n.rename(m.leaf, text+strings.TrimPrefix(n.text(m.leaf), d.text))
			}
		}
	}
}

type namer struct {
	*graph
	edits []parse.Edit
}

func (n *namer) rename(leaf int32, text string) {
	n.edits = append(n.edits, n.Replace([]int32{leaf}, parse.Literal("", text)))
}

func (n *namer) insert(at int32, text parse.Piece) {
	n.edits = append(n.edits, parse.Edit{From: at, To: at, With: []parse.Piece{text}})
}

// number returns the parts of a name that is a number.
func (g *graph) number(leaf int32) (number, sigil string) {
	if !g.IsLeaf(leaf) || !g.Nodes[leaf].Named {
		return "", ""
	}
	text := g.text(leaf)
	for _, sigil := range g.facts.words("number") {
		if number, ok := strings.CutPrefix(text, sigil); ok && isNumber(number) {
			return number, sigil
		}
	}
	return "", ""
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// implicit names parameters and the first block whose numbers are not in the text. It reports whether all mentioned
// numbers are defined then.
func (n *namer) implicit(f *region) bool {
	sigil := strings.Join(n.facts.words("label"), "")
	next, found := 0, 0
	for _, at := range n.parametersOf(f.item) {
		node := n.items[at].node
		name := n.items[at].name()
		switch {
		case name < 0 && n.IsLeaf(node) && !n.is(node, isType):
			continue
		case name < 0 && f.unknown[sigil+strconv.Itoa(next)]:
			n.insert(n.Nodes[node].Last, parse.Literal(" ", sigil+n.prefix+strconv.Itoa(next)))
			found++
		case name >= 0 && !isNumber(strings.TrimPrefix(n.names[name].text, sigil)):
			continue
		}
		next++
	}
	first := sigil + strconv.Itoa(next)
	if len(f.blocks) > 0 && f.blocks[0].name < 0 && f.unknown[first] {
		at := n.Nodes[n.items[f.blocks[0].items[0]].node].First
		n.insert(at, parse.Literal("\n", n.prefix+strconv.Itoa(next)+":"))
		found++
	}
	return found == len(f.unknown)
}
