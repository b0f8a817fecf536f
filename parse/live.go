package parse

import "math/bits"

// live is the set of live tokens, a bit each.
type live []uint64

func allLive(n int) live {
	l := make(live, (n+63)/64)
	for i := range l {
		l[i] = ^uint64(0)
	}
	if n%64 != 0 {
		l[len(l)-1] = 1<<(n%64) - 1
	}
	return l
}

func (l live) has(i int) bool { return l[i/64]>>(i%64)&1 != 0 }

// mask gives the bits of word w that lie in [from, to).
func mask(w, from, to int) uint64 {
	m := ^uint64(0)
	if lo := from - w*64; lo > 0 {
		m &= ^uint64(0) << lo
	}
	if hi := to - w*64; hi < 64 {
		m &= 1<<hi - 1
	}
	return m
}

// clear removes [from, to).
func (l live) clear(from, to int) {
	if from >= to {
		return
	}
	for w := from / 64; w <= (to-1)/64; w++ {
		l[w] &^= mask(w, from, to)
	}
}

// take makes [from, to) what it is in other.
func (l live) take(other live, from, to int) {
	if from >= to {
		return
	}
	for w := from / 64; w <= (to-1)/64; w++ {
		m := mask(w, from, to)
		l[w] = l[w]&^m | other[w]&m
	}
}

// differences gives what is in one of two sets of the same size.
func (l live) differences(other live) live {
	d := make(live, len(l))
	for w := range l {
		d[w] = l[w] ^ other[w]
	}
	return d
}

// An index counts the members of a set in any range in constant time.
type index struct {
	set    live
	before []int32 // the members in the words before each
}

func (l live) index() index {
	x := index{l, make([]int32, len(l)+1)}
	for w := range l {
		x.before[w+1] = x.before[w] + int32(bits.OnesCount64(l[w]))
	}
	return x
}

// count gives the number of members in [from, to).
func (x index) count(from, to int) int {
	if from >= to {
		return 0
	}
	return x.below(to) - x.below(from)
}

// below gives the number of members in [0, i).
func (x index) below(i int) int {
	n := int(x.before[i/64])
	if i%64 != 0 {
		n += bits.OnesCount64(x.set[i/64] & (1<<(i%64) - 1))
	}
	return n
}

// count gives the number of members in [from, to).
func (l live) count(from, to int) int {
	if from >= to {
		return 0
	}
	n := 0
	for w := from / 64; w <= (to-1)/64; w++ {
		n += bits.OnesCount64(l[w] & mask(w, from, to))
	}
	return n
}

// next gives the first member in [from, to), or to.
func (l live) next(from, to int) int {
	if from >= to {
		return to
	}
	for w := from / 64; w <= (to-1)/64; w++ {
		if b := l[w] & mask(w, from, to); b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return to
}

// gone gives the first non-member in [from, to), or to.
func (l live) gone(from, to int) int {
	if from >= to {
		return to
	}
	for w := from / 64; w <= (to-1)/64; w++ {
		if b := ^l[w] & mask(w, from, to); b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return to
}
