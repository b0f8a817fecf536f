package whittle

import (
	"math/bits"
	"slices"
)

const checkpointBytes = 64 << 20

// checkpoints are accepted files to go back to: the input, the last four, and two for each doubling of age. Above
// checkpointBytes the oldest are dropped, except the input.
type checkpoints struct {
	kept  []checkpoint // oldest first
	count int
}

type checkpoint struct {
	file   []byte
	tokens int
	number int
}

func (t *checkpoints) add(file []byte, tokens int) {
	t.kept = append(t.kept, checkpoint{file, tokens, t.count})
	t.kept = slices.DeleteFunc(t.kept, func(m checkpoint) bool { return m.number%spacing(t.count-m.number) != 0 })
	t.count++
	size := 0
	for i := len(t.kept) - 1; i > 0; i-- {
		if size += len(t.kept[i].file); size > checkpointBytes && i < len(t.kept)-1 {
			t.kept = slices.Delete(t.kept, 1, i+1)
			break
		}
	}
}

// spacing returns the distance between kept files by age: 1, 1, 1, 1, 2, 2, 2, 2, then eight times 4, and so on. A file
// that is dropped at one age would be dropped at all greater ages.
func spacing(age int) int { return 1 << max(0, bits.Len(uint(age))-2) }

// back drops the newest file and returns the one before it, if any.
func (t *checkpoints) back() (checkpoint, bool) {
	if len(t.kept) > 0 {
		t.kept = t.kept[:len(t.kept)-1]
	}
	if len(t.kept) == 0 {
		return checkpoint{}, false
	}
	return t.kept[len(t.kept)-1], true
}
