package rewrite

import "testing"

func TestStatistics(t *testing.T) {
	s, failing, succeeding := statistics{}, Family{Name: "failing"}, Family{Name: "succeeding"}
	for i := range uint64(20) {
		s = s.with(failing, i, false).with(succeeding, i, i%2 == 0)
	}
	low, high, other := s.chance(failing, 99), s.chance(succeeding, 99), s.chance(Family{Name: "other"}, 99)
	if low >= other || other >= high {
		t.Errorf("chances of a failing family %f, of a succeeding one %f, of another one %f", low, high, other)
	}
	if s.endSweep().chance(succeeding, 1) >= s.chance(succeeding, 1) {
		t.Error("a change that failed before is as likely as a new one")
	}
}
