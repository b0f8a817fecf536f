package rewrite

import "testing"

// A family that succeeded is expected to succeed more often than families that failed.
func TestEarnings(t *testing.T) {
	e, poorly, richly := earnings{}, Family{Name: "poor"}, Family{Name: "rich"}
	for i := range uint64(20) {
		e = e.told(poorly, i, false).told(richly, i, i%2 == 0)
	}
	poor, rich, other := e.chance(poorly, 99), e.chance(richly, 99), e.chance(Family{Name: "other"}, 99)
	if poor >= other || other >= rich {
		t.Errorf("chances %f, %f and of what is not known %f", poor, rich, other)
	}
	if e.remembered().chance(richly, 1) >= e.chance(richly, 1) {
		t.Error("what failed before is as likely as what did not")
	}
}
