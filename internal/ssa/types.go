package ssa

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

// operandAround returns the innermost value around a mention that has a type, and the type; or -1.
func (g *graph) operandAround(m mention, item int32) (n int32, of string) {
	for n = m.leaf; n != item; n = g.Nodes[n].Parent {
		if g.is(n, isCallee|isType) {
			return -1, ""
		}
		if g.is(n, isValue) {
			if of = g.typeAt(n, item, m); of != "" {
				return n, of
			}
		}
	}
	return -1, ""
}

// typeAt returns the type of a value, around a mention, of an item.
func (g *graph) typeAt(n, item int32, m mention) string {
	if g.typed {
		return g.typeOf(m.name, g.text(m.leaf))
	}
	if of := g.typeBefore(n, item); of >= 0 {
		return g.text(of)
	}
	return ""
}

// typeBefore returns the last type before a value, else before the nodes around it, or -1.
func (g *graph) typeBefore(n, item int32) int32 {
	for ; n != item; n = g.Nodes[n].Parent {
		found := int32(-1)
		for d := g.Nodes[n].Parent + 1; d < n; d = g.Nodes[d].Next {
			if g.is(d, isType) {
				found = d
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// typeOf returns the type in the definition of a name, or "".
func (g *graph) typeOf(name int32, text string) string {
	at := g.names[name].item
	if at < 0 {
		return ""
	}
	types, known := g.types[at]
	if !known {
		types = g.typesOf(&g.items[at])
		g.types[at] = types
	}
	_, number := g.split(text)
	if number += slices.Index(g.items[at].defines, name); number < len(types) {
		return types[number]
	}
	return ""
}

// typesOf returns the types of the values that an item defines.
func (g *graph) typesOf(it *item) []string {
	var last, results []string
	for n := it.node + 1; n < g.Nodes[it.node].Next; n++ {
		switch {
		case g.is(n, isRegion|isAside):
			n = g.Nodes[n].Next - 1
		case g.is(n, isResults):
			results = []string{}
			for _, d := range g.outermost(n, g.with(isType)) {
				results = append(results, g.text(d))
			}
			n = g.Nodes[n].Next - 1
		case g.is(n, isType):
			last = []string{g.text(n)}
			if it.role&isParameter != 0 {
				return last
			}
		}
	}
	if results != nil {
		return results
	}
	if it.role&isParameter != 0 && len(it.mentions) > 0 { // a name for another value
		return []string{g.typeOf(it.mentions[0].name, g.text(it.mentions[0].leaf))}
	}
	word := g.firstWord(it)
	matches := func(w string) bool { return w == word || g.Is(it.node, w) }
	for _, line := range g.facts {
		switch {
		case line[0] == "typed" && slices.ContainsFunc(line[2:], matches):
			return []string{line[1]}
		case line[0] == "derived" && last != nil && slices.Contains(line[2:], word):
			match := expression(line[1]).FindStringSubmatch(last[0])
			return match[min(2, len(match)):] // behind the group of expression
		}
	}
	return last
}

// top returns the region of the function around a region.
func (g *graph) top(in int32) int32 {
	for g.regions[in].outer >= 0 {
		in = g.regions[in].outer
	}
	return in
}

// A typeIn is a type in a function.
type typeIn struct {
	region int32
	of     string
}

// An inserted constant is a new instruction at the start of a function.
type inserted struct {
	typeIn
	name, text string
}

// value returns a constant of a type for an item, or the name of a value.
func (r *repair) value(of string, at int32) string {
	sigil := r.facts.words("insert")
	if sigil == nil {
		return r.facts.constant(of)
	}
	in := typeIn{r.top(r.items[at].region), of}
	if name := r.dominating(in, at); name >= 0 {
		r.used[name] = true
		return r.names[name].text
	}
	i := slices.IndexFunc(r.constants, func(c inserted) bool { return c.typeIn == in })
	if i < 0 {
		i = len(r.constants)
		r.constants = append(r.constants, inserted{in, sigil[0] + r.unusedPrefix() + strconv.Itoa(i),
			strings.ReplaceAll(r.facts.constant(of), "$", of)})
	}
	return r.constants[i].name
}

// insert adds the new instructions before those that may use them. A token that is dropped later would lose them.
func (r *repair) insert(to *parse.Candidate) *parse.Candidate {
	edits := make([]parse.Edit, len(r.constants))
	for i, c := range r.constants {
		at := int32(-1)
		for _, k := range slices.Backward(r.regions[c.region].blocks[0].items) {
			if it := &r.items[k]; at < 0 || !r.isConstant(it) {
				at = r.Nodes[it.node].First
			}
		}
		edits[i] = parse.Edit{From: at, To: at, With: tokens("\n" + c.name + " = " + c.text)}
	}
	return to.Apply(edits...)
}

var token = regexp.MustCompile(`\s*(->|[\w.$#!@%^-]+|\S)`)

// tokens returns the tokens of a text.
func tokens(text string) (pieces []parse.Piece) {
	for _, word := range token.FindAllString(text, -1) {
		trimmed := strings.TrimLeft(word, " \n")
		pieces = append(pieces, parse.Literal(word[:len(word)-len(trimmed)], trimmed))
	}
	return pieces
}

// isConstant reports whether an instruction only defines a value.
func (g *graph) isConstant(it *item) bool {
	return g.typed && it.block >= 0 && len(it.defines) == 1 && it.mentions == nil && it.inner < 0 && !g.isLast(it)
}

// nearest is the maximum number of values to look at for a substitute.
const nearest = 100

// dominating returns the first value of a type that an item may use, or -1.
func (r *repair) dominating(in typeIn, at int32) int32 {
	if r.byType == nil {
		r.graph.byType = map[typeIn][]int32{}
		for i := range r.names {
			d := &r.names[i]
			if d.item < 0 || d.within < 0 || len(r.items[d.item].defines) > 1 {
				continue
			}
			if of := r.typeOf(int32(i), d.text); of != "" && len(r.types[d.item]) == 1 {
				key := typeIn{r.top(r.items[d.item].region), of}
				r.byType[key] = append(r.byType[key], int32(i))
			}
		}
	}
	for i, name := range r.byType[in] {
		if i == nearest {
			break
		}
		if !r.lost[name] && r.dominates(name, at) {
			return name
		}
	}
	return -1
}

// dominates reports whether an item may use a name.
func (g *graph) dominates(name, at int32) bool {
	d := &g.names[name]
	for g.items[at].role&isParameter != 0 {
		at = g.items[at].around
	}
	if !g.contains(d.within, g.items[at].node) || d.within == g.items[at].node {
		return false
	}
	of := &g.items[d.item]
	if head := &g.items[of.around]; d.within == head.node { // of an instruction or function
		return head.inner >= 0 && g.contains(g.regions[head.inner].node, g.items[at].node)
	}
	for g.items[at].region != of.region {
		at = g.regions[g.items[at].region].item
	}
	user, f := &g.items[at], &g.regions[of.region]
	if of.role&isParameter != 0 {
		return slices.Contains(f.blocks[0].parameters, d.item) || slices.Contains(f.blocks[user.block].parameters, d.item)
	}
	return of.block == user.block && of.node < user.node || of.block == 0 && user.block != 0
}
