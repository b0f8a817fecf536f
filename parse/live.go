package parse

import "math/bits"

// live is the bit set of live tokens.
type live []uint64

func allLive(n int) live {
	l := make(live, (n+63)/64)
	for w := range l {
		l[w] = mask(w, 0, n)
	}
	return l
}

func (l live) has(i int) bool { return l[i/64]>>(i%64)&1 != 0 }

func (l live) set(i int) { l[i/64] |= 1 << (i % 64) }

// mask returns the bits of word w in [from, to), which may be empty.
func mask(w, from, to int) uint64 {
	m := ^uint64(0)
	if lo := from - w*64; lo > 0 {
		m <<= lo
	}
	if hi := to - w*64; hi < 64 {
		m &= 1<<hi - 1
	}
	return m
}

func (l live) clear(from, to int) {
	for w := from / 64; w*64 < to; w++ {
		l[w] &^= mask(w, from, to)
	}
}

func (l live) take(other live, from, to int) {
	for w := from / 64; w*64 < to; w++ {
		m := mask(w, from, to)
		l[w] = l[w]&^m | other[w]&m
	}
}

func (l live) differs(other live) live {
	d := make(live, len(l))
	for w := range l {
		d[w] = l[w] ^ other[w]
	}
	return d
}

func (l live) weigh(from, to int, weights []int32) int {
	if weights == nil {
		return l.count(from, to)
	}
	sum := 0
	for i := l.next(from, to); i < to; i = l.next(i+1, to) {
		sum += int(weights[i])
	}
	return sum
}

// sums returns the weight of the members before each word of l, and of all.
func (l live) sums(weights []int32) []int {
	sums := make([]int, len(l)+1)
	for w := range l {
		sums[w+1] = sums[w] + l.weigh(w*64, (w+1)*64, weights)
	}
	return sums
}

func (l live) count(from, to int) int {
	n := 0
	for w := from / 64; w*64 < to; w++ {
		n += bits.OnesCount64(l[w] & mask(w, from, to))
	}
	return n
}

// next returns the first member in [from, to), or to.
func (l live) next(from, to int) int { return l.find(from, to, 0) }

// gone returns the first non-member in [from, to), or to.
func (l live) gone(from, to int) int { return l.find(from, to, ^uint64(0)) }

func (l live) find(from, to int, flip uint64) int {
	for w := from / 64; w*64 < to; w++ {
		if b := (l[w] ^ flip) & mask(w, from, to); b != 0 {
			return w*64 + bits.TrailingZeros64(b)
		}
	}
	return to
}

// last returns the last member in [from, to), or -1.
func (l live) last(from, to int) int {
	for w := (to - 1) / 64; w >= from/64 && from < to; w-- {
		if b := l[w] & mask(w, from, to); b != 0 {
			return w*64 + bits.Len64(b) - 1
		}
	}
	return -1
}
