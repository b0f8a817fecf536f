package local

import "testing"

func TestWorkPlace(t *testing.T) {
	t.Setenv("TMPDIR", "/somewhere")
	if place := workPlace(0); place != "/somewhere" {
		t.Errorf("in spite of TMPDIR the place is %s", place)
	}
	t.Setenv("TMPDIR", "")
	if place := workPlace(1 << 62); place != "/tmp" {
		t.Errorf("without room in memory the place is %s", place)
	}
	if fits("/proc", 0) || fits("/no/such/place", 0) {
		t.Error("/proc or nothing is taken for memory")
	}
}
