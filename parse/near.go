package parse

import (
	"bytes"
	"slices"
)

// Near narrows a candidate, made from base by taking something away, to the
// surroundings of what was taken, a text about as small as the change. Members of long
// lists go from both unless they, or a neighbour, were touched; of lists in what was not
// touched the first two members stay.
//
// Where nearBase has no syntax errors, near has some if c has more than base has, and
// only then, as far as lists are free of context. They are not where what is taken away
// is part of a token, as a quote: then what is far away reads otherwise, too. Where
// nearBase has errors, near says little: errors hide others. Of random candidates of
// right files, in all languages, less than one in a thousand was judged otherwise than by
// the whole file, and as few had a nearBase with errors; of files that had errors
// themselves one in 200 was judged otherwise, and a third had such a nearBase.
func Near(base, c *Candidate) (nearBase, near *Candidate) {
	nearBase, near = base.edit(), c.edit()
	changed := &Candidate{tree: base.tree, live: base.live.differs(c.live)}
	changed.addRows(base, c)
	changed.addRows(c, base)
	far := base.far(c, changed.counted())
	for _, n := range far {
		nearBase.clear(n)
		near.clear(n)
	}
	nearBase.separate(base, far)
	near.separate(c, far)
	return nearBase, near
}

// addRows makes the live tokens of c live that are not the same in other.
func (changed *Candidate) addRows(c, other *Candidate) {
	for _, ch := range c.changes {
		if ch.row != nil && c.live.has(ch.token) && !bytes.Equal(c.tokenText(ch.token), other.tokenText(ch.token)) {
			changed.live.set(ch.token)
		}
	}
}

// A level is a node that a walk is in. The walks keep their own stacks: a tree
// may be deeper than Go's stack may grow.
type level struct {
	node     int32
	children []int32 // the live ones
	at       int     // the child that comes next
	end      int     // behind the run of list members that at is in
	long     bool    // that run is long
	touched  []bool  // of each child
	beside   []bool  // of each child: it stands next to one that is touched
	members  int     // of that run, before at
	gone     int     // children that the candidate has not, before at
}

// next returns the next child, after it has looked at the run that this is in.
func (l *level) next(base *Candidate) (i int, n int32) {
	if l.at >= l.end {
		l.end, l.long = base.run(l.children, l.at)
		l.members = 0
	}
	i, n = l.at, l.children[l.at]
	l.at++
	if base.inList(n) {
		l.members++
	}
	return i, n
}

// needed reports whether member i of a list stays in any case: the first child of a
// file's root, for it may say how to read the others, and the first of a list that may
// not be empty.
func (l *level) needed(base *Candidate, i int) bool {
	return i == 0 && base.tree.IsRoot(l.node) || l.members == 1 && base.tree.Nodes[l.children[i]].Slot == Plus
}

// short is the weight up to which a run of list members stays as it is: what looks
// like a list to the parse table, one token ahead, may be two words that need each
// other, as in for (var i : l), but hardly if it is long.
const short = 16

// run returns the end of the run of list members that begins at child i, and reports
// whether it is long.
func (base *Candidate) run(children []int32, i int) (end int, long bool) {
	weight := 0
	for end = i; end < len(children); end++ {
		n := children[end]
		if !base.inList(n) && base.tree.Nodes[n].Slot != Separator {
			break
		}
		if weight <= short {
			weight += base.WeightOf(n)
		}
	}
	return max(end, i+1), weight > short
}

// far returns the members of long lists that are neither touched nor next to what is,
// nor needed. Files do not say how to read each other. Nodes are asked about at each
// level of a tree that may be as deep as the file is long: changed has sums, too.
func (base *Candidate) far(c, changed *Candidate) (found []int32) {
	enter := func(n int32) level {
		l := level{node: n, children: base.Children(n)}
		l.touched, l.beside = make([]bool, len(l.children)), make([]bool, len(l.children))
		for i, d := range l.children {
			l.touched[i] = changed.Live(d)
		}
		base.tree.beside(l.children, l.touched, l.beside)
		return l
	}
	for stack := []level{enter(0)}; len(stack) > 0; {
		l := &stack[len(stack)-1]
		if l.at == len(l.children) {
			stack = stack[:len(stack)-1]
			continue
		}
		i, d := l.next(base)
		gone := l.gone
		if l.gone = 0; l.touched[i] && !c.Live(d) {
			l.gone = gone + 1
		}
		member := l.long && base.inList(d)
		switch {
		case l.touched[i] && c.Live(d):
			stack = append(stack, enter(d))
		case !l.touched[i] && base.tree.isPart(d):
			found = append(found, d)
		case !l.touched[i] && member && !l.beside[i] && !l.needed(base, i):
			found = append(found, d)
		case l.touched[i] && member && gone >= 2:
			found = append(found, d)
		default:
			found = base.spare(d, found)
		}
	}
	return found
}

func (base *Candidate) inList(n int32) bool {
	s := base.tree.Nodes[n].Slot
	return s == Star || s == Plus
}

// spare returns the members of long lists below n but for the first two of each.
func (base *Candidate) spare(n int32, found []int32) []int32 {
	for stack := []level{{node: n, children: base.Children(n)}}; len(stack) > 0; {
		l := &stack[len(stack)-1]
		if l.at == len(l.children) {
			stack = stack[:len(stack)-1]
			continue
		}
		_, d := l.next(base)
		if l.long && l.members > 2 && base.inList(d) {
			found = append(found, d)
			continue
		}
		if !base.tree.IsLeaf(d) {
			stack = append(stack, level{node: d, children: base.Children(d)})
		}
	}
	return found
}

// beside finds the children next to one that was touched, before or behind it:
// siblings, with nothing but comments and separators between them.
func (t *Tree) beside(children []int32, touched, beside []bool) {
	is := false
	look := func(i int) {
		beside[i] = beside[i] || is
		if n := &t.Nodes[children[i]]; touched[i] || n.Slot != Separator && !n.Comment {
			is = touched[i]
		}
	}
	for i := range children {
		look(i)
	}
	is = false
	for i := range slices.Backward(children) {
		look(i)
	}
}
