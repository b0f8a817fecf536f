package whittle

import (
	"bytes"
	"slices"
	"testing"
)

func numbers(t checkpoints) (n []int) {
	for _, m := range t.kept {
		n = append(n, m.number)
	}
	return n
}

func TestCheckpoints(t *testing.T) {
	var tr checkpoints
	for i := range 30 {
		tr.add([]byte{byte(i)}, i)
	}
	if got, want := numbers(tr), []int{0, 8, 16, 20, 22, 24, 26, 27, 28, 29}; !slices.Equal(got, want) {
		t.Errorf("of 30 it has %v, want %v", got, want)
	}
	var back []int
	for {
		m, ok := tr.back()
		if !ok {
			break
		}
		back = append(back, m.tokens)
	}
	if want := []int{28, 27, 26, 24, 22, 20, 16, 8, 0}; !slices.Equal(back, want) {
		t.Errorf("back went over %v, want %v", back, want)
	}
	for i := range 100_000 {
		tr.add(nil, i)
		if len(tr.kept) > 40 {
			t.Fatalf("after %d it has %d", i, len(tr.kept))
		}
	}
}

// Of large files few are kept, but the first and the last.
func TestCheckpointsBytes(t *testing.T) {
	var tr checkpoints
	large := bytes.Repeat([]byte{'x'}, checkpointBytes/3)
	for i := range 6 {
		tr.add(large, i)
	}
	if got, want := numbers(tr), []int{0, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("it has %v, want %v", got, want)
	}
	tr.add(make([]byte, 2*checkpointBytes), 6)
	if got, want := numbers(tr), []int{0, 6}; !slices.Equal(got, want) {
		t.Errorf("it has %v, want %v", got, want)
	}
}
