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
	return g.text(g.typeBefore(n, item))
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

// An inserted constant is a new instruction at the start of a function.
type inserted struct {
	region         int32
	of, name, text string // of is its type
}

// value returns a constant of a type for an item, or the name of a value.
func (r *repair) value(of string, at int32) string {
	sigil := r.facts.words("insert")
	if sigil == nil {
		return r.facts.constant(of)
	}
	if name := r.parameter(of, at); name >= 0 {
		r.used[name] = true
		return r.names[name].text
	}
	in := r.regions[r.items[at].region].top
	i := slices.IndexFunc(r.constants, func(c inserted) bool { return c.region == in && c.of == of })
	if i < 0 {
		i = len(r.constants)
		r.constants = append(r.constants, inserted{in, of, sigil[0] + r.prefix + strconv.Itoa(i),
			strings.ReplaceAll(r.facts.constant(of), "$", of)})
	}
	return r.constants[i].name
}

// insert adds the new instructions before those that may use them. A token that is dropped later would lose them.
func (r *repair) insert(to *parse.Candidate) *parse.Candidate {
	edits := make([]parse.Edit, len(r.constants))
	for i, c := range r.constants {
		all := r.regions[c.region].blocks[0].items
		first := max(0, slices.IndexFunc(all, func(k int32) bool { return !r.isConstant(&r.items[k]) }))
		at := r.Nodes[r.items[all[first]].node].First
		edits[i] = parse.Edit{From: at, To: at, With: tokens("\n" + c.name + " = " + c.text)}
	}
	return to.Apply(edits...)
}

var token = regexp.MustCompile(`\s*([\w.$#!@%]*"[^"]*"|->|[\w.$#!@%^+-]+|\S)`)

// tokens returns the tokens of words.
func tokens(words ...string) (pieces []parse.Piece) {
	text := strings.ReplaceAll(strings.Join(words, " "), " ,", ",")
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

// parameter returns the outermost parameter of a type that an item may use: of its block, of the first block, or of the
// item around, and so on. It returns -1 without one.
func (r *repair) parameter(of string, at int32) int32 {
	for r.items[at].role&isParameter != 0 {
		at = r.items[at].around
	}
	found := int32(-1)
	for r.items[at].block >= 0 {
		it := &r.items[at]
		f := &r.regions[it.region]
		own := slices.Concat(f.blocks[0].parameters, f.blocks[it.block].parameters)
		if at = f.item; r.items[at].inner == it.region {
			own = append(r.parametersOf(at), own...)
		}
		i := slices.IndexFunc(own, func(p int32) bool {
			name := r.items[p].name()
			return name >= 0 && !r.lost[name] && r.typeOf(name, r.names[name].text) == of
		})
		if i >= 0 {
			found = r.items[own[i]].name()
		}
	}
	return found
}
