package parse

// Near narrows a candidate, made from base by taking something away, to the
// surroundings of what was taken. Members of lists go from both unless they, or
// a neighbour, were touched; of lists in what was not touched the first two
// members stay. What is left of the two differs in syntax errors as the two do, as far
// as lists are free of context, in a text about as small as the change.
func Near(base, c *Candidate) (nearBase, near *Candidate) {
	nearBase, near = base.edit(), c.edit()
	near.moved = c.moved
	changed := &Candidate{tree: base.tree, live: base.live.differs(c.live)}
	far := base.far(c, changed.counted(), 0, nil)
	for _, n := range far {
		nearBase.clear(n)
		near.clear(n)
	}
	nearBase.separate(base, far)
	near.separate(c, far)
	return nearBase, near
}

// far gives the members of lists at or below n that are neither touched nor
// next to what is. The first child of a file's root stays: it may say how to read
// the others. Files do not say how to read each other. Nodes are asked about at each
// level of a tree that may be as deep as the file is long: changed has sums, too.
func (base *Candidate) far(c, changed *Candidate, n int32, found []int32) []int32 {
	children := base.Children(n)
	touched := make([]bool, len(children))
	for i, d := range children {
		touched[i] = changed.Live(d)
	}
	gone := 0 // members of one list that c has not
	for i, d := range children {
		switch {
		case touched[i] && c.Live(d):
			found = base.far(c, changed, d, found)
		case !touched[i] && base.tree.isPart(d):
			found = append(found, d)
		case !touched[i] && base.inList(d) && !near(children, touched, i, base.tree) && (i > 0 || !base.tree.isRoot(n)):
			found = append(found, d)
		case touched[i] && base.inList(d) && gone >= 2:
			found = append(found, d)
			continue
		default:
			found = base.spare(d, found)
		}
		if touched[i] && !c.Live(d) {
			gone++
		} else {
			gone = 0
		}
	}
	return found
}

func (base *Candidate) inList(n int32) bool {
	s := base.tree.Nodes[n].Slot
	return s == Star || s == Plus
}

// spare gives the members of lists below n but for the first two of each.
func (base *Candidate) spare(n int32, found []int32) []int32 {
	members := 0
	for d := range base.children(n) {
		switch {
		case base.inList(d):
			if members++; members > 2 {
				found = append(found, d)
				continue
			}
		case base.tree.Nodes[d].Slot != Separator:
			members = 0
		}
		found = base.spare(d, found)
	}
	return found
}

// near tells whether what stands before or behind child i was touched: the
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
