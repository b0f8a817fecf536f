package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"whittle/parse"
)

type index struct {
	tree   *parse.Tree
	kinds  map[string][]int32 // nodes in order by lowest kind
	begins []int32            // the topmost node that begins with a token
	past   []int32            // the first token from a token on that is not space or comment
	words  map[string]bool
}

func newIndex(t *parse.Tree) *index {
	x := &index{
		tree:   t,
		kinds:  map[string][]int32{},
		begins: make([]int32, len(t.Tokens)+1),
		past:   make([]int32, len(t.Tokens)+1),
		words:  map[string]bool{},
	}
	for _, w := range parse.Words(t.Source) {
		x.words[strings.ToLower(w)] = true
	}
	for i := range x.begins {
		x.begins[i], x.past[i] = int32(len(t.Nodes)), int32(i)
	}
	for n := int32(len(t.Nodes)) - 1; n >= 0; n-- {
		node := &t.Nodes[n]
		if node.First == node.Last {
			continue
		}
		x.begins[node.First] = n
		if skipped := node.Comment || t.IsLeaf(n) && isSpace(text(t, node.First)); !skipped {
			continue
		} else if node.Last < int32(len(t.Tokens)) {
			x.past[node.First] = x.past[node.Last]
		} else {
			x.past[node.First] = node.Last
		}
	}
	for n := range t.Nodes {
		if node := &t.Nodes[n]; node.First < node.Last && !node.Comment {
			kind := t.Kind(int32(n))
			x.kinds[kind] = append(x.kinds[kind], int32(n))
		}
	}
	return x
}

// bound is a match with its siblings, the nodes of each metavariable, and the first token of each item.
type bound struct {
	reading
	siblings []int32
	names    map[string][]int32
	at       []int32 // one more than items: the end
}

// lacks reports whether the file lacks a word of a pattern, which then need not be compiled.
func (x *index) lacks(s side) bool {
	for _, a := range s.atoms {
		if a.name != "" {
			continue
		}
		for _, w := range parse.Words([]byte(a.text)) {
			if !x.words[strings.ToLower(w)] {
				return true
			}
		}
	}
	return false
}

func (x *index) find(readings []reading, anyCase bool) []bound {
	equal := bytes.Equal
	if anyCase {
		equal = bytes.EqualFold
	}
	var found []bound
	for _, p := range readings {
		for _, n := range x.kinds[p.kind] {
			if first := p.items[0]; first.name == "" && !equal(text(x.tree, x.tree.Nodes[n].First), first.text) {
				continue
			}
			if m := (matcher{index: x, reading: p, root: n, equal: equal}); m.match() {
				found = append(found, m.bound())
			}
		}
	}
	slices.SortStableFunc(found, func(a, b bound) int {
		return cmp.Or(cmp.Compare(a.siblings[0], b.siblings[0]), cmp.Compare(len(b.siblings), len(a.siblings)))
	})
	return found
}

// matcher matches a pattern with the nodes that begin with root. Each $X must be one whole node that is not a keyword
// or a bracket. Each $$$X is any number of siblings. Together with the tokens of the pattern they must have all tokens
// except comments and line ends. So the two trees may have different shapes, as with a node that is only for lists of
// two.
//
//	pattern   f ( $X , $$$Y )
//	tokens    f ( a + 1 , b , c )
//	nodes           ─┬─   ┬ ┬ ┬
//	                 $X   $$$Y
//
// At each token the largest node is tried first.
type matcher struct {
	*index
	reading
	root  int32
	equal func(a, b []byte) bool
	first int32      // the first node for a metavariable
	limit int32      // the end of the tokens that can match
	runs  [][2]int32 // for each metavariable, siblings [first, end)
	at    []int32    // for each item, its first token
	steps int
}

// maxSteps limits the compared items for one root.
const maxSteps = 1000

func (m *matcher) match() bool {
	t := m.tree
	m.first, m.limit = m.root+1, t.Nodes[m.root].Last
	if !m.single {
		parent := t.Nodes[m.root].Parent
		if parent < 0 {
			return false
		}
		m.first, m.limit = m.root, t.Nodes[parent].Last
	}
	m.runs, m.at = make([][2]int32, len(m.items)), make([]int32, len(m.items)+1)
	return m.from(0, t.Nodes[m.root].First)
}

// from matches the items from i on with the tokens from k on.
func (m *matcher) from(i int, k int32) bool {
	t := m.tree
	for ; ; i, k = i+1, k+1 {
		if m.steps++; m.steps > maxSteps {
			return false
		}
		m.at[i] = k
		if i == len(m.items) {
			return m.ends(k)
		}
		k = min(m.past[k], m.limit)
		m.at[i] = k
		if m.items[i].name != "" {
			break
		}
		if k == m.limit || !m.equal(text(t, k), m.items[i].text) {
			return false
		}
	}
	many := m.items[i].many
	for n := max(m.begins[k], m.first); int(n) < len(t.Nodes) && t.Nodes[n].First == k && k < m.limit; n++ {
		switch last := t.Nodes[n].Last; {
		case last == k || last > m.limit:
		case many:
			if m.siblings(i, n) {
				return true
			}
		case !t.IsFixed(n) && m.is(i, n, t.Nodes[n].Next) && m.from(i+1, last):
			return true
		}
	}
	return many && m.is(i, 0, 0) && m.from(i+1, k)
}

// siblings matches item i with siblings from n on, and the following items with the rest.
func (m *matcher) siblings(i int, n int32) bool {
	t := m.tree
	end := t.Nodes[n].Next
	for until := t.Nodes[t.Nodes[n].Parent].Next; end < until && t.Nodes[end].Last <= m.limit; end = t.Nodes[end].Next {
	}
	for end > n {
		last := lastBefore(t, n, end)
		if m.is(i, n, end) && m.from(i+1, t.Nodes[last].Last) {
			return true
		}
		if m.steps > maxSteps {
			return false
		}
		end = last
	}
	return false
}

// lastBefore returns the last sibling of n, or n itself, before node end.
func lastBefore(t *parse.Tree, n, end int32) int32 {
	last := end - 1
	for parent := t.Nodes[n].Parent; t.Nodes[last].Parent != parent; {
		last = t.Nodes[last].Parent
	}
	return last
}

// is binds item i to the siblings [n, end). Items of one name have equal texts.
func (m *matcher) is(i int, n, end int32) bool {
	m.runs[i] = [2]int32{n, end}
	name := m.items[i].name
	if name == "_" {
		return true
	}
	for k := range i {
		if m.items[k].name == name {
			return slices.EqualFunc(m.tokens(m.runs[k]), m.tokens(m.runs[i]), func(a, b parse.Token) bool {
				return bytes.Equal(m.tree.Source[a.Start:a.End], m.tree.Source[b.Start:b.End])
			})
		}
	}
	return true
}

func (m *matcher) tokens(run [2]int32) []parse.Token {
	if run[0] == run[1] {
		return nil
	}
	t := m.tree
	return t.Tokens[t.Nodes[run[0]].First:t.Nodes[lastBefore(t, run[0], run[1])].Last]
}

// ends reports whether a match can end before token k: with the root, apart from an optional semicolon, or with a
// sibling.
func (m *matcher) ends(k int32) bool {
	t := m.tree
	if m.single {
		k = min(m.past[k], m.limit)
		return k == m.limit || k == m.limit-1 && string(text(t, k)) == ";"
	}
	for n := m.root; int(n) < len(t.Nodes) && t.Nodes[n].Parent == t.Nodes[m.root].Parent; n = t.Nodes[n].Next {
		if t.Nodes[n].Last >= k {
			return t.Nodes[n].Last == k
		}
	}
	return false
}

func (m *matcher) bound() bound {
	t := m.tree
	b := bound{reading: m.reading, siblings: []int32{m.root}, names: map[string][]int32{}, at: m.at}
	if !m.single {
		for n := t.Nodes[m.root].Next; int(n) < len(t.Nodes) && t.Nodes[n].First < m.at[len(m.items)]; n = t.Nodes[n].Next {
			b.siblings = append(b.siblings, n)
		}
	}
	for i, item := range m.items {
		if item.name == "" || b.names[item.name] != nil {
			continue
		}
		siblings := []int32{}
		for n := m.runs[i][0]; n < m.runs[i][1]; n = t.Nodes[n].Next {
			siblings = append(siblings, n)
		}
		b.names[item.name] = siblings
	}
	return b
}

func isSpace(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

func text(t *parse.Tree, i int32) []byte { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }
