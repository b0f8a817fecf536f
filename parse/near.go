package parse

import "bytes"

// Near narrows a candidate, made from base by taking something away, to the
// surroundings of what was taken. Members of lists go from both unless they, or
// a neighbour, were touched; of lists in what was not touched the first two
// members stay. What is left of the two differs in syntax errors as the two do, as far
// as lists are free of context, in a text about as small as the change.
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
	touched  []bool  // of each child
	gone     int     // members of a list that the candidate has not, before at
	members  int     // of a list, before at
}

// far returns the members of lists that are neither touched nor
// next to what is. The first child of a file's root stays: it may say how to read
// the others. Files do not say how to read each other. Nodes are asked about at each
// level of a tree that may be as deep as the file is long: changed has sums, too.
func (base *Candidate) far(c, changed *Candidate) (found []int32) {
	enter := func(n int32) level {
		l := level{node: n, children: base.Children(n)}
		l.touched = make([]bool, len(l.children))
		for i, d := range l.children {
			l.touched[i] = changed.Live(d)
		}
		return l
	}
	for stack := []level{enter(0)}; len(stack) > 0; {
		l := &stack[len(stack)-1]
		if l.at == len(l.children) {
			stack = stack[:len(stack)-1]
			continue
		}
		i, d := l.at, l.children[l.at]
		l.at++
		gone := l.gone
		if l.gone = 0; l.touched[i] && !c.Live(d) {
			l.gone = gone + 1
		}
		switch {
		case l.touched[i] && c.Live(d):
			stack = append(stack, enter(d))
		case !l.touched[i] && base.tree.isPart(d):
			found = append(found, d)
		case !l.touched[i] && base.inList(d) && !near(l.children, l.touched, i, base.tree) &&
			(i > 0 || !base.tree.isRoot(l.node)):
			found = append(found, d)
		case l.touched[i] && base.inList(d) && gone >= 2:
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

// spare returns the members of lists below n but for the first two of each.
func (base *Candidate) spare(n int32, found []int32) []int32 {
	for stack := []level{{node: n, children: base.Children(n)}}; len(stack) > 0; {
		l := &stack[len(stack)-1]
		if l.at == len(l.children) {
			stack = stack[:len(stack)-1]
			continue
		}
		d := l.children[l.at]
		l.at++
		switch {
		case base.inList(d):
			if l.members++; l.members > 2 {
				found = append(found, d)
				continue
			}
		case base.tree.Nodes[d].Slot != Separator:
			l.members = 0
		}
		if !base.tree.IsLeaf(d) {
			stack = append(stack, level{node: d, children: base.Children(d)})
		}
	}
	return found
}

// near reports whether what stands before or behind child i was touched: the
// sibling, or the one beyond a separator.
func near(children []int32, touched []bool, i int, t *Tree) bool {
	for _, step := range []int{1, -1} {
		for k := i + step; k >= 0 && k < len(children); k += step {
			if touched[k] {
				return true
			}
			if t.Nodes[children[k]].Slot != Separator {
				break
			}
		}
	}
	return false
}
