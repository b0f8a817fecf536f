package text

import (
	"cmp"
	"slices"

	"whittle/parse"
)

// Structure parses texts of unknown formats by brackets, quotes, indentation, empty lines, commas
// and white space. A bracket without a partner is a syntax error. Lines that begin with a usual marker are comments.
// Names that lines define by usual words, such as function, have the field "name". Blocks may end by their names.
//
// Lines of files over 16 MB stay together until a result is smaller than that.
var Structure parse.Language = structure{fine: 16 << 20}

// Coarse is [Structure] that keeps lines together in files of any size.
var Coarse parse.Language = structure{fine: -1}

// structure parses texts of more than fine bytes by lines.
type structure struct{ fine int }

// Errors counts the brackets without a partner.
func (structure) Errors(text []byte) int { return strays(text) }

// Parse fails only for a file of more than 2 GiB.
func (s structure) Parse(source []byte) (*parse.Tree, error) {
	if err := parse.CheckSize(source); err != nil {
		return nil, err
	}
	o := &outline{source: source, marker: markerOf(source), fixed: isFixed(source), ended: endedIn(source)}
	o.read(len(source) > s.fine)
	if len(o.tokens) == 0 { // white space only
		return Lines.Parse(source)
	}
	o.dotted = o.isDotted()
	partner, errors := partners(source, o.tokens, o.classes, o.lines)
	o.find(partner)
	t := &parse.Tree{
		Source: source, Tokens: o.tokens, Weights: o.weights, Errors: errors, Indented: true,
		Names: kindNames,
	}
	if o.defined < fewNames {
		o.names = nil
	} else {
		slices.Sort(o.names)
		t.Names = append(slices.Clip(t.Names), "name")
	}
	t.Nodes = o.nodes()
	t.Links = chain(t.Nodes)
	t.Fits = func(n int32, run []int32) bool { return len(run) == 1 && fits(t, n, run[0]) }
	return t, nil
}

// nodes nests the spans. Spans with the same tokens become one node, with the slot of the outermost.
// The Chain of a node is a bit set of kinds for now.
func (o *outline) nodes() []parse.Node {
	nodes := make([]parse.Node, 0, o.sort())
	nodes = append(nodes, parse.Node{Parent: -1, Last: int32(len(o.tokens)), Chain: 1 << file})
	top, commented := int32(0), int32(0) // all tokens up to the last
	for i := range int32(len(o.tokens)) {
		for top > 0 && nodes[top].Last <= i {
			nodes[top].Next = int32(len(nodes))
			top = nodes[top].Parent
		}
		for ; len(o.spans) > 0 && o.spans[0].first == i; o.spans = o.spans[1:] {
			s := o.spans[0]
			if s.kind == comment {
				commented = s.last
			}
			if n := &nodes[top]; n.First == s.first && n.Last == s.last && top > 0 {
				n.Chain, n.Comment = n.Chain|1<<s.kind, i < commented
				continue
			}
			nodes = append(nodes, parse.Node{
				First: s.first, Last: s.last, Parent: top, Chain: 1 << s.kind, Slot: s.slot, Comment: i < commented,
			})
			top = int32(len(nodes) - 1)
		}
		defines := int32(0)
		if _, found := slices.BinarySearch(o.names, i); found {
			defines = 1 << name
		}
		named := o.classes[i] == word || o.classes[i] == quoted
		if n := &nodes[top]; n.First == i && n.Last == i+1 && top > 0 {
			n.Named, n.Fixed = named, !named && n.Chain == 1<<leaf
			n.Chain |= 1<<leaf | defines
			continue
		}
		nodes = append(nodes, parse.Node{
			First: i, Last: i + 1, Next: int32(len(nodes) + 1), Parent: top, Chain: 1<<leaf | defines,
			Named: named, Fixed: !named, Comment: i < commented,
		})
	}
	for ; top >= 0; top = nodes[top].Parent {
		nodes[top].Next = int32(len(nodes))
	}
	return nodes
}

func chain(nodes []parse.Node) []parse.Link {
	chains := parse.NewChains()
	known := map[int32]int32{}
	for i := range nodes {
		set := nodes[i].Chain
		id, ok := known[set]
		if !ok {
			for kind := int32(leaf); kind >= 0; kind-- {
				if set>>kind&1 == 0 {
					continue
				}
				l := parse.Link{Kind: 1 + kind, Below: id}
				if set>>name&1 != 0 && set&(1<<kind-1) == 0 { // the outermost
					l.Field = int32(len(kindNames))
				}
				id = chains.Add(l)
			}
			known[set] = id
		}
		nodes[i].Chain = id
	}
	return chains.Links
}

func kinds(t *parse.Tree, n int32) (top, bottom uint16) {
	l := t.Links[t.Nodes[n].Chain]
	top = uint16(l.Kind - 1)
	for l.Below != 0 {
		l = t.Links[l.Below]
	}
	return top, uint16(l.Kind - 1)
}

// sort sorts the spans by start, outer ones first. It returns a limit for the number of nodes.
func (o *outline) sort() (nodes int) {
	slices.SortStableFunc(o.spans, func(a, b span) int {
		if a.first != b.first {
			return int(a.first) - int(b.first)
		}
		return cmp.Or(int(b.last)-int(a.last), int(a.kind)-int(b.kind))
	})
	nodes = 1 + len(o.tokens)
	before := span{first: -1}
	for _, s := range o.spans {
		if s.last > s.first+1 && (s.first != before.first || s.last != before.last) {
			nodes++
		}
		before = s
	}
	return nodes
}

// fits reports whether d may replace n: lines replace lines; the content of brackets, or a member in
// them, parts of a line; any child of brackets the pair.
func fits(t *parse.Tree, n, d int32) bool {
	place, inner := kinds(t, n)
	kind, _ := kinds(t, d)
	switch {
	case place <= content && inner == group && kind == content:
		return true
	case place <= content:
		return kind == body
	case kind == content:
		return true
	case kind == member && !t.IsLeaf(d):
		return true
	case inner == group:
		return held(t, d) && !(t.IsLeaf(d) && separated(t, d))
	}
	return false
}

func held(t *parse.Tree, d int32) bool {
	p := t.Nodes[d].Parent
	kind, _ := kinds(t, p)
	if kind == body {
		_, above := kinds(t, t.Nodes[p].Parent)
		return t.Nodes[d].Slot != parse.Separator && above == group
	}
	return t.Nodes[d].Slot != parse.Separator && kind == content
}

func separated(t *parse.Tree, d int32) bool {
	next := t.Nodes[d].Next
	return t.Nodes[d-1].Slot == parse.Separator || next < int32(len(t.Nodes)) && t.Nodes[next].Slot == parse.Separator
}
