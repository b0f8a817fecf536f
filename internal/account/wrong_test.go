package account

import "testing"

// The last level counts, and levels are ordered.
func TestLevel(t *testing.T) {
	for command, want := range map[string]string{
		"gcc -O0 {}": "-O0", "gcc -O2 {} -O3": "-O3", "gcc {}": "", "z3 -o {}": "", "gcc -O {}": "-O",
	} {
		if got := level(command); got != want {
			t.Errorf("%s: %q", command, got)
		}
	}
	if level("gcc -O0 {}") >= level("gcc -O2 {}") || level("gcc {}") >= level("gcc -O0 {}") {
		t.Error("the levels have another order")
	}
}
