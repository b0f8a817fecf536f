package whittle

import (
	"math/bits"
	"slices"
)

// trailBytes bounds the memory of a trail.
const trailBytes = 64 << 20

// trail remembers accepted files, to step back along: the first, which is the
// input, the last four, and of those between ever fewer the older they are, two
// for each doubling of age. Beyond trailBytes the oldest go.
type trail struct {
	kept  []milestone // oldest first
	count int
}

type milestone struct {
	file   []byte
	tokens int
	number int
}

func (t *trail) add(file []byte, tokens int) {
	t.kept = append(t.kept, milestone{file, tokens, t.count})
	t.kept = slices.DeleteFunc(t.kept, func(m milestone) bool { return m.number%spacing(t.count-m.number) != 0 })
	t.count++
	size := 0
	for i := len(t.kept) - 1; i > 0; i-- {
		if size += len(t.kept[i].file); size > trailBytes && i < len(t.kept)-1 {
			t.kept = slices.Delete(t.kept, 1, i+1)
			break
		}
	}
}

// spacing is the distance between kept files of an age: 1, 1, 1, 1, 2, 2, 2, 2,
// then eight times 4, and so on. What is left out at one age is left out at all
// greater ones.
func spacing(age int) int { return 1 << max(0, bits.Len(uint(age))-2) }

// back drops the newest file and gives the one before it, if there is one.
func (t *trail) back() (milestone, bool) {
	if len(t.kept) > 0 {
		t.kept = t.kept[:len(t.kept)-1]
	}
	if len(t.kept) == 0 {
		return milestone{}, false
	}
	return t.kept[len(t.kept)-1], true
}
