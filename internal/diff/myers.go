package diff

import "math"

// The search for a shortest path gives up after c.patience edits from either end and splits the
// sequences at the furthest point reached, as GNU diff does ("too expensive"). The number of steps,
// about patience × length, is at most mostSteps unless patience is leastPatience.
const (
	mostSteps     = 1 << 26
	leastPatience = 256
)

// A comparison computes a shortest edit script by divide and conquer in linear space: Myers, "An
// O(ND) Difference Algorithm and Its Variations" (Algorithmica 1, 1986), §4b.
//
// Elements of only one sequence are left out first, which makes files with many changed lines cheap.
type comparison struct {
	deleted, inserted []bool // of all elements

	a, b     []int // elements that both sequences have, as numbers
	atA, atB []int // their indices

	// The furthest a-index reached on each diagonal, by index in a minus index in b. The offset
	// is len(b)+1.
	forward, backward []int
	patience          int
}

func compare(a, b []string) []Change {
	c := comparison{deleted: make([]bool, len(a)), inserted: make([]bool, len(b))}
	c.intern(a, b)
	n := len(c.a) + len(c.b)
	c.forward, c.backward = make([]int, n+3), make([]int, n+3)
	c.patience = max(leastPatience, mostSteps/max(n, 1))
	c.mark(0, len(c.a), 0, len(c.b))
	return c.changes()
}

// intern numbers the elements, and marks elements of one sequence alone.
func (c *comparison) intern(a, b []string) {
	const inA, inB = 1, 2
	in, number := map[string]int{}, map[string]int{}
	for _, s := range a {
		in[s] |= inA
	}
	for _, s := range b {
		in[s] |= inB
	}
	common := func(all []string, only []bool) (numbers, at []int) {
		for i, s := range all {
			if in[s] != inA|inB {
				only[i] = true
				continue
			}
			n, known := number[s]
			if !known {
				n = len(number)
				number[s] = n
			}
			numbers, at = append(numbers, n), append(at, i)
		}
		return numbers, at
	}
	c.a, c.atA = common(a, c.deleted)
	c.b, c.atB = common(b, c.inserted)
}

// mark marks the differences between a[x:xEnd] and b[y:yEnd]. The common suffix goes first, so that a
// change that fits in several places gets the first.
func (c *comparison) mark(x, xEnd, y, yEnd int) {
	for x < xEnd && y < yEnd && c.a[xEnd-1] == c.b[yEnd-1] {
		xEnd, yEnd = xEnd-1, yEnd-1
	}
	for x < xEnd && y < yEnd && c.a[x] == c.b[y] {
		x, y = x+1, y+1
	}
	switch {
	case x == xEnd:
		for ; y < yEnd; y++ {
			c.inserted[c.atB[y]] = true
		}
	case y == yEnd:
		for ; x < xEnd; x++ {
			c.deleted[c.atA[x]] = true
		}
	default:
		xMiddle, yMiddle := c.split(x, xEnd, y, yEnd)
		c.mark(x, xMiddle, y, yMiddle)
		c.mark(xMiddle, xEnd, yMiddle, yEnd)
	}
}

// diagonals returns the lowest and the highest diagonal that a path from a diagonal reaches with so
// many edits, within limits. The others between them are each second one.
func diagonals(start, edits, least, most int) (from, to int) {
	from, to = max(start-edits, least), min(start+edits, most)
	return from + (from-start+edits)%2, to - (start+edits-to)%2
}

// split returns the point where shortest paths from both ends of a[x:xEnd] and b[y:yEnd] meet. Neither
// is empty.
func (c *comparison) split(x, xEnd, y, yEnd int) (int, int) {
	offset := len(c.b) + 1
	forward := func(diagonal int) *int { return &c.forward[diagonal+offset] }
	backward := func(diagonal int) *int { return &c.backward[diagonal+offset] }
	least, most := x-yEnd, xEnd-y
	first, last := x-y, xEnd-yEnd
	odd := (first-last)%2 != 0
	for d := least - 1; d <= most+1; d++ { // reached by no path
		*forward(d), *backward(d) = math.MinInt, math.MaxInt
	}
	*forward(first), *backward(last) = x, xEnd
	for edits := 1; ; edits++ {
		from, to := diagonals(first, edits, least, most)
		for d := to; d >= from; d -= 2 {
			i := max(*forward(d - 1)+1, *forward(d + 1))
			for i < xEnd && i-d < yEnd && c.a[i] == c.b[i-d] {
				i++
			}
			*forward(d) = i
			if odd && *backward(d) <= i {
				return i, i - d
			}
		}
		from, to = diagonals(last, edits, least, most)
		for d := to; d >= from; d -= 2 {
			i := min(*backward(d - 1), *backward(d + 1)-1)
			for i > x && i-d > y && c.a[i-1] == c.b[i-d-1] {
				i--
			}
			*backward(d) = i
			if !odd && i <= *forward(d) {
				return i, i - d
			}
		}
		if edits >= c.patience {
			return c.furthest(x, xEnd, y, yEnd, edits)
		}
	}
}

// furthest returns the point that is the furthest from the end where its path began.
func (c *comparison) furthest(x, xEnd, y, yEnd, edits int) (bestX, bestY int) {
	offset, best := len(c.b)+1, -1
	from, to := diagonals(x-y, edits, x-yEnd, xEnd-y)
	for d := to; d >= from; d -= 2 {
		i := min(c.forward[d+offset], xEnd, yEnd+d)
		if way := i - x + i - d - y; way > best {
			best, bestX, bestY = way, i, i-d
		}
	}
	from, to = diagonals(xEnd-yEnd, edits, x-yEnd, xEnd-y)
	for d := to; d >= from; d -= 2 {
		i := max(c.backward[d+offset], x, y+d)
		if way := xEnd - i + yEnd - (i - d); way > best {
			best, bestX, bestY = way, i, i-d
		}
	}
	return bestX, bestY
}

func (c *comparison) changes() (all []Change) {
	for i, j := 0, 0; i < len(c.deleted) || j < len(c.inserted); {
		change := Change{A: i, B: j}
		for i < len(c.deleted) && c.deleted[i] {
			i++
		}
		for j < len(c.inserted) && c.inserted[j] {
			j++
		}
		if change.AEnd, change.BEnd = i, j; i > change.A || j > change.B {
			all = append(all, change)
			continue
		}
		i, j = i+1, j+1
	}
	return all
}
